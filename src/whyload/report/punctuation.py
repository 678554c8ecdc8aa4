"""Punctuation of the two languages. Chinese takes full-width signs without blanks around them.

Source: GB/T 15834-2011, "General rules for punctuation" (colon, brackets, enumeration comma, semicolon).
"""

from __future__ import annotations

from collections.abc import Iterable


def colon(language: str) -> str:
    """What stands between a label and its text."""
    return "：" if language == "zh" else ": "


def aside(text: str, language: str) -> str:
    """A text in brackets, to be put behind another one."""
    return f"（{text}）" if language == "zh" else f" ({text})"


def listed(items: Iterable[str], language: str) -> str:
    """Words or short texts in a row."""
    return ("、" if language == "zh" else ", ").join(items)


def parted(items: Iterable[str], language: str) -> str:
    """Longer texts in a row."""
    return ("；" if language == "zh" else "; ").join(items)
