"""What a library belongs to by its name on any system: a DLL, a shared object of Linux, a library of macOS.

Source: data/shared_objects.toml; for DLLs `libraries`.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.knowledge.cuda import cuda_majors
from whyload.knowledge.libraries import Family, Library, identify
from whyload.knowledge.reader import data_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLibrary:
    """A library as its name tells it."""

    name: str
    family: Family | None
    major: int | None
    """Of CUDA or cuDNN, where the name has it."""
    dll: Library | None
    cuda_majors: tuple[int, ...] = ()
    """Of a library of CUDA: the CUDA majors that have one of this name; empty where the name does not tell."""
    apt: str | None = None
    dnf: str | None = None
    brew: str | None = None
    pip: str | None = None
    libc: bool = False
    """The C library itself or its loader."""


def name_library(name: str) -> NamedLibrary:
    """What a base name or path tells; family None where nothing is known of it."""
    base = re.split(r"[\\/]", name.strip())[-1]
    if re.search(r"\.(?:dll|pyd|exe)$", base, re.IGNORECASE):
        known = identify(base)
        family, major = (known.family, known.major) if known else (None, None)
        majors = cuda_majors(base) if family is Family.CUDA else ()
        return NamedLibrary(name=base, family=family, major=major, dll=known, cuda_majors=majors)
    for pattern, row in _entries():
        match = pattern.fullmatch(base)
        if match is not None:
            return _named(base, match, row)
    return NamedLibrary(name=base, family=None, major=None, dll=None)


def _named(base: str, match: re.Match[str], row: dict[str, Any]) -> NamedLibrary:
    family = row.get("family")
    major = next((value for key, value in match.groupdict().items() if key.startswith("major") and value), None)
    majors = _served(match, row) if family == "cuda" else ()
    if len(majors) == 1:
        major = str(majors[0])
    return NamedLibrary(
        name=base,
        family=_FAMILIES.get(family) if family else None,
        major=int(major) if major and major.isdigit() else None,
        dll=None,
        cuda_majors=majors,
        apt=row.get("apt"),
        dnf=row.get("dnf"),
        brew=row.get("brew"),
        pip=row.get("pip"),
        libc=family == "libc",
    )


def _served(match: re.Match[str], row: dict[str, Any]) -> tuple[int, ...]:
    """The CUDA majors that have a library with this number in its name."""
    groups = match.groupdict()
    number = groups.get("number") or groups.get("major")
    if number is None:
        return ()
    for own, counted, first, last in row.get("serves", ()):
        if own == groups["own"].lower() and counted == int(number):
            return tuple(range(first, last + 1))
    return (int(number),)


_FAMILIES = {
    "cuda": Family.CUDA,
    "cudnn": Family.CUDNN,
    "vendor": Family.OTHER_VENDOR,
    "nvidia-driver": Family.NVIDIA_DRIVER,
    "openmp": Family.OPENMP,
    "python": Family.PYTHON,
}


@functools.cache
def _entries() -> tuple[tuple[re.Pattern[str], dict[str, Any]], ...]:
    return tuple((regular(row["regex"], re.IGNORECASE), row) for row in data_tables("shared_objects")["library"])
