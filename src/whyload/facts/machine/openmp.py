"""OpenMP runtimes: two of Intel's kind in one process end it (OMP Error #15); which ones are around, and whose."""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.facts.machine.copies import LibraryCopy, copies
from whyload.facts.packages import Packages
from whyload.knowledge.libraries import Family, identify
from whyload.loader.images import ImageStore
from whyload.world.model import World


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMpCopy:
    """One runtime; `vendor`: `intel` and `llvm` clash with one another, `microsoft` and `gnu` do not."""

    copy: LibraryCopy
    vendor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMpFacts:
    """Every copy, and the variables that change what happens when two meet."""

    copies: tuple[OpenMpCopy, ...]
    duplicate_allowed: bool
    """`KMP_DUPLICATE_LIB_OK` is set: two runtimes are let be, which may give wrong results."""


def openmp_facts(world: World, images: ImageStore, packages: Packages, natives: Iterable[WinPath]) -> OpenMpFacts:
    """What is known. `natives` are the native files of the environment."""
    found = copies(world, images, packages, natives, _is_openmp)
    allowed = world.environment.get("KMP_DUPLICATE_LIB_OK", "").upper() in ("TRUE", "1", "YES", "T", "Y")
    return OpenMpFacts(
        copies=tuple(OpenMpCopy(copy=copy, vendor=_vendor(copy.path.name)) for copy in found), duplicate_allowed=allowed
    )


def _is_openmp(name: str) -> bool:
    known = identify(name)
    return known is not None and known.family is Family.OPENMP


def _vendor(name: str) -> str | None:
    known = identify(name)
    return known.vendor if known is not None else None
