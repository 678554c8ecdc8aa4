"""A text that names a debug C runtime as absent, or as what is imported where something is not found."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, missing, stated_missing
from whyload.knowledge.libraries import Family
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.situation import is_not_found

CODE = "missing-debug-runtime"


def explain(clues: Clues) -> Candidate | None:
    """A debug runtime is named: no release of Windows and no redistributable has one."""
    library = missing(clues, Family.DEBUG_RUNTIME) or _imported(clues)
    if library is not None:
        return stated_missing(clues, CODE, library, strength=Strength.SHOWN)
    if clues.has(Trait.DEBUG_BUILD) and clues.failed_with(126) and not clues.missing:
        why = both(
            "it was built in the debug configuration, whose C runtime only a machine with Visual Studio has",
            "它是以 Debug 配置构建的，而 Debug 版 C 运行库只有装了 Visual Studio 的机器才有",
        )
        ask = (*look(clues), "where ucrtbased.dll vcruntime140d.dll")
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object="vcruntime140d.dll", ask=ask)
    return None


def _imported(clues: Clues) -> NamedLibrary | None:
    """One that stands anywhere in a text of a library that was not found."""
    if not is_not_found(clues):
        return None
    named = (name_library(name) for name in clues.libraries)
    return next((library for library in named if library.family is Family.DEBUG_RUNTIME), None)
