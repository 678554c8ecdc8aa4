"""Which base names are Windows' own DLLs, on any of the systems that are known.

Source: the name lists beside it (see data/profiles.toml).
"""

from __future__ import annotations

from whyload.knowledge.reader import data_names

_LISTS = ("windows_both", "windows_11", "windows_10", "known_dlls")


def is_windows_dll(name: str) -> bool:
    """Whether a DLL of that name belongs to Windows (in System32)."""
    name = name.lower()
    return any(name in data_names(each) for each in _LISTS)
