"""From the probe's lines to an Observation; lines are damaged in every way."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from whyload.base.message import message
from whyload.base.paths import WinPath
from whyload.observe.events import (
    Attempt,
    DirectoryAdded,
    DirectoryRemoved,
    DllDirectorySet,
    EnvironmentChanged,
    LibraryLoad,
    ModuleStarted,
    Place,
    Via,
)
from whyload.observe.observation import Link, Outcome
from whyload.observe.reading import Ending, read_observation

SITE = "C:\\Python\\Lib\\site-packages"
FACTS: dict[str, Any] = {
    "kind": "facts",
    "version": "3.13.1 experimental free-threading build (main) [MSC v.1942 64 bit (AMD64)]",
    "version_info": [3, 13, 1],
    "image": "C:\\Python\\python3.13t.exe",
    "sys_path": ["C:\\Temp\\whyload-x"],
    "environment": {"PATH": "before"},
    "cwd": "C:\\start",
}
BEGIN: dict[str, Any] = {"kind": "begin", "sys_path": ["", SITE], "argv": ["-c"]}
LOAD: dict[str, Any] = {
    "kind": "load",
    "via": "import",
    "name": f"{SITE}\\pack\\_c.pyd",
    "flags": 0x1100,
    "module": "pack._c",
    "at": [f"{SITE}\\pack\\__init__.py", 3],
}


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def end(outcome: str = "finished", **more: object) -> dict[str, Any]:
    return {
        "kind": "end",
        "outcome": outcome,
        "sys_path": ["", SITE],
        "cwd": "C:\\now",
        "environment": {"PATH": "after"},
        **more,
    }


def modules(*paths: str, when: str = "end") -> dict[str, Any]:
    return {"kind": "modules", "when": when, "paths": list(paths)}


def test_every_kind_of_event() -> None:
    place = Place(file=WinPath(f"{SITE}\\pack\\__init__.py"), line=3)
    at = [f"{SITE}\\pack\\__init__.py", 3]
    seen = read_observation(
        lines(
            FACTS,
            BEGIN,
            {"kind": "started", "module": "pack", "file": f"{SITE}\\pack\\__init__.py", "at": [None, 1]},
            {"kind": "directory", "path": f"{SITE}\\pack.libs", "added": True, "at": at},
            {"kind": "directory", "path": "C:\\not-there", "added": False, "at": at},
            {"kind": "removed", "path": f"{SITE}\\pack.libs"},
            {"kind": "environment", "name": "PATH", "value": "C:\\x"},
            {"kind": "environment", "name": "CUDA_PATH", "value": None},
            LOAD,
            {"kind": "symbol", "library": LOAD["name"], "name": "f"},
            {"kind": "process", "command": "cmd.exe"},
            modules("C:\\Python\\python.exe", LOAD["name"]),
            {"kind": "dll_directory", "path": "C:\\sdd"},
            end(),
        ),
        Ending(exit_status=0),
    )
    assert seen.events == (
        ModuleStarted(module="pack", file=place.file, place=Place(file=None, line=1)),
        DirectoryAdded(path=WinPath(f"{SITE}\\pack.libs"), place=place),
        DirectoryRemoved(path=WinPath(f"{SITE}\\pack.libs")),
        EnvironmentChanged(name="PATH", value="C:\\x"),
        EnvironmentChanged(name="CUDA_PATH", value=None),
        LibraryLoad(name=LOAD["name"], via=Via.IMPORT, flags=0x1100, module="pack._c", place=place, symbols=("f",)),
        DllDirectorySet(path="C:\\sdd"),
    )
    assert (seen.outcome, seen.processes, seen.succeeded) == (Outcome.FINISHED, ("cmd.exe",), True)
    assert (seen.initial_environment["PATH"], seen.environment["PATH"], seen.cwd) == ("before", "after", "C:\\now")
    assert seen.baseline == (WinPath("C:\\Python\\python.exe"),)


def test_the_interpreters_own_account() -> None:
    python = read_observation(lines(FACTS, BEGIN, end()), Ending(exit_status=0)).python
    assert python is not None
    assert (str(python.python_version), python.machine.label) == ("3.13t", "64-bit x64")
    assert python.sys_path == ("", SITE)  # not the folder of the probe, which was there at the start


def test_a_load_that_is_missing_afterwards_and_was_survived() -> None:
    seen = read_observation(lines(FACTS, BEGIN, LOAD, modules("C:\\Python\\python.exe"), end()), Ending(exit_status=0))
    (event,) = seen.events
    assert isinstance(event, Attempt)
    assert seen.baseline == seen.loaded


def failure(*chain: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "failure", "chain": list(chain)}


def test_the_load_that_ended_the_run_stands_bare() -> None:
    first = {**LOAD, "name": f"{SITE}\\optional.pyd", "module": "optional"}
    error = {"type": "ImportError", "text": "DLL load failed", "path": LOAD["name"], "name": "_c", "link": "raised"}
    seen = read_observation(
        lines(FACTS, BEGIN, first, LOAD, failure(error), modules("C:\\Python\\python.exe"), end("raised")),
        Ending(exit_status=1),
    )
    assert [type(event) for event in seen.events] == [Attempt, LibraryLoad]
    assert seen.outcome is Outcome.RAISED


def test_torchs_two_tries_become_two_loads_after_the_rest() -> None:
    """R4.8: LoadLibraryExW with 0x1100, then LoadLibraryW with a longer PATH; audit events tell of neither."""
    dll = f"{SITE}\\torch\\lib\\fbgemm.dll"
    frame = {
        "file": f"{SITE}\\torch\\__init__.py",
        "line": 148,
        "function": "<module>",
        "module": "torch",
        "calls": ["LoadLibraryExW", "LoadLibraryW"],
        "numbers": [0, 1, 126, 0x1100],
        "texts": ["vcruntime140.dll", dll],
    }
    text = f'[WinError 126] 找不到指定的模块。 Error loading "{dll}" or one of its dependencies.'
    error = {"type": "OSError", "text": text, "winerror": 126, "frames": [frame], "link": "raised"}
    path = {"kind": "environment", "name": "PATH", "value": "C:\\longer"}
    seen = read_observation(
        lines(FACTS, BEGIN, path, failure(error), modules("C:\\Python\\python.exe"), end("raised")),
        Ending(exit_status=1),
    )
    place = Place(file=WinPath(f"{SITE}\\torch\\__init__.py"), line=148)
    assert seen.events == (
        EnvironmentChanged(name="PATH", value="C:\\longer"),
        Attempt(body=(LibraryLoad(name=dll, via=Via.LOADLIBRARY, flags=0x1100, place=place),)),
        LibraryLoad(name=dll, via=Via.LOADLIBRARY, flags=0, place=place),
    )


def test_how_it_ended() -> None:
    assert read_observation(b"", Ending(exit_status=1)).outcome is Outcome.NOT_STARTED
    assert read_observation(lines(FACTS), Ending(exit_status=1)).outcome is Outcome.NOT_STARTED
    assert read_observation(lines(FACTS, BEGIN), Ending(exit_status=0xC0000005)).outcome is Outcome.DIED
    assert read_observation(lines(FACTS, BEGIN, failure()), Ending(exit_status=3)).outcome is Outcome.RAISED
    assert read_observation(lines(FACTS, BEGIN), Ending(exit_status=9, timed_out=True)).exit_status is None
    crashed_late = read_observation(lines(FACTS, BEGIN, end()), Ending(exit_status=0xC0000005))
    assert (crashed_late.outcome, crashed_late.succeeded) == (Outcome.FINISHED, False)


def test_a_process_that_died_shows_what_was_loaded_until_then() -> None:
    early = modules("C:\\Python\\python.exe", "C:\\Python\\python311.dll", when="load")
    later = modules("C:\\x.dll", when="load")
    seen = read_observation(lines(FACTS, BEGIN, early, later, LOAD), Ending(exit_status=0xC0000005))
    assert seen.loaded == (
        WinPath("C:\\Python\\python.exe"),
        WinPath("C:\\Python\\python311.dll"),
        WinPath("C:\\x.dll"),
    )
    assert any("before they could be listed" in message(why).en for _, why in seen.notes)
    unseen = read_observation(lines(FACTS, BEGIN, LOAD), Ending(exit_status=0xC0000005))
    assert (unseen.loaded, unseen.baseline) == (None, None)


def test_a_suppressed_context_is_told_apart() -> None:
    chain = failure(
        {"type": "OSError", "text": "a", "link": "raised"}, {"type": "KeyError", "text": "b", "link": "suppressed"}
    )
    seen = read_observation(lines(FACTS, BEGIN, chain), Ending(exit_status=1))
    assert [error.link for error in seen.exceptions] == [Link.RAISED, Link.SUPPRESSED]


def test_lone_surrogates_survive() -> None:
    record = '{"kind":"environment","name":"PATH","value":"\udc80"}\n'.encode("utf-8", "surrogatepass")
    (event,) = read_observation(record, Ending(exit_status=0)).events
    assert event == EnvironmentChanged(name="PATH", value="\udc80")


WHOLE = lines(
    FACTS,
    BEGIN,
    LOAD,
    {"kind": "symbol", "library": LOAD["name"], "name": "f"},
    failure({"type": "ImportError", "text": "x", "path": LOAD["name"], "frames": [{"file": "f", "line": 1}]}),
    modules("C:\\Python\\python.exe"),
    end("raised"),
)


@given(st.integers(min_value=0, max_value=len(WHOLE)))
def test_a_file_cut_anywhere_reads_as_what_is_whole(cut: int) -> None:
    seen = read_observation(WHOLE[:cut], Ending(exit_status=1))
    whole = sum(cut >= place for place, byte in enumerate(WHOLE) if byte == ord("\n"))
    assert (seen.python is not None) == (whole >= 1)
    assert bool(seen.exceptions) == (whole >= 5)
    assert (seen.loaded is not None) == (whole >= 6)


SIMPLE = st.sampled_from([None, True, -1, 2**70, "", "text", "\ud800", 1.5])
VALUES = SIMPLE | st.lists(SIMPLE, max_size=3) | st.dictionaries(st.sampled_from(["line", "type"]), SIMPLE, max_size=2)
EVENTS = ["facts", "begin", "load", "started", "directory", "removed", "environment", "symbol", "process"]
KINDS = st.sampled_from([*EVENTS, "modules", "dll_directory", "failure", "end", "note"])
NAMES = ["via", "name", "flags", "module", "at", "file", "path", "added", "value", "library"]
FIELDS = st.sampled_from([*NAMES, "paths", "when", "chain", "outcome", "environment", "sys_path", "what", "why"])


@given(st.lists(st.tuples(KINDS, st.dictionaries(FIELDS, VALUES, max_size=6)), max_size=5))
def test_records_of_any_content_give_an_observation(records: list[tuple[str, dict[str, Any]]]) -> None:
    seen = read_observation(lines(*({**fields, "kind": kind} for kind, fields in records)), Ending(exit_status=0))
    assert isinstance(seen.outcome, Outcome)


@given(st.binary(max_size=200))
def test_bytes_of_any_content_give_an_observation(data: bytes) -> None:
    assert isinstance(read_observation(data, Ending(exit_status=0)).outcome, Outcome)
