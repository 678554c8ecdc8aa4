"""A text in which a binary needs what this Windows does not have."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, look, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Trait, is_outside_of_windows
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise

CODE = "windows-too-old"
_NEW_TOO = regular(
    r"(?i)windows 1[01]\b[^.\n]{0,20}\band (?:windows )?[78]\b|windows [78]\b[^.\n]{0,20}\band (?:windows )?1[01]\b"
)
_PREFIXED = regular(r"(?i)\\\\[?.]\\|\brelative (?:path|folder|director)|相对路径")
"""Paths with which search flags are refused on every Windows: relative ones, and those that are not read further."""
_WINDOWS_7 = ("windows 7", "windows7", "win7", "win 7", "server 2008", "windows 2008", "6.1.7601")


NEWER_FUNCTIONS = frozenset(
    [
        "GetSystemTimePreciseAsFileTime",
        "CreateFile2",
        "CopyFile2",
        "WaitOnAddress",
        "WakeByAddressSingle",
        "WakeByAddressAll",
        "PrefetchVirtualMemory",
        "GetPackageFamilyName",
        "GetCurrentPackageId",
        "DiscardVirtualMemory",
        "PssCaptureSnapshot",
        "SetThreadDescription",
        "GetThreadDescription",
        "GetDpiForWindow",
        "GetDpiForSystem",
        "SetProcessDpiAwarenessContext",
        "SetThreadDpiAwarenessContext",
        "VirtualAlloc2",
        "MapViewOfFile3",
        "CreatePseudoConsole",
        "ClosePseudoConsole",
        "ResizePseudoConsole",
        "SetThreadSelectedCpuSets",
        "GetTempPath2W",
    ]
)
"""Functions that Windows has since 8 or later (Microsoft Learn, "Requirements" of each): Windows 10 names in its dialog
the file that asks, not the one that lacks them.
"""
_ASK = ("winver",)
_REMEDIES = (
    advise(
        "newer-windows",
        "use a newer Windows, or the last release of the package (or of Python) that supports this one",
        "换用更新的 Windows，或使用该包（或 Python）支持此系统的最后一个版本",
    ),
)


_FLAGS = (
    advise(
        "loader-update",
        "install the update KB2533623 (or KB3063858, which replaces it), or use a newer Windows",
        "安装更新 KB2533623（或取代它的 KB3063858），或换用更新的 Windows",
    ),
)


def explain(clues: Clues) -> Candidate | None:
    """An API set or a function of Windows is absent; or an old Windows is told of beside an error that it gives."""
    found = _part_not_there(clues)
    newer = missing(clues, Family.WINDOWS)
    if found is None and newer is not None and newer.dll is not None and newer.dll.since_build is not None:
        return stated_missing(clues, CODE, newer, strength=Strength.SHOWN, ask=_ASK)
    found = found or _python_that_does_not_start(clues) or _function_not_there(clues)
    if found is not None:
        strength, why, name = found
        return Candidate(code=CODE, strength=strength, why=why, object=name, ask=_ASK, remedies=_REMEDIES)
    asked = clues.said(Said.ENTRY_POINT_MISSING)
    if asked is not None and asked.symbol in NEWER_FUNCTIONS and not clues.has(Trait.TWO_COPIES):
        why = both(
            f"`{asked.symbol}` is a function of Windows that this version does not have",
            f"`{asked.symbol}` 是 Windows 的函数，而此版本没有它",
        )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=why,
            object=asked.library,
            ask=_ASK,
            remedies=_REMEDIES,
            order=(-1, 0),
        )
    return (
        _flag_not_known(clues) or _told_of(clues) or usual(clues, CODE, ask=(*_ASK, *look(clues)), remedies=_REMEDIES)
    )


def _part_not_there(clues: Clues) -> Found | None:
    library = missing(clues, Family.API_SET)
    if library is None or _is_from_a_list(clues):
        return None
    why = both(
        f"`{library.name}` stands for a part of Windows that this version does not have",
        f"`{library.name}` 代表 Windows 的一部分功能，而此版本没有这部分",
    )
    if _is_of_the_crt(library.name):
        return Strength.KNOWN, why, library.name
    return Strength.DECISIVE if clues.has(Trait.OLD_WINDOWS) else Strength.SHOWN, why, library.name


def _python_that_does_not_start(clues: Clues) -> Found | None:
    python = clues.said(Said.FROZEN_START_FAILED)
    if python is None or not _is_python_for_windows_8(python.file) or not clues.mentions(*_WINDOWS_7):
        return None
    why = both(
        "Python 3.9 and later do not start on Windows 7, and the program bundles such a Python",
        "Python 3.9 及以后无法在 Windows 7 上启动，而该程序自带的正是这样的 Python",
    )
    return Strength.DECISIVE, why, python.file


def _function_not_there(clues: Clues) -> Found | None:
    lacking = clues.said(Said.ENTRY_POINT_MISSING)
    library = name_library(lacking.library) if lacking is not None and lacking.library else None
    if lacking is None or library is None or library.family not in (Family.WINDOWS, Family.API_SET):
        return None
    if is_outside_of_windows(lacking.library):
        return None  # a copy that a program brought along answers in its stead
    why = both(
        f"`{library.name}` of this Windows lacks `{lacking.symbol}`",
        f"此 Windows 的 `{library.name}` 中没有 `{lacking.symbol}`",
    )
    return Strength.KNOWN if _is_of_the_crt(library.name) else Strength.SHOWN, why, library.name


def _flag_not_known(clues: Clues) -> Candidate | None:
    """Python 3.8 and later load with `LOAD_LIBRARY_SEARCH_*`; Windows 7 without KB2533623 refuses it with error 87."""
    failed = clues.said(Said.IMPORT_FAILED)
    if failed is None or not clues.failed_with(87) or _PREFIXED.search(clues.text):
        return None
    why = both(
        "Windows 7 and Server 2008 R2 without the update KB2533623 refuse the flags with which Python 3.8 and later "
        "load a DLL: error 87",
        "没有 KB2533623 更新的 Windows 7 和 Server 2008 R2 不接受 Python 3.8 及以后加载 DLL 时所用的标志（错误 87）",
    )
    strength = Strength.SHOWN if clues.has(Trait.OLD_WINDOWS) else Strength.KNOWN
    ask = (*_ASK, *look(clues))
    return Candidate(code=CODE, strength=strength, why=why, object=failed.module, ask=ask, remedies=_FLAGS)


def _told_of(clues: Clues) -> Candidate | None:
    broken = clues.failed_with(998) and clues.has(Trait.NEWER_WINDOWS_WORKS)
    failed = clues.failed_with(126, 127, 1114, 182) or is_not_found(clues) or broken
    if not clues.has(Trait.OLD_WINDOWS) or not failed:
        return None
    known = Strength.USUAL if _is_no_matter_of_age(clues) else Strength.KNOWN
    if _is_of_others(clues):
        return None
    only_here = clues.has(Trait.NEWER_WINDOWS_WORKS)
    told = only_here or (clues.failed_with(127) and known is Strength.KNOWN and not _in_older_words(clues))
    return Candidate(
        code=CODE,
        strength=Strength.SHOWN if told else known,
        why=both(
            "the text mentions an old Windows, which can cause this error",
            "文中提到较旧的 Windows，它会造成这样的错误",
        ),
        ask=(*_ASK, *look(clues)),
        remedies=_REMEDIES,
        order=(1, 0),
    )


def _is_of_others(clues: Clues) -> bool:
    """What is said to be absent is no DLL of Windows by its name, but the library of a program."""
    said = clues.said(Said.LIBRARY_MISSING)
    name = said.library if said is not None else None
    if name is None or clues.has(Trait.NEWER_WINDOWS_WORKS):
        return False
    return "." not in name or (name.lower().endswith(".dll") and name_library(name).family is None)


def _is_of_the_crt(library: str) -> bool:
    """Whether an API set belongs to the universal C runtime, which can be installed on an old Windows."""
    return library.lower().startswith("api-ms-win-crt-")


def _is_python_for_windows_8(file: str | None) -> bool:
    """Whether a file is the DLL of a Python that needs Windows 8.1 or later (3.9 on: PEP 11)."""
    match = re.search(r"python3(\d{1,2})t?\.dll$", file or "", re.IGNORECASE)
    return match is not None and int(match[1]) >= 9


def _is_no_matter_of_age(clues: Clues) -> bool:
    """Packages for Python before 3.8 were made for Windows 7, too; or it fails on a newer Windows just so."""
    old_python = "WindowsError" in clues.text or (clues.python is not None and clues.python[:2] < (3, 8))
    return old_python or _NEW_TOO.search(clues.text) is not None


def _in_older_words(clues: Clues) -> bool:
    """The message is that of a Python before 3.8, whose packages were mostly made for Windows 7, too."""
    imports = clues.all_said(Said.IMPORT_FAILED)
    return clues.python is None and bool(imports) and not any(saying.module for saying in imports)


def _is_from_a_list(clues: Clues) -> bool:
    """API sets are no files: tools that list imports, freezers among them, call every one of them missing."""
    listed = clues.said(Said.BUNDLING_WARNING) is not None or clues.mentions(
        "dependency walker", "dependencywalker", "depends.exe", "dependencies.exe", "lucasg"
    )
    return listed and not clues.has(Trait.OLD_WINDOWS)
