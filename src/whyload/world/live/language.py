"""The display language of Windows.

Source: Microsoft, GetUserDefaultUILanguage and "Language Identifiers" (the low ten bits are the primary language).
"""

from __future__ import annotations

_CHINESE = 0x04
_PRIMARY = 0x3FF


def windows_speaks_chinese() -> bool:
    """Whether the person's display language is Chinese."""
    import ctypes

    kernel32 = getattr(ctypes, "windll").kernel32  # noqa: B009 - it is there on Windows only
    return int(kernel32.GetUserDefaultUILanguage()) & _PRIMARY == _CHINESE
