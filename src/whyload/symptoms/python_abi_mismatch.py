"""A text of an extension that was built for another kind of Python: debug, free-threaded, PyPy."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import (
    Clues,
    Trait,
    Unlike,
    is_of_another_build,
    is_of_another_kind,
    is_own_python,
)
from whyload.observe.text.situation import has_crashed
from whyload.remedies.anywhere import advise

CODE = "python-abi-mismatch"
_FITS = (
    Said.NATIVE_MODULE_MISSING,
    Said.IMPORT_FAILED,
    Said.UNDEFINED_SYMBOL,
    Said.NO_INIT_FUNCTION,
    Said.FILE_OR_DEPENDENCY,
    Said.OTHER_RUNTIME,
)


_ASK = (
    "python -c \"import sysconfig; print(sysconfig.get_config_var('SOABI'), sysconfig.get_config_var('EXT_SUFFIX'))\"",
)
_REMEDIES = (
    advise(
        "usual-python",
        "use a regular (release) Python, or a build of the package for this kind of Python",
        "使用普通的（Release 版）Python，或安装为这种 Python 构建的包",
    ),
)


def explain(clues: Clues) -> Candidate | None:
    """The text tells of such a Python, and a native module of the usual kind does not load in it."""
    library = missing(clues, Family.PYTHON)
    name = library.name if library is not None else None
    found = (
        _function_of_another(clues)
        or _said_by_python(clues)
        or _library_of_another(name or _imported_of_another(clues))
        or _told_by_its_name(clues)
        or _told_of(clues, name)
    )
    if found is None:
        return usual(clues, CODE, ask=_ASK, remedies=_REMEDIES)
    strength, why, at_fault = found
    return Candidate(code=CODE, strength=strength, why=why, object=at_fault, ask=_ASK, remedies=_REMEDIES)


def _function_of_another(clues: Clues) -> Found | None:
    symbols = (saying.symbol for saying in clues.all_said(Said.UNDEFINED_SYMBOL) if saying.symbol)
    symbol = next((one for one in symbols if is_of_another_build(one)), None)
    if symbol is None:
        return None
    why = both(f"`{symbol}` belongs to another kind of Python build", f"`{symbol}` 属于另一种 Python 构建")
    return Strength.SHOWN, why, symbol


def _said_by_python(clues: Clues) -> Found | None:
    conflicting = clues.said(Said.WRONG_PYTHON_DLL)
    if conflicting is None:
        return None
    if not is_of_another_kind(conflicting.library):
        return _usual_one(clues, conflicting.library)
    why = both(
        f"`{conflicting.library}` is the library of a debug or free-threaded Python",
        f"`{conflicting.library}` 是调试版或自由线程版 Python 的库",
    )
    return Strength.DECISIVE, why, conflicting.library


def _usual_one(clues: Clues, library: str | None) -> Found | None:
    """Python of this very version says that the usual library is not its own: then it is of another kind."""
    if library is None or not clues.has(Trait.DEBUG_PYTHON, Trait.FREE_THREADED) or not is_own_python(clues, library):
        return None
    why = both(
        f"`{library}` is the library of the usual Python, and the Python that runs is of another kind (debug, "
        "free-threaded)",
        f"`{library}` 是普通 Python 的库，而当前运行的是另一种 Python（调试版、自由线程版）",
    )
    return Strength.DECISIVE, why, library


def _library_of_another(library: str | None) -> Found | None:
    if library is None or not is_of_another_kind(library):
        return None
    why = both(
        f"`{library}` belongs to a debug or free-threaded Python; this Python does not have it",
        f"`{library}` 属于调试版或自由线程版 Python，当前 Python 没有它",
    )
    return Strength.SHOWN, why, library


def _imported_of_another(clues: Clues) -> str | None:
    """The library of another kind of Python that is listed among what is imported, where something is not found."""
    if not clues.failed_with(126) or clues.has(Trait.FREE_THREADED, Trait.DEBUG_PYTHON):
        return None
    return next((name for name in clues.libraries if is_of_another_kind(name)), None)


def _told_by_its_name(clues: Clues) -> Found | None:
    file = clues.built_unlike(Unlike.KIND)
    if file is None:
        return None
    why = both(
        f"`{file}` is for another kind of Python by its name, so this one does not see it",
        f"从文件名看，`{file}` 面向另一种 Python，因此当前 Python 看不到它",
    )
    return Strength.SHOWN, why, file


def _told_of(clues: Clues, library: str | None) -> Found | None:
    if not clues.has(Trait.DEBUG_PYTHON, Trait.FREE_THREADED, Trait.PYPY) and not _is_in_debug_program(clues):
        return None
    if library is None and not clues.said(*_FITS) and not _crashes_there(clues):
        return None
    if clues.has(Trait.DEBUG_BUILD) and clues.failed_with(126):
        return None  # both are debug builds: the file was seen, and something that it needs was not
    why = both(
        "the extension was built for another kind of Python (debug, free-threaded, PyPy)",
        "扩展是为另一种 Python（调试版、自由线程版、PyPy）构建的",
    )
    return Strength.SHOWN, why, library or clues.module


def _crashes_there(clues: Clues) -> bool:
    """An extension ends the process in a Python without the global lock: it was built for one that has it."""
    ours = clues.has(Trait.BUILT_HERE) or clues.mentions(".abi3.", "extension", "py_gil_disabled")
    return ours and clues.has(Trait.FREE_THREADED) and has_crashed(clues)


def _is_in_debug_program(clues: Clues) -> bool:
    """A debug build of a program that embeds Python links the debug Python, which sees only modules named `_d`."""
    return clues.has(Trait.EMBEDDED) and clues.has(Trait.DEBUG_BUILD) and bool(clues.said(Said.NATIVE_MODULE_MISSING))
