"""From events to a case: the process is started, what is loaded already is put in, the events are played."""

from __future__ import annotations

import itertools

from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.facts.case import Case
from whyload.facts.copies import Copies
from whyload.facts.packages import Packages
from whyload.loader.model import NOT_FOUND, NOT_HOSTED
from whyload.loader.windows.load import preload, start
from whyload.loader.windows.playback import Failure, Playback, PlayedLoad, play
from whyload.loader.windows.process import Process
from whyload.observe.events import Event, LibraryLoad, Via
from whyload.startup.paths import python_paths
from whyload.world.model import Layout, Presence, World

if TYPE_CHECKING:
    from whyload.loader.images import ImageStore


def started_process(world: World, images: ImageStore | None = None) -> Process:
    """The process before the program's first line. `images`: see `Process`."""
    process = Process(world, images)
    _frozen_folder(world, process)
    conda_folders(world, process)
    start(process)
    process.failed_preloads = [tree.root.name for tree in preload(process) if tree.status]
    return process


def _frozen_folder(world: World, process: Process) -> None:
    """PyInstaller's boot program calls SetDllDirectory for its folder, cx_Freeze's adds `lib` (R5.2, section 5)."""
    root = world.python.executable.parent
    if world.python.layout is Layout.FROZEN and world.files.presence(root / "lib\\library.zip") is Presence.FILE:
        process.added.append(root / "lib")
    if world.python.layout is not Layout.PYINSTALLER or process.set_directory is not None:
        return
    inner = root / "_internal"
    there = world.files.presence(inner) is Presence.DIRECTORY
    process.set_directory = str(inner if there else inner.parent)


def conda_folders(world: World, process: Process) -> None:
    """R3.25, R3.26: conda's interpreter adds five folders by itself; which one it is stands in `conda-meta`."""
    if world.python.layout is not Layout.CONDA or world.python.version < (3, 8):
        return
    root = world.python.base_prefix
    if not any(name.lower().startswith("python-3") for name in world.files.listdir(root / "conda-meta")):
        return
    for name in ("bin", "Scripts", "Library\\bin", "Library\\usr\\bin", "Library\\mingw-w64\\bin"):
        if world.files.presence(root / name) is Presence.DIRECTORY:
            process.added.append(root / name)


def case_of(
    world: World,
    process: Process,
    playback: Playback,
    subject: str,
    *,
    observed: bool = False,
    packages: Packages | None = None,
    copies: Copies | None = None,
) -> Case:
    """The facts around a run. `packages` and `copies` are those of another case of the same world, to be read once."""
    paths = python_paths(world)
    packages = packages or packages_of(world, paths)
    script = world.run.script if world.run else None
    folder = script.parent if script else None
    return Case(
        world=world,
        process=process,
        packages=packages,
        copies=copies or Copies(process, packages, folder),
        playback=playback,
        subject=subject,
        paths=paths,
        script_folder=folder,
        observed=observed,
    )


def packages_of(world: World, paths: tuple[WinPath, ...]) -> Packages:
    """The distributions of a world, to be read once for several cases."""
    conda = world.python.base_prefix if world.python.layout is Layout.CONDA else None
    return Packages(world.files, _package_folders(world, paths), conda)


def _package_folders(world: World, paths: tuple[WinPath, ...]) -> tuple[WinPath, ...]:
    return tuple(path for path in paths if any(name.lower().endswith("-info") for name in world.files.listdir(path)))


def run_events(world: World, events: tuple[Event, ...], subject: str) -> Case:
    """Play a program from its first line."""
    process = started_process(world)
    return case_of(world, process, play(process, events), subject)


def failed_load(case: Case) -> PlayedLoad | None:
    """The load that the run's error goes back to.

    Of several names tried in turn it is one that leads to a file (that file is what was meant, and what it lacks is the
    fault), else one whose file is of the wrong kind, else one that was installed once, else the first.
    """
    failure = case.playback.failure
    cause = failure.cause if failure else None
    if failure is None:
        return None
    if cause is None:
        return _sought(case, failure)
    tries = [*alternatives(case, cause), cause]
    for leads in (_is_mapped, _is_unusable):
        if leads(cause):
            return cause
        if found := next(filter(leads, tries), None):
            return found
    recorded = next((item for item in tries if case.packages.entry(WinPath(item.event.name)) is not None), None)
    return recorded or (cause if failure.load is not None else tries[0])


def _sought(case: Case, failure: Failure) -> PlayedLoad | None:
    """Of an error that Python code raised: what its package looked for on PATH before, and did not find.

    Of several names it is one that is known, else the first.
    """
    raised = next((item.raised for item in failure.history() if item.raised is not None), None)
    if raised is None or raised.place is None or raised.place.file is None or raised.module is not None:
        return None
    package = _package(case, raised.place.file)
    names = [item for item in case.playback.sought if (file := _file(item.event)) and _package(case, file) == package]
    if len(names) < 2:
        return names[0] if names else None
    from whyload.knowledge.libraries import identify

    return next((item for item in names if identify(item.tree.root.name) is not None), names[0])


def _package(case: Case, file: WinPath) -> str:
    """The first part of the file's path below `sys.path`."""
    return case.label(file).partition("\\")[0].lower()


def _is_mapped(load: PlayedLoad) -> bool:
    return load.tree.root.path is not None


def _is_unusable(load: PlayedLoad) -> bool:
    """There is a file of that name, which this process cannot take."""
    return bool(load.tree.root.status) and load.tree.root.status not in (NOT_FOUND, NOT_HOSTED)


def alternatives(case: Case, load: PlayedLoad) -> list[PlayedLoad]:
    """Loads that failed before it, asked for at the same place, or in the same file under a like name: the names of one
    library that the program tries one after the other.
    """
    failed = [item for item in case.playback.loads if item.tree.status and item is not load]
    return [item for item in failed if _is_alternative(item.event, load.event)]


def _is_alternative(other: LibraryLoad, event: LibraryLoad) -> bool:
    if other.place is not None and other.place == event.place:
        return True
    same_file = _file(other) == _file(event)
    return same_file and Via.IMPORT not in (other.via, event.via) and _letters(other.name) == _letters(event.name)


def _file(event: LibraryLoad) -> WinPath | None:
    return event.place.file if event.place is not None else None


def _letters(name: str) -> str:
    """`gobject` of `libgobject-2.0-0.dll`: what the names of one library have in common."""
    stem = WinPath(name).name.lower().removeprefix("lib")
    return "".join(itertools.takewhile(str.isalpha, stem))
