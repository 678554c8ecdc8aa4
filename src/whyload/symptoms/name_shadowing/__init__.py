"""A text in which a file or folder of the user's stands in for a package."""

from __future__ import annotations

from whyload.findings.candidate import Candidate
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.symptoms.name_shadowing.half_imported import half_imported
from whyload.symptoms.name_shadowing.sources import (
    at_the_start,
    in_its_sources,
    library_first,
    library_of_sources,
    said_by_the_package,
)
from whyload.symptoms.name_shadowing.stand_in import empty_module, empty_package, imports_itself, stand_in
from whyload.symptoms.name_shadowing.verdict import CODE, candidate


def explain(clues: Clues) -> Candidate | None:
    """The half-imported module lies in no place of installed packages, or Python or the package says so."""
    told = said_by_the_package(clues) or at_the_start(clues) or in_its_sources(clues) or library_first(clues)
    told = told or library_of_sources(clues)
    if told is not None:
        return told
    if clues.said(Said.PARTIALLY_INITIALIZED):
        return half_imported(clues) or usual(clues, CODE)
    name = stand_in(clues) or imports_itself(clues) or empty_module(clues)
    if name is None:
        return empty_package(clues) or usual(clues, CODE)
    return candidate(
        name,
        both(
            f"the module imported as `{name}` has none of that package's names: another file of that name is "
            "found first",
            f"导入的 `{name}` 模块中没有它应有的名称：先找到的是另一个同名文件",
        ),
    )
