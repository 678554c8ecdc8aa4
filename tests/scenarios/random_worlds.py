"""Random small worlds of DLLs and questions to their loader, each a function of its seed alone.

Source of truth: the rules of docs/loader.md that a real loader can be asked about. Left out, because Wine is no judge
of them: KnownDLLs, `.local` where it is active, DependentLoadFlags, images for ARM64, circles of forwarders,
SetDllDirectory with an empty text.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
from dataclasses import dataclass

from tests.scenarios.scenario import (
    ADD1,
    ADD2,
    ADD3,
    APP,
    CWD,
    OTHER,
    OWN,
    PATH1,
    PATH2,
    PYTHON,
    SDD,
    SYS,
    SYS16,
    WIN,
    Content,
    Expected,
    Folder,
    SameFileAs,
    Scenario,
    base,
    bases,
    content_bytes,
)
from tests.testbed.pewriter import Dll, DllMain, Symbol
from whyload.base.machine import Machine

ADDED = (ADD1, ADD2, ADD3)
PLACES = (OWN, APP, SYS, *ADDED, PATH1, PATH2, CWD, WIN, SYS16, SDD, OTHER)
MODES: dict[str, tuple[bool, int]] = {
    "import": (True, 0x1100),
    "plain": (True, 0),
    "altered": (True, 0x8),
    "own": (True, 0x100),
    "bare": (False, 0x1000),
    "bareplain": (False, 0),
    "system32": (False, 0x800),
}
"""Name: by full path or bare name, and the flags of LoadLibraryExW."""
ODD = ("odd1", "odd2")
"""Questions of which the world draws name and flags."""
ODD_FLAGS = (0, 0, 0x1000, 0x1000, 0x200, 0x400, 0x600, 0xC00, 0x800, 0x1, 0x1001, 0x1100, 0x900, 0x1008)
SYSTEM_IMPORTS: tuple[tuple[str, str], ...] = (
    ("KERNEL32.dll", "GetTickCount"),
    ("kernel32", "Sleep"),
    ("api-ms-win-core-processthreads-l1-1-0.dll", "GetCurrentProcessId"),
    ("API-MS-WIN-CRT-HEAP-L1-1-0.dll", "malloc"),
    ("api-ms-win-core-sysinfo-l1-1-9.dll", "GetTickCount"),
)
DECOY = "api-ms-win-crt-heap-l1-1-0.dll"
SPELLINGS = ("", "upper", "short", "blanks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moods:
    """How likely things are in a kind of world."""

    weights: tuple[int, ...]
    """One per place of PLACES."""
    gone: float
    """A DLL that is nowhere."""
    damaged: float
    """A copy that the loader refuses or that lacks something."""
    lacking: float
    """An import of a function that nobody exports."""
    refusing: float = 0.0
    """An initialiser that says no, in a world that is well otherwise."""


KINDS = (
    Moods(weights=(60, 12, 12, 6, 6, 6, 1, 1, 1, 0, 0, 0, 0), gone=0.0, damaged=0.02, lacking=0.0),
    Moods(weights=(60, 12, 12, 6, 6, 6, 1, 1, 1, 0, 0, 0, 0), gone=0.0, damaged=0.0, lacking=0.0, refusing=0.12),
    Moods(weights=(40, 12, 12, 6, 6, 6, 1, 1, 1, 1, 0, 0, 0), gone=0.0, damaged=0.02, lacking=0.03),
    Moods(weights=(4, 12, 15, 2, 2, 2, 8, 8, 6, 6, 3, 2, 0), gone=0.0, damaged=0.02, lacking=0.0),
    Moods(weights=(16, 8, 8, 4, 4, 4, 4, 4, 4, 2, 2, 2, 1), gone=0.02, damaged=0.06, lacking=0.04),
    Moods(weights=(50, 12, 12, 6, 6, 6, 1, 1, 1, 1, 0, 0, 0), gone=0.0, damaged=0.07, lacking=0.02),
    Moods(weights=(8, 8, 6, 4, 4, 4, 5, 5, 4, 3, 2, 2, 2), gone=0.05, damaged=0.14, lacking=0.02),
)
HURTS = ("x86", "x86", "empty", "text", "cut", "old", "old", "needs", "needs", "refuses", "refuses", "mute", "folder")


class World:
    """One world. Names carry the seed, so that many worlds can lie on one machine at once."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = random.Random(seed)
        self._moods = self._random.choice(KINDS)
        self._names = [self._name(place) for place in range(self._random.randint(6, 14))]
        self._names[0] = f"qa{seed}{self._random.choice(('.dll', '.dll', '.pyd'))}"
        self.root = f"{OWN}\\{self._names[0]}"
        self.added = self._random.sample(ADDED, self._random.choice((0, 1, 1, 2, 3)))
        if self.added and self._random.random() < 0.1:
            self.added.append(self.added[0])
        self.path = self._random.choice(((), (PATH1,), (PATH2, PATH1)))
        self.set_dll_directory = SDD if self._random.random() < 0.15 else None
        self._exports = self._plan_exports()
        self.files = self._plan_files()
        self._add_links_and_decoys()
        others = [path for path in self.files if path != self.root and base(path) != DECOY]
        plain = [path for path in others if self._needs_nothing(path) or self._random.random() < 0.05]
        self.preload = self._random.sample(plain, min(len(plain), self._random.choice((0, 0, 0, 1, 2))))
        near = [path for path in others if path.startswith((APP, SYS, CWD, *self.added, *self.path))]
        self.bare = self._random.choice(sorted(bases(near or others)) or self._names[1:])
        self.odd = {mode: self._odd_question(others) for mode in ODD}

    def _name(self, place: int) -> str:
        stem = f"{chr(97 + place)}{self.seed}"
        names = (f"q{stem}.dll", f"q.{stem}.x.dll", f"q {stem}.dll", f"q{stem}.plug")
        return self._random.choices(names, (80, 8, 6, 6))[0]

    def _needs_nothing(self, path: str) -> bool:
        content = self.files[path]
        return isinstance(content, Dll) and content.machine is Machine.AMD64 and not content.imports

    def _folder(self) -> str:
        """Somewhere to put a copy; seldom a folder for adding that was not added."""
        folder = self._random.choices(PLACES, self._moods.weights)[0]
        if folder in ADDED and folder not in self.added and self._random.random() < 0.85:
            return self._random.choice(self.added or [OWN])
        return folder

    # -- what the DLLs are like ------------------------------------------------------------------------------------

    def _plan_exports(self) -> dict[str, dict[Symbol, int | str]]:
        """What each DLL exports when it is well; later ones may be targets of forwarders."""
        planned: dict[str, dict[Symbol, int | str]] = {}
        for place, name in enumerate(self._names):
            exports: dict[Symbol, int | str] = {f"f{i}": i for i in range(self._random.randint(1, 3))}
            if self._random.random() < 0.15:
                exports |= {40: 40, 43: 43}
            later = self._names[place + 1 :]
            if later and self._random.random() < 0.22:
                exports["g"] = self._forwarder(later)
            planned[name] = exports
        return planned

    def _forwarder(self, later: list[str]) -> str:
        """To a name or an ordinal of a later DLL, to another forwarder, to Windows, or into the void."""
        stem = self._random.choice(later).removesuffix(".dll")
        module = f"{stem}.dll" if "." in stem and not stem.endswith(".plug") else stem
        targets = (f"{module}.f0", f"{module}.#40", f"{module}.g", f"{module}.absent", f"gone{self.seed}.f0")
        return self._random.choices((*targets, "KERNEL32.GetTickCount"), (60, 8, 16, 6, 4, 6))[0]

    def _plan_imports(self, place: int) -> dict[str, list[Symbol]]:
        later = self._names[place + 1 :]
        wanted = self._random.choice((0, 1, 1, 2, 2, 3)) if place else self._random.randint(1, 3)
        needs = self._random.sample(later, min(len(later), wanted))
        if place > 1 and self._random.random() < 0.08:
            needs.append(self._random.choice(self._names[1:place]))
        imports: dict[str, list[Symbol]] = {}
        for need in needs:
            symbols: list[Symbol] = [self._random.choice(list(self._exports[need]))]
            if self._random.random() < self._moods.lacking:
                symbols.append(self._random.choice(("lacking", 99, 41)))
            imports[self._spelled(need)] = symbols
        if self._random.random() < 0.2:
            library, function = self._random.choice(SYSTEM_IMPORTS)
            imports[library] = [function]
        return imports

    def _spelled(self, name: str) -> str:
        """A name as an import table may have it: capitals, no extension, blanks behind it."""
        how = self._random.choices(SPELLINGS, (82, 8, 6, 4))[0]
        if how == "short" and name.count(".") == 1:
            return name.removesuffix(".dll")
        return {"upper": name.upper(), "blanks": f"{name}  "}.get(how, name)

    # -- where they lie --------------------------------------------------------------------------------------------

    def _plan_files(self) -> dict[str, Content]:
        files: dict[str, Content] = {}
        for place, name in enumerate(self._names):
            imports = self._plan_imports(place)
            copies = self._random.choice((1, 1, 1, 1, 2, 2, 3))
            folders = [self._folder() for _ in range(copies)] if place else [OWN]
            if place and self._random.random() < self._moods.gone:
                folders = []
            for folder in folders:
                main = self._random.choice((DllMain.ABSENT, DllMain.TRUE))
                if place and self._random.random() < self._moods.refusing:
                    main = DllMain.FALSE
                dll = Dll(name=name, exports=self._exports[name], imports=imports, dllmain=main)
                if self._random.random() < 0.08:
                    late = self._random.choice(["nowhere.dll", *self._names[1:]])
                    if late.lower() not in bases(imports):
                        dll = dataclasses.replace(dll, delay={late: ["f0"]})
                hurt = place > 0 and self._random.random() < self._moods.damaged
                files[f"{folder}\\{name}"] = self._damaged(dll) if hurt else dll
            if place and self._random.random() < 0.07:
                extra = f"{self._folder()}\\{name}"
                files.setdefault(extra, Dll(name=name, machine=Machine.I386, exports={"f0": 1}))
        return files

    def _damaged(self, dll: Dll) -> Content:
        how = self._random.choice(HURTS)
        if how == "folder":
            return Folder()
        if how in ("empty", "text", "cut"):
            whole = content_bytes(dll.name, dll)
            return {"empty": b"", "text": b"a note, and no library\r\n" * 50, "cut": whole[: len(whole) // 2]}[how]
        changes: dict[str, dict[str, object]] = {
            "x86": {"machine": Machine.I386, "imports": {}, "delay": {}, "dllmain": DllMain.ABSENT},
            "old": {"exports": {"older": 1}},
            "mute": {"exports": {}},
            "needs": {"imports": {f"gone{self.seed}{self._random.randint(0, 3)}.dll": ["f0"]}},
            "refuses": {"dllmain": DllMain.FALSE},
        }
        return dataclasses.replace(dll, **changes[how])  # type: ignore[arg-type]

    def _add_links_and_decoys(self) -> None:
        """Hard links, files below subfolders, and files that must not matter: `.local`, one named as an API set."""
        real = [path for path, content in self.files.items() if isinstance(content, Dll) and path != self.root]
        if real and self._random.random() < 0.12:
            first = self._random.choice(real)
            self.files.setdefault(f"{OTHER}\\{base(first)}", SameFileAs(first))
        if real and self._random.random() < 0.25:
            name = base(self._random.choice(real))
            place = self._random.choice((CWD, APP, SYS, *self.path, *self.added))
            self.files[f"{place}\\sub{self.seed}\\{name}"] = Dll(name=name, exports={"f0": 1})
        if real and self._random.random() < 0.1:  # python.exe has a manifest, which makes `.local` inert (R2.10)
            name = base(self._random.choice(real))
            self.files[f"{PYTHON}.local\\{name}"] = Dll(name=name, exports={"f0": 1})
        if self._random.random() < 0.1:
            self.files[f"{OWN}\\{DECOY}"] = Dll(name=DECOY, exports={"malloc": 1})

    # -- the questions ---------------------------------------------------------------------------------------------

    def _odd_question(self, others: list[str]) -> tuple[str, int]:
        """A name spelled in another way, relative or whole, with flags of any kind."""
        path = self._random.choice(others or [self.root])
        name = base(path)
        below = [p for p in self.files if f"\\sub{self.seed}\\" in p]
        relative = f"sub{self.seed}\\{base(below[0])}" if below else f".\\{name}"
        asks = (
            name.upper(), name.removesuffix(".dll"), f"{name}  ", relative, f".\\{name}",
            path.replace("\\", "/"), path.removeprefix("C:"), path.removesuffix(".dll"), f"{path}.",
            # Wine looks for a bare name among the loaded ones before it drops the dot
            name if self.preload else f"{name}.",
        )  # fmt: skip
        return self._random.choice(asks), self._random.choice(ODD_FLAGS)

    def question(self, mode: str) -> tuple[str, int]:
        """The name asked for, and the flags."""
        if mode in ODD:
            return self.odd[mode]
        by_path, flags = MODES[mode]
        return (self.root if by_path else self.bare), flags

    def scenario(self, mode: str) -> Scenario:
        """The world with one of its questions; what is expected comes from the stored answer."""
        ask, flags = self.question(mode)
        return Scenario(
            name=f"{self.seed}/{mode}",
            rules=["R2.8"],
            files=self.files,
            ask=ask,
            flags=flags,
            added=self.added,
            path=self.path,
            set_dll_directory=self.set_dll_directory,
            preload=self.preload,
            expected=Expected(),
        )

    def fingerprint(self) -> str:
        """Changes when the generator makes another world of this seed: the stored answers are then worth nothing."""
        state = (self.root, self.bare, self.odd, self.added, self.path, self.set_dll_directory, self.preload)
        digest = hashlib.sha256(repr(state).encode())
        for path, content in self.files.items():
            digest.update(path.encode())
            if isinstance(content, Dll | bytes):
                digest.update(content_bytes(path, content))
            else:
                digest.update(repr(content).encode() if isinstance(content, SameFileAs) else b"folder")
        return digest.hexdigest()[:16]
