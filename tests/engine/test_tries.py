"""Names of one library that a program tries one after the other: which of them the fault is about."""

from __future__ import annotations

from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.base.machine import Machine
from whyload.engine.static import ask_import
from whyload.findings.model import Certainty
from whyload.findings.report import Question, QuestionKind, Report, Verdict
from whyload.world.model import World

TRY = (
    "import ctypes\nfor name in ('cairo-2', 'libcairo-2', 'libcairo.so.2'):\n    try:\n"
    "        lib = ctypes.CDLL(name, winmode=0)\n        break\n    except OSError:\n        pass\n"
    "else:\n    lib = ctypes.CDLL('cairo-2', winmode=0)\n"
)
PACKAGED = (
    "import ctypes, os\nhere = os.path.dirname(__file__)\ntry:\n"
    "    lib = ctypes.CDLL(os.path.join(here, 'data', 'libsnd_64bit.dll'))\nexcept OSError:\n"
    "    lib = ctypes.CDLL('libsnd.dll')\n"
)


def ask(machine: World) -> Report:
    return ask_import(machine, Question(kind=QuestionKind.IMPORT, modules=("pkg",)))


def first(report: Report) -> tuple[str, str, str | None]:
    finding = report.findings[0]
    return finding.code, str(finding.culprit), finding.object


def test_the_name_that_leads_to_a_file_was_meant() -> None:
    files: Files = {
        f"{SITE}\\pkg\\__init__.py": TRY,
        "C:\\gtk\\libcairo-2.dll": Dll(name="libcairo-2.dll", imports={"libpixman.dll": ["f"]}),
    }
    report = ask(world(files, path=["C:\\gtk"]))
    assert first(report) == ("missing-dependency", "C:\\gtk\\libcairo-2.dll", "libpixman.dll")
    assert report.verdict is Verdict.FAILS


def test_without_any_file_the_first_name_counts() -> None:
    code, culprit, name = first(ask(world({f"{SITE}\\pkg\\__init__.py": TRY})))
    assert (code, culprit, name) == ("missing-dependency", f"{SITE}\\pkg\\__init__.py", "cairo-2.dll")


def test_the_file_that_was_installed_once() -> None:
    files = record("pkg", "1.0", {"pkg/__init__.py": PACKAGED, "pkg/data/libsnd_64bit.dll": Dll(name="a.dll")})
    kept = {path.replace("/", "\\"): data for path, data in files.items() if not path.endswith("_64bit.dll")}
    assert first(ask(world(kept)))[::2] == ("corrupt-install", "libsnd_64bit.dll")


def test_another_library_of_the_same_file_is_no_alternative() -> None:
    optional = "import ctypes\ntry:\n    ctypes.CDLL('C:\\\\x\\\\extra.dll')\nexcept OSError:\n    pass\n"
    source = f"{optional}ctypes.CDLL('core.dll')\n"
    files: Files = {
        f"{SITE}\\pkg\\__init__.py": source,
        "C:\\x\\extra.dll": Dll(name="extra.dll", imports={"gone.dll": ["f"]}),
    }
    assert first(ask(world(files)))[2] == "core.dll"


def test_an_error_for_want_of_what_a_library_would_have_brought() -> None:
    source = (
        "import ctypes, os\ntry:\n    ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'ops.dll'))\n"
        "except OSError:\n    pass\n"
    )
    said = (
        f'Traceback (most recent call last):\n  File "{SITE}\\pkg\\meta.py", line 1, in <module>\n'
        "RuntimeError: operator pkg::nms does not exist\n"
    )
    files: Files = {
        f"{SITE}\\pkg\\__init__.py": source,
        f"{SITE}\\pkg\\ops.dll": Dll(name="ops.dll", imports={"gone.dll": ["f"]}),
    }
    report = ask(replace(world(files), traceback=said))
    assert (report.verdict, first(report)[2]) == (Verdict.FAILS, "gone.dll")
    assert report.findings[0].certainty is Certainty.LIKELY
    elsewhere = ask(replace(world(files), traceback="RuntimeError: something else"))
    assert elsewhere.findings == ()


def test_a_file_of_the_wrong_kind_was_meant_rather_than_one_that_is_nowhere() -> None:
    source = (
        "import ctypes\nfrom ctypes.util import find_library\nfor name in ('libmagic', 'magic1', 'cygmagic-1'):\n"
        "    for path in (f'./{name}.dll', find_library(name)):\n        if path is None:\n            continue\n"
        "        try:\n            lib = ctypes.CDLL(path)\n        except OSError:\n            pass\n"
        "else:\n    raise ImportError('failed to find libmagic')\n"
    )
    files: Files = {
        f"{SITE}\\pkg\\__init__.py": source,
        "C:\\gnu\\magic1.dll": Dll(name="magic1.dll", machine=Machine.I386),
    }
    assert first(ask(world(files, path=["C:\\gnu"]))) == ("bitness-mismatch", "C:\\gnu\\magic1.dll", "magic1.dll")


SEEK = (
    "from ctypes import CDLL\nfrom ctypes.util import find_library\n\n"
    "def locate():\n    for name in ('usb-1.0', 'libusb-1.0', 'usb'):\n        path = find_library(name)\n"
    "        if path:\n            return CDLL(path)\n    return None\n"
)


def seeking(program: str, **more: str) -> Report:
    files: Files = {f"{SITE}\\pkg\\loader.py": SEEK, f"{SITE}\\pkg\\__init__.py": program}
    return ask(
        world({**files, **{f"{SITE}\\{name}\\__init__.py": text for name, text in more.items()}}, path=["C:\\t"])
    )


def test_an_error_after_a_search_of_path_that_found_nothing() -> None:
    report = seeking("from . import loader\nif loader.locate() is None:\n    raise RuntimeError('no backend')\n")
    finding = report.findings[0]
    assert (report.verdict, finding.code, finding.object) == (Verdict.FAILS, "missing-dependency", "libusb-1.0.dll")
    assert (str(finding.culprit), finding.certainty) == (f"{SITE}\\pkg\\loader.py", Certainty.LIKELY)
    assert finding.os_error is None
    assert "C:\\t" in {step.place for step in finding.evidence[0].steps}
    assert any("usb-1.0" in note.en and "usb.dll" in note.en for note in finding.notes)


def test_a_search_that_the_program_lives_without() -> None:
    assert seeking("from . import loader\nlib = loader.locate()\n").findings == ()


def test_an_error_of_another_package_has_nothing_to_do_with_the_search() -> None:
    report = seeking(
        "from . import loader\nloader.locate()\nimport other\n", other="raise RuntimeError('bad config')\n"
    )
    assert (report.verdict, report.findings) == (Verdict.UNKNOWN, ())


def test_a_module_that_is_not_there_has_nothing_to_do_with_the_search() -> None:
    report = seeking("from . import loader\nloader.locate()\nimport nowhere\n")
    assert [finding.object for finding in report.findings] != ["libusb-1.0.dll"]
