"""The PE writer, judged by readers that it does not know: pefile, LIEF and, where it is installed, objdump."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import lief
import pefile
import pytest

from tests.testbed.pewriter import Call, Dll, DllMain, build
from whyload.base.machine import Machine

RICH = Dll(
    name="rich.dll",
    exports={"beta": 2, "alpha": 1, "away": "other.name", "byord": "other.#7", 40: 3, "late": Call("lazy.dll", "f")},
    imports={"one.dll": ["f", "g"], "two.dll": [12], "none.dll": []},
    unused={"unused.dll": ["h"]},
    delay={"lazy.dll": ["f", 9]},
    dllmain=DllMain.TRUE,
    pyinit="rich",
    python_dll="python311.dll",
    init_calls=[Call("one.dll", "g")],
    version=(14, 38, 33130, 0),
    manifest=b"<assembly/>",
    linker=(14, 29),
    dependent_load_flags=0x800,
    padding=5000,
)


@pytest.fixture(scope="module")
def rich() -> pefile.PE:
    return pefile.PE(data=build(RICH))


def complaints(image: pefile.PE) -> list[str]:
    """pefile's warnings without those about what a small DLL is allowed: many zeros, no entry point, no relocations."""
    # the delay helper's LoadLibraryA and GetProcAddress look to pefile like a packer's
    harmless = (
        "Imported symbols contain entries typical of packed",
        "Byte 0x00 makes up",
        "SizeOfHeaders is smaller",
        "AddressOfEntryPoint lies",
        "Overlapping offsets in reloc",
    )
    return [text for text in image.get_warnings() if not text.startswith(harmless)]


def test_pefile_complains_of_the_unused_descriptor_only(rich: pefile.PE) -> None:
    assert len(complaints(rich)) == 1
    assert (
        complaints(pefile.PE(data=build(replace(RICH, unused={}, imports={"one.dll": ["f", "g"], "two.dll": [12]}))))
        == []
    )


def test_exports_as_pefile_reads_them(rich: pefile.PE) -> None:
    found = {(symbol.name, symbol.forwarder) for symbol in rich.DIRECTORY_ENTRY_EXPORT.symbols}
    assert found == {
        (b"alpha", None),
        (b"beta", None),
        (b"late", None),
        (b"PyInit_rich", None),
        (None, None),
        (b"away", b"other.name"),
        (b"byord", b"other.#7"),
    }
    assert [s.ordinal for s in rich.DIRECTORY_ENTRY_EXPORT.symbols if s.name is None] == [40]


def test_imports_as_pefile_reads_them(rich: pefile.PE) -> None:
    found = {entry.dll: [i.name or i.ordinal for i in entry.imports] for entry in rich.DIRECTORY_ENTRY_IMPORT}
    assert found[b"one.dll"] == [b"f", b"g"]
    assert found[b"two.dll"] == [12]
    assert found[b"python311.dll"] == [b"PyModule_Create2"]
    delayed = {entry.dll: [i.name or i.ordinal for i in entry.imports] for entry in rich.DIRECTORY_ENTRY_DELAY_IMPORT}
    assert delayed == {b"lazy.dll": [b"f", 9]}


def test_an_unused_descriptor_has_names_and_a_zero_first_slot(rich: pefile.PE) -> None:
    entry = next(e for e in rich.DIRECTORY_ENTRY_IMPORT if e.dll == b"unused.dll")
    assert rich.get_qword_at_rva(entry.struct.FirstThunk) == 0
    assert rich.get_qword_at_rva(entry.struct.OriginalFirstThunk) != 0


def test_versions_manifest_and_flags(rich: pefile.PE) -> None:
    fixed = rich.VS_FIXEDFILEINFO[0]
    assert (fixed.FileVersionMS, fixed.FileVersionLS) == (14 << 16 | 38, 33130 << 16)
    strings = {k: v for info in rich.FileInfo[0] for table in info.StringTable for k, v in table.entries.items()}
    assert strings[b"FileVersion"] == b"14.38.33130.0"
    assert (rich.OPTIONAL_HEADER.MajorLinkerVersion, rich.OPTIONAL_HEADER.MinorLinkerVersion) == (14, 29)
    config = rich.OPTIONAL_HEADER.DATA_DIRECTORY[10].VirtualAddress
    assert rich.get_word_at_rva(config + 78) == 0x800
    manifests = [e for e in rich.DIRECTORY_ENTRY_RESOURCE.entries if e.id == 24]
    data = manifests[0].directory.entries[0].directory.entries[0].data.struct
    assert manifests[0].directory.entries[0].id == 2
    assert rich.get_data(data.OffsetToData, data.Size) == b"<assembly/>"


def test_lief_agrees() -> None:
    parsed = lief.PE.parse(list(build(RICH)))
    assert isinstance(parsed, lief.PE.Binary)
    assert {str(entry.name) for entry in parsed.imports} >= {"one.dll", "two.dll", "python311.dll", "KERNEL32.dll"}
    assert [str(entry.name) for entry in parsed.delay_imports] == ["lazy.dll"]
    export = parsed.get_export()
    assert export is not None
    forwarded = {
        str(e.name): (e.forward_information.library, e.forward_information.function)
        for e in export.entries
        if e.is_forwarded and e.forward_information is not None
    }
    assert forwarded == {"away": ("other", "name"), "byord": ("other", "#7")}


@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is not installed")
def test_objdump_reads_the_same_tables(tmp_path: Path) -> None:
    file = tmp_path / "rich.dll"
    file.write_bytes(build(RICH))
    text = subprocess.run(["objdump", "-p", str(file)], capture_output=True, text=True, check=True).stdout
    for line in ("DLL Name: one.dll", "DLL Name: unused.dll", "alpha", "other.name"):
        assert line in text


@pytest.mark.parametrize(
    ("machine", "magic"),
    [(Machine.AMD64, 0x20B), (Machine.ARM64, 0x20B), (Machine.I386, 0x10B), (Machine.ARMNT, 0x10B)],
)
def test_machines(machine: Machine, magic: int) -> None:
    image = pefile.PE(data=build(Dll(name="m.dll", machine=machine, exports={"f": 1}, imports={"a.dll": ["g", 4]})))
    assert (image.FILE_HEADER.Machine, image.OPTIONAL_HEADER.Magic) == (machine, magic)
    assert [i.name or i.ordinal for i in image.DIRECTORY_ENTRY_IMPORT[0].imports] == [b"g", 4]
    assert complaints(image) == []


def test_the_same_description_gives_the_same_bytes() -> None:
    assert build(RICH) == build(RICH)


def test_code_for_other_machines_is_refused() -> None:
    with pytest.raises(ValueError, match="x64 only"):
        build(Dll(name="a.dll", machine=Machine.I386, delay={"b.dll": ["f"]}))
