"""A text that names a debug C runtime as absent, or as what is imported where something is not found."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import missing, stated_missing
from whyload.knowledge.libraries import Family
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.observe.text.clues import Clues
from whyload.observe.text.situation import is_not_found


def explain(clues: Clues) -> Candidate | None:
    """A debug runtime is named: no release of Windows and no redistributable has one."""
    library = missing(clues, Family.DEBUG_RUNTIME) or _imported(clues)
    return stated_missing(clues, "missing-debug-runtime", library, strength=Strength.SHOWN) if library else None


def _imported(clues: Clues) -> NamedLibrary | None:
    """One that stands anywhere in a text of a library that was not found."""
    if not is_not_found(clues):
        return None
    named = (name_library(name) for name in clues.libraries)
    return next((library for library in named if library.family is Family.DEBUG_RUNTIME), None)
