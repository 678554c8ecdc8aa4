"""Takes a session back: every file byte for byte, whether the session ended or was cut off."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from whyload.base.dataclass import dataclass
from whyload.world.apply import inventory
from whyload.world.apply.inventory import CACHE, Entry, Inventory
from whyload.world.apply.journal import Journal, read_journal
from whyload.world.apply.state import ApplyError, EnvironmentState
from whyload.world.apply.transaction import PROBE, distributions, is_in

_BACK = ".whyload-back"
_NAMED = 5
"""Changed files that are named in the refusal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """What the journal of a session tells."""

    session: Path
    question: str
    site: Path
    """The environment's site-packages."""
    run: str
    """Sessions of one run are taken back together."""
    titles: tuple[str, ...]
    finished: bool
    """False where it was cut off."""


def open_sessions(state: EnvironmentState) -> list[Path]:
    """Sessions that can be taken back, oldest first; what is left of others is cleared away."""
    found = []
    for session in state.sessions():
        events = [entry["event"] for entry in read_journal(session)]
        if events[:1] == ["begin"] and events[-1] != "undone":
            found.append(session)
        else:
            shutil.rmtree(session, ignore_errors=True)
    return found


def view(session: Path) -> SessionView:
    """Read a session's journal."""
    entries = read_journal(session)
    begin = next((entry for entry in entries if entry["event"] == "begin"), {})
    return SessionView(
        session=session,
        question=str(begin.get("question", "")),
        site=Path(str(begin.get("site", ""))),
        run=str(begin.get("run", "")),
        titles=tuple(str(entry.get("title")) for entry in entries if entry["event"] == "step"),
        finished=any(entry["event"] == "finished" for entry in entries),
    )


def changed_since(sessions: Sequence[Path], site: Path) -> list[str]:
    """What is not as these sessions of one run, oldest first, left it: files, and distributions that came or went.

    A session that was cut off, or that a first `undo` did not end, says nothing.
    """
    found: list[str] = []
    seen: set[str] = set()
    for session in reversed(sessions):
        entries = [entry["event"] for entry in read_journal(session)]
        if "finished" not in entries or entries[-1] == "undoing":
            return []
        after = _read(session / "after.json")
        parts = [part for part in after["parts"] if part not in seen]
        was = {path: row for path, row in after["files"].items() if any(is_in(path, part) for part in parts)}
        found += inventory.differences(inventory.from_values(was), inventory.take(map(Path, parts)))
        if not seen:
            found += sorted(set(distributions(site)) ^ set(after["distributions"]))
        seen |= set(after["parts"])
    return found


def undo_run(sessions: Sequence[Path], site: Path, *, force: bool = False) -> None:
    """Take the sessions of one run back, the last first.

    Raises ApplyError where the environment was changed since (unless `force`), or where a file cannot be put back.
    """
    changed = [] if force else changed_since(sessions, site)
    if changed:
        more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
        raise ApplyError(f"the environment was changed since: {', '.join(changed[:_NAMED])}{more}")
    for session in reversed(sessions):
        undo(session)


def undo(session: Path) -> None:
    """Put everything back and forget the session. May be called again where it was cut off.

    Raises ApplyError where a file cannot be put back.
    """
    steps = [entry["number"] for entry in read_journal(session) if entry["event"] == "kept"]
    begin = read_journal(session)[0]
    Journal(session).note("undoing")
    for root in begin.get("roots", ()):
        Path(root, PROBE).unlink(missing_ok=True)
    ours = _ours(session)
    try:
        for number in reversed(steps):
            _put_back(session, number, ours)
    except OSError as error:
        raise ApplyError(f"{error.filename or 'a file'} cannot be put back: {error.strerror or error}") from None
    Journal(session).note("undone")
    shutil.rmtree(session, ignore_errors=True)


def _ours(session: Path) -> set[str] | None:
    """Paths that were there when the session ended; None where it was cut off, and all that is new is of it."""
    if not (session / "after.json").exists():
        return None
    return set(_read(session / "after.json")["files"])


def _put_back(session: Path, number: int, ours: set[str] | None) -> None:
    state = _read(session / f"before-{number}.json")
    for part, name in state["moved"].items():
        _move_back(session / f"moved-{number}" / name, Path(part))
    before = inventory.from_values(state["files"])
    now = inventory.take(Path(part) for part in state["parts"])
    _remove_new(before, now, ours)
    for path, entry in before.items():
        if entry.folder:
            Path(path).mkdir(parents=True, exist_ok=True)
    _restore(session / f"kept-{number}", state["kept"], before, now)


def _move_back(aside: Path, part: Path) -> None:
    """A folder that was moved aside as a whole; what came in its stead goes."""
    if not aside.exists():
        return
    if part.is_dir() and not part.is_symlink():
        shutil.rmtree(part)
    else:
        part.unlink(missing_ok=True)
    aside.rename(part)


def _remove_new(before: Inventory, now: Inventory, ours: set[str] | None) -> None:
    for path in sorted(now, reverse=True):  # what lies in a folder before the folder
        if path in before and before[path].folder == now[path].folder:
            continue
        cached = CACHE in Path(path).parts or path.endswith(_BACK)
        if ours is not None and path not in ours and not cached:
            continue
        if now[path].folder:
            _remove_folder(path)
        else:
            os.unlink(path)  # noqa: PTH108


def _remove_folder(path: str) -> None:
    try:
        os.rmdir(path)  # noqa: PTH106
    except OSError:
        if os.listdir(path) == []:  # noqa: PTH208
            raise


def _restore(folder: Path, kept: Mapping[str, str], before: Mapping[str, Entry], now: Inventory) -> None:
    for path, name in kept.items():
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(target.name + _BACK)
        new.unlink(missing_ok=True)
        if path in now and target.samefile(folder / name):
            continue
        try:
            os.link(folder / name, new)
        except (OSError, NotImplementedError):
            shutil.copy2(folder / name, new)
        new.replace(target)
    for path, entry in before.items():
        if entry.link is not None and not os.path.lexists(path):
            Path(path).symlink_to(entry.link)


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ApplyError(f"{path} cannot be read: {error}") from None
    if not isinstance(values, dict):
        raise ApplyError(f"{path} is not what whyload wrote")
    return values
