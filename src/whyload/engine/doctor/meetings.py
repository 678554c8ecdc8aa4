"""Two packages in one process: one brings an old C++ runtime under its usual name, the other needs a newer one.

The copy that is loaded first serves every later library (loader.md R2.18). Each package alone works; whoever imports
the one with the old copy first may see the other end the process.
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.message import Message
from whyload.base.versions import FileVersion
from whyload.engine.doctor.contexts import Contexts
from whyload.engine.doctor.screening import Group
from whyload.engine.doctor.survey import NativeFile
from whyload.facts.runtimes import RUNTIME, needed_runtime
from whyload.loader.windows.playback import Playback, PlayedLoad, play


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two: a module of a package, and the version that it brings or needs."""

    package: str
    natives: tuple[NativeFile, ...]
    load: PlayedLoad
    version: tuple[int, int]


class Meetings:
    """Who brings an old runtime, and who would be hurt by it."""

    def __init__(self, contexts: Contexts) -> None:
        self._contexts = contexts
        self._brought: dict[str, Side] = {}
        self._needed: dict[str, Side] = {}

    def note(self, group: Group) -> None:
        """Look at what the modules of a package loaded."""
        for load in group.loaded:
            brought, known = self._brings(load), self._brought.get(group.package)
            if brought is not None and (known is None or brought < known.version):
                self._brought[group.package] = _side(group, load, brought)
            needed = self._needs(load) if group.package not in self._needed else None
            if needed is not None:
                self._needed[group.package] = _side(group, load, needed)

    def happen(self) -> Iterator[tuple[Side, Side, Playback]]:
        """Let each old copy meet one package that needs a newer one; the second import, played."""
        for first in self._brought.values():
            others = (side for side in self._needed.values() if side.package not in self._brought)
            second = next((side for side in others if side.version > first.version), None)
            if second is not None:
                process = self._contexts.process
                self._contexts.enter(first.package, first.natives)
                play(process, (first.load.event,))
                self._contexts.add(second.package, second.natives)
                yield first, second, play(process, (second.load.event,))

    def _brings(self, load: PlayedLoad) -> tuple[int, int] | None:
        process = self._contexts.process
        for node in load.tree.root.walk():
            if node.name.lower() != RUNTIME or node.path is None:
                continue
            if node.path.parent in (process.system32, process.application_folder):
                return None
            image = process.images.open(node.path).image
            version: FileVersion | None = image.file_version() if image is not None else None
            return version[:2] if version is not None else None
        return None

    def _needs(self, load: PlayedLoad) -> tuple[int, int] | None:
        images = self._contexts.process.images
        for node in load.tree.root.walk():
            image = images.open(node.path).image if node.fresh and node.path is not None else None
            needed = needed_runtime(image) if image is not None else None
            if needed is not None:
                return needed
        return None


def order_note(first: Side) -> Message:
    """Says that it happens in one order of imports only."""
    module = first.load.event.module or first.package
    return Message(
        en=f"only after `import {module}`: its copy is then loaded, and every later library uses it",
        zh=f"仅当先执行了 `import {module}`：它自带的副本此时已加载，之后加载的库都会使用这一份",
    )


def _side(group: Group, load: PlayedLoad, version: tuple[int, int]) -> Side:
    return Side(package=group.package, natives=tuple(group.natives), load=load, version=version)
