"""A text in which the loader of Linux or macOS did not find a library."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, is_told_otherwise, library_remedies, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.observe.text.clues import Clues, Platform, Trait, is_own_python

CODE = "missing-shared-object"
_NARROWER = (Family.CUDA, Family.CUDNN, Family.NVIDIA_DRIVER, Family.OPENMP, Family.PYTHON)


def explain(clues: Clues) -> Candidate | None:
    """A library is named; where a narrower cause covers it, this one only remains possible."""
    if clues.platform not in (Platform.LINUX, Platform.MACOS):
        return None
    if clues.said(Said.BUILD_FAILED) and clues.said(Said.STALE_CACHE):
        return None  # what is absent is the product of the build that failed
    named = [name_library(name) for name in reversed(clues.missing)]
    library = next(
        (one for one in named if _is_plain(one) or (one.family is Family.PYTHON and is_own_python(clues, one.name))),
        None,
    )
    if library is not None and is_told_otherwise(clues, CODE) and not clues.has(Trait.ABSENT):
        return replace(stated_missing(clues, CODE, library, strength=Strength.KNOWN), order=(1, 0))
    if library is not None:
        there = clues.has(Trait.FILE_IS_THERE) or (library.name.endswith("_dri.so") and clues.has(Trait.CONDA))
        return stated_missing(clues, CODE, library, strength=Strength.KNOWN if there else Strength.STATED)
    said = clues.all_said(Said.QT_PLUGIN)
    plugin = next((one for one in said if one.library), said[-1] if said else None)
    if plugin is not None and clues.platform is Platform.LINUX and not (plugin.file and "cv2" in plugin.file):
        return Candidate(
            code=CODE,
            strength=Strength.STATED,
            why=both(
                "Qt's platform plugin is there but does not load: usually an X11 or xcb library is missing",
                "Qt 的平台插件存在但无法加载：多半缺少 X11 或 xcb 的某个库",
            ),
            object=plugin.library,
            ask=("QT_DEBUG_PLUGINS=1 python PROGRAM.py",),
            remedies=library_remedies(clues, name_library("libxcb-cursor.so.0")),
        )
    often = usual(clues, CODE)
    if often is not None and named and all(one.family in _NARROWER for one in named):
        return replace(often, strength=Strength.POSSIBLE, order=(9, 0))
    return often


def _is_plain(library: NamedLibrary) -> bool:
    return library.family not in _NARROWER and not library.libc
