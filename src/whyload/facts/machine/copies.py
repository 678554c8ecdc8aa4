"""Copies of libraries that several parties bring: where each lies, its version, and whose it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.versions import FileVersion
from whyload.facts.packages import Packages
from whyload.loader.images import ImageStore
from whyload.world.model import Layout, Presence, World


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryCopy:
    """One file; `processor` and `version` are None where its contents are not known."""

    path: WinPath
    place: str
    """`System32`, `SysWOW64`, `beside the interpreter`, `environment`, `PATH`, `toolkit`."""
    processor: str | None = None
    version: FileVersion | None = None
    owner: str | None = None
    """The distribution that installed it, with its version."""


def copies(
    world: World,
    images: ImageStore,
    packages: Packages,
    natives: Iterable[WinPath],
    wanted: Callable[[str], bool],
    toolkits: Iterable[WinPath] = (),
) -> tuple[LibraryCopy, ...]:
    """Every copy that a load could come to, by place. `natives` are the native files of the environment."""
    found: dict[str, LibraryCopy] = {}
    for place, path in _candidates(world, natives, wanted, toolkits):
        if path.key not in found:
            image = images.open(path).image
            owner = packages.owner(path)
            found[path.key] = LibraryCopy(
                path=path,
                place=place,
                processor=image.machine.label if image is not None else None,
                version=image.file_version() if image is not None else None,
                owner=f"{owner.distribution} {owner.version}" if owner is not None else None,
            )
    return tuple(found.values())


def _candidates(
    world: World, natives: Iterable[WinPath], wanted: Callable[[str], bool], toolkits: Iterable[WinPath]
) -> Iterator[tuple[str, WinPath]]:
    system = world.system
    for place, folder in (
        ("System32", system.system32),
        ("SysWOW64", system.windir / "SysWOW64"),
        *(("beside the interpreter", folder) for folder in _interpreter_folders(world)),
    ):
        yield from ((place, path) for path in _in_folder(world, folder, wanted))
    yield from (("environment", path) for path in natives if wanted(path.name))
    for folder in toolkits:
        yield from (("toolkit", path) for path in _in_folder(world, folder, wanted))
    for part in world.environment.get("PATH", "").split(";"):
        if part and WinPath(part).is_absolute and WinPath(part) != system.system32:
            yield from (("PATH", path) for path in _in_folder(world, WinPath(part), wanted))


def _interpreter_folders(world: World) -> tuple[WinPath, ...]:
    base = world.python.base_prefix
    conda = (base / "Library\\bin",) if world.python.layout is Layout.CONDA else ()
    return (base, base / "DLLs", base / "_internal", *conda)


def _in_folder(world: World, folder: WinPath, wanted: Callable[[str], bool]) -> Iterator[WinPath]:
    for name in world.files.listdir(folder):
        if name.lower().endswith(".dll") and wanted(name) and world.files.presence(folder / name) is Presence.FILE:
            yield folder / name
