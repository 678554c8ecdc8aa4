"""What is caught follows CPython's exception classes (loader.md R3.3, R3.23; "Built-in Exceptions")."""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.engine.simulate import started_process
from whyload.loader.windows.playback import Playback, Progress, play
from whyload.loader.windows.process import Process
from whyload.observe.events import (
    Attempt,
    DefaultDirectoriesSet,
    DirectoryAdded,
    DirectoryRemoved,
    DllDirectorySet,
    EnvironmentChanged,
    Event,
    LibraryLoad,
    Raised,
    Reraised,
    Uncertain,
    Via,
)

GONE = LibraryLoad(name="gone.dll", via=Via.CTYPES, flags=0x1000)
MODULE = LibraryLoad(name=f"{SITE}\\_x.pyd", via=Via.IMPORT, flags=0x1100, module="_x")
FILES = {
    f"{SITE}\\_x.pyd": Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]}),
    "C:\\lib\\gone.dll": Dll(name="gone.dll", exports={"f": 1}),
}


def played(*events: Event) -> Playback:
    return play(started_process(world(FILES)), events)


@pytest.mark.parametrize(
    ("load", "catches", "caught"),
    [
        (MODULE, ("ImportError",), True),
        (MODULE, ("OSError",), False),
        (MODULE, ("ModuleNotFoundError",), False),
        (GONE, ("OSError",), True),
        (GONE, ("FileNotFoundError",), True),
        (GONE, ("WindowsError",), True),
        (GONE, ("ImportError",), False),
        (GONE, ("Exception",), True),
        (GONE, (), True),
    ],
)
def test_what_an_except_clause_takes(load: LibraryLoad, catches: tuple[str, ...], caught: bool) -> None:
    run = played(Attempt(body=(load,), catches=catches))
    assert (run.failure is None) is caught
    assert len(run.caught) == caught


def test_nothing_is_played_after_an_error() -> None:
    run = played(GONE, MODULE)
    assert [load.event for load in run.loads] == [GONE]
    assert run.failure is not None
    assert run.failure.exception == "FileNotFoundError"


def test_a_second_try_after_the_right_error_only() -> None:
    second = LibraryLoad(name="gone.dll", via=Via.LOADLIBRARY, flags=0)
    path = EnvironmentChanged(name="PATH", value="C:\\lib")
    run = played(Attempt(body=(GONE,), winerror=126, handler=(path, second)))
    assert run.failure is None
    assert [load.tree.status.winerror for load in run.loads] == [126, 0]
    run = played(Attempt(body=(GONE,), winerror=193, handler=(path, second)))
    assert run.failure is not None
    assert run.failure.load is not None
    assert run.failure.load.event == GONE


def test_an_error_in_a_handler_remembers_the_first_one() -> None:
    run = played(
        Attempt(body=(MODULE,), catches=("ImportError",), handler=(Raised(exception="RuntimeError", text="no"),))
    )
    assert run.failure is not None
    assert (run.failure.exception, run.failure.cause and run.failure.cause.event) == ("RuntimeError", MODULE)


def test_raising_again_lets_the_error_go_on() -> None:
    run = played(Attempt(body=(MODULE,), catches=("ImportError",), handler=(Reraised(),)), GONE)
    assert run.failure is not None
    assert (run.failure.exception, run.failure.cause and run.failure.cause.event) == ("ImportError", MODULE)


def test_an_uncertain_failure_does_not_count_but_its_changes_do() -> None:
    run = played(Uncertain(condition="?", body=(DirectoryAdded(path=WinPath("C:\\lib")), GONE)), MODULE)
    assert run.failure is None


def test_else_is_played_after_success_only() -> None:
    run = played(DirectoryAdded(path=WinPath("C:\\lib")), Attempt(body=(GONE,), orelse=(MODULE,)))
    assert [load.event for load in run.loads] == [GONE, MODULE]
    run = played(Attempt(body=(GONE,), orelse=(MODULE,)))
    assert [load.event for load in run.loads] == [GONE]


def test_state_changes() -> None:
    process = started_process(world(FILES))
    folder = WinPath("C:\\lib")
    events: tuple[Event, ...] = (
        DirectoryAdded(path=folder),
        DirectoryAdded(path=folder),
        DirectoryRemoved(path=folder),
        DllDirectorySet(path="C:\\sdd"),
        DefaultDirectoriesSet(flags=0x1000),
        EnvironmentChanged(name="path", value="C:\\x"),
    )
    play(process, events)
    assert (process.added, process.set_directory, process.environment["PATH"]) == ([folder], "C:\\sdd", "C:\\x")
    assert process.default_directories == 0x1000


def test_a_program_of_which_more_becomes_known() -> None:
    starts = []

    def start() -> Process:
        starts.append(started_process(world(FILES)))
        return starts[-1]

    progress = Progress(start)
    found, other = DirectoryAdded(path=WinPath("C:\\lib")), DirectoryAdded(path=WinPath("C:\\other"))
    for events in [(found,), (found, GONE), (found, GONE, MODULE)]:
        assert progress.play(events)[1] == played(*events)
    assert len(starts) == 1
    for events in [(other, GONE), (found, GONE), (found,)]:
        process, playback = progress.play(events)
        assert (process, playback) == (starts[-1], played(*events))
    assert len(starts) == 4, "an earlier part was another one, or a failure ended the run"


def test_a_library_that_is_taken_to_fail() -> None:
    found = DirectoryAdded(path=WinPath("C:\\lib"))
    run = play(started_process(world(FILES)), (found, GONE), frozenset({"gone.dll"}))
    assert run.failure is not None
    assert run.failure.load is not None
    assert run.failure.load.tree.status.winerror == 1114


def test_functions_that_the_code_asks_for() -> None:
    found = DirectoryAdded(path=WinPath("C:\\lib"))
    load = LibraryLoad(name="gone.dll", via=Via.CTYPES, flags=0x1000, symbols=("f", "g"))
    run = played(found, load)
    assert run.failure is not None
    assert (run.failure.exception, run.loads[0].missing_functions) == ("AttributeError", ("g",))
