"""A text of an extension that was built for another kind of Python: debug, free-threaded, PyPy."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait, is_of_another_kind
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


def explain(clues: Clues) -> Candidate | None:
    """The text tells of such a Python, and a native module of the usual kind does not load in it."""
    remedies = (
        advise(
            "usual-python",
            "use a regular (release) Python, or a build of the package for this kind of Python",
            "使用普通的（Release 版）Python，或安装为这种 Python 构建的包",
        ),
    )
    ask = (
        "python -c \"import sysconfig; print(sysconfig.get_config_var('SOABI'), "
        "sysconfig.get_config_var('EXT_SUFFIX'))\"",
    )
    symbol = next(
        (
            saying.symbol
            for saying in clues.all_said(Said.UNDEFINED_SYMBOL)
            if saying.symbol
            and (
                "UCS4" in saying.symbol
                or "UCS2" in saying.symbol
                or saying.symbol in ("_Py_RefTotal", "Py_InitModule4TraceRefs", "_PyTrash_thread_destroy_chain")
            )
        ),
        None,
    )
    if symbol is not None:
        why = both(f"`{symbol}` belongs to another kind of Python build", f"`{symbol}` 属于另一种 Python 构建")
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=symbol, ask=ask, remedies=remedies)
    conflicting = clues.said(Said.WRONG_PYTHON_DLL)
    if conflicting is not None and is_of_another_kind(conflicting.library):
        why = both(
            f"`{conflicting.library}` is the library of a debug or free-threaded Python",
            f"`{conflicting.library}` 是调试版或自由线程版 Python 的库",
        )
        return Candidate(
            code=CODE, strength=Strength.DECISIVE, why=why, object=conflicting.library, ask=ask, remedies=remedies
        )
    library = missing(clues, Family.PYTHON)
    if library is not None and is_of_another_kind(library.name):
        why = both(
            f"`{library.name}` belongs to a debug or free-threaded Python; this Python does not have it",
            f"`{library.name}` 属于调试版或自由线程版 Python，当前 Python 没有它",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=library.name, ask=ask, remedies=remedies)
    kinds = clues.has(Trait.DEBUG_PYTHON, Trait.FREE_THREADED, Trait.PYPY)
    if kinds and (library is not None or clues.said(*_FITS)):
        why = both(
            "the extension was built for another kind of Python (debug, free-threaded, PyPy)",
            "扩展是为另一种 Python（调试版、自由线程版、PyPy）构建的",
        )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=why,
            object=library.name if library else clues.module,
            ask=ask,
            remedies=remedies,
        )
    return usual(clues, CODE, ask=ask, remedies=remedies)
