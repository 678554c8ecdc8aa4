"""Which base names are Windows' own DLLs, on any of the systems that are known.

Source: the name lists beside it (see data/profiles.toml).
"""

from __future__ import annotations

import functools

from whyload.knowledge.reader import data_names


@functools.cache
def _names() -> frozenset[str]:
    lists = (data_names(name) for name in ("windows_both", "windows_11", "windows_10", "known_dlls"))
    return frozenset().union(*lists)


def is_windows_dll(name: str) -> bool:
    """Whether a DLL of that name belongs to Windows (in System32)."""
    return name.lower() in _names()
