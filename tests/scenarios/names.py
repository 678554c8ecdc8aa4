"""Scenarios about the argument of LoadLibraryExW: flags, spelling, extension, relative paths (R2.1 to R2.6).

Source of truth: Microsoft, LoadLibraryExW; Wine's conformance tests, which also run on Windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.scenarios.scenario import APP, CWD, OWN, PATH1, Expected, Scenario, Wine, lib

LEAF = f"{OWN}\\leaf.dll"
REFUSED = Expected(winerror=87)
GONE = Expected(winerror=126)


def _refused(name: str, ask: str, flags: int, rules: tuple[str, ...] = ("R2.1",), rows: Sequence[int] = ()) -> Scenario:
    here = {LEAF: lib(), f"{CWD}\\leaf.dll": lib(), f"{CWD}\\b\\leaf.dll": lib(), f"{APP}\\leaf.dll": lib()}
    return Scenario(name=name, rules=rules, rows=rows, files=here, ask=ask, flags=flags, expected=REFUSED)


def _spelling(
    name: str, ask: str, found: bool, rules: tuple[str, ...] = ("R2.3",), rows: Sequence[int] = ()
) -> Scenario:
    place = f"{APP}\\leaf.dll"
    expected = Expected(modules=[place]) if found else GONE
    files = {place: lib()}
    return Scenario(name=name, rules=rules, rows=rows, files=files, ask=ask, flags=0x1000, expected=expected)


SCENARIOS = [
    _refused("altered-search-with-search-flags", LEAF, 0x1008, rows=[46]),
    _refused("own-folder-of-a-bare-name", "leaf.dll", 0x1100, rows=[47]),
    _refused("own-folder-of-a-dotted-name", ".\\leaf.dll", 0x1100, rows=[47]),
    _refused("own-folder-of-a-relative-name", "b\\leaf.dll", 0x1100, rows=[47]),
    replace(
        _refused("flag-above-16-bits", LEAF, 0x10000),
        wine=Wine.NO_JUDGE,
        why="Wine 8 lets flags pass that it does not know",
    ),
    Scenario(
        name="own-folder-of-a-rooted-name",
        rules=["R2.1", "R2.5"],
        files={LEAF: lib()},
        ask="\\w\\own\\leaf.dll",
        flags=0x100,
        expected=Expected(modules=[LEAF]),
    ),
    Scenario(
        name="rooted-name-absent",
        rules=["R2.1", "R2.5"],
        files={f"{APP}\\leaf.dll": lib()},
        ask="\\w\\own\\leaf.dll",
        flags=0x1100,
        expected=Expected(winerror=126, missing=["leaf.dll"]),
    ),
    _spelling("trailing-spaces", "leaf.dll  ", True, ("R2.2",)),
    _spelling("extension-is-added", "leaf", True, rows=[49]),
    _spelling("one-dot-stops-the-extension", "leaf.", False, rows=[49]),
    _spelling("one-dot-behind-the-extension", "leaf.dll.", True, rows=[49]),
    _spelling("upper-case", "LEAF.DLL", True, ("R2.3", "R2.7"), rows=[49]),
    _spelling("other-extension", "leaf.pyd", False, rows=[49]),
    Scenario(
        name="one-dot-behind-the-name-of-a-loaded-one",
        rules=["R2.3", "R2.18"],
        files={LEAF: lib(), f"{APP}\\leaf.dll": lib()},
        ask="leaf.dll.",
        flags=0x1000,
        preload=[LEAF],
        expected=Expected(modules=[LEAF]),
        wine=Wine.NO_JUDGE,
        why="Wine compares a bare name with the loaded ones before it drops the dot",
    ),
    Scenario(
        name="extension-is-added-to-a-full-path",
        rules=["R2.3"],
        files={LEAF: lib()},
        ask=f"{OWN}\\leaf",
        expected=Expected(modules=[LEAF]),
    ),
    Scenario(
        name="pyd-is-never-added",
        rules=["R2.3"],
        files={f"{OWN}\\leaf.pyd": lib()},
        ask=f"{OWN}\\leaf",
        expected=GONE,
    ),
    Scenario(
        name="forward-slashes",
        rules=["R2.4"],
        files={LEAF: lib()},
        ask="C:/w/own/leaf.dll",
        expected=Expected(modules=[LEAF]),
    ),
    Scenario(
        name="a-full-path-is-not-searched",
        rules=["R2.5"],
        files={f"{APP}\\leaf.dll": lib(), f"{PATH1}\\leaf.dll": lib()},
        ask=LEAF,
        flags=0,
        path=[PATH1],
        expected=Expected(winerror=126, missing=["leaf.dll"]),
    ),
    Scenario(
        name="drive-relative-name",
        rules=["R2.5"],
        files={LEAF: lib()},
        ask="C:own\\leaf.dll",
        flags=0,
        cwd="C:\\w",
        expected=Expected(modules=[LEAF]),
    ),
    Scenario(
        name="relative-name-not-below-system32",
        rules=["R2.6"],
        rows=[48],
        files={f"{CWD}\\b\\leaf.dll": lib()},
        ask="b\\leaf.dll",
        flags=0x800,
        expected=GONE,
    ),
    Scenario(
        name="relative-name-below-current-folder",
        rules=["R2.6"],
        files={f"{CWD}\\b\\leaf.dll": lib(), f"{PATH1}\\b\\leaf.dll": lib()},
        ask="b\\leaf.dll",
        flags=0,
        path=[PATH1],
        expected=Expected(modules=[f"{CWD}\\b\\leaf.dll"]),
    ),
    Scenario(
        name="relative-name-below-path",
        rules=["R2.6"],
        files={f"{PATH1}\\b\\leaf.dll": lib()},
        ask="b\\leaf.dll",
        flags=0,
        path=[PATH1],
        expected=Expected(modules=[f"{PATH1}\\b\\leaf.dll"]),
    ),
    Scenario(
        name="relative-name-below-application",
        rules=["R2.6"],
        files={f"{APP}\\b\\leaf.dll": lib(), f"{CWD}\\b\\leaf.dll": lib()},
        ask="b\\leaf.dll",
        flags=0x1000,
        expected=Expected(modules=[f"{APP}\\b\\leaf.dll"]),
    ),
    Scenario(
        name="no-references-resolved",
        rules=["R1.4"],
        files={LEAF: lib("gone.dll")},
        ask=LEAF,
        flags=0x1,
        expected=Expected(modules=[LEAF]),
    ),
    Scenario(
        name="exe-as-library",
        rules=["R1.4"],
        files={f"{OWN}\\tool.exe": lib("gone.dll", is_dll=False)},
        ask=f"{OWN}\\tool.exe",
        expected=Expected(modules=[f"{OWN}\\tool.exe"]),
    ),
    Scenario(
        name="import-names-without-extension-and-case",
        rules=["R1.18", "R2.7"],
        files={f"{OWN}\\top.dll": lib("LEAF"), LEAF: lib()},
        ask=f"{OWN}\\top.dll",
        expected=Expected(modules=[f"{OWN}\\top.dll", LEAF]),
    ),
    Scenario(
        name="descriptor-without-functions",
        rules=["R1.16"],
        files={f"{OWN}\\top.dll": lib(imports={"gone.dll": []})},
        ask=f"{OWN}\\top.dll",
        expected=Expected(modules=[f"{OWN}\\top.dll"]),
    ),
    Scenario(
        name="descriptor-with-names-and-empty-addresses",
        rules=["R1.16"],
        rows=[16],
        files={f"{OWN}\\top.dll": lib(unused={"gone.dll": ["f"]})},
        ask=f"{OWN}\\top.dll",
        expected=Expected(modules=[f"{OWN}\\top.dll"]),
        wine=Wine.NO_JUDGE,
        why="Wine looks at the first entry of the lookup table, Windows at that of the address table",
    ),
]
