"""Random small worlds of DLLs, and what Wine's loader makes of them.

    python -m tests.scenarios.random_worlds --count 150 --seed 1 --out tests/scenarios/answers.json

Source of truth: Wine, asked once; its stored answers judge the simulation ever after. A world is a function of its seed
alone, so that the file holds answers only. Left out, because Wine is no judge of them or only running tells: DllMains
that say no, and images for ARM64.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

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
    SDD,
    SYS,
    SYS16,
    WIN,
    Expected,
    Scenario,
    base,
    bases,
    content_bytes,
    lower,
)
from tests.testbed.pewriter import Dll, DllMain, Symbol
from tests.testbed.wine import LoadAnswer, WineMachine
from whyload.base.machine import Machine

Json: TypeAlias = "dict[str, object]"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Moods:
    """How likely things are in a kind of world."""

    weights: tuple[int, ...]
    """One per place of PLACES."""
    gone: float
    """A DLL that is nowhere."""
    damaged: float
    """A copy that is for another machine, no image, cut, too old, or in want of another DLL."""


KINDS = (
    Moods(weights=(60, 12, 12, 6, 6, 6, 1, 1, 1, 0, 0, 0, 0), gone=0.0, damaged=0.02),
    Moods(weights=(40, 12, 12, 6, 6, 6, 1, 1, 1, 1, 0, 0, 0), gone=0.0, damaged=0.02),
    Moods(weights=(4, 12, 15, 2, 2, 2, 8, 8, 6, 6, 3, 2, 0), gone=0.0, damaged=0.02),
    Moods(weights=(16, 8, 8, 4, 4, 4, 4, 4, 4, 2, 2, 2, 1), gone=0.02, damaged=0.06),
    Moods(weights=(8, 8, 6, 4, 4, 4, 5, 5, 4, 3, 2, 2, 2), gone=0.06, damaged=0.14),
)


class World:
    """One world, made from its seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = random.Random(seed)
        self._moods = self._random.choice(KINDS)
        count = self._random.randint(6, 14)
        self._names = [f"q{chr(97 + i)}{self._random.randint(0, 9)}.dll" for i in range(count)]
        if self._random.random() < 0.4:
            self._names[0] = self._names[0].replace(".dll", ".pyd")
        self.root = f"{OWN}\\{self._names[0]}"
        self.added = self._random.sample(ADDED, self._random.choice((0, 1, 1, 2, 3)))
        self.path = self._random.choice(((), (PATH1,), (PATH2, PATH1)))
        self.set_dll_directory = SDD if self._random.random() < 0.15 else None
        self._exports = self._plan_exports()
        self.files = self._plan_files()
        others = [path for path in self.files if path != self.root]
        plain = [path for path in others if self._needs_nothing(path) or self._random.random() < 0.05]
        self.preload = self._random.sample(plain, min(len(plain), self._random.choice((0, 0, 0, 1, 2))))
        near = [path for path in others if path.startswith((APP, SYS, CWD, *self.added, *self.path))]
        self.bare = self._random.choice(sorted(bases(near or others)) or self._names[1:])

    def _needs_nothing(self, path: str) -> bool:
        content = self.files[path]
        return isinstance(content, Dll) and content.machine is Machine.AMD64 and not content.imports

    def _folder(self) -> str:
        """Somewhere to put a copy; seldom a folder for adding that was not added."""
        folder = self._random.choices(PLACES, self._moods.weights)[0]
        if folder in ADDED and folder not in self.added and self._random.random() < 0.85:
            return self._random.choice(self.added or [OWN])
        return folder

    def _plan_exports(self) -> dict[str, dict[Symbol, int | str]]:
        """What each DLL exports when it is well; later ones may be targets of forwarders."""
        planned: dict[str, dict[Symbol, int | str]] = {}
        for place, name in enumerate(self._names):
            exports: dict[Symbol, int | str] = {f"f{i}": i for i in range(self._random.randint(1, 3))}
            if self._random.random() < 0.1:
                exports[40] = 40
            later = self._names[place + 1 :]
            if later and self._random.random() < 0.18:
                exports["g"] = f"{self._random.choice(later).removesuffix('.dll')}.f0"
            planned[name] = exports
        return planned

    def _plan_imports(self, place: int) -> dict[str, list[Symbol]]:
        later = self._names[place + 1 :]
        wanted = self._random.choice((0, 1, 1, 2, 2, 3)) if place else self._random.randint(1, 3)
        needs = self._random.sample(later, min(len(later), wanted))
        if place > 1 and self._random.random() < 0.08:
            needs.append(self._random.choice(self._names[1:place]))
        imports: dict[str, list[Symbol]] = {}
        for need in needs:
            imports[need] = [self._random.choice(list(self._exports[need]))]
        if self._random.random() < 0.12:
            imports["KERNEL32.dll"] = ["GetTickCount"]
        if self._random.random() < 0.15:
            imports = {name.upper() if name != "KERNEL32.dll" else name: names for name, names in imports.items()}
        return imports

    def _plan_files(self) -> dict[str, Dll | bytes]:
        files: dict[str, Dll | bytes] = {}
        for place, name in enumerate(self._names):
            imports = self._plan_imports(place)
            copies = self._random.choice((1, 1, 1, 1, 2, 2, 3))
            folders = [self._folder() for _ in range(copies)] if place else [OWN]
            if place and self._random.random() < self._moods.gone:
                folders = []
            for folder in folders:
                main = self._random.choice((DllMain.ABSENT, DllMain.TRUE))
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

    def _damaged(self, dll: Dll) -> Dll | bytes:
        how = self._random.choice(("x86", "x86", "empty", "text", "cut", "old", "old", "needs", "needs"))
        if how == "x86":
            return Dll(name=dll.name, machine=Machine.I386, exports=dll.exports)
        if how == "old":
            return dataclasses.replace(dll, exports={"older": 1})
        if how == "needs":
            return dataclasses.replace(dll, imports={f"gone{self._random.randint(0, 3)}.dll": ["f0"]})
        whole = content_bytes(dll.name, dll)
        return {"empty": b"", "text": b"a note, and no library\r\n" * 50, "cut": whole[: len(whole) // 2]}[how]

    def fingerprint(self) -> str:
        """Changes when the generator makes another world of this seed: the stored answers are then worth nothing."""
        state = (self.root, self.bare, self.added, self.path, self.set_dll_directory, self.preload)
        digest = hashlib.sha256(repr(state).encode())
        for path, content in self.files.items():
            digest.update(path.encode())
            digest.update(content_bytes(path, content))
        return digest.hexdigest()[:16]

    def scenario(self, mode: str) -> Scenario:
        """The world with one of its seven questions; what is expected comes from the stored answer."""
        by_path, flags = MODES[mode]
        return Scenario(
            name=f"{self.seed}/{mode}",
            rules=["R2.8"],
            files=self.files,
            ask=self.root if by_path else self.bare,
            flags=flags,
            added=self.added,
            path=self.path,
            set_dll_directory=self.set_dll_directory,
            preload=self.preload,
            expected=Expected(),
        )


def answered(world: World, machine: WineMachine) -> dict[str, Json]:
    """Wine's answers to the seven questions, and the world's fingerprint."""
    scenarios = {mode: world.scenario(mode) for mode in MODES}
    laid = scenarios["import"].lay_out(machine.host)
    try:
        answers = machine.load_all([scenario.question() for scenario in scenarios.values()])
    finally:
        for place in laid:
            place.unlink()
    modes = {mode: _stored(world, answer) for mode, answer in zip(scenarios, answers, strict=True)}
    return {"world": {"fingerprint": world.fingerprint()}, **modes}


def _stored(world: World, answer: LoadAnswer) -> Json:
    """What is kept of an answer; after a failure Wine leaves DLLs behind that Windows unloads, so no modules then."""
    names = bases(world.files)
    kept: Json = {"error": answer.winerror}
    if any(answer.preload_errors):
        kept["preload"] = list(answer.preload_errors)
    if answer.winerror == 0:
        kept["modules"] = sorted(path.lower() for path in answer.modules if base(path).lower() in names)
    trace = answer.trace
    needers = bases([entry[1] for entry in trace.missing] + [entry[1] for entry in trace.failed])
    lists: Json = {
        "missing": sorted({name.lower() for name, _ in trace.missing} - needers),
        "bad": sorted({name.lower() for name, _, _ in trace.failed}),
        "symbols": [list(symbol) for symbol in sorted(lower(trace.symbols))],
    }
    return kept | {key: found for key, found in lists.items() if found}


def load_answers(file: Path) -> Mapping[int, dict[str, dict[str, Any]]]:
    """The stored answers by seed and mode."""
    return {int(seed): modes for seed, modes in json.loads(file.read_text(encoding="utf-8")).items()}


def _lines(worlds: Mapping[int, dict[str, Json]]) -> Iterator[str]:
    for seed, modes in worlds.items():
        yield f'"{seed}": {json.dumps(modes, separators=(",", ":"))}'


def main() -> None:
    parser = argparse.ArgumentParser(description="Make random worlds, ask Wine, and store its answers.")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    worlds = {}
    with WineMachine() as machine:
        machine.install_python("3.11", layout="embed")
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            worlds[seed] = answered(World(seed), machine)
    chosen.out.write_text("{\n" + ",\n".join(_lines(worlds)) + "\n}\n", encoding="utf-8")
    print(f"{len(worlds)} worlds, {chosen.out.stat().st_size // 1024} KiB", file=sys.stderr)


if __name__ == "__main__":
    main()
