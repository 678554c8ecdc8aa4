"""What shows that Python 3.8 and later miss a library that older ones find: they do not search PATH for it."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait, Unlike
from whyload.observe.text.situation import other_tag
from whyload.observe.text.traits import plain_keys

_BEFORE_3_8 = r"(?:2\.7|3\.[3-7])(?:\.\d{1,2})?"
_WORKS = r"(?:works?|worked|fine|ok|loads?|imports|imported|no (?:problem|issue|error)s?)"
_WORKED_BEFORE = regular(
    rf"\b{_BEFORE_3_8}\b[^.;\n]{{0,40}}?(?:\b{_WORKS}\b|正常|没问题|没有问题|可以)|"
    rf"\b{_WORKS}\b[^.;\n]{{0,40}}?\b(?:on|with|in|under|by|for):? (?:python ?)?{_BEFORE_3_8}(?![\d.])",
    re.IGNORECASE,
)
_OLD_SEARCH = r"(?:winmode ?= ?0|pythonlegacywindowsdllloading|conda_dll_search_modification_enable)(?: ?= ?1)?"
_WITH_THE_OLD_SEARCH = regular(
    rf"{_OLD_SEARCH}\b[^\n]{{0,30}}\b(?:works?|loads?|fix|solve|helps?|make)|"
    rf"\b(?:works?|loads?|fixed|solved)\b[^\n]{{0,30}}{_OLD_SEARCH}\b",
    re.IGNORECASE,
)
"""What brings back the search of PATH: for ctypes, for the Python of MSYS2, for that of conda."""
_GCC = regular(r"(?i)(?<!library[\\/])\bmingw(?:-?w64)?\b|\bmsys2?\b|libstdc\+\+-6\.dll|libgcc_s_\w+-1\.dll")
"""A compiler whose own libraries lie in its folder, on PATH."""
_FOR_A_PYTHON = regular(r"(?i)\b(?:built|compiled|made) (?:for|against) (?:c?python )?3\.\d")


def is_of_3_8(clues: Clues) -> bool:
    """Whether it is a Python of 3.8 or later on Windows that fails, and an extension that it could load."""
    return (
        clues.platform is Platform.WINDOWS
        and _since_3_8(clues)
        and not clues.built_unlike(Unlike.VERSION)
        and not other_tag(clues)
    )


def loads_with_the_old_search(clues: Clues) -> bool:
    """It works with an older Python, or where the search of PATH is brought back."""
    return _worked_before(clues) or _WITH_THE_OLD_SEARCH.search(clues.text) is not None


def is_of_gcc(clues: Clues) -> bool:
    """It was built with a compiler whose own libraries lie in its folder, and nothing else is said to be absent."""
    return (
        not _others_named(clues)
        and not clues.has(Trait.ABSENT, Trait.FREE_THREADED, Trait.PYPY, Trait.FROZEN, Trait.EMBEDDED)
        and _GCC.search(clues.text) is not None
    )


def relies_on_path(clues: Clues) -> bool:
    """What was built here, or lies in folders of PATH, loads libraries from them."""
    apart = clues.has(Trait.BUILT_HERE, Trait.ON_PATH) and not _is_for_another_python(clues)
    no_other = not clues.has(Trait.ABSENT, Trait.FREE_THREADED, Trait.PYPY) and not _others_named(clues)
    return apart and no_other and not _is_jit(clues)


def _others_named(clues: Clues) -> list[str]:
    """Libraries that are said to be absent, apart from the one that was asked for."""
    asked = {re.split(r"[\\/]", saying.file)[-1] for saying in clues.all_said(Said.FILE_OR_DEPENDENCY) if saying.file}
    return [name for name in clues.missing if name not in asked]


def _is_for_another_python(clues: Clues) -> bool:
    """Whether it is told to have been built for a plain Python, where another kind of Python runs."""
    of_another_kind = clues.has(Trait.FREE_THREADED, Trait.PYPY, Trait.DEBUG_PYTHON)
    return of_another_kind and _FOR_A_PYTHON.search(clues.text) is not None


def _worked_before(clues: Clues) -> bool:
    """A line says that it works with an older Python; a package's version that looks alike is no matter here."""
    lines = plain_keys(clues.text).splitlines()
    return any(
        _WORKED_BEFORE.search(line)
        for line in lines
        if re.search(r"\bpy(?:thon)?\b", line, re.IGNORECASE)
        or not re.match(r"\s*(?!note|how)[\w.-]+: ['\"]?v?\d", line)
    )


def _is_jit(clues: Clues) -> bool:
    return "cuda" in clues.text.lower() and clues.concerns("stylegan", "nvdiffrast", "tiny-cuda-nn")


def _since_3_8(clues: Clues) -> bool:
    return (clues.python is not None and clues.python[:2] >= (3, 8)) or any(
        saying.kind is Said.FILE_OR_DEPENDENCY or (saying.kind is Said.IMPORT_FAILED and saying.module)
        for saying in clues.sayings
    )
