"""Takes a session back: every file byte for byte, whether the session ended or was cut off."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.message import Message
from whyload.world.apply import inventory
from whyload.world.apply.inventory import CACHE, Entry, Inventory
from whyload.world.apply.journal import Journal, read_journal
from whyload.world.apply.records import AFTER, Before, before_file, read_after, read_before, roots_of, step_numbers
from whyload.world.apply.removal import put_in_place, remove_file, remove_tree
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
    titles: tuple[Message, ...]
    finished: bool
    """False where it was cut off."""


def open_sessions(state: EnvironmentState) -> list[Path]:
    """Sessions that can be taken back, oldest first; what is left of others is cleared away."""
    found = []
    for session in state.sessions():
        events = [entry["event"] for entry in read_journal(session)]
        if events[-1:] != ["undone"] and (events[:1] == ["begin"] or step_numbers(session)):
            found.append(session)
        else:
            _forget(session)
    return found


def _forget(session: Path) -> None:
    """What says that there is something to put back goes first: a crash in between must not leave half a session."""
    for number in step_numbers(session):
        before_file(session, number).unlink(missing_ok=True)
    with suppress(OSError):
        remove_tree(session)


def view(session: Path) -> SessionView:
    """Read a session's journal."""
    entries = read_journal(session)
    begin = next((entry for entry in entries if entry["event"] == "begin"), {})
    return SessionView(
        session=session,
        question=str(begin.get("question", "")),
        site=Path(str(begin.get("site", ""))),
        run=str(begin.get("run", "")),
        titles=tuple(_title(entry) for entry in entries if entry["event"] == "step"),
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
        after = read_after(session)
        parts = [part for part in after.parts if part not in seen]
        was = {path: entry for path, entry in after.files.items() if any(is_in(path, part) for part in parts)}
        found += inventory.differences(was, inventory.take(map(Path, parts)))
        if not seen:
            found += sorted(set(distributions(site)) ^ after.distributions)
        seen |= set(after.parts)
    return found


def undo_run(sessions: Sequence[Path], site: Path, *, force: bool = False) -> None:
    """Take the sessions of one run back, the last first.

    Raises ApplyError where the environment was changed since (unless `force`), or where a file cannot be put back.
    """
    changed = [] if force else changed_since(sessions, site)
    if changed:
        raise ApplyError(_changed(changed))
    for session in reversed(sessions):
        undo(session)


def _title(entry: Mapping[str, object]) -> Message:
    """What a step did; a journal of an earlier version has it in English alone."""
    title = str(entry.get("title"))
    return Message(en=title, zh=str(entry.get("title_zh") or title))


def _changed(paths: Sequence[str]) -> Message:
    more = len(paths) - _NAMED
    return Message(
        en=f"the environment was changed since: {', '.join(paths[:_NAMED])}{f' and {more} more' if more > 0 else ''}",
        zh=f"环境在应用修复之后又有改动：{'、'.join(paths[:_NAMED])}{f'，另有 {more} 处' if more > 0 else ''}",
    )


def undo(session: Path) -> None:
    """Put everything back and forget the session. May be called again where it was cut off.

    Raises ApplyError where a file cannot be put back.
    """
    roots = roots_of(session)
    numbers = step_numbers(session)
    if numbers and not roots:
        raise ApplyError(
            Message(
                en=f"the journal is damaged: {session}; what was kept is still there",
                zh=f"操作日志已损坏：{session}；备份的文件还在",
            )
        )
    befores = [read_before(session, number, roots) for number in reversed(numbers)]
    # Without the list it was cut off, and all that is new is of it.
    ours = set(read_after(session).files) if (session / AFTER).exists() else None
    Journal(session).note("undoing")
    for root in roots:
        (root / PROBE).unlink(missing_ok=True)
    try:
        for before in befores:
            _put_back(before, ours)
    except OSError as error:
        raise ApplyError(
            Message(
                en=f"{error.filename or 'a file'} cannot be put back: {error.strerror or error}",
                zh=f"无法恢复{f' {error.filename}' if error.filename else '文件'}：{error.strerror or error}",
            )
        ) from None
    Journal(session).note("undone")
    _forget(session)


def _put_back(before: Before, ours: set[str] | None) -> None:
    for part, aside in before.moved.items():
        _move_back(aside, Path(part))
    for cache, aside in before.cleared.items():
        _move_back(aside, cache)
    now = inventory.take(map(Path, before.parts))
    _remove_new(before.files, now, ours)
    for path, entry in before.files.items():
        if entry.folder:
            Path(path).mkdir(parents=True, exist_ok=True)
    _restore(before, now)


def _move_back(aside: Path, part: Path) -> None:
    """What was moved aside as a whole; what came in its stead goes."""
    if not os.path.lexists(aside):
        return
    if part.is_dir() and not part.is_symlink():
        remove_tree(part)
    elif os.path.lexists(part):
        remove_file(part)
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
            remove_file(Path(path))


def _remove_folder(path: str) -> None:
    try:
        os.rmdir(path)  # noqa: PTH106
    except OSError:
        if os.listdir(path) == []:  # noqa: PTH208
            raise


def _link_or_copy(copy: Path, new: Path, *, shared: bool) -> None:
    """A hard link where the disk can do that, and where the two may have their attributes in common."""
    try:
        if shared:
            os.link(copy, new)
            return
    except (OSError, NotImplementedError):
        pass
    shutil.copy2(copy, new)


def _is_as_it_was(target: Path, copy: Path, before: Entry | None, now: Entry) -> bool:
    """A file that could not be touched because another program holds it need not be put back, and cannot be."""
    return before == now and before.link is None and filecmp.cmp(target, copy, shallow=False)


def _restore(before: Before, now: Inventory) -> None:
    for path, copy in before.kept.items():
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(target.name + _BACK)
        new.unlink(missing_ok=True)
        if path in now and (target.samefile(copy) or _is_as_it_was(target, copy, before.files.get(path), now[path])):
            continue
        _link_or_copy(copy, new, shared=path not in before.read_only)
        try:
            put_in_place(new, target)
        except OSError:  # another program holds it
            with suppress(OSError):
                new.unlink()
            raise
    for path, entry in before.files.items():
        if entry.link is not None and not os.path.lexists(path):
            Path(path).symlink_to(entry.link)
    for path, mode in before.read_only.items():
        Path(path).chmod(mode)
