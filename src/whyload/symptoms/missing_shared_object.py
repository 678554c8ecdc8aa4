"""A text in which the loader of Linux or macOS did not find a library."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.observe.text.clues import Clues, Platform, Trait, is_own_python

CODE = "missing-shared-object"
_NARROWER = (Family.CUDA, Family.CUDNN, Family.NVIDIA_DRIVER, Family.OPENMP, Family.PYTHON)


def explain(clues: Clues) -> Candidate | None:
    """A library is named; where a narrower cause covers it, this one only remains possible."""
    if clues.platform not in (Platform.LINUX, Platform.MACOS):
        return None
    named = [name_library(name) for name in reversed(clues.missing)]
    library = next(
        (one for one in named if _is_plain(one) or (one.family is Family.PYTHON and is_own_python(clues, one.name))),
        None,
    )
    if library is not None:
        return stated_missing(
            clues, CODE, library, strength=Strength.KNOWN if clues.has(Trait.FILE_IS_THERE) else Strength.STATED
        )
    return usual(clues, CODE)


def _is_plain(library: NamedLibrary) -> bool:
    return library.family not in _NARROWER and not library.libc
