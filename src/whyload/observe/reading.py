"""Reads the probe's lines into an Observation. A line that was cut short or makes no sense is passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from whyload.base.dataclass import dataclass
from whyload.base.json_text import json_value
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.typing import Any
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
    Via,
)
from whyload.observe.failures import Presence, failed_loads, fatal_loads, loads_of
from whyload.observe.observation import ExceptionInfo, Frame, Link, Observation, Outcome
from whyload.world.interpreter import interpreter_facts

Record = dict[str, Any]
_LONGEST_RECORD = 32 << 20
"""Bytes; an exception with all its levels has a hundredth of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What is known of the process from outside."""

    exit_status: int | None
    timed_out: bool = False
    stdout: str = ""
    stderr: str = ""
    fault: str = ""
    notes: tuple[tuple[Text, Text], ...] = ()


def records_of(lines: bytes) -> Iterator[Record]:
    """The records in a result file."""
    for line in lines.split(b"\n"):
        if len(line) > _LONGEST_RECORD:
            continue
        try:
            record = json_value(line.decode("utf-8", "surrogatepass"))
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("kind"), str):
            yield record


def read_observation(lines: bytes, ending: Ending) -> Observation:
    """The observation that a result file and the process's end give."""
    from whyload.base.dataclass import replace

    records = tuple(records_of(lines))
    journal = _Journal(records)
    outcome = _outcome(journal, ending)
    events, loaded = tuple(_events(records, journal.symbols)), journal.loaded(outcome)
    begin, end, facts = journal.last("begin"), journal.last("end"), journal.last("facts")
    path, state = begin.get("sys_path"), end or facts
    if facts and path is not None:  # as the question found it: without the probe's own folder
        facts = {**facts, "sys_path": path}
    chain = (item for item in _list(journal.last("failure").get("chain")) if isinstance(item, dict))
    observation = Observation(
        outcome=outcome,
        exit_status=None if ending.timed_out else ending.exit_status,
        events=events,
        exceptions=tuple(_exception(item) for item in chain),
        loaded=loaded,
        baseline=_baseline(loaded, events),
        python=interpreter_facts(facts) if facts else None,
        environment=_texts(state.get("environment")),
        initial_environment=_texts(facts.get("environment")),
        cwd=_text(state.get("cwd")),
        sys_path=tuple(map(str, _list(end.get("sys_path") or path))),
        dll_directory=_text(journal.last("dll_directory").get("path")),
        early_modules=tuple(_early_modules(facts.get("modules"))),
        processes=tuple(str(record.get("command")) for record in journal.all("process")),
        stdout=ending.stdout,
        stderr=ending.stderr,
        fault=ending.fault,
        symbols=journal.symbols,
        notes=(*journal.notes(), *ending.notes),
    )
    return replace(observation, events=_playable(observation))


def _early_modules(files: object) -> Iterator[str]:
    """Names of modules whose file lies elsewhere than that of `os`."""
    known = (
        {str(name): WinPath(file) for name, file in files.items() if isinstance(file, str)}
        if isinstance(files, dict)
        else {}
    )
    library = known["os"].parent if "os" in known else None
    for name, file in known.items():
        own = library is not None and file.is_below(library) and "\\site-packages\\" not in file.key
        if name != "__main__" and not own:
            yield name


class _Journal:
    """The records by kind."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._by_kind: dict[str, list[Record]] = {}
        for record in records:
            self._by_kind.setdefault(record["kind"], []).append(record)

    def all(self, kind: str) -> list[Record]:
        return self._by_kind.get(kind, [])

    def last(self, kind: str) -> Record:
        found = self.all(kind)
        return found[-1] if found else {}

    @property
    def symbols(self) -> tuple[tuple[str, str], ...]:
        return tuple((str(record.get("library")), str(record.get("name"))) for record in self.all("symbol"))

    def loaded(self, outcome: Outcome) -> tuple[WinPath, ...] | None:
        """The final list; where the process died before it, what was there at the last load that could be watched."""
        final = [record for record in self.all("modules") if record.get("when") == "end"]
        if final:
            return tuple(WinPath(str(path)) for path in _list(final[-1].get("paths")))
        seen = [str(path) for record in self.all("modules") for path in _list(record.get("paths"))]
        return tuple(map(WinPath, seen)) if seen and outcome is not Outcome.NOT_STARTED else None

    def notes(self) -> Iterator[tuple[Text, Text]]:
        for record in self.all("note"):
            yield _said(str(record.get("what"))), _said(str(record.get("why")))
        if self.all("facts") and not any(record.get("when") == "end" for record in self.all("modules")):
            yield (
                Message(en="loaded native modules at the end", zh="结束时已加载的原生模块"),
                Message(en="the process ended before they could be listed", zh="进程在列出它们之前就结束了"),
            )


_PROBE_SAYS = {
    "later events": "之后的事件",
    "there were too many of them": "数量过多",
    "environment changes, processes": "环境变量的更改、子进程",
    "Python 3.7 has no audit events": "Python 3.7 没有审计事件",
    "loaded native modules": "已加载的原生模块",
    "some events": "部分事件",
}
"""The probe speaks English; what else it says are errors of Python, which are the same in every language."""


def _said(text: str) -> Text:
    return Message(en=text, zh=_PROBE_SAYS[text]) if text in _PROBE_SAYS else text


def _outcome(journal: _Journal, ending: Ending) -> Outcome:
    if ending.timed_out:
        return Outcome.TIMED_OUT
    said = journal.last("end").get("outcome")
    if isinstance(said, str) and said in (item.value for item in Outcome):
        return Outcome(said)
    if journal.all("failure"):
        return Outcome.RAISED
    return Outcome.DIED if journal.all("begin") else Outcome.NOT_STARTED


def _events(records: Iterable[Record], symbols: Iterable[tuple[str, str]]) -> Iterator[Event]:
    asked: dict[str, list[str]] = {}
    for library, name in symbols:
        asked.setdefault(library, []).append(name)
    for record in records:
        event = _event(record, asked)
        if event is not None:
            yield event


def _event(record: Record, symbols: Mapping[str, list[str]]) -> Event | None:
    place = _place(record.get("at"))
    kind, path = record["kind"], str(record.get("path"))
    if kind == "started":
        file = record.get("file")
        return ModuleStarted(module=str(record.get("module")), file=_file(file), place=place)
    if kind == "load":
        name, module, flags = str(record.get("name")), record.get("module"), record.get("flags")
        return LibraryLoad(
            name=name,
            via=_VIA.get(str(record.get("via")), Via.LOADLIBRARY),
            flags=flags if isinstance(flags, int) else 0,
            module=str(module) if module else None,
            place=place,
            symbols=tuple(symbols.get(name, ())),
        )
    if kind == "directory":
        return DirectoryAdded(path=WinPath(path), place=place) if record.get("added") else None
    if kind == "removed":
        return DirectoryRemoved(path=WinPath(path))
    if kind == "environment":
        value = record.get("value")
        return EnvironmentChanged(name=str(record.get("name")), value=None if value is None else str(value))
    return None


_VIA = {via.value: via for via in Via}


def _place(value: object) -> Place | None:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], int):
        return None
    return Place(file=_file(value[0]), line=value[1])


def _file(value: object) -> WinPath | None:
    return WinPath(value) if isinstance(value, str) and value and not value.startswith("<") else None


def _exception(item: Record) -> ExceptionInfo:
    link = item.get("link")
    return ExceptionInfo(
        type=str(item.get("type")),
        text=str(item.get("text")),
        module=str(item.get("module")),
        link=Link(link) if isinstance(link, str) and link in (known.value for known in Link) else Link.RAISED,
        winerror=_number(item.get("winerror")),
        errno=_number(item.get("errno")),
        name=_text(item.get("name")),
        path=_text(item.get("path")),
        filename=_text(item.get("filename")),
        frames=tuple(_frame(frame) for frame in _list(item.get("frames")) if isinstance(frame, dict)),
    )


def _frame(item: Record) -> Frame:
    line = _number(item.get("line"))
    return Frame(
        place=Place(file=_file(item.get("file")), line=line or 0),
        function=str(item.get("function")),
        module=str(item.get("module") or ""),
        source=_text(item.get("source")),
        calls=tuple(map(str, _list(item.get("calls")))),
        numbers=tuple(number for number in _list(item.get("numbers")) if isinstance(number, int)),
        libraries=tuple(map(str, _list(item.get("texts")))),
    )


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(value: object) -> dict[str, str]:
    return {str(key): str(item) for key, item in value.items()} if isinstance(value, dict) else {}


def _baseline(loaded: tuple[WinPath, ...] | None, events: Iterable[Event]) -> tuple[WinPath, ...] | None:
    """The modules in front of the first one that the question asked for. They are listed without having been asked for
    before the run, because asking takes ctypes, which would change what the run finds."""
    if loaded is None:
        return None
    asked = Presence(WinPath(load.name) for load in loads_of(events))
    names = [index for index, path in enumerate(loaded) if asked.has(path.text)]
    return loaded[: names[0]] if names else loaded


def _playable(observation: Observation) -> tuple[Event, ...]:
    """The events, with each load that failed and did not end the run in an `Attempt`.

    Direct calls of LoadLibrary are known by their failure only; they come last.
    """
    failed, fatal = failed_loads(observation), fatal_loads(observation)
    last = next((event for event in reversed(observation.events) if event in fatal[:1]), None)
    played: list[Event] = []
    for event in observation.events:
        survived = isinstance(event, LibraryLoad) and event in failed and event is not last
        played.append(Attempt(body=(event,)) if survived else event)
    if observation.dll_directory is not None:
        played.append(DllDirectorySet(path=observation.dll_directory))
    known = set(loads_of(observation.events))
    unseen = [load for load in failed if load not in known]
    ending = [load for load in unseen if load in fatal and load.name == fatal[0].name]
    played += [Attempt(body=(load,)) for load in unseen if load not in ending]
    played += [Attempt(body=(load,)) for load in ending[:-1]]
    played += ending[-1:]
    return tuple(played)
