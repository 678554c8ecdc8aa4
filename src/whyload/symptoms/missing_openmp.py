"""A text that names an OpenMP runtime as absent, or a release that is known to lack it."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues, Platform, Trait
from whyload.observe.text.situation import is_not_found

CODE = "missing-openmp"


def explain(clues: Clues) -> Candidate | None:
    """The runtime is named, what fails was built for OpenMP, or a release is known to lack one."""
    library = missing(clues, Family.OPENMP)
    if library is not None:
        return stated_missing(
            clues, CODE, library, strength=Strength.STATED if clues.has(Trait.FROZEN) else Strength.SHOWN
        )
    ask = (*look(clues), "where /R C:\\ libomp140.x86_64.dll", "where vcomp140.dll")
    if _was_built_for_it(clues):
        why = both(
            "something is not found, and the text says that the library was built for OpenMP: its runtime belongs to "
            "the compiler (`vcomp140.dll`, `libomp140.x86_64.dll`, `libgomp-1.dll`)",
            "加载时有文件找不到，而文中说明该库是以 OpenMP 编译的：它的运行库由编译器提供"
            "（`vcomp140.dll`、`libomp140.x86_64.dll`、`libgomp-1.dll`）",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, ask=ask)
    return usual(clues, CODE, ask=ask)


def _was_built_for_it(clues: Clues) -> bool:
    """Nothing is named that is absent, and a remark tells of a build for OpenMP.

    The runtime is no part of Windows: it comes with the redistributable of its compiler. Source: Microsoft,
    "Determining which DLLs to redistribute" (vcomp140.dll).
    """
    told = clues.has(Trait.OPENMP_BUILD) and not clues.has(Trait.FROZEN, Trait.ON_PATH, Trait.FILE_IS_THERE)
    return told and clues.platform is Platform.WINDOWS and not clues.missing and is_not_found(clues)
