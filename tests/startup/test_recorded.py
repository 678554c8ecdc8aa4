"""Start-ups that travel: the same events come back, whatever they are nested in."""

from __future__ import annotations

import json

import pytest

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.observe.events import (
    Attempt,
    DirectoryAdded,
    DirectoryRemoved,
    DllDirectorySet,
    EnvironmentChanged,
    Event,
    LibraryLoad,
    ModuleStarted,
    Place,
    Raised,
    Reraised,
    Uncertain,
    Via,
)
from whyload.startup.model import Note, Startup
from whyload.startup.recorded import Importer, KeptStartups, RecordedStartups, question_key

FILE = WinPath("C:\\a\\b.py")
PLACE = Place(file=FILE, line=7)
EVENTS: tuple[Event, ...] = (
    ModuleStarted(module="b", file=FILE, place=PLACE),
    ModuleStarted(module="c", file=None),
    LibraryLoad(name="x.dll", via=Via.CTYPES, flags=0x1000, place=Place(file=None, line=1), symbols=("f", "g")),
    LibraryLoad(name="C:\\a\\b.pyd", via=Via.IMPORT, flags=0x1100, module="b"),
    DirectoryAdded(path=WinPath("C:\\d")),
    DirectoryRemoved(path=WinPath("C:\\d")),
    DllDirectorySet(path=""),
    DllDirectorySet(path=None),
    EnvironmentChanged(name="PATH", value=""),
    EnvironmentChanged(name="PATH", value=None),
    Attempt(
        body=(Raised(exception="ImportError", text="no", module="m", place=PLACE),),
        catches=("ImportError",),
        winerror=126,
        handler=(Reraised(text="again", exception="OSError"), Reraised()),
        orelse=(Uncertain(condition="x > 1", body=(DirectoryAdded(path=FILE),)),),
    ),
)


def carried(startup: Startup, *question: str) -> object:
    kept = KeptStartups()
    kept.keep(question_key(*question), startup)
    entries = json.loads(json.dumps(kept.plain(str)))
    return RecordedStartups(entries).recall(question_key(*question))


def test_every_kind_of_event_comes_back() -> None:
    startup = Startup(events=EVENTS, notes=(Note(what="a", why=Message(en="b", zh="乙")),), stopped=True)
    assert carried(startup, "import", "b") == startup


def test_as_deep_as_reading_goes() -> None:
    event: Event = LibraryLoad(name="x.dll", via=Via.CTYPES, flags=0)
    for _ in range(220):
        event = Attempt(body=(event,))
    startup = Startup(events=(event,))
    assert carried(startup, "code", "import x") == startup


def test_the_last_reading_counts() -> None:
    kept = KeptStartups()
    for stopped in (True, False):
        kept.keep("q", Startup(events=(), stopped=stopped))
        assert kept.recall("q") == (None if stopped else Startup(events=()))
    assert not kept.startups["q"].stopped


def test_a_question_that_nobody_asked_is_unknown() -> None:
    startup = RecordedStartups([]).recall(question_key("import", "x"))
    assert isinstance(startup, Startup)
    assert startup.stopped
    assert [note.what for note in startup.notes] == ["x"]


@pytest.mark.parametrize(
    "entries", [None, {}, [7], [{}], [{"question": []}], [{"question": [1]}], [{"question": "import"}]]
)
def test_entries_without_questions(entries: object) -> None:
    with pytest.raises(UsageError, match="startups"):
        RecordedStartups(entries)


@pytest.mark.parametrize(
    "startup", [None, {}, {"events": [{"is": "Attempt"}]}, {"events": [{"is": "Exploit"}]}, {"events": [7]}]
)
def test_events_that_make_no_sense(startup: object) -> None:
    recorded = RecordedStartups([{"question": ["import", "x"], "startup": startup}])
    with pytest.raises(UsageError, match="startup"):
        recorded.recall(question_key("import", "x"))


def test_who_imports_a_module() -> None:
    kept = KeptStartups()
    kept.keep(question_key("importer", "a._x"), Importer(module="a"))
    kept.keep(question_key("importer", "b._x"), Importer())
    recorded = RecordedStartups(json.loads(json.dumps(kept.plain(str))))
    assert recorded.recall(question_key("importer", "a._x")) == Importer(module="a")
    assert recorded.recall(question_key("importer", "b._x")) == Importer()
    assert recorded.recall(question_key("importer", "c._x")) is None


def test_a_package_that_did_not_speak_of_loading() -> None:
    assert RecordedStartups([]).recall(question_key("context", "x")) == Startup(events=())
