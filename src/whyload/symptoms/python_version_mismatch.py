"""A text of an extension that was built for another Python version."""

from __future__ import annotations

import re

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait, is_of_another_kind, is_own_python
from whyload.remedies.anywhere import advise

CODE = "python-version-mismatch"
_TAG = re.compile(r"\.(?:cpython-|cp)(3)(\d{1,2})[-.\w]*\.(?:so|pyd)|python(3)(\d{1,2})\.dll", re.IGNORECASE)
_PYTHON_SYMBOL = re.compile(r"^_?_?Py[A-Z_]\w+$")
_MADE_WITH = re.compile(
    r"\b(?:built|compiled|made|installed|zipped|packaged)\b[^\n.;]{0,40}?\b(?:with|for|by|under|using|from|against|in) "
    r"(?:a |the )?python ?(\d)\.(\d{1,2})\b",
    re.IGNORECASE,
)
_ASK = ("python --version", "python -m pip debug --verbose")


def explain(clues: Clues) -> Candidate | None:
    """CPython says so, another Python's DLL or a function of it is wanted, or a file has the tag of another."""
    package = clues.packages[0] if clues.packages else "PACKAGE"
    remedies = (
        advise(
            "right-python",
            "install the build of the package for this Python, with this Python's pip",
            "用当前 Python 的 pip 安装适用于它的版本",
            f"python -m pip install --force-reinstall --no-cache-dir {package}",
        ),
    )
    said = clues.said(Said.WRONG_PYTHON_DLL, Said.PYTHON_MISMATCH)
    if said is not None and not is_of_another_kind(said.library):
        why = both(
            "Python itself says that the module was built for another version", "Python 提示该模块是为另一个版本构建的"
        )
        return Candidate(
            code=CODE,
            strength=Strength.DECISIVE,
            why=why,
            object=said.library or said.module,
            ask=_ASK,
            remedies=remedies,
        )
    library = missing(clues, Family.PYTHON)
    if (
        library is not None
        and not is_own_python(clues, library.name)
        and not clues.has(Trait.FROZEN, Trait.EMBEDDED, Trait.DEBUG_PYTHON, Trait.FREE_THREADED)
    ):
        why = both(
            f"`{library.name}` is wanted, the library of a Python that is not this one",
            f"需要的是 `{library.name}`，它属于另一个 Python",
        )
        return Candidate(code=CODE, strength=Strength.STATED, why=why, object=library.name, ask=_ASK, remedies=remedies)
    if clues.has(Trait.PRE_RELEASE_PYTHON) and clues.failed_with(127, 182):
        why = both(
            "this Python is a pre-release, and wheels of its version use functions that only the final release has",
            "当前 Python 是预发布版本，而该版本的 wheel 使用了正式版才有的函数",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, ask=_ASK, remedies=remedies)
    other = _other_tag(clues)
    if other is not None:
        why = both(
            f"`{other}` carries the tag of another Python version than the one that runs",
            f"`{other}` 的标签属于另一个 Python 版本",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=other, ask=_ASK, remedies=remedies)
    made = _made_with_another(clues)
    if made is not None:
        why = both(
            f"the text says that it was made with Python {made}, and another version runs",
            f"文中说明它是用 Python {made} 构建的，而运行的是另一个版本",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=clues.module, ask=_ASK, remedies=remedies)
    symbol = next(
        (
            saying.symbol
            for saying in clues.all_said(Said.UNDEFINED_SYMBOL, Said.ENTRY_POINT_MISSING)
            if saying.symbol and _PYTHON_SYMBOL.match(saying.symbol)
        ),
        None,
    )
    if symbol is not None and "UCS" not in symbol:
        why = both(
            f"`{symbol}` is a function of Python itself, and this Python does not have it",
            f"`{symbol}` 是 Python 自身的函数，而当前 Python 中没有它",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=symbol, ask=_ASK, remedies=remedies)
    return usual(clues, CODE, ask=_ASK, remedies=remedies)


def _made_with_another(clues: Clues) -> str | None:
    """The version of Python that a module which is not seen, or does not start, is said to be made with."""
    if clues.python is None or not clues.said(Said.NATIVE_MODULE_MISSING, Said.NO_INIT_FUNCTION):
        return None
    versions = [(int(match[1]), int(match[2])) for match in _MADE_WITH.finditer(clues.text)]
    other = next((version for version in versions if version != clues.python[:2]), None)
    return f"{other[0]}.{other[1]}" if other else None


def _other_tag(clues: Clues) -> str | None:
    """A file named in the text whose tag is not that of the Python that runs."""
    failing = clues.said(Said.NATIVE_MODULE_MISSING, Said.IMPORT_FAILED, Said.NO_INIT_FUNCTION)
    if clues.python is None or failing is None:
        return None
    for match in _TAG.finditer(clues.text):
        minor = int(match[2] or match[4])
        if minor != clues.python.minor:
            return re.split(r"[\\/\s]", clues.text[max(match.start() - 80, 0) : match.end()])[-1].strip("'\"(")
    return None
