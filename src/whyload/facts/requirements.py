"""What installed distributions require of one another (`Requires-Dist` of their METADATA)."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.facts.ownership import Owner
from whyload.facts.packages import Packages
from whyload.world.markers import marker_environment, needs_of
from whyload.world.model import World, read_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One distribution's demand on another."""

    by: Owner
    distribution: str
    specifier: str
    """As PEP 440 writes it; empty where any release will do."""
    installed: Owner | None
    satisfied: bool

    @property
    def text(self) -> str:
        """As pip reads it."""
        return f"{self.distribution}{self.specifier}"


def requirements(world: World, packages: Packages, folders: tuple[WinPath, ...]) -> tuple[Requirement, ...]:
    """Every demand that holds on this Python, without extras; `folders` hold the `.dist-info` folders."""
    return tuple(demand for folder in folders for demand in _in_folder(world, packages, folder))


def _in_folder(world: World, packages: Packages, folder: WinPath) -> Iterator[Requirement]:
    from packaging.markers import UndefinedComparison, UndefinedEnvironmentName

    variables = marker_environment(world.python.version, world.python.machine)
    for name in world.files.listdir(folder):
        owner = packages.distribution(name.partition("-")[0]) if name.lower().endswith(".dist-info") else None
        text = read_text(world.files, folder / name / "METADATA") if owner else None
        for need in needs_of(text or ""):
            try:
                if owner is None or (need.marker is not None and not need.marker.evaluate(variables)):
                    continue
            except (UndefinedComparison, UndefinedEnvironmentName):
                continue
            have = packages.distribution(need.name)
            fits = have is not None and _contains(str(need.specifier), have.version)
            yield Requirement(
                by=owner, distribution=need.name, specifier=str(need.specifier), installed=have, satisfied=fits
            )


def _contains(specifier: str, version: str) -> bool:
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion

    try:
        return SpecifierSet(specifier).contains(version, prereleases=True)
    except InvalidVersion:
        return True  # nothing can be said of it


def demanded(all_requirements: tuple[Requirement, ...], distribution: str) -> str:
    """What the installed distributions together demand of one: a specifier, empty where there is none."""
    name = normalised(distribution)
    parts = {item.specifier for item in all_requirements if normalised(item.distribution) == name and item.specifier}
    return ",".join(sorted(parts))
