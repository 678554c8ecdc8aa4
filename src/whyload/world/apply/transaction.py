"""One session: the parts that will change are listed and kept, then the steps are taken, each journalled before."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.message import Message, Text, message
from whyload.world.apply import inventory
from whyload.world.apply.inventory import Entry
from whyload.world.apply.journal import Journal, write_whole
from whyload.world.apply.kept import Kept, keep
from whyload.world.apply.records import AFTER, ASIDE, before_file
from whyload.world.apply.removal import is_read_only, put_in_place, read_only_modes, remove_file, remove_tree
from whyload.world.apply.state import ApplyError
from whyload.world.places import EnvironmentPlaces

KEEPS_MAPPED_FILES = os.name == "nt"
"""The system does not remove a file that some process has mapped."""
PROBE = ".whyload-probe"
"""Made and removed at once, to see whether a folder can be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of files, in the operating system's own paths.

    First `remove` goes and `clear` is renamed, then `run` brings files into `brings`, then `write` is written.
    """

    title: Text
    remove: tuple[Path, ...] = ()
    """Files, and whole folders."""
    brings: tuple[Path, ...] = ()
    """Files that `run` will put there, as far as they are known beforehand."""
    run: Callable[[], None] | None = None
    write: tuple[tuple[Path, bytes], ...] = ()
    clear: tuple[Path, ...] = ()
    """Files and folders of build caches, wherever they are: each gets another name in its folder."""

    @property
    def touches(self) -> tuple[Path, ...]:
        """Every path that may change."""
        written = [name for path, _ in self.write for name in (path, _new_name(path))]
        return (*self.remove, *self.brings, *written)


class Transaction:
    """A session at work. `begin` before the first step, `finish` after the last."""

    def __init__(self, session: Path, places: EnvironmentPlaces, note: Callable[[Text], None] | None = None) -> None:
        self.session = session
        self._places = places
        self._journal = Journal(session)
        self._steps = 0
        self._parts: set[Path] = set()
        self._note = note or (lambda text: None)

    def begin(self, question: str, run: str = "") -> None:
        """Open the journal. Sessions of one `run` are taken back together."""
        roots = [str(root) for root in self._places.roots]
        self._journal.note(
            "begin",
            prefix=str(self._places.prefix),
            site=str(self._places.site),
            roots=roots,
            question=question,
            run=run,
        )

    def take(self, step: Step) -> None:
        """Keep what the step touches, then take it.

        Raises ApplyError where it fails; the environment is then to be put back with `undo`.
        """
        touched = _inside(step.touches, self._places)
        parts = {part_of(path, self._places) for path in touched}
        if step.run is not None:  # entry points are named in no list of files
            parts.add(self._places.scripts)
            touched.append(self._places.scripts)
        check_writable(parts)
        check_unused((*step.remove, *step.clear))
        cleared = self._cleared_names(step)
        moved = self._keep(step, touched, parts, cleared)
        title = message(step.title)
        self._journal.note("step", number=self._steps, title=title.en, title_zh=title.zh)
        self._note(step.title)
        try:
            for part, place in moved.items():
                Path(part).rename(place)
            _remove(step.remove, self._places.roots)
            for path, aside in cleared.items():
                path.rename(aside)
            if step.run is not None:
                step.run()
            for path, data in step.write:
                _write(path, data)
        except OSError as error:
            raise ApplyError(_reason(error)) from None
        self._journal.note("done", number=self._steps)
        self._steps += 1

    def _cleared_names(self, step: Step) -> dict[Path, Path]:
        """The name that each entry of a cache gets: on the same volume, so that it is there whole or not at all."""
        there = (path for path in step.clear if os.path.lexists(path))
        return {path: aside_of(path, f"{self.session.name}-{time.time_ns():x}") for path in there}

    def _keep(
        self, step: Step, touched: Iterable[Path], parts: set[Path], cleared: Mapping[Path, Path]
    ) -> dict[str, Path]:
        """Write down what is there and keep what the step touches. Folders that go whole are moved aside later."""
        number = self._steps
        self._journal.note("keeping", number=number)
        before = inventory.take(sorted(parts))
        aside = self.session / f"moved-{number}"
        aside.mkdir()
        moved = {part: aside / str(index) for index, part in enumerate(going_whole(before, parts, step.remove, aside))}
        rest = {path: entry for path, entry in before.items() if not any(is_in(path, part) for part in moved)}
        kept: Kept = keep(self.session / f"kept-{number}", rest, touched)
        write_whole(
            before_file(self.session, number),
            {
                "parts": [str(part) for part in sorted(parts)],
                "files": inventory.to_values(before),
                "kept": kept,
                "moved": {part: place.name for part, place in moved.items()},
                "read_only": read_only_modes(kept),
                "cleared": {str(path): aside.name for path, aside in cleared.items()},
            },
        )
        self._parts |= parts
        self._journal.note("kept", number=number)
        return moved

    def finish(self) -> None:
        """Write down what the environment is like now, so that `undo` sees whether it was changed since."""
        parts = sorted(self._parts)
        after = {"parts": [str(part) for part in parts], "files": inventory.to_values(inventory.take(parts))}
        after["distributions"] = distributions(self._places.site)
        write_whole(self.session / AFTER, after)
        self._journal.note("finished")


def distributions(site: Path) -> list[str]:
    """Names of the `.dist-info` folders."""
    try:
        return sorted(name for name in os.listdir(site) if name.lower().endswith("-info"))  # noqa: PTH208
    except OSError:
        return []


def part_of(path: Path, places: EnvironmentPlaces) -> Path:
    """The part of the environment that a path lies in. Raises ApplyError where it lies outside."""
    for root in places.roots:
        if path != root and path.is_relative_to(root):
            return places.scripts if root == places.scripts else root / path.relative_to(root).parts[0]
    raise ApplyError(
        Message(en=f"{path} lies outside of the environment {places.prefix}", zh=f"{path} 不在环境 {places.prefix} 中")
    )


def _inside(paths: Iterable[Path], places: EnvironmentPlaces) -> list[Path]:
    normal = [Path(os.path.normpath(path)) for path in paths]
    roots = {Path(os.path.realpath(root)) for root in places.roots}
    for path in normal:
        part_of(path, places)
        folder = Path(os.path.realpath(path.parent))
        if not any(folder.is_relative_to(root) for root in roots):  # an editable installation, a linked folder of data
            raise ApplyError(
                Message(
                    en=f"{path} lies outside of the environment {places.prefix}: its folder is {folder}",
                    zh=f"{path} 不在环境 {places.prefix} 中：它实际位于 {folder}",
                )
            )
    return normal


def is_in(path: str, part: str) -> bool:
    """Whether a path is a part of the environment, or lies in it."""
    return path == part or path.startswith(part + os.sep)


def going_whole(before: Mapping[str, Entry], parts: Iterable[Path], remove: Iterable[Path], aside: Path) -> list[str]:
    """Folders that lose every file to the step, and that can be moved to `aside` at once: on the same volume."""
    gone = {os.path.normcase(path) for path in remove}
    files = [path for path, entry in before.items() if not entry.folder and inventory.CACHE not in Path(path).parts]
    stays = [path for path in files if not _goes(path, gone)]
    volume = aside.stat().st_dev
    found = []
    for part in map(str, sorted(parts)):
        if part in before and before[part].folder and os.lstat(part).st_dev == volume:
            touched = os.path.normcase(part) in gone or any(is_in(path, os.path.normcase(part)) for path in gone)
            if touched and not any(is_in(path, part) for path in stays):
                found.append(part)
    return found


def _goes(path: str, gone: set[str]) -> bool:
    folded = Path(os.path.normcase(path))
    return str(folded) in gone or any(str(folder) in gone for folder in folded.parents)


def check_writable(parts: Iterable[Path]) -> None:
    """Raises ApplyError where a file could not be made in the folders of these parts."""
    for folder in sorted({part.parent for part in parts}):
        existing = folder
        while not existing.exists():
            existing = existing.parent
        probe = existing / PROBE
        try:
            os.close(os.open(probe, os.O_CREAT | os.O_WRONLY, 0o600))
            probe.unlink()
        except OSError as error:
            raise ApplyError(
                Message(
                    en=f"cannot write in {existing}: {error.strerror or error}",
                    zh=f"无法写入目录 {existing}：{error.strerror or error}",
                )
            ) from None


def check_unused(paths: Iterable[Path]) -> None:
    """Raises ApplyError where a library that must go is in use: Windows does not let go of a mapped file."""
    if not KEEPS_MAPPED_FILES:
        return
    for path in _files_in(paths):
        if path.suffix.lower() not in (".dll", ".pyd", ".exe"):
            continue
        try:
            os.close(os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0)))
        except FileNotFoundError:
            continue
        except PermissionError:
            if is_read_only(path):  # then nothing can be told from this; it shows when it is removed
                continue
            raise ApplyError(
                Message(
                    en=f"{path} is in use or may not be written: "
                    "close every Python that uses it (a Jupyter kernel too)",
                    zh=f"{path} 正被占用，或没有写入权限：请关闭使用它的所有 Python（包括 Jupyter 内核）",
                )
            ) from None
        except OSError:
            continue


def _files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Files as they are; of folders everything below them."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            yield from (Path(place) / name for place, _, names in os.walk(path) for name in names)
        else:
            yield path


def _remove(paths: Iterable[Path], roots: Iterable[Path]) -> None:
    stop = set(roots)
    folders = set()
    for path in paths:
        folders.add(path.parent)
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
            continue
        try:
            remove_file(path)
        except FileNotFoundError:
            continue
    for folder in sorted(folders, key=lambda item: -len(item.parts)):
        prune(folder, stop)


def prune(folder: Path, stop: Iterable[Path]) -> None:
    """Remove a folder, and those above it, as long as they are empty or hold only what Python compiled."""
    while folder not in stop and any(folder.is_relative_to(root) for root in stop):
        try:
            names = os.listdir(folder)  # noqa: PTH208
            if names == [inventory.CACHE]:
                remove_tree(folder / inventory.CACHE)
                names = []
            if names:
                return
            folder.rmdir()
        except FileNotFoundError:
            pass
        folder = folder.parent


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _new_name(path).write_bytes(data)
    put_in_place(_new_name(path), path)


def aside_of(path: Path, mark: str) -> Path:
    """What an entry of a build cache is called meanwhile."""
    return path.with_name(f"{path.name}{ASIDE}{mark}")


def _new_name(path: Path) -> Path:
    return path.with_name(path.name + ".whyload-new")


def _reason(error: OSError) -> str:
    what = error.filename or "a file"
    if error.errno == errno.ENOSPC:
        return f"the disk is full: {what}"
    return f"{what}: {error.strerror or error}"
