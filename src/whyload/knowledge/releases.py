"""Published releases of packages: what their Windows wheels need, and the defects known of them.

Source: data/versions.toml and data/defects.toml (wheel tags, import tables, issue trackers).
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable

from whyload.base.dataclass import dataclass
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.base.versions import PythonVersion, parse_python_version
from whyload.knowledge.reader import data_tables

if TYPE_CHECKING:
    from whyload.base.typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A minor release of a package."""

    distribution: str
    minor: str
    versions: tuple[str, ...]
    """Versions on the package index, oldest first; empty where only the documented requirement is known."""
    pythons: tuple[PythonVersion, ...]
    """CPython versions with a 64-bit Windows wheel; free-threaded ones last."""
    vc_runtime: tuple[int, int] | None
    """The oldest Visual C++ runtime by Microsoft's rule."""
    cuda_builds: tuple[str, ...]
    cuda_major: int | None
    cudnn_major: int | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """A known defect of published releases."""

    id: str
    distribution: str
    versions: str
    """A version specifier: `==2.4.0`, `>=2.9.0`."""
    pythons: tuple[str, ...]
    """Python tags of the wheels that have it; empty: all."""
    dlls: tuple[str, ...]
    needed_by: tuple[str, ...]
    fixed_in: str | None
    last_good: str | None
    cause: str
    needs_vc_runtime: tuple[int, int] | None
    text: str
    text_zh: str
    source: str


def distributions() -> tuple[str, ...]:
    """Packages with a table of releases."""
    return tuple(data_tables("versions"))


@functools.cache
def releases(distribution: str) -> tuple[Release, ...]:
    """The minor releases of a package, oldest first; empty for a package without a table."""
    name = normalised(distribution)
    return tuple(_release(name, row) for row in data_tables("versions").get(name, ()))


def release_of(distribution: str, version: str) -> Release | None:
    """The minor release that a version belongs to."""
    match = re.match(r"(\d+\.\d+)", version)
    return next((release for release in releases(distribution) if match and release.minor == match[1]), None)


def defects() -> tuple[Defect, ...]:
    """Every known defect, one for each package it concerns."""
    return tuple(_defect(name, row) for row in data_tables("defects")["defect"] for name in row["distributions"])


def find_defects(
    distribution: str, version: str, dll: str | None = None, python_tag: str | None = None
) -> tuple[Defect, ...]:
    """Defects of a version that concern `dll`, in wheels of `python_tag` such as `cp311`; None leaves either open."""
    name = normalised(distribution)
    return tuple(
        defect
        for defect in defects()
        if defect.distribution == name
        and (dll is None or dll.lower() in defect.dlls)
        and (python_tag is None or not defect.pythons or python_tag in defect.pythons)
        and concerns(defect.versions, version)
    )


_NUMBERS = regular(r"\d+(?:\.\d+)*")
_CONDITION = regular(r"(==|!=|<=|>=|<|>)\s*(\d+(?:\.\d+)*)")
_COMPARISONS: dict[str, Callable[[list[int], list[int]], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


def concerns(specifier: str, version: str) -> bool:
    """Whether a version is one that a specifier such as `>=2.9.0` means; False for what is no version.

    PyPA, "Version specifiers"; where all are plain numbers, without the 7 ms that `packaging` takes to import.
    """
    public = version.partition("+")[0]
    conditions = [_CONDITION.fullmatch(part.strip()) for part in specifier.split(",")]
    if _NUMBERS.fullmatch(public) and all(conditions):
        return all(_COMPARISONS[found[1]](*_aligned(public, found[2])) for found in conditions if found)
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        return SpecifierSet(specifier).contains(Version(version), prereleases=True)
    except InvalidVersion:
        return False


def _aligned(first: str, second: str) -> tuple[list[int], list[int]]:
    one, other = ([int(number) for number in text.split(".")] for text in (first, second))
    length = max(len(one), len(other))
    return one + [0] * (length - len(one)), other + [0] * (length - len(other))


def _release(distribution: str, row: dict[str, Any]) -> Release:
    pythons = [*row.get("python", ()), *(f"{text}t" for text in row.get("free_threaded", ()))]
    return Release(
        distribution=distribution,
        minor=row["minor"],
        versions=tuple(row["versions"]),
        pythons=tuple(version for text in pythons if (version := parse_python_version(text))),
        vc_runtime=_pair(row.get("vc_runtime")),
        cuda_builds=tuple(row.get("cuda_builds", ())),
        cuda_major=row.get("cuda"),
        cudnn_major=row.get("cudnn"),
        source=row["source"],
    )


def _defect(distribution: str, row: dict[str, Any]) -> Defect:
    return Defect(
        id=row["id"],
        distribution=distribution,
        versions=row["versions"],
        pythons=tuple(row.get("pythons", ())),
        dlls=tuple(row["dlls"]),
        needed_by=tuple(row.get("needed_by", ())),
        fixed_in=row.get("fixed_in"),
        last_good=row.get("last_good"),
        cause=row["cause"],
        needs_vc_runtime=_pair(row.get("needs_vc_runtime")),
        text=row["text"],
        text_zh=row["text_zh"],
        source=row["source"],
    )


def _pair(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    major, minor = text.split(".")
    return int(major), int(minor)
