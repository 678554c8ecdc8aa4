"""A small world, a question to its loader, and the vendor's answer: described once, judged by simulation and Wine.

Source of truth: the rules that a scenario names, each of which cites Microsoft's pages.
"""

from __future__ import annotations

import enum
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from tests.testbed.pewriter import Dll, build
from tests.testbed.prefix import DEFAULT_PATH
from tests.testbed.wine import LoadQuestion

PYTHON = "C:\\Python\\python.exe"
APP, OWN, CWD, OTHER = "C:\\Python", "C:\\w\\own", "C:\\w\\cwd", "C:\\w\\other"
SYS, SYS16, WIN = "C:\\Windows\\System32", "C:\\Windows\\System", "C:\\Windows"
ADD1, ADD2, ADD3, SDD = "C:\\w\\add1", "C:\\w\\add2", "C:\\w\\add3", "C:\\w\\sdd"
PATH1, PATH2 = "C:\\w\\path1", "C:\\w\\path2"


@dataclass(frozen=True, slots=True)
class SameFileAs:
    """A hard link to another file of the scenario, which must come before it."""

    path: str


@dataclass(frozen=True, slots=True)
class LinkTo:
    """A symbolic link to another file of the scenario."""

    path: str


class Folder:
    """A folder that carries a file's name."""


Content: TypeAlias = "Dll | bytes | SameFileAs | LinkTo | Folder"
Symbol: TypeAlias = "tuple[str, str, str]"
"""DLL, name or `#ordinal`, base name of the importer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What Windows answers."""

    winerror: int | frozenset[int] = 0
    """Several where the vendor's documentation leaves it open."""
    modules: Sequence[str] = ()
    """Full paths of the files in the process afterwards, as far as they carry the name of a file of the scenario."""
    missing: Sequence[str] | None = None
    """Names for which no file was taken; None where it is not what the scenario is about."""
    symbols: Sequence[Symbol] | None = ()
    """Functions that are not there, behind a forwarder its target; None where it is not what the scenario is about."""
    stubs: Sequence[Symbol] | None = None
    """The imports that Wine puts a stub for, where that is not the same: it names the forwarder, not its target."""


class Wine(enum.Enum):
    """What Wine is a judge of."""

    JUDGE = "judge"
    SYMBOLS = "its trace names the missing functions, but it lets the load go on"
    NO_JUDGE = "not a judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One question in one world."""

    name: str
    rules: Sequence[str]
    rows: Sequence[int] = ()
    """Rows of section 8 of docs/loader.md that it is the test of."""
    files: Mapping[str, Content]
    ask: str
    flags: int = 0x1100
    added: Sequence[str] = ()
    path: Sequence[str] = ()
    cwd: str = CWD
    set_dll_directory: str | None = None
    preload: Sequence[str] = ()
    """Full paths, loaded with 0x1100 beforehand."""
    registry: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)
    expected: Expected
    wine: Wine = Wine.JUDGE
    simulation: bool = True
    """False where only running the code can tell."""
    why: str = ""
    """Why one of the two is no judge."""

    def __post_init__(self) -> None:
        if (self.wine is not Wine.JUDGE or not self.simulation) and not self.why:
            raise ValueError(f"{self.name}: a judge is left out without a reason")

    def question(self) -> LoadQuestion:
        """The question as Wine's asker wants it."""
        return LoadQuestion(
            file=self.ask,
            flags=self.flags,
            added=self.added,
            path=self.path,
            cwd=self.cwd,
            set_dll_directory=self.set_dll_directory,
            preload=[(file, 0x1100) for file in self.preload],
        )

    def world(self) -> str:
        """The world file of `whyload --world`."""
        process = {
            "application": PYTHON,
            "added_dll_directories": list(self.added),
            "set_dll_directory": self.set_dll_directory,
            "preload": [{"file": file, "flags": "0x1100"} for file in self.preload],
        }
        return json.dumps(
            {
                "python": PYTHON,
                "python_version": "3.11",
                "cwd": self.cwd,
                "env": {"PATH": ";".join(self.path)},
                "default_path": DEFAULT_PATH,
                "profile": "windows-11-23h2",
                "registry": self.registry,
                "process": process,
            }
        )

    def lay_out(self, host: Callable[[str], Path]) -> list[Path]:
        """Write the files, and make the folders that the question names; `host` says where a path of drive C: lies."""
        for folder in (self.cwd, *self.added, *self.path, self.set_dll_directory or self.cwd):
            host(folder.strip('"')).mkdir(parents=True, exist_ok=True)
        laid = []
        for path, content in self.files.items():
            place = host(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            laid.append(place)
            if isinstance(content, Folder):
                place.mkdir()
            elif isinstance(content, SameFileAs):
                os.link(host(content.path), place)
            elif isinstance(content, LinkTo):
                place.symlink_to(host(content.path))
            else:
                place.write_bytes(content_bytes(path, content))
        return laid

    def disagreement(
        self, winerror: int, modules: Sequence[str], missing: Sequence[str] | None, symbols: Sequence[Symbol] | None
    ) -> list[str]:
        """What an answer says otherwise than expected; None is not compared."""
        said, want = [], self.expected
        allowed = want.winerror if isinstance(want.winerror, frozenset) else frozenset([want.winerror])
        if winerror not in allowed:
            said.append(f"error {winerror} instead of {sorted(allowed)}")
        if winerror == 0 and self._own(modules) != self._own(want.modules):
            said.append(f"in the process: {sorted(self._own(modules))} instead of {sorted(self._own(want.modules))}")
        if missing is not None and want.missing is not None and bases(missing) != bases(want.missing):
            said.append(f"missing {sorted(bases(missing))} instead of {sorted(bases(want.missing))}")
        if symbols is not None and want.symbols is not None and lower(symbols) != lower(want.symbols):
            said.append(f"missing functions {sorted(lower(symbols))} instead of {sorted(lower(want.symbols))}")
        return said

    def _own(self, modules: Sequence[str]) -> frozenset[str]:
        names = bases(self.files)
        return frozenset(path.replace("/", "\\").lower() for path in modules if bases([path]) <= names)


def lib(*needs: str, **changes: object) -> Dll:
    """A DLL that exports `f` and imports `f` from each of `needs`; keywords are fields of `Dll`."""
    plain = Dll(name="", exports={"f": 1}, imports={need: ["f"] for need in needs})
    return replace(plain, **changes)  # type: ignore[arg-type]


def content_bytes(path: str, content: Dll | bytes) -> bytes:
    """The bytes of a file; a DLL without a name of its own is called as the file."""
    if isinstance(content, bytes):
        return content
    return build(content if content.name else replace(content, name=base(path)))


def base(path: str) -> str:
    """The last component."""
    return path.replace("/", "\\").rpartition("\\")[2]


def bases(paths: Sequence[str] | Mapping[str, object]) -> frozenset[str]:
    """The last components in lower case."""
    return frozenset(base(path).lower() for path in paths)


def lower(symbols: Sequence[Symbol]) -> frozenset[Symbol]:
    """Functions keep their case, files do not; importers by base name."""
    return frozenset((base(dll).lower(), function, base(importer).lower()) for dll, function, importer in symbols)
