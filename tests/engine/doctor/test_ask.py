"""`doctor` on small environments: what is wrong is known by construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import jsonschema
import pytest

from tests.testbed.memory import SITE, Content, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine
from whyload.engine.doctor.ask import ask_doctor
from whyload.findings.model import Certainty, Severity
from whyload.findings.report import QuestionKind, Report, Verdict
from whyload.report.as_json import report_values
from whyload.report.schema import report_schema
from whyload.startup.program import read_import
from whyload.world.model import Layout, World

GOOD = Dll(name="_x.pyd", pyinit="_x")
WANTS_GONE = Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]})
WANTS_PART = Dll(name="_x.pyd", pyinit="_x", imports={"part.dll": ["f"]})
PART = Dll(name="part.dll", exports={"f": 1})
OLD = Dll(name="msvcp140.dll", version=(14, 29, 0, 0), exports={"_Mtx_lock": 1})
INIT = "from . import _x\n"


def environment(*distributions: tuple[str, Mapping[str, Content]], **options: object) -> World:
    files: Files = {}
    for name, content in distributions:
        files.update(record(name, "1.0", content))
    return world(files, **options)  # type: ignore[arg-type]


def doctor(*distributions: tuple[str, Mapping[str, Content]]) -> Report:
    return ask_doctor(environment(*distributions))


def codes(report: Report) -> list[tuple[str, str | None, Severity]]:
    return [(finding.code, finding.object, finding.severity) for finding in report.findings]


def test_a_healthy_environment() -> None:
    report = doctor(("a", {"a/__init__.py": INIT, "a/_x.pyd": GOOD}), ("b", {"b.pyd": Dll(name="b.pyd", pyinit="b")}))
    assert (report.verdict, report.findings, report.exit_code) == (Verdict.LOADS, (), 0)
    assert report.question.kind is QuestionKind.DOCTOR
    assert report.machine is not None
    native = report.machine.native_files
    assert (native.files, native.modules, native.failed, native.lacking) == (2, 2, (), ())


def test_the_report_keeps_to_the_schema() -> None:
    report = doctor(("a", {"a/__init__.py": INIT, "a/_x.pyd": WANTS_GONE, "a/other.dll": PART}))
    values = report_values(report)
    jsonschema.validate(values, report_schema())
    assert values["facts"]["environment"]["distributions"][0]["name"] == "a"


def test_an_import_that_fails_is_an_error() -> None:
    report = doctor(("a", {"a/__init__.py": INIT, "a/_x.pyd": WANTS_GONE}))
    assert codes(report) == [("missing-dependency", "gone.dll", Severity.ERROR)]
    assert report.findings[0].certainty is Certainty.PROVED
    assert (report.verdict, report.exit_code) == (Verdict.FAILS, 1)
    assert report.findings[0].chain[0] == "a"


def test_a_part_behind_a_net_is_a_warning() -> None:
    guarded = "try:\n    from . import _x\nexcept ImportError:\n    _x = None\n"
    lazy = "def part():\n    from . import _x\n    return _x\n"
    report = doctor(
        ("a", {"a/__init__.py": guarded, "a/_x.pyd": WANTS_GONE}),
        ("b", {"b/__init__.py": lazy, "b/_x.pyd": replace(WANTS_GONE, imports={"other.dll": ["f"]})}),
    )
    assert codes(report) == [
        ("missing-dependency", "gone.dll", Severity.WARNING),
        ("missing-dependency", "other.dll", Severity.WARNING),
    ]
    assert (report.verdict, report.exit_code) == (Verdict.DEGRADED, 0)


def test_a_subpackage_that_imports_it_without_a_net() -> None:
    files: dict[str, Content] = {"a/__init__.py": "", "a/sub/__init__.py": INIT, "a/sub/_x.pyd": WANTS_GONE}
    assert codes(doctor(("a", files))) == [("missing-dependency", "gone.dll", Severity.ERROR)]
    beside: dict[str, Content] = {"a/__init__.py": "", "a/user.py": INIT, "a/_x.pyd": WANTS_GONE}
    report = doctor(("a", beside))
    assert codes(report) == [("missing-dependency", "gone.dll", Severity.ERROR)]
    assert report.findings[0].chain[0] == "a.user"


def test_modules_of_tests_are_never_errors() -> None:
    files: dict[str, Content] = {"a/__init__.py": "", "a/tests/__init__.py": INIT, "a/tests/_x.pyd": WANTS_GONE}
    report = doctor(("a", files))
    assert codes(report) == [("missing-dependency", "gone.dll", Severity.WARNING)]


def test_folders_that_a_package_adds_count_for_it_alone() -> None:
    adds = "import os\nos.add_dll_directory(os.path.join(os.path.dirname(__file__), 'libs'))\nfrom . import _x\n"
    good: dict[str, Content] = {"a/__init__.py": adds, "a/_x.pyd": WANTS_PART, "a/libs/part.dll": PART}
    assert doctor(("a", good)).verdict is Verdict.LOADS
    report = doctor(("a", good), ("b", {"b/__init__.py": INIT, "b/_x.pyd": WANTS_PART}))
    assert report.verdict is Verdict.FAILS
    assert [str(finding.culprit) for finding in report.findings] == [f"{SITE}\\b\\_x.pyd"]


def test_libraries_that_another_package_loaded_first() -> None:
    loads = "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'part.dll'))\n"
    base: dict[str, Content] = {"base/__init__.py": loads, "base/lib/part.dll": PART}
    user = record("user", "1.0", {"user/__init__.py": "from .inner import x\n", "user/_x.pyd": WANTS_PART})
    user[f"{SITE}\\user\\inner\\__init__.py"] = "import base\nfrom .. import _x as x\n"
    user[f"{SITE}\\user-1.0.dist-info\\METADATA"] = "Name: user\nVersion: 1.0\nRequires-Dist: base>=1\n"
    report = ask_doctor(world({**record("base", "1.0", base), **user}))
    assert (report.verdict, codes(report)) == (Verdict.LOADS, [])


def broken(name: str) -> tuple[str, dict[str, Content]]:
    return name, {f"{name}/__init__.py": INIT, f"{name}/_x.pyd": WANTS_GONE}


def test_one_cause_of_many_files_is_said_once_and_first() -> None:
    rare: dict[str, Content] = {
        "a/__init__.py": INIT,
        "a/_x.pyd": replace(WANTS_GONE, imports={"rare.dll": ["f"]}),
    }
    usual = [broken(name) for name in ("b", "c", "d")]
    report = doctor(("a", rare), *usual)
    assert [finding.object for finding in report.findings] == ["gone.dll", "rare.dll"]
    assert len(report.findings[0].affected) == 2


def test_damage_is_an_error_whoever_imports_it() -> None:
    lazy = "def part():\n    from . import _x\n"
    report = doctor(("a", {"a/__init__.py": lazy, "a/_x.pyd": Dll(name="_x.pyd", machine=Machine.I386)}))
    assert codes(report) == [("bitness-mismatch", "_x.pyd", Severity.ERROR)]


def test_a_recorded_file_that_is_gone() -> None:
    files = record("a", "1.0", {"a/__init__.py": INIT, "a/_x.pyd": GOOD, "a/_y.pyd": GOOD})
    del files[f"{SITE}\\a/_y.pyd"]
    report = ask_doctor(world(files))
    assert codes(report) == [("corrupt-install", "_y.pyd", Severity.ERROR)]


def test_modules_of_another_python() -> None:
    module = replace(GOOD, name="_x.cp310-win_amd64.pyd")
    report = doctor(("a", {"a/__init__.py": INIT, "a/_x.cp310-win_amd64.pyd": module}))
    assert [(finding.code, finding.severity) for finding in report.findings] == [
        ("python-version-mismatch", Severity.ERROR)
    ]
    beside: dict[str, Content] = {
        "a/__init__.py": INIT,
        "a/_x.cp310-win_amd64.pyd": module,
        "a/_x.cp311-win_amd64.pyd": GOOD,
    }
    assert doctor(("a", beside)).verdict is Verdict.LOADS


def test_libraries_that_nothing_loads() -> None:
    """Only what a person can install is worth a warning, and of several variants the package takes one."""
    lacking = {
        "a/plugins/needs.dll": Dll(name="needs.dll", imports={"nowhere.dll": ["f"]}),
        "a/provider.dll": Dll(name="provider.dll", imports={"cudnn64_9.dll": ["f"]}),
        "a/cuda118.dll": Dll(name="cuda118.dll", imports={"cublas64_11.dll": ["f"]}),
        "a/cuda124.dll": Dll(name="cuda124.dll", imports={"cublas64_12.dll": ["f"]}),
    }
    report = doctor(("a", {"a/__init__.py": INIT, "a/_x.pyd": GOOD, **lacking}))
    assert codes(report) == [("missing-cudnn", "cudnn64_9.dll", Severity.WARNING)]
    assert report.machine is not None
    assert {item.file.name for item in report.machine.native_files.lacking} == {"needs.dll", "provider.dll"}


def test_an_old_runtime_that_is_loaded_first() -> None:
    new = Dll(name="_x.pyd", pyinit="_x", linker=(14, 40), imports={"msvcp140.dll": ["_Mtx_lock"]})
    report = doctor(("a", {"a/__init__.py": INIT, "a/_x.pyd": new, "a/msvcp140.dll": OLD}))
    assert codes(report) == [("old-vc-runtime", "msvcp140.dll", Severity.ERROR)]


def test_an_old_runtime_that_another_package_brings() -> None:
    """Each works alone; after the one with the old copy the other does not."""
    new = Dll(name="_x.pyd", pyinit="_x", linker=(14, 40), imports={"msvcp140.dll": ["_Mtx_lock"]})
    any_will_do = replace(new, linker=(14, 29))
    files = {
        **record("needs", "1.0", {"needs/__init__.py": INIT, "needs/_x.pyd": new}),
        **record(
            "brings", "1.0", {"brings/__init__.py": INIT, "brings/_x.pyd": any_will_do, "brings/msvcp140.dll": OLD}
        ),
        "C:\\Windows\\System32\\msvcp140.dll": replace(OLD, version=(14, 44, 0, 0)),
    }
    report = ask_doctor(world(files))
    assert codes(report) == [("old-vc-runtime", "msvcp140.dll", Severity.WARNING)]
    (finding,) = report.findings
    assert (str(finding.culprit), finding.chain[0]) == (f"{SITE}\\brings\\msvcp140.dll", "needs")
    assert finding.notes[0].en.startswith("only after `import brings._x`")
    files[f"{SITE}\\brings/msvcp140.dll"] = replace(OLD, version=(14, 44, 0, 0))
    assert codes(ask_doctor(world(files))) == []


def test_a_folder_that_hides_a_package() -> None:
    files = record("a", "1.0", {"a/__init__.py": INIT, "a/_x.pyd": GOOD})
    report = ask_doctor(world({**files, "C:\\work\\a\\__init__.py": ""}))
    assert codes(report) == [("name-shadowing", "a", Severity.WARNING)]


def test_a_package_that_needs_a_library_of_somebody_else() -> None:
    """Like python-magic: nothing native is installed, the import asks for a library that is nowhere."""
    asks = "import ctypes\n_lib = ctypes.CDLL('libmagic.dll')\n"
    guarded = "import ctypes\ntry:\n    _lib = ctypes.CDLL('other.dll')\nexcept OSError:\n    _lib = None\n"
    report = doctor(
        ("a", {"a/__init__.py": INIT, "a/_x.pyd": GOOD}), ("m", {"m/__init__.py": asks}), ("n", {"n.py": guarded})
    )
    assert codes(report) == [("missing-dependency", "libmagic.dll", Severity.WARNING)]
    assert report.exit_code == 0


def test_a_defect_of_ours_in_one_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> object:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("whyload.engine.doctor.contexts.read_import", read_import_but(breaks))
    monkeypatch.setattr("whyload.engine.doctor.verdicts.ask_import", breaks)
    adds = "import os\nos.add_dll_directory('C:\\\\x')\nfrom . import _x\n"
    report = doctor(("a", {"a/__init__.py": adds, "a/_x.pyd": GOOD}), broken("b"))
    assert codes(report) == [("missing-dependency", "gone.dll", Severity.ERROR)]
    said = [(item.what.en, item.why.en) for item in report.not_checked]
    assert ("the start-up of a", "it could not be read: ZeroDivisionError: oops") in said
    assert ("the start-up of b", "it could not be read: ZeroDivisionError: oops") in said


def read_import_but(breaks: Callable[..., object]) -> Callable[..., object]:
    """Reading lines of `.pth` files works, reading a package does not."""
    return lambda *given: read_import(*given) if not given[1] else breaks()


def test_nothing_native() -> None:
    report = doctor(("a", {"a/__init__.py": ""}))
    assert (report.verdict, report.exit_code) == (Verdict.UNKNOWN, 3)


def test_a_frozen_application() -> None:
    files: Files = {
        "C:\\Python\\_internal\\base_library.zip": b"",
        "C:\\Python\\_internal\\_x.pyd": WANTS_GONE,
    }
    report = ask_doctor(world(files, layout=Layout.PYINSTALLER))
    assert codes(report) == [("frozen-app-missing-file", "gone.dll", Severity.ERROR)]
    assert report.question.kind is QuestionKind.DOCTOR
    assert report.machine is not None


def test_a_tree_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whyload.engine.doctor.survey.MOST_FOLDERS", 3)
    report = doctor(*(broken(name) for name in ("a", "b", "c")))
    assert report.machine is not None
    assert report.machine.native_files.folders == 3
    assert "sys.path" in report.not_checked[0].why.en


def test_progress_is_told() -> None:
    told: list[tuple[int, int, str]] = []
    made = environment(("a", {"a/__init__.py": INIT, "a/_x.pyd": GOOD}), ("b", {"b.pyd": GOOD}))
    ask_doctor(made, lambda done, whole, package: told.append((done, whole, package)))
    assert told == [(0, 2, "b"), (1, 2, "a"), (2, 2, "")]


def test_a_module_that_fails_by_its_package_and_by_itself_is_counted_once() -> None:
    start = "import os\nos.add_dll_directory(r'C:\\lib')\nfrom . import _x\n"
    files: Files = {f"{SITE}\\{name}\\__init__.py": start for name in ("a", "b")}
    files |= {f"{SITE}\\{name}\\_x.pyd": WANTS_GONE for name in ("a", "b")}
    report = ask_doctor(world({**files, "C:\\lib\\part.dll": PART}))
    assert report.machine is not None
    native = report.machine.native_files
    assert native.modules == 2
    assert sorted(path.text for path in native.failed) == [f"{SITE}\\a\\_x.pyd", f"{SITE}\\b\\_x.pyd"]
