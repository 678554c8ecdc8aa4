"""A text in which a library lacks a function."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform

CODE = "missing-procedure"


def explain(clues: Clues) -> Candidate | None:
    """The function and the library are named, or only the error number is. Elsewhere it is an undefined symbol."""
    if clues.platform in (Platform.LINUX, Platform.MACOS):
        return None
    saying = clues.said(Said.ENTRY_POINT_MISSING)
    if saying is None:
        return usual(clues, CODE)
    label = f"`{saying.library}`" if saying.library else None
    return Candidate(
        code=CODE,
        strength=Strength.SHOWN if "are missing " in saying.text else Strength.KNOWN,
        why=both(
            f"{label or 'the library'} lacks the function `{saying.symbol}`",
            f"{f'{label} ' if label else '该库'}中没有函数 `{saying.symbol}`",
        ),
        object=saying.library,
        ask=look(clues),
    )
