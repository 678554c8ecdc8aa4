"""A snapshot has the answers of the machine, and nothing of who sits at it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import whyload.findings.report as report_module
import whyload.observe.observation as observation_module
import whyload.startup.model as startup_module
import whyload.world.measured as measured_module
import whyload.world.model as model_module
import whyload.world.snapshot.shape as shape_module
from tests.loader.windows.test_api_sets import SCHEMA
from tests.testbed.memory import SITE, SYSTEM32, Content, Files, record, world
from tests.testbed.pewriter import Dll, build
from whyload.api.doctor import redaction_of
from whyload.api.questions import ask_import, ask_load, ask_run, ask_tree
from whyload.api.snapshot_file import SnapshotFile
from whyload.api.worlds import WorldChoice, open_world
from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.base.values import hints_of
from whyload.engine.check import check_distribution
from whyload.engine.doctor.ask import ask_doctor
from whyload.engine.evidence import ask_recorded, gather
from whyload.engine.observed import answer_observed
from whyload.findings.report import Question, QuestionKind, Report, Verdict
from whyload.observe.events import LibraryLoad, ModuleStarted, Place, Via
from whyload.observe.observation import ExceptionInfo, Frame, Observation, Outcome
from whyload.report.doctor import doctor_markdown
from whyload.world.files import KnownRegistry
from whyload.world.model import RunRequest, World

PKG = Question(kind=QuestionKind.IMPORT, modules=("pkg",))
EXTENSION = Dll(name="_x.pyd", pyinit="_x")


def package(**files: Content) -> Files:
    """A distribution `pkg` whose module imports `_x`."""
    return record("pkg", "1.0", {"pkg/__init__.py": "from . import _x\n", **{f"pkg/{n}": c for n, c in files.items()}})


def needs(name: str, *functions: str) -> Dll:
    return replace_imports(name, functions or ("f",))


def replace_imports(name: str, functions: tuple[str, ...]) -> Dll:
    return Dll(name="_x.pyd", pyinit="_x", imports={name: list(functions)})


WORLDS: dict[str, World] = {
    "loads": world(package(**{"_x.pyd": EXTENSION})),
    "missing": world(package(**{"_x.pyd": needs("gone.dll")})),
    "vc runtime": world(package(**{"_x.pyd": needs("msvcp140.dll")})),
    "lacks a function": world(
        {
            **package(**{"_x.pyd": needs("dep.dll", "here", "gone")}),
            f"{SYSTEM32}\\dep.dll": Dll(name="dep.dll", exports={"here": 1}),
        }
    ),
    "on PATH only": world(
        {**package(**{"_x.pyd": needs("dep.dll")}), "D:\\tools\\dep.dll": Dll(name="dep.dll", exports={"f": 1})},
        path=["D:\\tools"],
    ),
    "empty file": world({**package(**{"_x.pyd": EXTENSION}), f"{SITE}\\pkg\\_x.pyd": b""}),
    "no library": world({**package(**{"_x.pyd": EXTENSION}), f"{SITE}\\pkg\\_x.pyd": "<html>not found</html>"}),
    "truncated": world({**package(**{"_x.pyd": EXTENSION}), f"{SITE}\\pkg\\_x.pyd": build(EXTENSION)[:700]}),
    "gone": world(package(**{"_x.pyd": EXTENSION}), without=[f"{SITE}\\pkg\\_x.pyd"]),
    "shadowed": world({**package(**{"_x.pyd": EXTENSION}), "C:\\work\\pkg.py": "raise ImportError('no')\n"}),
    "api set without a host": world(
        {
            **package(**{"_x.pyd": needs("ext-ms-win-gone-l1-1-0.dll")}),
            f"{SYSTEM32}\\apisetschema.dll": SCHEMA,
        }
    ),
    "folder added": world(
        {
            **package(**{"_x.pyd": needs("dep.dll")}),
            f"{SITE}\\pkg\\__init__.py": "import os\n"
            "os.add_dll_directory(os.path.dirname(__file__) + '\\\\lib')\nfrom . import _x\n",
            f"{SITE}\\pkg\\lib\\dep.dll": Dll(name="dep.dll", exports={"f": 1}, imports={"deeper.dll": ["g"]}),
        }
    ),
}


def taken(
    machine: World, path: Path, question: Question | None = PKG, observation: Observation | None = None
) -> WorldChoice:
    """The choice of a snapshot of that machine."""
    SnapshotFile(gather(machine, question, observation), question, observation).write(str(path))
    return WorldChoice(snapshot=str(path))


def essence(report: Report) -> object:
    return report.verdict, report.findings, report.affected, {item.why for item in report.not_checked}


@pytest.mark.parametrize("name", WORLDS)
def test_the_same_question_has_the_same_answer(name: str, tmp_path: Path) -> None:
    machine = WORLDS[name]
    choice = taken(machine, tmp_path / "s.zip")
    expected = essence(ask_recorded(machine, PKG))
    assert essence(ask_import((), choice)) == expected
    assert essence(ask_import(("pkg",), choice)) == expected


@pytest.mark.parametrize("name", WORLDS)
def test_the_doctor_says_the_same(name: str, tmp_path: Path) -> None:
    machine = WORLDS[name]
    expected, report = ask_doctor(machine), ask_doctor(open_world(taken(machine, tmp_path / "s.zip", None)))
    assert essence(report) == essence(expected)
    assert report.machine == expected.machine


@pytest.mark.parametrize("name", ["missing", "lacks a function", "folder added"])
def test_other_questions_can_be_asked(name: str, tmp_path: Path) -> None:
    machine = WORLDS[name]
    choice = taken(machine, tmp_path / "s.zip", None)
    file = f"{SITE}\\pkg\\_x.pyd"
    assert essence(ask_import(("pkg",), choice)) == essence(ask_recorded(machine, PKG))
    assert ask_load(file, choice, "import", None).findings
    assert ask_tree("pkg", choice, "import", None).verdict is Verdict.FAILS
    assert check_distribution(open_world(choice), "pkg").findings == check_distribution(machine, "pkg").findings


def test_two_modules_that_were_read_one_by_one(tmp_path: Path) -> None:
    other = record("other", "2.0", {"other.py": "x = 1\n", "_o.pyd": Dll(name="_o.pyd", pyinit="_o")})
    choice = taken(world({**package(**{"_x.pyd": needs("gone.dll")}), **other}), tmp_path / "s.zip", None)
    assert [finding.object for finding in ask_import(("other", "pkg"), choice).findings] == ["gone.dll"]
    assert ask_import(("other",), choice).verdict is Verdict.LOADS


def test_a_program_that_only_imports(tmp_path: Path) -> None:
    choice = taken(WORLDS["missing"], tmp_path / "s.zip", None)
    assert [finding.object for finding in ask_run(choice, code="import pkg").findings] == ["gone.dll"]
    assert ask_run(choice, code="import pkg\nprint(pkg)").verdict is Verdict.UNKNOWN


def test_what_is_not_in_it_is_not_known(tmp_path: Path) -> None:
    choice = taken(WORLDS["missing"], tmp_path / "s.zip")
    report = ask_import(("elsewhere",), choice)
    assert (report.verdict, report.findings) == (Verdict.UNKNOWN, ())
    assert any("does not hold" in item.why.en for item in report.not_checked)


def test_a_program_of_the_world_file(tmp_path: Path) -> None:
    files = package(**{"_x.pyd": needs("gone.dll")}) | {"C:\\work\\main.py": "import pkg\nSECRET_OF_MINE = 1\n"}
    machine = world(files, run=RunRequest(script=WinPath("C:\\work\\main.py")))
    question = Question(kind=QuestionKind.RUN, script="C:\\work\\main.py")
    choice = taken(machine, tmp_path / "s.zip", question)
    expected = essence(ask_recorded(machine, question))
    assert essence(ask_import((), choice)) == expected
    assert essence(ask_run(choice, script="main.py")) == expected
    assert b"SECRET_OF_MINE" not in contents(tmp_path / "s.zip")


def test_a_run_that_was_watched_is_answered_from_the_run(tmp_path: Path) -> None:
    machine = world(package(**{"_x.pyd": needs("gone.dll")}))
    file, init = f"{SITE}\\pkg\\_x.pyd", WinPath(f"{SITE}\\pkg\\__init__.py")
    load = LibraryLoad(name=file, via=Via.IMPORT, flags=0x1100, module="pkg._x", place=Place(file=init, line=1))
    observation = Observation(
        outcome=Outcome.RAISED,
        exit_status=1,
        events=(ModuleStarted(module="pkg", file=init), load),
        exceptions=(
            ExceptionInfo(
                type="ImportError",
                text="DLL load failed while importing _x: Das angegebene Modul wurde nicht gefunden.",
                path=file,
                name="_x",
                frames=(
                    Frame(
                        place=Place(file=WinPath("C:\\work\\own.py"), line=3),
                        function="<module>",
                        source="mine = 'PRIVATE'",
                    ),
                    Frame(place=Place(file=init, line=1), function="<module>", source="from . import _x"),
                ),
            ),
        ),
        loaded=(WinPath("C:\\Python\\python.exe"), WinPath("C:\\Python\\python311.dll")),
        stdout="my balance is 12345\n",
        cwd="C:\\work",
    )
    choice = taken(machine, tmp_path / "s.zip", PKG, observation)
    expected = answer_observed(machine, PKG, observation)
    assert expected.findings
    assert essence(ask_import((), choice)) == essence(expected)
    written = contents(tmp_path / "s.zip")
    assert b"from . import _x" in written
    assert b"PRIVATE" not in written
    assert b"12345" not in written


def contents(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


SECRETS = {
    "DEPLOY_TOKEN": "s3cr3t-of-the-deployer",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLE",
    "PIP_INDEX_URL": "https://builder:hunter22@packages.example.org/simple",
    "CUDA_TOKEN": "token-in-a-variable-that-is-kept",
    "PYTHONSTARTUP_PASSWORD": "swordfish-1",
}


def secret_machine() -> World:
    home = "C:\\Users\\marvin.paranoid"
    site = f"{home}\\venvs\\ml\\Lib\\site-packages"
    run = RunRequest(code="import pkg\nkey = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'")
    machine = world(
        {
            **{name.replace(SITE, site): data for name, data in package(**{"_x.pyd": needs("gone.dll")}).items()},
            f"{home}\\diary.txt": "dear diary",
            f"{home}\\project\\love-letter.docx": "x",
            f"{home}\\tools\\s3cr3t-of-the-deployer\\some.dll": EXTENSION,
            "D:\\scratch\\marvin.paranoid\\lib\\other.dll": EXTENSION,
            "C:\\Users\\trillian\\bin\\third.dll": EXTENSION,
        },
        environment={
            **SECRETS,
            "USERNAME": "marvin.paranoid",
            "USERPROFILE": home,
            "APPDATA": f"{home}\\AppData\\Roaming",
            "TEMP": "C:\\Users\\MARVIN~1.PAR\\AppData\\Local\\Temp",
            "COMPUTERNAME": "HEARTOFGOLD-7",
            "USERDOMAIN": "MAGRATHEA",
            "LOGONSERVER": "\\\\SLARTIBARTFAST",
            "CUDA_PATH": "\\\\HEARTOFGOLD-7\\cuda",
        },
        path=[
            f"{home}\\tools\\s3cr3t-of-the-deployer",
            "D:\\scratch\\marvin.paranoid\\lib",
            "C:\\Users\\trillian\\bin",
            "\\\\fs01\\x",
        ],
        venv=f"{home}\\venvs\\ml",
        cwd=f"{home}\\project",
        run=run,
    )
    current = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
    keys: dict[str, dict[str, object]] = {
        current: {"RegisteredOwner": "Marvin Paranoid", "ProductId": "00330-80000", "CurrentBuild": "22631"},
        "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager": {
            "PendingFileRenameOperations": [f"\\??\\{home}\\old.dll", ""],
            "SafeDllSearchMode": 1,
            "Note": "password=hunter23",
        },
        "HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem": {"LongPathsEnabled": 1, "From": "\\\\HEARTOFGOLD-7\\x"},
    }
    traceback = f'  File "{home}\\project\\a.py", line 1\nImportError: DLL load failed (mail marvin@magrathea.example)'
    return replace(machine, registry=KnownRegistry(keys), traceback=traceback)


FORBIDDEN = (
    "marvin", "paranoid", "trillian", "heartofgold", "magrathea", "slartibartfast", "fs01", "s3cr3t", "wjalrx",
    "hunter2", "token-in-a-variable", "swordfish", "ghp_", "diary", "love-letter", "00330",
)  # fmt: skip


def test_no_secret_and_no_name_leaves_the_machine(tmp_path: Path) -> None:
    machine = secret_machine()
    machine.registry.values("HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion")
    assert machine.run is not None
    question = Question(kind=QuestionKind.RUN, code=machine.run.code)
    evidence = gather(machine, question)
    evidence.registry.values("HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion")
    SnapshotFile(evidence, question, None).write(str(tmp_path / "s.zip"))
    written = contents(tmp_path / "s.zip").decode("utf-8", "replace").lower()
    raw = (tmp_path / "s.zip").read_bytes().lower()
    for word in FORBIDDEN:
        assert word not in written, written[max(written.find(word) - 100, 0) :][:200]
        assert word.encode() not in raw
        assert word.encode("utf-16-le") not in contents(tmp_path / "s.zip").lower()


def test_no_secret_and_no_name_is_in_the_markdown_of_doctor() -> None:
    machine = secret_machine()
    written = redaction_of(machine).text(doctor_markdown(ask_doctor(machine), "en")).lower()
    assert "gone.dll" in written
    for word in FORBIDDEN:
        assert word not in written, written[max(written.find(word) - 100, 0) :][:200]


def test_redaction_changes_no_finding_but_its_names(tmp_path: Path) -> None:
    machine = secret_machine()
    assert machine.run is not None
    question = Question(kind=QuestionKind.RUN, code=machine.run.code)
    report = ask_import((), taken(machine, tmp_path / "s.zip", question))
    expected = ask_recorded(machine, question)
    assert [(f.code, f.object, f.certainty) for f in report.findings] == [
        (f.code, f.object, f.certainty) for f in expected.findings
    ]
    assert [str(f.culprit) for f in report.findings] == [
        str(f.culprit).replace("marvin.paranoid", "user") for f in expected.findings
    ]


def test_no_source_and_no_code_is_in_it(tmp_path: Path) -> None:
    files = package(**{"_x.pyd": EXTENSION})
    files[f"{SITE}\\pkg\\algorithm.py"] = "def invent():\n    return 'the formula'\n"
    files[f"{SITE}\\pkg\\__init__.py"] = "from . import _x, algorithm\n"
    machine = world(files)
    taken(machine, tmp_path / "s.zip")
    assert b"the formula" not in contents(tmp_path / "s.zip")
    with zipfile.ZipFile(tmp_path / "s.zip") as archive:
        images = json.loads(archive.read("images.json"))["items"]
        assert images
        for image in images:
            assert sum(length for _, length in image["pieces"]) <= image["size"]


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        taken(WORLDS["missing"], tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


CARRIED = [
    kind
    for module in (observation_module, model_module, startup_module, report_module, shape_module, measured_module)
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__ and is_dataclass(kind)
]


@pytest.mark.parametrize("kind", CARRIED, ids=lambda kind: kind.__name__)
def test_the_types_of_all_that_is_carried_are_known(kind: type) -> None:
    assert hints_of(kind).keys() == {field.name for field in fields(kind)}
