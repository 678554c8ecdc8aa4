"""Loads every extension module of an environment once, in the context of its package; what fails is a suspect.

Modules of one folder are loaded one after the other into the same process: the folder of the module, which is searched
first, is the same for all of them (loader.md R2.20), so an earlier one can only have loaded what the later one would
have found itself. Between folders the process is put back. Libraries that nothing came to are not loaded: only what
they lack everywhere is of interest (`idle`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from whyload.base.dataclass import dataclass, field
from whyload.base.errors import FormatError
from whyload.engine.doctor.contexts import Contexts
from whyload.engine.doctor.survey import NativeFile, Role, Survey
from whyload.loader.model import Node
from whyload.loader.windows.arguments import extension_flags
from whyload.loader.windows.playback import Failure, Playback, PlayedLoad, play
from whyload.observe.events import LibraryLoad, Via
from whyload.world.model import Presence


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A native file that does not load when it is loaded by itself, or a package whose start-up fails."""

    package: str
    load: PlayedLoad
    failure: Failure
    file: NativeFile | None
    """None where the package's own start-up code asked for the library."""


@dataclass(slots=True)
class Group:
    """What the native files of one package gave."""

    package: str
    natives: list[NativeFile]
    start: Playback
    loaded: list[PlayedLoad] = field(default_factory=list)
    suspects: list[Suspect] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle:
    """A library that no import comes to, as far as is known, and the names that it needs and that are nowhere."""

    file: NativeFile
    missing: tuple[str, ...]


class Screening:
    """One pass over a survey."""

    def __init__(self, contexts: Contexts, survey: Survey) -> None:
        self.contexts = contexts
        self.survey = survey
        self._reached: set[str] = set()
        """Files that a load came to."""
        self._flags = extension_flags(contexts.world.python.version[:2])

    def groups(self) -> Iterator[Group]:
        """Group after group; the process is in the state of the package while its group is looked at."""
        for (_, package), natives in self.survey.groups.items():
            modules = [native for native in natives if native.role is Role.MODULE]
            group = Group(package, natives, self.contexts.enter(package, modules or natives))
            self.load(group, modules)
            yield group

    def load(self, group: Group, modules: Iterable[NativeFile]) -> None:
        """Load modules in the current state of the process."""
        for load in group.start.loads:
            self._note(load.tree.root)
        failure = group.start.failure
        if failure is not None and failure.cause is not None:
            group.suspects.append(Suspect(package=group.package, load=failure.cause, failure=failure, file=None))
        process = self.contexts.process
        before = len(process.modules)
        by_folder = groupby(sorted(modules, key=lambda native: native.path), key=lambda native: native.path.parent)
        for _, natives in by_folder:
            for native in natives:
                played = play(process, (self._event(native),))
                self._take(group, native, played)
            process.forget(before)

    def idle(self) -> list[Idle]:
        """The libraries that no load came to and that lack something."""
        own = {native.path.name.lower() for native in self.survey.files}
        rest = [file for file in self.survey.files if file.role is Role.LIBRARY and file.path.key not in self._reached]
        found = [Idle(file=file, missing=missing) for file in rest if (missing := self._lacks(file, own))]
        variants = Counter(_without_digits(file) for file in rest)
        return [item for item in found if variants[_without_digits(item.file)] == 1]

    def _lacks(self, file: NativeFile, own: set[str]) -> tuple[str, ...]:
        """Names in its import table that no file of the environment has, and Windows neither."""
        process = self.contexts.process
        image = process.images.open(file.path).image
        if image is None or not process.runs_here(image.effective_machine):
            return ()
        try:
            names = [process.import_name(entry.name) for entry in image.imports() if not entry.is_unused]
        except FormatError:
            return ()
        return tuple(name for name in names if name.lower() not in own and not self._is_there(name))

    def _is_there(self, name: str) -> bool:
        process = self.contexts.process
        if process.api_set(name, None)[0] or process.loaded_name(name) is not None:
            return True
        folders = (process.system32, process.windir, process.application_folder, *process.path_folders())
        return any(process.files.presence(folder / name) in (Presence.FILE, Presence.UNKNOWN) for folder in folders)

    def _take(self, group: Group, native: NativeFile, played: Playback) -> None:
        load = played.loads[0]
        self._note(load.tree.root)
        if played.failure is None:
            group.loaded.append(load)
        else:
            group.suspects.append(Suspect(package=group.package, load=load, failure=played.failure, file=native))

    def _event(self, native: NativeFile) -> LibraryLoad:
        return LibraryLoad(name=str(native.path), via=Via.IMPORT, flags=self._flags, module=native.module)

    def _note(self, root: Node) -> None:
        for node in root.walk():
            if node.path is not None:
                self._reached.add(node.path.key)


def _without_digits(file: NativeFile) -> str:
    """Equal for `libx_cuda118.dll` and `libx_cuda124.dll`: variants, of which a package takes one."""
    return re.sub(r"\d+", "#", file.path.key)
