"""No fault goes without an answer, and no subject gets two errors: docs/causes.md, "a finding carries exactly one"."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, module
from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, SYSTEM32, Content, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine
from whyload.findings.report import Verdict
from whyload.observe.events import LibraryLoad, Via

PATH = f"{SITE}\\pkg\\a.dll"
MZ = b"MZ".ljust(60, b"\0") + (0x80).to_bytes(4, "little") + bytes(64)
CONTENTS: dict[str, tuple[Content, str]] = {
    "empty": (b"", "corrupt-install"),
    "zeros": (bytes(4096), "corrupt-install"),
    "html": ("<html><body>404</body></html>" * 50, "not-a-library-file"),
    "lfs": ("version https://git-lfs.github.com/spec/v1\noid sha256:x\nsize 1\n", "not-a-library-file"),
    "text": ("plain words " * 200, "not-a-library-file"),
    "zip": (b"PK\x03\x04" + bytes(2000), "not-a-library-file"),
    "gzip": (b"\x1f\x8b\x08" + bytes(2000), "not-a-library-file"),
    "archive": (b"!<arch>\n" + bytes(2000), "not-a-library-file"),
    "dos": (MZ[:60] + bytes(4), "not-a-library-file"),
    "16-bit": (MZ + b"NE" + bytes(2000), "not-a-library-file"),
    "noise": (bytes((i * 7919) % 251 + 1 for i in range(4000)), "not-a-library-file"),
    "elf": (b"\x7fELF\x02" + bytes(2000), "wrong-platform-binary"),
    "mach-o": (b"\xcf\xfa\xed\xfe" + bytes(2000), "wrong-platform-binary"),
    "x86": (Dll(name="a.dll", machine=Machine.I386), "bitness-mismatch"),
    "arm64": (Dll(name="a.dll", machine=Machine.ARM64), "arch-mismatch"),
    "no exports": (Dll(name="a.dll"), "missing-procedure"),
    "no start": (Dll(name="a.dll", exports={"f": 1}, dllmain=DllMain.FALSE), "dllmain-failed"),
}


@pytest.mark.parametrize("kind", CONTENTS)
def test_whatever_the_file_is(kind: str) -> None:
    content, code = CONTENTS[kind]
    report = ask(world({MODULE: module({"a.dll": ["f"]}), PATH: content}))
    assert (report.verdict, codes(report)) == (Verdict.FAILS, [code])


@pytest.mark.parametrize("kind", ["html", "text", "zip", "noise", "elf", "mach-o"])
def test_an_installed_file_that_was_altered_is_a_matter_of_the_installation(kind: str) -> None:
    files = record("pkg", "1.0", {"pkg/_x.pyd": module({"a.dll": ["f"]}), "pkg/a.dll": Dll(name="a.dll")})
    files[f"{SITE}\\pkg/a.dll"] = CONTENTS[kind][0]
    assert codes(ask(world(files))) == ["corrupt-install"]


def test_a_load_that_no_rule_explains_says_what_windows_says() -> None:
    report = ask(world({}), (LibraryLoad(name="x.dll", via=Via.LOADLIBRARY, flags=0x1008),))
    assert (report.verdict, report.findings) == (Verdict.FAILS, ())
    assert any("87" in item.why.en and item.what.en == "x.dll" for item in report.not_checked)
    report = ask(world({MODULE: Dll(name="_x.pyd", exports={"f": 1})}))
    assert any("PyInit__x" in item.why.en for item in report.not_checked)


def test_two_absent_libraries_of_two_files_are_two_findings() -> None:
    files: Files = {
        MODULE: module({"a.dll": ["f"], "b.dll": ["f"]}),
        PATH: Dll(name="a.dll", exports={"f": 1}, imports={"x1.dll": ["g"]}),
        f"{SITE}\\pkg\\b.dll": Dll(name="b.dll", exports={"f": 1}, imports={"x2.dll": ["g"]}),
    }
    assert [finding.object for finding in ask(world(files)).findings] == ["x1.dll", "x2.dll"]


def test_of_two_unusable_copies_the_one_that_stops_is_blamed() -> None:
    files: Files = {
        MODULE: module({"a.dll": ["f"]}),
        PATH: Dll(name="a.dll", machine=Machine.I386),
        f"{SYSTEM32}\\a.dll": b"",
    }
    finding = ask(world(files)).findings[0]
    assert (finding.code, str(finding.culprit)) == ("corrupt-install", f"{SYSTEM32}\\a.dll")


def test_a_private_copy_of_a_windows_dll_that_is_too_old() -> None:
    files: Files = {
        MODULE: module({"dbghelp.dll": ["New"]}),
        f"{SITE}\\pkg\\dbghelp.dll": Dll(name="dbghelp.dll", exports={"Old": 1}),
        "C:\\p\\dbghelp.dll": Dll(name="dbghelp.dll", exports={"New": 1}),
    }
    assert codes(ask(world(files, path=["C:\\p"]))) == ["path-shadowing"]


def test_an_own_library_that_ctypes_asks_for_and_that_is_gone() -> None:
    files = record("pkg", "1.0", {"pkg/__init__.py": "", "pkg/lib.dll": Dll(name="lib.dll")})
    del files[f"{SITE}\\pkg/lib.dll"]
    load = LibraryLoad(name=f"{SITE}\\pkg\\lib.dll", via=Via.CTYPES, flags=0x1100)
    finding = ask(world(files), (load,)).findings[0]
    assert (finding.code, str(finding.culprit)) == ("corrupt-install", f"{SITE}\\pkg\\lib.dll")
