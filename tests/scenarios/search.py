"""Scenarios about where the loader looks, in which order, and what it does at each candidate (R2.18 to R2.34).

Source of truth: Microsoft, "Dynamic-link library search order" and the pages of the functions that change it; Wine's
conformance tests, which also run on Windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    Content,
    Expected,
    Folder,
    LinkTo,
    SameFileAs,
    Scenario,
    Wine,
    content_bytes,
    lib,
)
from whyload.base.machine import Machine

TOP = f"{OWN}\\top.dll"
SESSION_MANAGER = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager"
DEFAULT = 0x1000
BAD_BEHIND_IMPORT = "an import whose file is found and refused becomes 126 in Wine, whatever the reason"


def at(*folders: str, name: str = "leaf.dll") -> dict[str, Content]:
    """The same plain library in several folders."""
    return {f"{folder}\\{name}": lib() for folder in folders}


def _bare(name: str, rules: list[str], flags: int, folders: list[str], winner: str | None, **more: object) -> Scenario:
    """A bare name that lies in some folders; the one that is taken, or none."""
    expected = Expected(modules=[f"{winner}\\leaf.dll"]) if winner else Expected(winerror=126, missing=["leaf.dll"])
    made = Scenario(name=name, rules=rules, files=at(*folders), ask="leaf.dll", flags=flags, expected=expected)
    return replace(made, **more)  # type: ignore[arg-type]


def _needed(
    name: str, rules: list[str], flags: int, folders: list[str], winner: str | None, **more: object
) -> Scenario:
    """The same for a DLL that `top.dll`, loaded by full path, imports."""
    expected = Expected(winerror=126, missing=["leaf.dll"])
    if winner:
        expected = Expected(modules=[TOP, f"{winner}\\leaf.dll"])
    files = {TOP: lib("leaf.dll"), **at(*folders)}
    made = Scenario(name=name, rules=rules, files=files, ask=TOP, flags=flags, expected=expected)
    return replace(made, **more)  # type: ignore[arg-type]


LOADED = [
    _needed(
        "loaded-elsewhere-beats-own-folder",
        ["R2.18"],
        0x1100,
        [OTHER, OWN],
        OTHER,
        preload=[f"{OTHER}\\leaf.dll"],
        rows=[56],
    ),
    _needed(
        "other-extension-is-another-module",
        ["R2.18"],
        0x1100,
        [],
        None,
        preload=[f"{OTHER}\\leaf.pyd"],
        files={TOP: lib("leaf.dll"), f"{OTHER}\\leaf.pyd": lib()},
    ),
    Scenario(
        name="two-files-of-one-name-by-full-path",
        rules=["R2.18"],
        rows=[57],
        files=at(OWN, OTHER),
        ask=f"{OTHER}\\leaf.dll",
        preload=[f"{OWN}\\leaf.dll"],
        expected=Expected(modules=[f"{OWN}\\leaf.dll", f"{OTHER}\\leaf.dll"]),
    ),
    Scenario(
        name="bare-name-is-met-by-the-loaded-ones",
        rules=["R2.18"],
        rows=[57],
        files=at(OWN, OTHER, APP),
        ask="leaf",
        flags=DEFAULT,
        preload=[f"{OWN}\\leaf.dll", f"{OTHER}\\leaf.dll"],
        expected=Expected(modules=[f"{OWN}\\leaf.dll", f"{OTHER}\\leaf.dll"]),
    ),
    Scenario(
        name="hard-link-of-a-loaded-file",
        rules=["R2.18"],
        rows=[58],
        files={f"{OWN}\\leaf.dll": lib(), f"{OTHER}\\other.dll": SameFileAs(f"{OWN}\\leaf.dll")},
        ask=f"{OTHER}\\other.dll",
        preload=[f"{OWN}\\leaf.dll"],
        expected=Expected(modules=[f"{OWN}\\leaf.dll"]),
    ),
]

LINKS = [
    Scenario(
        name="folder-of-the-link-and-not-of-its-target",
        rules=["R2.40"],
        files={f"{OTHER}\\top.dll": lib("leaf.dll"), TOP: LinkTo(f"{OTHER}\\top.dll"), **at(OWN)},
        ask=TOP,
        expected=Expected(modules=[TOP, f"{OWN}\\leaf.dll"]),
    ),
    Scenario(
        name="folder-of-the-target-is-not-searched",
        rules=["R2.40"],
        files={f"{OTHER}\\top.dll": lib("leaf.dll"), TOP: LinkTo(f"{OTHER}\\top.dll"), **at(OTHER)},
        ask=TOP,
        expected=Expected(winerror=126, missing=["leaf.dll"]),
    ),
]

KNOWN = [
    Scenario(
        name="known-dll-by-bare-name",
        rules=["R2.36"],
        rows=[32],
        files={f"{APP}\\imagehlp.dll": lib()},
        ask="imagehlp.dll",
        flags=DEFAULT,
        expected=Expected(modules=[f"{SYS}\\imagehlp.dll"]),
        wine=Wine.NO_JUDGE,
        why="Wine has no KnownDLLs",
    ),
    Scenario(
        name="known-dll-by-full-path",
        rules=["R2.36", "R2.5"],
        rows=[33],
        files={f"{APP}\\imagehlp.dll": lib()},
        ask=f"{APP}\\imagehlp.dll",
        expected=Expected(modules=[f"{APP}\\imagehlp.dll"]),
    ),
]

STANDARD = [
    _bare("application-before-system32", ["R2.8"], DEFAULT, [APP, SYS], APP, rows=[31]),
    _bare("application-before-system32-standard", ["R2.8"], 0, [APP, SYS, CWD], APP),
    _bare("system32-before-old-system", ["R2.8"], 0, [SYS16, SYS], SYS),
    _bare("old-system-before-windows", ["R2.8"], 0, [WIN, SYS16], SYS16),
    _bare("windows-before-current-folder", ["R2.8"], 0, [CWD, WIN], WIN),
    _bare("current-folder-before-path", ["R2.8"], 0, [PATH1, CWD], CWD, path=[PATH1], rows=[34]),
    _bare("path-in-its-order", ["R2.28"], 0, [PATH1, PATH2], PATH2, path=[PATH2, PATH1]),
    _bare("system32-before-current-folder-when-safe", ["R2.8"], 0, [CWD, SYS], SYS),
    _bare(
        "current-folder-before-system32-when-not-safe",
        ["R2.8"],
        0,
        [CWD, SYS],
        CWD,
        registry={SESSION_MANAGER: {"SafeDllSearchMode": 0}},
        rows=[35],
    ),
    _bare(
        "current-folder-is-illegal",
        ["R2.29"],
        0,
        [CWD],
        None,
        registry={SESSION_MANAGER: {"CWDIllegalInDllSearch": 0xFFFFFFFF}},
        wine=Wine.NO_JUDGE,
        why="Wine does not know CWDIllegalInDllSearch",
    ),
    _bare("set-folder-before-system32", ["R2.8"], 0, [SDD, SYS, CWD], SDD, set_dll_directory=SDD, rows=[36]),
    _bare("set-folder-takes-the-current-one-out", ["R2.8"], 0, [CWD], None, set_dll_directory=SDD, rows=[36]),
    _bare("application-before-set-folder", ["R2.8"], 0, [SDD, APP], APP, set_dll_directory=SDD),
    _bare("added-folders-do-not-count-without-flags", ["R2.25"], 0, [ADD1], None, added=[ADD1]),
    _bare("path-element-in-quotes", ["R2.28"], 0, [PATH1], None, path=[f'"{PATH1}"'], rows=[67]),
    _bare("path-element-with-a-variable", ["R2.28"], 0, [WIN], WIN, path=["%windir%"]),
    _bare("path-element-with-a-variable-alone", ["R2.28"], 0, [PATH1], None, path=["%PATH1%"]),
    _bare("path-element-that-is-relative", ["R2.28"], 0, [f"{CWD}\\in"], f"{CWD}\\in", path=["in"]),
    _bare("path-elements-that-are-empty", ["R2.28"], 0, [PATH1], PATH1, path=["", PATH1, ""]),
    _bare("path-element-with-trailing-backslash", ["R2.28"], 0, [PATH1], PATH1, path=[f"{PATH1}\\"]),
    _bare("path-element-with-forward-slashes", ["R2.28"], 0, [PATH1], PATH1, path=[PATH1.replace("\\", "/")]),
]

FLAGS = [
    _bare("default-folders-without-path", ["R2.20"], DEFAULT, [PATH1, CWD, WIN, SYS16], None, path=[PATH1], rows=[38]),
    _bare("application-before-added", ["R2.22"], DEFAULT, [ADD1, APP], APP, added=[ADD1], rows=[39]),
    _bare("added-before-system32", ["R2.22"], DEFAULT, [SYS, ADD1], ADD1, added=[ADD1]),
    _bare(
        "last-added-first",
        ["R2.21"],
        0x400,
        [ADD1, ADD2, ADD3, SDD],
        ADD3,
        added=[ADD1, ADD2, ADD3],
        set_dll_directory=SDD,
        rows=[40],
    ),
    _bare(
        "set-folder-behind-the-added",
        ["R2.21"],
        0x400,
        [SDD],
        SDD,
        added=[ADD1, ADD2],
        set_dll_directory=SDD,
        rows=[41],
    ),
    _bare("added-twice", ["R2.21"], 0x400, [ADD1, ADD2], ADD1, added=[ADD1, ADD2, ADD1]),
    _bare("user-folders-only", ["R2.20"], 0x400, [APP, SYS], None, added=[ADD1]),
    _bare("application-only", ["R2.20"], 0x200, [SYS, ADD1], None, added=[ADD1]),
    _bare("system32-only", ["R2.20"], 0x800, [APP, SYS], SYS),
    _needed("import-takes-own-folder-first", ["R2.23"], 0x1100, [APP, SYS, ADD1, OWN], OWN, added=[ADD1]),
    _needed("import-does-not-see-path", ["R2.20"], 0x1100, [PATH1, CWD, WIN], None, path=[PATH1]),
    _needed("import-sees-added", ["R2.22"], 0x1100, [ADD1], ADD1, added=[ADD1]),
    _needed("own-folder-only", ["R2.20"], 0x100, [SYS, APP], None, rows=[44]),
    _needed("altered-leaves-application-out", ["R2.19"], 0x8, [APP], None, rows=[42]),
    _needed("altered-still-sees-path", ["R2.19"], 0x8, [PATH1], PATH1, path=[PATH1], rows=[43]),
    _needed("altered-puts-own-folder-first", ["R2.19"], 0x8, [SYS, OWN, CWD], OWN),
    _needed("plain-load-does-not-see-own-folder", ["R2.23"], 0, [OWN], None),
    Scenario(
        name="own-folder-is-that-of-the-named-dll",
        rules=["R2.23"],
        rows=[45],
        files={TOP: lib("mid.dll"), f"{ADD1}\\mid.dll": lib("leaf.dll"), **at(OWN)},
        ask=TOP,
        added=[ADD1],
        expected=Expected(modules=[TOP, f"{ADD1}\\mid.dll", f"{OWN}\\leaf.dll"]),
    ),
    Scenario(
        name="folder-of-a-middle-dll-is-not-searched",
        rules=["R2.23", "R2.18"],
        files={TOP: lib("mid.dll"), f"{PATH1}\\mid.dll": lib("leaf.dll"), f"{PATH1}\\b\\leaf.dll": lib()},
        ask=TOP,
        flags=0,
        path=[PATH1],
        expected=Expected(winerror=126, missing=["leaf.dll"]),
    ),
    Scenario(
        name="module-asks-for-system32-only",
        rules=["R2.24", "R1.25"],
        rows=[25],
        files={TOP: lib("leaf.dll", dependent_load_flags=0x800), **at(APP, OWN)},
        ask=TOP,
        expected=Expected(winerror=126, missing=["leaf.dll"]),
        wine=Wine.NO_JUDGE,
        why="Wine 8 does not look at DependentLoadFlags",
    ),
    Scenario(
        name="module-asks-for-its-own-folder",
        rules=["R2.24", "R1.25"],
        files={
            TOP: lib("mid.dll"),
            f"{ADD1}\\mid.dll": lib("leaf.dll", dependent_load_flags=0x100),
            **at(OWN, ADD1),
        },
        ask=TOP,
        added=[ADD1],
        expected=Expected(modules=[TOP, f"{ADD1}\\mid.dll", f"{ADD1}\\leaf.dll"]),
        wine=Wine.NO_JUDGE,
        why="Wine 8 does not look at DependentLoadFlags",
    ),
]

GOOD = content_bytes("leaf.dll", lib())
X86 = lib(machine=Machine.I386)


def _candidates(name: str, rules: list[str], first: Content, winerror: int, rows: Sequence[int] = ()) -> list[Scenario]:
    """A damaged file in the first folder of PATH and a good one in the second: by bare name and as an import."""
    files: dict[str, Content] = {f"{PATH1}\\leaf.dll": first, f"{PATH2}\\leaf.dll": lib()}
    found = [f"{PATH2}\\leaf.dll"] if winerror == 0 else []
    base = Scenario(
        name=name,
        rules=rules,
        rows=rows,
        files=files,
        ask="leaf.dll",
        flags=0,
        path=[PATH1, PATH2],
        expected=Expected(winerror=winerror, modules=found),
    )
    needed = replace(
        base,
        name=f"{name}-as-import",
        files={TOP: lib("leaf.dll"), **files},
        ask=TOP,
        expected=Expected(winerror=winerror, modules=[TOP, *found] if found else []),
    )
    if winerror:
        needed = replace(needed, wine=Wine.NO_JUDGE, why=BAD_BEHIND_IMPORT)
    return [base, needed]


CANDIDATES = [
    *_candidates("wrong-machine-is-skipped", ["R2.31"], X86, 0, rows=[50]),
    *_candidates("empty-file-stops-the-search", ["R2.32"], b"", 193, rows=[53]),
    *_candidates("text-stops-the-search", ["R2.32"], b"not a library at all\r\n" * 40, 193),
    *_candidates("cut-file-stops-the-search", ["R2.32", "R1.3"], GOOD[: len(GOOD) // 2], 193),
    *_candidates("folder-of-that-name-stops-the-search", ["R2.33"], Folder(), 5, rows=[54]),
    _bare("no-copy-at-all", ["R2.30"], 0, [], None, path=[PATH1], rows=[52]),
    Scenario(
        name="only-copies-for-another-machine",
        rules=["R2.31"],
        rows=[51],
        files={f"{PATH1}\\leaf.dll": X86, f"{APP}\\leaf.dll": X86},
        ask="leaf.dll",
        flags=0,
        path=[PATH1],
        expected=Expected(winerror=193, missing=[]),
    ),
    Scenario(
        name="import-has-only-a-copy-for-another-machine",
        rules=["R2.31", "R2.47"],
        files={TOP: lib("leaf.dll"), f"{OWN}\\leaf.dll": X86},
        ask=TOP,
        expected=Expected(winerror=193, missing=[]),
        wine=Wine.NO_JUDGE,
        why=BAD_BEHIND_IMPORT,
    ),
    Scenario(
        name="full-path-of-another-machine",
        rules=["R2.31"],
        rows=[55],
        files={f"{PATH1}\\leaf.dll": X86, f"{PATH2}\\leaf.dll": lib(), f"{APP}\\leaf.dll": lib()},
        ask=f"{PATH1}\\leaf.dll",
        path=[PATH1, PATH2],
        expected=Expected(winerror=193),
    ),
    Scenario(
        name="full-path-of-an-arm64-file",
        rules=["R2.34"],
        files={f"{OWN}\\leaf.dll": lib(machine=Machine.ARM64)},
        ask=f"{OWN}\\leaf.dll",
        expected=Expected(winerror=193),
    ),
    Scenario(
        name="full-path-of-an-empty-file",
        rules=["R1.3"],
        rows=[1],
        files={f"{OWN}\\leaf.dll": b""},
        ask=f"{OWN}\\leaf.dll",
        expected=Expected(winerror=193, missing=[]),
    ),
]

SCENARIOS = [*LOADED, *LINKS, *KNOWN, *STANDARD, *FLAGS, *CANDIDATES]
