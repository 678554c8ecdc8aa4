"""Start-ups that were read on another machine: what a snapshot carries instead of source files (docs/snapshot.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.message import Message, Text
from whyload.base.room import with_room
from whyload.startup.model import Note, Startup

# `whyload.base.values` and `json` are imported where they are used: they take longer than a question without a snapshot

_NOT_THERE = Message(
    en="the snapshot does not hold its start-up: it was taken for another question",
    zh="快照是针对别的问题生成的，没有记录它的启动过程",
)


def question_key(kind: str, *words: str) -> str:
    """How a question is known: `import` and its modules, `code` and its text, `script` and its path, `context` and
    packages (of them only what speaks of loading was read), `importer` and an extension module.
    """
    from json import dumps

    return dumps([kind, *words], ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """Which module, when it is imported, surely imports another one; None where none is known to."""

    module: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStartup:
    """One entry of `startups.json`."""

    question: tuple[str, ...]
    """The kind of question, then its words."""
    startup: Startup | Importer


class KeptStartups:
    """Takes note of every start-up that is read; of one that is read twice the last, which was read further."""

    def __init__(self) -> None:
        self._kept: dict[str, Startup | Importer] = {}

    def recall(self, question: str) -> object:
        """What was read to its end already."""
        kept = self._kept.get(question)
        return None if isinstance(kept, Startup) and kept.stopped else kept

    def keep(self, question: str, startup: object) -> None:
        """Takes note."""
        if isinstance(startup, Startup | Importer):
            self._kept[question] = startup

    @property
    def startups(self) -> Mapping[str, Startup]:
        """By question."""
        return {key: kept for key, kept in self._kept.items() if isinstance(kept, Startup)}

    def plain(self, text: Callable[[str], str]) -> list[object]:
        """What was read, as `startups.json` holds it; `text` is applied to every text."""
        from json import loads

        from whyload.base.values import recorded

        return [
            recorded(RecordedStartup(question=tuple(loads(key)), startup=startup), text)
            for key, startup in self._kept.items()
        ]


def _unusable(why: Message) -> Message:
    return Message(en=f"not a usable snapshot: {why.en}", zh=f"不是可用的快照：{why.zh}")


class RecordedStartups:
    """Answers from the start-ups of a snapshot. What it does not hold is said to be unknown, never guessed."""

    def __init__(self, entries: object) -> None:
        """Raises UsageError where the entries are no list of start-ups with their questions."""
        if not isinstance(entries, list):
            raise UsageError(_unusable(Message(en="startups: must be a list", zh="startups：应为列表")))
        self._entries: dict[str, object] = {}
        for index, entry in enumerate(entries):
            words = entry.get("question") if isinstance(entry, dict) else None
            if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
                raise UsageError(
                    _unusable(Message(en=f"startups[{index}]: it has no question", zh=f"startups[{index}]：缺少问题"))
                )
            self._entries[question_key(*words)] = entry

    def recall(self, question: str) -> object:
        """The start-up of the question, put together from those of its modules where it was not asked as a whole."""
        if question in self._entries:
            return self._startup(question)
        from json import loads

        kind, *words = loads(question)
        parts = [question_key("import", word) for word in words]
        if kind == "import" and len(parts) > 1 and all(part in self._entries for part in parts):
            return _joined([one for one in map(self._startup, parts) if isinstance(one, Startup)])
        if kind == "importer":
            return None
        if kind == "code" and (names := _only_imports(words[0])):
            return self.recall(question_key("import", *names))
        if kind == "context":
            return Startup(events=())  # nothing spoke of loading
        what: Text = " ".join(words) if kind == "import" else Message(en="the program", zh="程序")
        return Startup(events=(), notes=(Note(what=what, why=_NOT_THERE),), stopped=True)

    def keep(self, question: str, startup: object) -> None:
        """Nothing is added."""

    def _startup(self, key: str) -> Startup | Importer:
        from whyload.base.values import ValueShapeError, shape_error, typed

        try:
            return with_room(lambda: typed(RecordedStartup, self._entries[key], "startups", exact=True)).startup
        except (ValueShapeError, RecursionError) as error:
            raise UsageError(_unusable(shape_error(error))) from None


def _only_imports(code: str) -> tuple[str, ...]:
    """Modules that a program imports which does nothing else; none where it does."""
    import ast

    from whyload.startup.skeleton import parse

    tree = parse(code)
    names: list[str] = []
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
        else:
            return ()
    return tuple(dict.fromkeys(names))


def _joined(startups: list[Startup]) -> Startup:
    """One after the other in one process; what the second imports again is there already."""
    return Startup(
        events=tuple(event for startup in startups for event in startup.events),
        notes=tuple(dict.fromkeys(note for startup in startups for note in startup.notes)),
        stopped=any(startup.stopped for startup in startups),
    )
