"""A text that names an absent DLL that belongs to none of the named families, or none at all."""

from __future__ import annotations

import re

from whyload.base.dataclass import replace
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, is_told_otherwise, look, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Platform, Trait, is_of_a_program
from whyload.observe.text.situation import is_not_found

CODE = "missing-dependency"
_OTHERS = (Family.OTHER_VENDOR, Family.PACKAGE, Family.MINGW)

_NOT_INSTALLED = regular(
    r"^[ \t*-]{0,8}(?!cuda|cudnn|nvidia|driver|gpu|python|ana?conda|conda|visual|v?c_|vc|ms|windows|media|os\b)"
    r"([a-z][\w .+-]{1,40}): (?:is )?not installed\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A line on something that is needed; of CUDA, the C++ runtime and Python's own things other causes speak."""


def explain(clues: Clues) -> Candidate | None:
    """A DLL is named that no narrower cause covers."""
    if clues.platform in (Platform.LINUX, Platform.MACOS):
        return None
    unknown = next(
        (library for name in reversed(clues.missing) if (library := name_library(name)).family in (None, *_OTHERS)),
        missing(clues, Family.PYTHON) if is_of_a_program(clues) else None,
    )
    if unknown is not None:
        if is_told_otherwise(clues, CODE):
            return replace(stated_missing(clues, CODE, unknown, strength=Strength.KNOWN), order=(1, 0))
        strength = Strength.KNOWN if clues.has(Trait.FROZEN, Trait.FILE_IS_THERE) else Strength.STATED
        return stated_missing(clues, CODE, unknown, strength=strength)
    if missing(clues, *Family):
        return None
    return _told_to_be_absent(clues) or usual(clues, CODE)


def _told_to_be_absent(clues: Clues) -> Candidate | None:
    """The text names what is needed, by its package, and says that it is not installed."""
    told = _NOT_INSTALLED.search(clues.text)
    if told is None or not is_not_found(clues):
        return None
    why = both(f"the text says that `{told[1]}` is not installed", f"文中说明没有安装 `{told[1]}`")
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=told[1], ask=look(clues))
