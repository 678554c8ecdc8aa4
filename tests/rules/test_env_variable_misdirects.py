"""Cause: docs/causes.md `env-variable-misdirects`; the error: os.add_dll_directory of CPython."""

from __future__ import annotations

from tests.rules.asking import ask, codes, only
from tests.testbed.memory import Files, world
from whyload.base.paths import WinPath
from whyload.findings.report import Report
from whyload.observe.events import Attempt, Event, Place, Raised
from whyload.remedies.change import SetVariable

PLACE = Place(file=WinPath("C:\\app\\main.py"), line=3)
GONE = Raised(
    exception="FileNotFoundError",
    text="[WinError 2] 系统找不到指定的文件。: 'C:\\\\CUDA\\\\v11.8\\\\bin'",
    place=PLACE,
)


def asking(*events: Event, variable: str = "C:\\CUDA\\v11.8", there: bool = False) -> Report:
    files = {"C:\\CUDA\\v11.8\\bin\\x.txt": ""} if there else {"C:\\CUDA\\v12.4\\bin\\x.txt": ""}
    return ask(world(files, environment={"CUDA_PATH": variable}), events)


def test_fires_for_a_folder_that_is_gone() -> None:
    finding = only(asking(GONE))
    assert (finding.code, str(finding.culprit), finding.object) == (
        "env-variable-misdirects",
        "C:\\app\\main.py",
        "CUDA_PATH",
    )


def test_what_is_there_instead_is_proposed_then_to_leave_it_unset() -> None:
    changes = [change for remedy in only(asking(GONE)).remedies for change in remedy.changes]
    assert changes == [SetVariable(name="CUDA_PATH", value=value) for value in ("C:\\CUDA\\v12.4", None)]


def test_the_same_major_version_first_and_only_where_the_folder_is_there() -> None:
    names = ("v11.0\\bin", "v11.2\\bin", "v12.4\\bin", "v11.9\\lib", "extras\\bin")
    files: Files = {f"C:\\CUDA\\{name}\\x.txt": "" for name in names}
    values = {"CUDA_PATH": "C:\\CUDA\\v11.8", "CUDA_PATH_V11_3": "D:\\v11.3", "MY_PATH": "C:\\CUDA\\extras"}
    report = ask(world({**files, "D:\\v11.3\\bin\\x": ""}, environment=values), (GONE,))
    changes = [change for remedy in only(report).remedies for change in remedy.changes]
    assert [change.value for change in changes if isinstance(change, SetVariable)] == [
        "D:\\v11.3",
        "C:\\CUDA\\v11.2",
        "C:\\CUDA\\v11.0",
        "C:\\CUDA\\v12.4",
        None,
    ]


def test_stays_quiet_where_no_variable_names_the_folder() -> None:
    assert codes(asking(GONE, variable="C:\\CUDA\\v12.4")) == []


def test_stays_quiet_where_the_folder_is_there() -> None:
    assert codes(asking(GONE, there=True)) == []


def test_stays_quiet_where_the_program_lives_without_it() -> None:
    later = Raised(exception="ValueError", text="something else")
    assert codes(asking(Attempt(body=(GONE,), catches=("OSError",)), later)) == []


def test_an_error_made_of_it_counts() -> None:
    from whyload.observe.events import Reraised

    attempt = Attempt(body=(GONE,), catches=("OSError",), handler=(Reraised(exception="ImportError", text="no CUDA"),))
    assert codes(asking(attempt)) == ["env-variable-misdirects"]


def test_the_variable_that_says_most_of_the_folder_and_is_not_windows_own() -> None:
    gone = "C:\\Program Files\\CUDA\\v11.2"
    values = {"ProgramW6432": "C:\\Program Files", "BASE": "C:\\Program Files\\CUDA", "CUDA_PATH": gone}
    error = Raised(exception="FileNotFoundError", text=f"[WinError 3] Path not found: '{gone}\\bin'")
    finding = only(ask(world({}, environment=values), (error,)))
    assert (finding.code, finding.object) == ("env-variable-misdirects", "CUDA_PATH")
    windows = {"ProgramW6432": "C:\\Program Files"}
    assert codes(ask(world({}, environment=windows), (error,))) == []
