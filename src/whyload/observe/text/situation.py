"""The shape of a failure, by which the usual suspects are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.regular import regular
from whyload.knowledge.messages import Said
from whyload.knowledge.suspects import Shape, Situation
from whyload.observe.text.clues import Clues, Platform, Trait

_BY_ERROR = {
    126: Shape.NOT_FOUND,
    1157: Shape.NOT_FOUND,
    127: Shape.NO_PROCEDURE,
    182: Shape.NO_PROCEDURE,
    193: Shape.NOT_VALID,
    216: Shape.NOT_VALID,
    487: Shape.NO_ACCESS,
    998: Shape.NO_ACCESS,
    1114: Shape.INIT_FAILED,
}
_BY_STATUS = {
    0xC0000135: Shape.NOT_FOUND,
    0xC0000139: Shape.NO_PROCEDURE,
    0xC0000138: Shape.NO_PROCEDURE,
    0xC000007B: Shape.NOT_VALID,
    0xC0000142: Shape.INIT_FAILED,
}
_BY_SAYING = {
    Said.FILE_OR_DEPENDENCY: Shape.NOT_FOUND,
    Said.ENTRY_POINT_MISSING: Shape.NO_PROCEDURE,
    Said.FROZEN_START_FAILED: Shape.NOT_FOUND,
    Said.LIBRARY_MISSING: Shape.LIBRARY_MISSING,
    Said.UNDEFINED_SYMBOL: Shape.UNDEFINED_SYMBOL,
    Said.SYMBOL_VERSION: Shape.SYMBOL_VERSION,
    Said.NATIVE_MODULE_MISSING: Shape.NATIVE_MODULE_MISSING,
    Said.NO_INIT_FUNCTION: Shape.NO_INIT,
    Said.OTHER_RUNTIME: Shape.OTHER_RUNTIME,
    Said.CRASH: Shape.CRASH,
    Said.BUILD_FAILED: Shape.BUILD,
    Said.CUDA_NOT_LOADED: Shape.CUDA_UNUSED,
    Said.QT_PLUGIN: Shape.NO_PLUGIN,
}  # fmt: skip
_ACCESS_VIOLATION = 0xC0000005
"""Any program may end so; it is a matter of libraries where the text tells of an order of imports, or of a compiler
whose code needs a newer C++ runtime.
"""
_NUMBERED = frozenset({Shape.NO_PROCEDURE, Shape.NOT_VALID, Shape.INIT_FAILED, Shape.NO_ACCESS})


def situation_of(clues: Clues) -> Situation:
    """What the entries of the usual suspects ask for."""
    python = clues.python
    return Situation(
        packages=clues.packages,
        shapes=tuple(dict.fromkeys(_shapes(clues))),
        versions=clues.versions,
        python=f"{python.major}.{python.minor}" if python else "3.8" if _since_3_8(clues) else None,
        platform=clues.platform.value if clues.platform else None,
        traits=frozenset(trait.value for trait in clues.traits),
        names=tuple(_names(clues)),
    )


def _shapes(clues: Clues) -> Iterator[Shape]:
    """Shapes, without those that another one explains: an error that is not 126 is the reason of a failed import."""
    named = clues.said(Said.LIBRARY_MISSING) is not None
    if clues.winerror is not None and clues.winerror in _BY_ERROR and not (named and clues.winerror in (126, 1157)):
        yield _BY_ERROR[clues.winerror]  # where the absent library is named, the number says no more
    yield from (_BY_STATUS[status] for status in clues.statuses if status in _BY_STATUS)
    if has_crashed(clues) and clues.has(Trait.OTHER_FIRST, Trait.NEW_COMPILER):
        yield Shape.CRASH
    told = clues.winerror in _BY_ERROR and _BY_ERROR[clues.winerror] in _NUMBERED
    for saying in reversed(clues.sayings):
        shape = _BY_SAYING.get(saying.kind)
        refused = clues.is_found_and_refused and shape is Shape.LIBRARY_MISSING
        if shape is not None and not refused and not (told and shape is Shape.NOT_FOUND):
            yield shape
    if clues.winerror is None and clues.said(Said.IMPORT_FAILED):
        yield Shape.NOT_FOUND
    if _is_provider_failure(clues):
        yield Shape.CUDA_UNUSED


def has_crashed(clues: Clues) -> bool:
    """Whether the process is told to have ended by an access to memory that is not its own."""
    return _ACCESS_VIOLATION in clues.statuses or _CRASHED.search(clues.text) is not None


_CRASHED = regular(
    r"(?i)\baccess violation|0xc0000005|segmentation fault|\bsegfault|fatal exception|zugriffsverletzung|"
    r"violation d['’]acc[eè]s|infracci[oó]n de acceso|viola[cç][aã]o de acesso|violazione di accesso|"
    r"naruszenie (?:zasad )?dost[eę]pu|нарушени[ея] прав доступа|erişim ihlali|"
    r"アクセス違反|액세스 위반|访问冲突|存取違規"
)


def _is_provider_failure(clues: Clues) -> bool:
    return any("providers_cuda" in (saying.file or "") for saying in clues.sayings) and not clues.missing


def _names(clues: Clues) -> Iterator[str]:
    for saying in clues.sayings:
        for value in (saying.module, saying.file, saying.library, saying.symbol):
            if value:
                yield re.split(r"[\\/]", value)[-1]
    yield from (frame.source for frame in clues.frames[-1:] if frame.source)
    if clues.module:
        yield clues.module


def _since_3_8(clues: Clues) -> bool:
    """The words of the message are those of Python 3.8 and later."""
    return any(saying.kind is Said.IMPORT_FAILED and saying.module for saying in clues.sayings)


def is_not_found(clues: Clues) -> bool:
    """Whether something was looked for and not found."""
    found = {Shape.NOT_FOUND, Shape.LIBRARY_MISSING, Shape.CUDA_UNUSED}
    return not found.isdisjoint(_shapes(clues))


def lacks_libstdcxx(clues: Clues) -> str | None:
    """A function of libstdc++'s own that is not found, by the name that the compiler gives those of `std`."""
    lacking = clues.said(Said.UNDEFINED_SYMBOL)
    symbol = lacking.symbol if lacking is not None and clues.platform is Platform.LINUX else None
    return symbol if symbol and _OF_LIBSTDCXX.match(symbol) else None


_OF_LIBSTDCXX = regular(
    r"_ZN?K?St(?!3__1|6__ndk)(?!\w*(?:3c10|2at|5torch|2cv|5boost|6google))|_ZT[ISV]N?St(?!3__1)|"
    r"__cxa_(?:throw_bad_array_new_length|init_primary_exception|call_terminate|thread_atexit)|_ZdlPvm?(?:St\w*)?$"
)
"""Not templates over the types of others, which those have to bring."""


def names_twin(clues: Clues, name: str) -> str | None:
    """A library that the text names, and whose name differs by the bitness alone: `foo.dll` and `foo-64.dll`."""
    stem = re.sub(r"[-_.]?(?:x?64|x?86|32)$", "", name.lower().removesuffix(".dll"))
    if clues.platform is not Platform.WINDOWS or not name.lower().endswith(".dll") or len(stem) < _WORD:
        return None
    pattern = rf"(?<![\w.-]){re.escape(stem)}[-_.]?(?:x?64|x?86|32)?\.dll\b"
    return next(
        (found for found in re.findall(pattern, clues.text, re.IGNORECASE) if found.lower() != name.lower()), None
    )


_WORD = 4
"""Letters from which on two names that are alike are so by no chance."""


def other_tag(clues: Clues) -> str | None:
    """A file named in the text whose tag is not that of the Python that runs."""
    failing = clues.said(Said.NATIVE_MODULE_MISSING, Said.IMPORT_FAILED, Said.NO_INIT_FUNCTION, Said.FILE_OR_DEPENDENCY)
    if clues.python is None or (failing is None and not clues.failed_with(126)):
        return None
    for match in _TAG.finditer(clues.text):
        minor = int(match[2] or match[4])
        if minor != clues.python.minor:
            return re.split(r"[\\/\s]", clues.text[max(match.start() - 80, 0) : match.end()])[-1].strip("'\"(")
    return None


_TAG = regular(r"\.(?:cpython-|cp)(3)(\d{1,2})[-.\w]*\.(?:so|pyd)|python(3)(\d{1,2})\.dll", re.IGNORECASE)
