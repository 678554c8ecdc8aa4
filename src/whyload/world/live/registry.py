"""The real registry, in the 64-bit view (Microsoft, "Registry Redirector": KEY_WOW64_64KEY), read on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_HIVES = {
    "HKLM": "HKEY_LOCAL_MACHINE",
    "HKCU": "HKEY_CURRENT_USER",
    "HKCR": "HKEY_CLASSES_ROOT",
    "HKU": "HKEY_USERS",
}


class LiveRegistry:
    """Values of keys, each key read once."""

    def __init__(self) -> None:
        self._read: dict[str, Mapping[str, object] | None] = {}

    def values(self, key: str) -> Mapping[str, object] | None:
        """Values of `key` (written `HKLM\\…`); an empty mapping where it is absent, None where it may not be read."""
        folded = key.lower()
        if folded not in self._read:
            self._read[folded] = _values(key)
        return self._read[folded]


def _values(key: str) -> Mapping[str, object] | None:
    registry = _winreg()
    hive, _, path = key.replace("/", "\\").partition("\\")
    name = _HIVES.get(hive.upper(), hive.upper())
    if not hasattr(registry, name):
        return None
    found: dict[str, object] = {}
    try:
        with registry.OpenKey(getattr(registry, name), path, 0, registry.KEY_READ | registry.KEY_WOW64_64KEY) as handle:
            for index in range(registry.QueryInfoKey(handle)[1]):
                value = registry.EnumValue(handle, index)
                found[value[0]] = value[1]
    except FileNotFoundError:
        return {}
    except OSError:
        return None
    return found


def _winreg() -> Any:
    import winreg

    return winreg
