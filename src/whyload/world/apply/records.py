"""What a session wrote down, read back: nothing is believed that does not lie in the session's environment.

These files decide what is deleted and overwritten. They can be damaged, or stem from elsewhere: a path outside of the
environment, or a copy outside of the session, refuses the whole session before anything is touched.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from whyload.base.dataclass import dataclass
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.world.apply import inventory
from whyload.world.apply.inventory import Inventory
from whyload.world.apply.journal import read_journal
from whyload.world.apply.state import ApplyError

AFTER = "after.json"
ASIDE = ".whyload-aside-"
"""Between the name of a build cache's entry and what makes its other name unique."""
_BEFORE = regular(r"before-(\d+)\.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """How the parts that one step touches were before it."""

    parts: tuple[str, ...]
    files: Inventory
    kept: Mapping[str, Path]
    """Copies by the files' full paths."""
    moved: Mapping[str, Path]
    """Where folders were moved as a whole, by their full paths."""
    read_only: Mapping[str, int]
    """Modes of the kept files that are read-only, by their full paths."""
    cleared: Mapping[Path, Path]
    """The other names of entries of build caches, by their full paths; they may lie outside of the environment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """How the touched parts were when the session ended."""

    parts: tuple[str, ...]
    files: Inventory
    distributions: frozenset[str]


def step_numbers(session: Path) -> list[int]:
    """The steps before which everything was kept, in order: such a list is written whole, or not at all."""
    try:
        names = os.listdir(session)  # noqa: PTH208
    except OSError:
        return []
    return sorted(int(match[1]) for match in map(_BEFORE.fullmatch, names) if match)


def before_file(session: Path, number: int) -> Path:
    """Where the list of one step is."""
    return session / f"before-{number}.json"


def roots_of(session: Path) -> tuple[Path, ...]:
    """The folders of the environment, as the journal begins; none where it does not say."""
    begin = next((entry for entry in read_journal(session) if entry["event"] == "begin"), {})
    roots = begin.get("roots")
    return tuple(Path(root) for root in roots if isinstance(root, str) and root) if isinstance(roots, list) else ()


def read_before(session: Path, number: int, roots: Iterable[Path]) -> Before:
    """Raises ApplyError where the list is damaged or names anything outside of `roots`."""
    path = before_file(session, number)
    values = _read(path)
    try:
        before = Before(
            parts=tuple(map(str, values["parts"])),
            files=inventory.from_values(values["files"]),
            kept=_copies(session / f"kept-{number}", values["kept"]),
            moved=_copies(session / f"moved-{number}", values["moved"]),
            read_only={str(path): int(mode) for path, mode in values.get("read_only", {}).items()},
            cleared=_cleared(values.get("cleared", {})),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ApplyError(_foreign(path)) from None
    allowed = tuple(roots)
    for name in (*before.parts, *before.files, *before.kept, *before.moved, *before.read_only):
        if not _is_inside(name, allowed):
            raise ApplyError(
                Message(
                    en=f"{path} is damaged: {name} lies outside of the environment",
                    zh=f"{path} 已损坏：{name} 不在该环境中",
                )
            )
    return before


def read_after(session: Path) -> After:
    """Raises ApplyError where the list is damaged."""
    path = session / AFTER
    values = _read(path)
    try:
        return After(
            parts=tuple(map(str, values["parts"])),
            files=inventory.from_values(values["files"]),
            distributions=frozenset(map(str, values["distributions"])),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ApplyError(_foreign(path)) from None


def _foreign(path: Path) -> Message:
    return Message(en=f"{path} is not what whyload wrote", zh=f"{path} 不是 whyload 写入的内容")


def _copies(folder: Path, names: Mapping[str, str]) -> dict[str, Path]:
    for name in names.values():
        if not name.isascii() or not name.isdigit():
            raise ValueError(name)
    return {path: folder / name for path, name in names.items()}


def _cleared(names: Mapping[str, str]) -> dict[Path, Path]:
    """Only what has such a name beside it is ever taken out of the way for it."""
    found = {}
    for name, aside in names.items():
        path = Path(name)
        if not path.is_absolute() or name != os.path.normpath(name) or not aside.startswith(path.name + ASIDE):
            raise ValueError(name)
        if {"/", "\\"} & set(aside):
            raise ValueError(aside)
        found[path] = path.with_name(aside)
    return found


def _is_inside(name: str, roots: Iterable[Path]) -> bool:
    """Below a root, without a way back; of the roots themselves only one that lies in another (`Scripts`)."""
    path = Path(name)
    if str(path) != os.path.normpath(name) or not path.is_absolute():
        return False
    return any(path != root and path.is_relative_to(root) for root in roots)


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ApplyError(Message(en=f"{path} cannot be read: {error}", zh=f"无法读取 {path}：{error}")) from None
    if not isinstance(values, dict):
        raise ApplyError(_foreign(path))
    return values
