"""What a library belongs to by its name on any system: a DLL, a shared object of Linux, a library of macOS.

Source: data/shared_objects.toml; for DLLs `libraries`.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from whyload.base.dataclass import dataclass
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
        family = known.family if known else None
        return NamedLibrary(name=base, family=family, major=known.major if known else None, dll=known)
    for pattern, row in _entries():
        match = pattern.fullmatch(base)
        if match is not None:
            return _named(base, match, row)
    return NamedLibrary(name=base, family=None, major=None, dll=None)


def _named(base: str, match: re.Match[str], row: dict[str, Any]) -> NamedLibrary:
    family = row.get("family")
    major = next((value for key, value in match.groupdict().items() if key.startswith("major") and value), None)
    return NamedLibrary(
        name=base,
        family=_FAMILIES.get(family) if family else None,
        major=int(major) if major and major.isdigit() else None,
        dll=None,
        apt=row.get("apt"),
        dnf=row.get("dnf"),
        brew=row.get("brew"),
        pip=row.get("pip"),
        libc=family == "libc",
    )


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
    return tuple((re.compile(row["regex"], re.IGNORECASE), row) for row in data_tables("shared_objects")["library"])
