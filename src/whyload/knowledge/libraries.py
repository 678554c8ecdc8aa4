"""Which component a DLL belongs to, by its name, and what brings it.

Source: data/libraries.toml and data/remedies.toml, with data/cuda.toml for NVIDIA's names.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from fnmatch import translate

from whyload.base.dataclass import dataclass, replace
from whyload.base.enumeration import Enum
from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge import cuda
from whyload.knowledge.reader import data_tables
from whyload.knowledge.windows_names import is_windows_dll

if TYPE_CHECKING:
    from whyload.base.typing import Any


class Family(Enum):
    """The kind of component; rules choose their cause by it."""

    VC_RUNTIME = "vc-runtime"
    DEBUG_RUNTIME = "debug-runtime"
    OPENMP = "openmp"
    CUDA = "cuda"
    CUDNN = "cudnn"
    NVIDIA_DRIVER = "nvidia-driver"
    WINDOWS_FEATURE = "windows-feature"
    API_SET = "api-set"
    WINDOWS = "windows"
    PYTHON = "python"
    OTHER_VENDOR = "other-vendor"
    PACKAGE = "package"
    MINGW = "mingw"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyEntry:
    """A way to bring a library, as data.

    Commands hold {python} (the interpreter), {dist} and {version} (the package at fault) and {python_tag}, in braces.
    """

    id: str
    title: str
    title_zh: str
    safety: str
    """`safe`, `asks-first` or `by-hand`."""
    commands: tuple[str, ...] = ()
    conda_commands: tuple[str, ...] = ()
    rights: bool = False
    """Only an administrator can do it."""
    when: str | None = None
    """Where it holds only: `full-installation`, `client-n`, `server`, `server-core`, `no-nvidia-gpu`, `cuda-12` …"""
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """What a DLL's name tells."""

    pattern: str
    """The pattern of the data that matched."""
    family: Family
    what: str
    what_zh: str
    major: int | None = None
    """CUDA major for CUDA, cuDNN major for cuDNN, the library's own elsewhere; None where the name does not tell it."""
    stem: str
    """The name without its version part, in lower case: `cudart64` for cudart64_12.dll."""
    remedies: tuple[RemedyEntry, ...] = ()
    advice: str | None = None
    advice_zh: str | None = None
    vendor: str | None = None
    """Of an OpenMP runtime: `intel` and `llvm` clash with one another (OMP Error #15), `microsoft` and `gnu` do not."""
    since_build: int | None = None
    """The first Windows build that has the file."""
    verified: bool = True
    source: str


@dataclass(frozen=True, slots=True)
class _Entry:
    pattern: str
    is_regex: bool
    start: str
    """What every name begins with that matches: to compile four hundred expressions takes 30 ms."""
    row: dict[str, Any]

    def matches(self, name: str) -> bool:
        """Whether the pattern describes the whole name."""
        if not name.startswith(self.start):
            return False
        regex = rf"(?:{self.pattern})\Z" if self.is_regex else translate(self.pattern)
        return re.match(regex, name) is not None


@functools.lru_cache(maxsize=4096)
def identify(dll_name: str, machine: Machine = Machine.AMD64) -> Library | None:
    """The component of a DLL, by base name and without case; None for a name that nothing is known of."""
    name = dll_name.rpartition("\\")[2].rpartition("/")[2].lower()
    for entry in _entries():
        if entry.matches(name):
            return _library(name, entry, machine)
    if is_windows_dll(name):
        return Library(
            pattern=name,
            family=Family.WINDOWS,
            what="part of Windows",
            what_zh="Windows 自带",
            stem=name.removesuffix(".dll"),
            source="delvewheel dll_lists for Windows 10 and 11",
        )
    return None


def same_library(first: str, second: str) -> bool:
    """Whether two names are one library in two versions (cublas64_11.dll, cublas64_12.dll), or one name."""
    if first.lower() == second.lower():
        return True
    one, other = identify(first), identify(second)
    return one is not None and other is not None and one.family is other.family and one.stem == other.stem


def remedy(remedy_id: str, machine: Machine = Machine.AMD64) -> RemedyEntry:
    """The remedy of that id, for a process of that machine. Raises KeyError where there is none."""
    return _for_machine(_remedies()[remedy_id], machine)


def _library(name: str, entry: _Entry, machine: Machine) -> Library:
    row = entry.row
    stem, major = _split_version(name.removesuffix(".dll"), row.get("version"))
    family = Family(row["family"])
    return Library(
        pattern=entry.pattern,
        family=family,
        what=row["what"],
        what_zh=row["what_zh"],
        major=cuda.cuda_major(name) if family is Family.CUDA else major,
        stem=stem,
        remedies=tuple(found for id_ in row.get("remedies", ()) for found in _expand(id_, name, machine)),
        advice=row.get("advice"),
        advice_zh=row.get("advice_zh"),
        vendor=row.get("vendor"),
        since_build=row.get("since_build"),
        verified=row.get("verified", True),
        source=row["source"],
    )


def _split_version(name: str, pattern: str | None) -> tuple[str, int | None]:
    match = re.search(pattern, name) if pattern else None
    if match is None:
        return name, None
    major = match.groupdict().get("major")
    return name[: match.start("v")] + name[match.end("v") :], int(major) if major else None


def _expand(remedy_id: str, name: str, machine: Machine) -> Iterator[RemedyEntry]:
    """The remedy with what the name tells filled in: one for each package that carries one of NVIDIA's DLLs."""
    entry = remedy(remedy_id, machine)
    if remedy_id not in ("install-cuda-package", "install-cuda-toolkit"):
        yield entry
        return
    known = cuda.library(name)
    if remedy_id == "install-cuda-toolkit":
        toolkits = _toolkits(name, known)
        if toolkits:
            yield _fill(entry, cuda=toolkits)
        return
    if known is None:
        return
    for package in known.packages:
        found = _fill(entry, package=package.name, folder=package.folder, requirement=package.requirement)
        yield replace(found, when=f"cuda-{package.cuda_major}") if len(known.packages) > 1 else found


def _toolkits(name: str, known: cuda.CudaLibrary | None) -> str:
    """The toolkits that have the file, in words; empty where that is not known."""
    if known is None:
        major = cuda.cuda_major(name)
        return f"{major}.x" if major else ""
    if known.first is None:
        return ""
    low, high = ("{}.{}".format(*version) if version else "" for version in (known.first, known.last))
    return low if low == high else f"{low} - {high or cuda.toolkit_versions()[-1]}"


def _for_machine(entry: RemedyEntry, machine: Machine) -> RemedyEntry:
    return _fill(entry, arch={Machine.I386: "x86", Machine.ARM64: "arm64"}.get(machine, "x64"))


def _fill(entry: RemedyEntry, **values: str) -> RemedyEntry:
    def filled(text: str) -> str:
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", value)
        return text

    return replace(
        entry,
        title=filled(entry.title),
        title_zh=filled(entry.title_zh),
        commands=tuple(map(filled, entry.commands)),
        conda_commands=tuple(map(filled, entry.conda_commands)),
    )


@functools.cache
def _entries() -> tuple[_Entry, ...]:
    return tuple(entry for row in data_tables("libraries")["library"] for entry in _entries_of(row))


def _entries_of(row: dict[str, Any]) -> Iterator[_Entry]:
    if "regex" in row:
        yield _Entry(row["regex"], True, "", row)
    for pattern in row.get("patterns", ()):
        yield _Entry(pattern, False, re.split(r"[*?\[]", pattern, maxsplit=1)[0], row)


@functools.cache
def _remedies() -> dict[str, RemedyEntry]:
    return {
        row["id"]: RemedyEntry(
            id=row["id"],
            title=row["title"],
            title_zh=row["title_zh"],
            safety=row["safety"],
            commands=tuple(row.get("commands", ())),
            conda_commands=tuple(row.get("conda_commands", ())),
            rights=row.get("rights", False),
            when=row.get("when"),
            source=row["source"],
        )
        for row in data_tables("remedies")["remedy"]
    }
