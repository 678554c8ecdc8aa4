"""A text that names an absent DLL that belongs to none of the named families, or none at all."""

from __future__ import annotations

import re

from whyload.base.dataclass import replace
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, is_told_otherwise, look, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.observe.text.clues import Clues, Platform, Trait, is_of_a_program, is_python_itself
from whyload.observe.text.situation import is_not_found

CODE = "missing-dependency"
_OTHERS = (Family.OTHER_VENDOR, Family.PACKAGE, Family.MINGW)

_OF_NO_OTHER_CAUSE = r"(?!cuda|cudnn|nvidia|driver|gpu|python|ana?conda|conda|visual|v?c_|vc|ms|windows|media|os\b)"
_NOT_INSTALLED = regular(
    rf"^[ \t*-]{{0,8}}{_OF_NO_OTHER_CAUSE}([a-z][\w .+-]{{1,40}}): (?:is )?not installed\b|"
    rf"^packages: [^\n]{{0,80}}, {_OF_NO_OTHER_CAUSE}([a-z][\w.+-]{{1,40}}) not installed\b|"
    rf"\b(?:machine|computer|pc|server) without {_OF_NO_OTHER_CAUSE}"
    r"(?!an? |the |any |admin|internet|network|avx|openmp)([a-z][\w.+-]{1,30}(?: [a-z][\w.+-]{1,30}){0,2})$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line on something that is needed; of CUDA, the C++ runtime and Python's own things other causes speak."""


_LEFT_OUT = regular(
    r"(?i)\b(?<!c\+\+ )(?<!runtime )(?:dlls|libraries)\b"
    r"(?![^\n]{0,120}\b(?:c\+\+|vc|msvc|vcruntime|cuda|cudnn|driver|openmp))[^\n]{0,120}?\b(?:not|without|nowhere|lacks?)\b"
)
"""A remark on libraries that are left out, by no name; of those that have a cause of their own it is no matter here."""


def explain(clues: Clues) -> Candidate | None:
    """A DLL is named that no narrower cause covers."""
    if clues.platform in (Platform.LINUX, Platform.MACOS):
        return None
    named = [name_library(name) for name in reversed(clues.missing)]
    unknown = next(filter(_is_any, named), missing(clues, Family.PYTHON) if is_of_a_program(clues) else None)
    if unknown is not None:
        if is_told_otherwise(clues, CODE):
            return replace(stated_missing(clues, CODE, unknown, strength=Strength.KNOWN), order=(1, 0))
        strength = Strength.KNOWN if clues.has(Trait.FROZEN, Trait.FILE_IS_THERE) else Strength.STATED
        return stated_missing(clues, CODE, unknown, strength=strength)
    if missing(clues, *Family):
        return None
    return _told_to_be_absent(clues) or usual(clues, CODE)


def _is_any(library: NamedLibrary) -> bool:
    """No narrower cause covers it; of what comes with Python that is so of all but Python's own DLL."""
    of_python = library.family is Family.PYTHON and not is_python_itself(library.name)
    return library.family in (None, *_OTHERS) or of_python


def _told_to_be_absent(clues: Clues) -> Candidate | None:
    """The text names what is needed, by its package, and says that it is not installed."""
    if not is_not_found(clues):
        return None
    told = _NOT_INSTALLED.search(clues.text)
    if told is None:
        return _left_out(clues)
    needed = next(filter(None, told.groups()))
    why = both(f"the text says that `{needed}` is not installed", f"文中说明没有安装 `{needed}`")
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=needed, ask=look(clues))


def _left_out(clues: Clues) -> Candidate | None:
    """The text says of libraries that they are not in the package, or nowhere, without their names."""
    if not clues.has(Trait.ABSENT) or clues.has(Trait.FROZEN) or _LEFT_OUT.search(clues.text) is None:
        return None
    why = both("the text says that libraries which it needs are not there", "文中说明它所需的库并不存在")
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, ask=look(clues))
