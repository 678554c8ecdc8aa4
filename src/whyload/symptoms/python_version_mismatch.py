"""A text of an extension that was built for another Python version."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import (
    Clues,
    Platform,
    Trait,
    Unlike,
    is_of_a_program,
    is_of_another_build,
    is_of_another_kind,
    is_own_python,
    is_python_itself,
)
from whyload.observe.text.situation import other_tag
from whyload.remedies.anywhere import advise
from whyload.remedies.model import Remedy

CODE = "python-version-mismatch"
_PYTHON_SYMBOL = regular(r"^_?_?Py(?!Array|UFunc|Win[A-Z]|Qt|GObject|Cairo)[A-Z_]\w+$")
"""Others, NumPy first of all, give their functions such names, too."""
_OF_EVERY_PYTHON = regular(
    r"^_?_?(?:PyExc_(?!Standard)\w+|Py(?:Float|Bool|Type|Tuple|List|Dict|Long|CFunction|Module)_Type|"
    r"_Py_NoneStruct|PyErr_\w+)$"
)
_MADE_WITH = regular(
    r"\b(?:built|compiled|made|installed|zipped|packaged)\b[^\n.;]{0,40}?\b(?:with|for|by|under|using|from|against|in) "
    r"(?:a |the )?python ?(\d)\.(\d{1,2})\b",
    re.IGNORECASE,
)
_OF_THE_HOST = regular(
    r"\b(?:its|whose|with its|uses its|has its|brings its) own python(?: interpreter| version)?(?: is| of)?[: ]{1,2}"
    r"(?:python )?(\d)\.(\d{1,2})\b",
    re.IGNORECASE,
)
"""The program that a module is a part of runs on another Python than the one that imports it."""
_WHEEL = regular(r"\bcp(3)(\d{1,2})\b(?: wheel\b|-cp3\d{1,2}-win)", re.IGNORECASE)
_BRIDGE = regular(
    r"boost_python-?(?:py)?(?P<major>[23])\.?(?P<minor>\d{1,2})|boost6python6detail11init_moduleE(?:R(?P<third>11PyModuleDef)|"
    r"(?P<second>PKc))"
)
"""Boost.Python, by the name of its library or by what it calls for a module of Python 3, and of Python 2."""
_FIRST_OF_39 = regular(r"(?i)\bpython[^\n]{0,24}?\b3\.9\.[01]\b")
_FOLDER = regular(r"(?<!envs)[\\/](?:py|cp)(3)(\d{1,2})(?![\w.-])(?![\\/](?:lib|scripts|bin)\b)", re.IGNORECASE)
"""A folder that keeps the builds for one version, among those for others."""
_ASK = ("python --version", "python -m pip debug --verbose")


def explain(clues: Clues) -> Candidate | None:
    """CPython says so, another Python's DLL or a function of it is wanted, or a file has the tag of another."""
    found = (
        _said_by_python(clues)
        or _wanted_library(clues)
        or _pre_release(clues)
        or _first_of_39(clues)
        or _before_folders_are_added(clues)
        or _tag_of_another(clues)
        or _made_for_another(clues)
        or _function_of_python(clues)
        or _bridge_of_another(clues)
    )
    if found is None:
        return usual(clues, CODE, ask=_ASK, remedies=_remedies(clues))
    strength, why, name = found
    return Candidate(code=CODE, strength=strength, why=why, object=name, ask=_ASK, remedies=_remedies(clues))


def _said_by_python(clues: Clues) -> Found | None:
    said = clues.said(Said.WRONG_PYTHON_DLL, Said.PYTHON_MISMATCH)
    if said is None or is_of_another_kind(said.library):
        return None
    if clues.has(Trait.DEBUG_PYTHON, Trait.FREE_THREADED) and said.library and is_own_python(clues, said.library):
        return None  # of this version, and of another kind
    why = both(
        "Python itself says that the module was built for another version", "Python 提示该模块是为另一个版本构建的"
    )
    return Strength.DECISIVE, why, said.library or said.module


def _wanted_library(clues: Clues) -> Found | None:
    library = missing(clues, Family.PYTHON)
    if (
        library is None
        or not is_python_itself(library.name)
        or is_own_python(clues, library.name)
        or clues.has(Trait.FROZEN, Trait.DEBUG_PYTHON, Trait.FREE_THREADED)
        or (clues.has(Trait.EMBEDDED) and not (clues.python and "DllNotFoundException" in clues.text))
    ):
        return None
    why = both(
        f"`{library.name}` is needed, which belongs to another Python",
        f"需要的是 `{library.name}`，它属于另一个 Python",
    )
    return Strength.KNOWN if is_of_a_program(clues) else Strength.STATED, why, library.name


def _pre_release(clues: Clues) -> Found | None:
    lacking = clues.failed_with(127, 182) or clues.said(Said.CRASH, Said.UNDEFINED_SYMBOL) is not None
    if not clues.has(Trait.PRE_RELEASE_PYTHON) or not lacking:
        return None
    why = both(
        "this Python is a pre-release, but wheels for its version use functions that only the final release has",
        "当前 Python 是预发布版，而面向该版本的 wheel 使用了正式版才有的函数",
    )
    return Strength.SHOWN, why, None


def _first_of_39(clues: Clues) -> Found | None:
    """The stable interface of the first two releases of 3.9 lacks functions (pyca/bcrypt, issue 835)."""
    module = (clues.module or "").rpartition(".")[2]
    if not (clues.failed_with(127) and _FIRST_OF_39.search(clues.text)):
        return None
    if module not in ("_rust", "_bcrypt") and "abi3" not in clues.text:
        return None
    why = both(
        "`python3.dll` of Python 3.9.0 and 3.9.1 lacks functions that wheels for the stable interface (abi3) need",
        "Python 3.9.0 和 3.9.1 的 `python3.dll` 缺少稳定接口（abi3）的 wheel 所需的函数",
    )
    return Strength.SHOWN, why, module or None


def _before_folders_are_added(clues: Clues) -> Found | None:
    """A package of Windows asks for what `os` has since Python 3.8 (docs.python.org, os.add_dll_directory)."""
    if clues.platform is not Platform.WINDOWS or "no attribute 'add_dll_directory'" not in clues.text:
        return None
    why = both(
        "the package is made for Python 3.8 or newer: `os.add_dll_directory` is not there before",
        "该包面向 Python 3.8 或更高版本：更早的版本没有 `os.add_dll_directory`",
    )
    return Strength.SHOWN, why, clues.distribution


def _tag_of_another(clues: Clues) -> Found | None:
    other = clues.built_unlike(Unlike.VERSION) or (None if clues.misfit else other_tag(clues))
    if other is None:
        return None
    why = both(
        f"`{other}` carries the tag of a Python version other than the running one",
        f"`{other}` 的标签属于另一个 Python 版本，不是当前运行的版本",
    )
    return Strength.SHOWN, why, other


def _made_for_another(clues: Clues) -> Found | None:
    made = _made_with_another(clues)
    if made is None:
        return None
    why = both(
        f"the text says that it was built with Python {made}, but another version is running",
        f"文中说明它是用 Python {made} 构建的，而当前运行的是另一个版本",
    )
    return Strength.SHOWN, why, clues.module


def _function_of_python(clues: Clues) -> Found | None:
    symbol = next(
        (
            saying.symbol
            for saying in clues.all_said(Said.UNDEFINED_SYMBOL, Said.ENTRY_POINT_MISSING)
            if saying.symbol
            and _PYTHON_SYMBOL.match(saying.symbol)
            and not _OF_EVERY_PYTHON.match(saying.symbol)
            and not (clues.has(Trait.EMBEDDED) and "/lib-dynload/" in (saying.file or ""))
        ),
        None,
    )
    if symbol is None or is_of_another_build(symbol) or clues.has(Trait.PYPY, Trait.DEBUG_PYTHON, Trait.FREE_THREADED):
        return None
    why = both(
        f"`{symbol}` is a function of Python itself, but this Python does not have it",
        f"`{symbol}` 是 Python 自身的函数，而当前 Python 中没有它",
    )
    return Strength.SHOWN, why, symbol


def _bridge_of_another(clues: Clues) -> Found | None:
    """Boost.Python is there for one version of Python at a time: its function for another is not found."""
    lacking = clues.said(Said.UNDEFINED_SYMBOL)
    if lacking is None or clues.python is None or "boost6python" not in (lacking.symbol or ""):
        return None
    for match in _BRIDGE.finditer(clues.text):
        major = int(match["major"] or (3 if match["third"] else 2))
        if major != clues.python.major or (match["minor"] and int(match["minor"]) != clues.python.minor):
            why = both(
                "the Boost.Python that it was linked with is that of another Python version",
                "它所链接的 Boost.Python 属于另一个 Python 版本",
            )
            return Strength.SHOWN, why, lacking.file
    return None


def _remedies(clues: Clues) -> tuple[Remedy, ...]:
    package = clues.distribution or "PACKAGE"
    return (
        advise(
            "right-python",
            "with this Python's own pip, install the build of the package for it",
            "用当前 Python 自己的 pip 安装适用于它的构建",
            f"python -m pip install --force-reinstall --no-cache-dir {package}",
        ),
    )


def _made_with_another(clues: Clues) -> str | None:
    """The version of Python that a module which is not seen, or does not start, is said to be made with.

    One that is found and lacks something most often lacks the DLL of that Python.
    """
    unseen = clues.said(Said.NATIVE_MODULE_MISSING, Said.NO_INIT_FUNCTION)
    lacking = clues.failed_with(126) and not clues.missing and not clues.has(Trait.FROZEN)
    if clues.python is None or not (unseen or lacking):
        return None
    patterns = (_MADE_WITH, _OF_THE_HOST, _WHEEL, _FOLDER)
    versions = [(int(match[1]), int(match[2])) for one in patterns for match in one.finditer(clues.text)]
    other = next((version for version in versions if version != clues.python[:2]), None)
    return f"{other[0]}.{other[1]}" if other else None
