"""Cause: docs/causes.md `missing-dependency`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, healthy, module, only, saying
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.findings.report import Verdict
from whyload.observe.events import Attempt, Event, LibraryLoad, ModuleStarted, Place, Raised, Via


def test_fires_for_a_name_of_no_family() -> None:
    finding = only(ask(world({MODULE: module({"camerasdk.dll": ["f"]})})))
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-dependency", MODULE, "camerasdk.dll")
    assert [step.verdict.value for step in finding.evidence[0].steps][-1] == "not there"


def test_the_holder_of_a_broken_forwarder_is_the_culprit() -> None:
    front = f"{SITE}\\pkg\\front.dll"
    files = {MODULE: module({"front.dll": ["Decode"]}), front: Dll(name="front.dll", exports={"Decode": "core.Impl"})}
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-dependency", front, "core.dll")


def test_the_first_importer_is_the_culprit_the_others_are_affected() -> None:
    a, b = f"{SITE}\\pkg\\a.dll", f"{SITE}\\pkg\\b.dll"
    files = {
        MODULE: module({"a.dll": ["f"], "b.dll": ["f"]}),
        a: Dll(name="a.dll", exports={"f": 1}, imports={"gone.dll": ["g"]}),
        b: Dll(name="b.dll", exports={"f": 1}, imports={"gone.dll": ["g"]}),
    }
    finding = only(ask(world(files)))
    assert str(finding.culprit) == a
    assert {str(path) for path in finding.affected} == {b, MODULE}


def test_of_several_names_tried_in_turn_the_first_is_named() -> None:
    place = Place(file=WinPath(f"{SITE}\\magic\\loader.py"), line=44)
    tries = [
        LibraryLoad(name=name, via=Via.CTYPES, flags=0x1100, place=place)
        for name in ("C:\\x\\libmagic.dll", "C:\\x\\magic1.dll")
    ]
    events: tuple[Event, ...] = (
        *(Attempt(body=(load,), catches=("OSError",)) for load in tries),
        Raised(exception="ImportError", text="failed"),
    )
    finding = only(ask(world({}), events))
    assert (finding.code, finding.object, str(finding.culprit)) == (
        "missing-dependency",
        "libmagic.dll",
        str(place.file),
    )
    assert any("magic1.dll" in note.en for note in finding.notes)


def test_stays_quiet_for_delay_imports() -> None:
    assert codes(ask(world({MODULE: module({}, delay={"camerasdk.dll": ["f"]})}))) == []


def test_an_unknown_folder_lowers_the_certainty() -> None:
    finding = only(ask(world({MODULE: module({"camerasdk.dll": ["f"]})}, added=["D:\\sdk"])))
    assert finding.code == "missing-dependency"


def test_the_report_says_what_a_known_library_is() -> None:
    """NVIDIA's TensorRT documentation: nvinfer is its library. There is no package with it to install."""
    notes = [note.en for note in only(ask(world({MODULE: module({"nvinfer_10.dll": ["f"]})}))).notes]
    assert notes[0] == "`nvinfer_10.dll`: NVIDIA TensorRT"
    assert "comes from NVIDIA" in notes[1]


def test_nothing_is_said_of_an_unknown_library() -> None:
    assert only(ask(world({MODULE: module({"quite-unknown.dll": ["f"]})}))).notes == ()


def test_a_core_file_of_windows_is_absent_from_damaged_systems_only() -> None:
    finding = only(ask(world({MODULE: module({"bcryptprimitives.dll": ["ProcessPrng"]})})))
    assert (finding.code, finding.object) == ("missing-dependency", "bcryptprimitives.dll")
    assert any("sfc /scannow" in note.en for note in finding.notes)


def test_a_program_that_says_which_library_it_did_not_find() -> None:
    said = (
        "Traceback (most recent call last):\n"
        f'  File "{SITE}\\wand\\api.py", line 183, in <module>\n'
        "    raise ImportError('MagickWand shared library not found.\\n'\n"
        "ImportError: MagickWand shared library not found.\n"
        "You probably had not installed ImageMagick library.\n"
    )
    report = ask(saying(healthy(), said))
    finding = only(report)
    assert report.verdict.value == "fails"
    assert (finding.code, str(finding.culprit)) == ("missing-dependency", f"{SITE}\\wand\\api.py")
    assert (finding.object, finding.certainty.value) == ("MagickWand", "likely")


def test_a_family_with_a_cause_of_its_own_is_not_said_to_be_any_library() -> None:
    said = 'OSError: no library called "cudnn64_9.dll" was found\n'
    assert "missing-dependency" not in codes(ask(saying(healthy(), said)))


CIPHER = f"{SITE}\\cipher\\base.py"


def requiring(*needs: str, others: Files | None = None) -> Files:
    """`cipher` 43.0 with what it requires, and what else is installed."""
    files = record("cipher", "43.0", {"cipher/__init__.py": "", "cipher/base.py": ""}) | (others or {})
    files[f"{SITE}\\cipher-43.0.dist-info\\METADATA"] = "Name: cipher\n" + "".join(
        f"Requires-Dist: {need}\n" for need in needs
    )
    return {name.replace("/", "\\"): data for name, data in files.items()}


def traceback(file: str, said: str) -> str:
    return f'Traceback (most recent call last):\n  File "{file}", line 9, in <module>\n    import it\n{said}\n'


def test_a_distribution_that_the_package_requires_is_not_installed() -> None:
    error = traceback(CIPHER, "ModuleNotFoundError: No module named '_cffi_backend'")
    machine = world(requiring("cffi>=1.12; platform_python_implementation != 'PyPy'", "tqdm; extra == 'progress'"))
    report = ask(saying(machine, error), (ModuleStarted(module="cipher", file=None),))
    finding = only(report)
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-dependency", CIPHER, "cffi")
    assert finding.owner is not None
    assert finding.owner.distribution == "cipher"
    assert [change.target for change in finding.remedies[0].changes] == ["cffi>=1.12"]
    assert report.verdict is Verdict.FAILS


def test_the_simulation_sees_it_as_well() -> None:
    place = Place(file=WinPath(CIPHER), line=9)
    error = Raised(exception="ModuleNotFoundError", text="No module named 'cffi'", module="cffi", place=place)
    assert codes(ask(world(requiring("cffi>=1.12")), (error,))) == ["missing-dependency"]
    assert codes(ask(world(requiring()), (error,))) == []


def test_another_release_than_the_package_was_made_for() -> None:
    error = traceback(CIPHER, "RuntimeError: operator cipher::mix does not exist")
    machine = world(requiring("torch==2.5.1", others=record("torch", "2.4.1", {"torch/__init__.py": ""})))
    finding = only(ask(saying(machine, error), ()))
    assert (finding.code, finding.object) == ("missing-dependency", "torch")
    assert "2.4.1" in finding.headline.text("zh")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (CIPHER, "ModuleNotFoundError: No module named 'cipher._x'"),
        (CIPHER, "ModuleNotFoundError: No module named 'winreg'"),
        (CIPHER, "ValueError: 3 is no cipher"),
        ("C:\\work\\main.py", "ModuleNotFoundError: No module named 'cffi'"),
    ],
)
def test_an_error_about_something_else_is_not_explained_by_it(file: str, said: str) -> None:
    machine = world(requiring("cffi>=1.12"))
    assert codes(ask(saying(machine, traceback(file, said)), ())) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("__editable__.radio-0.2.pth", "C:\\work\\src\n"),
        ("__editable___radio_0_2_finder.py", "MAPPING = {'radio': 'C:\\\\work\\\\src\\\\radio'}\n"),
    ],
)
def test_sources_that_are_installed_as_editable(name: str, text: str) -> None:
    source = "C:\\work\\src\\radio\\__init__.py"
    files = record("radio", "0.2", {name: text})
    files[f"{SITE}\\radio-0.2.dist-info\\METADATA"] = "Name: radio\nRequires-Dist: cffi\n"
    error = traceback(source, "ModuleNotFoundError: No module named '_cffi_backend'")
    finding = only(ask(saying(world({**files, source: ""}), error), ()))
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-dependency", source, "cffi")
    neighbour = traceback("C:\\work\\src2\\radio\\__init__.py", "ModuleNotFoundError: No module named '_cffi_backend'")
    assert codes(ask(saying(world(files), neighbour), ())) == []
