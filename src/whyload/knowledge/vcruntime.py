"""The Visual C++ runtime: which files it is, which toolset made a binary, and which runtime that binary needs.

Source: data/vcruntime.toml (Microsoft cpp-docs, microsoft/STL, contents of the packages that carry the files).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from whyload.base.dataclass import dataclass
from whyload.base.machine import Machine
from whyload.base.versions import FileVersion, parse_file_version
from whyload.knowledge.reader import data_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class VcRuntime:
    """An installed v14 redistributable."""

    version: FileVersion
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """A version of Microsoft's compiler."""

    version: tuple[int, int]
    msc_ver: int
    visual_studio: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeNeed:
    """The oldest runtime that fits a binary, and on what ground."""

    version: tuple[int, int]
    certain: bool
    """True where an older runtime is known to crash, False where it is only unsupported by Microsoft's rule."""


def redistributable_files(machine: Machine = Machine.AMD64, toolset: tuple[int, int] | None = None) -> tuple[str, ...]:
    """Names that the v14 redistributable of a toolset (default: the newest) brings for a machine."""
    wanted = toolset or newest_runtime()[:2]
    names = [
        row["dll"]
        for row in data_tables("vcruntime")["dll"]
        if row["redist"] == "v14" and _pair(row["since"]) <= wanted and row.get("only") in (None, machine.name)
    ]
    return (*names, *(f"mfc140{language}.dll" for language in data_tables("vcruntime")["mfc_languages"]))


def runtime(version: FileVersion, machine: Machine = Machine.AMD64) -> VcRuntime:
    """The runtime of a redistributable."""
    return VcRuntime(version=version, files=redistributable_files(machine, version[:2]))


def runtime_versions() -> tuple[str, ...]:
    """Toolset versions of the redistributable, oldest first, up to the newest that was released."""
    newest = newest_runtime()[:2]
    return tuple(row["msvc"] for row in data_tables("vcruntime")["toolset"] if _pair(row["msvc"]) <= newest)


def newest_runtime() -> FileVersion:
    """Version of the newest redistributable known."""
    return FileVersion(*_pair(data_tables("vcruntime")["newest"]))


def parse_runtime(text: str) -> FileVersion | None:
    """The version in `14.38` or `14.38.33135`; None where there is no such toolset."""
    if not re.fullmatch(r"\d+\.\d+(\.\d+){0,2}", text):
        return None
    version = parse_file_version(text)
    return version if version and f"{version.major}.{version.minor}" in runtime_versions() else None


def toolsets() -> tuple[Toolset, ...]:
    """Microsoft's toolsets, oldest first."""
    return tuple(
        Toolset(version=_pair(row["msvc"]), msc_ver=row["msc_ver"], visual_studio=row["visual_studio"])
        for row in data_tables("vcruntime")["toolset"]
    )


def toolset_of(linker: tuple[int, int]) -> Toolset | None:
    """The toolset that a PE header's linker version names; None for other linkers (GNU ld writes 2.x)."""
    return next((toolset for toolset in toolsets() if toolset.version == tuple(linker)), None)


def runtime_needed(linker: tuple[int, int], msvcp_imports: Iterable[str] = ()) -> RuntimeNeed | None:
    """The oldest runtime for a binary with that linker version and those imports from `msvcp140.dll`.

    None where the linker is not Microsoft's (lld-link writes 14.0, which every runtime meets). From 14.40 on a mutex
    that is locked but never initialised by a call marks the binaries that crash in an older runtime.
    """
    rule = data_tables("vcruntime")["constexpr_mutex"]
    toolset = _pair(rule["toolset"])
    if toolset_of(linker) is None:
        return None
    if linker < toolset:
        return RuntimeNeed(version=linker, certain=False)
    functions = set(msvcp_imports)
    certain = rule["lock"] in functions and rule["init"] not in functions
    return RuntimeNeed(version=toolset if certain else linker, certain=certain)


def constexpr_mutex_toolset() -> tuple[int, int]:
    """The toolset from which on `std::mutex` asks for a runtime at least as new."""
    return _pair(data_tables("vcruntime")["constexpr_mutex"]["toolset"])


def _pair(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)
