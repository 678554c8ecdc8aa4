"""A text in which a binary needs what this Windows does not have."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise

CODE = "windows-too-old"


def explain(clues: Clues) -> Candidate | None:
    """An API set or a function of Windows is absent; or an old Windows is told of beside an error that it gives."""
    remedies = (
        advise(
            "newer-windows",
            "use a newer Windows, or the last release of the package (or of Python) for this one",
            "换用更新的 Windows，或使用支持该系统的最后一个版本（包或 Python）",
        ),
    )
    ask = ("winver",)
    library = missing(clues, Family.API_SET)
    if library is not None:
        why = both(
            f"`{library.name}` stands for a part of Windows that this version does not have",
            f"`{library.name}` 代表的那部分功能在此版本 Windows 中不存在",
        )
        strength = Strength.DECISIVE if clues.has(Trait.OLD_WINDOWS) else Strength.SHOWN
        if library.name.lower().startswith("api-ms-win-crt-"):  # of the universal C runtime, which can be installed
            strength = Strength.KNOWN
        return Candidate(code=CODE, strength=strength, why=why, object=library.name, ask=ask, remedies=remedies)
    lacking = clues.said(Said.ENTRY_POINT_MISSING)
    if (
        lacking is not None
        and lacking.library
        and name_library(lacking.library).family in (Family.WINDOWS, Family.API_SET)
    ):
        name = name_library(lacking.library).name
        why = both(
            f"`{name}` of this Windows lacks `{lacking.symbol}`", f"此 Windows 的 `{name}` 中没有 `{lacking.symbol}`"
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=name, ask=ask, remedies=remedies)
    if clues.has(Trait.OLD_WINDOWS) and clues.failed_with(126, 127, 1114, 182):
        why = both(
            "the text tells of an old Windows, and the error is one that it gives",
            "文中提到较旧的 Windows，而这个错误正是它会造成的",
        )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN if clues.failed_with(127) else Strength.KNOWN,
            why=why,
            ask=(*ask, *look(clues)),
            remedies=remedies,
            order=(1, 0),
        )
    return usual(clues, CODE, ask=(*ask, *look(clues)), remedies=remedies)
