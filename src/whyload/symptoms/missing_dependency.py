"""A text that names an absent DLL that belongs to none of the named families, or none at all."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import is_told_otherwise, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Platform, Trait

CODE = "missing-dependency"
_OTHERS = (Family.OTHER_VENDOR, Family.PACKAGE, Family.MINGW)


def explain(clues: Clues) -> Candidate | None:
    """A DLL is named that no narrower cause covers."""
    if clues.platform in (Platform.LINUX, Platform.MACOS):
        return None
    unknown = next(
        (library for name in reversed(clues.missing) if (library := name_library(name)).family in (None, *_OTHERS)),
        None,
    )
    if unknown is not None:
        if is_told_otherwise(clues, CODE):
            return replace(stated_missing(clues, CODE, unknown, strength=Strength.KNOWN), order=(1, 0))
        strength = Strength.KNOWN if clues.has(Trait.FROZEN, Trait.FILE_IS_THERE) else Strength.STATED
        return stated_missing(clues, CODE, unknown, strength=strength)
    return None if missing(clues, *Family) else usual(clues, CODE)
