"""The real registry, in the 64-bit view (Microsoft, "Registry Redirector": KEY_WOW64_64KEY), read on demand."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.typing import Any

_HIVES = {
    "HKLM": "HKEY_LOCAL_MACHINE",
    "HKCU": "HKEY_CURRENT_USER",
    "HKCR": "HKEY_CLASSES_ROOT",
    "HKU": "HKEY_USERS",
}


class LiveRegistry:
    """Values and subkeys of keys, each key read once."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Mapping[str, object], tuple[str, ...]] | None] = {}

    def values(self, key: str) -> Mapping[str, object] | None:
        """Values of `key` (written `HKLM\\…`); an empty mapping where it is absent, None where it may not be read."""
        found = self._key(key)
        return None if found is None else found[0]

    def subkeys(self, key: str) -> tuple[str, ...] | None:
        """Names of the keys below `key`; none where it is absent, None where it may not be read."""
        found = self._key(key)
        return None if found is None else found[1]

    def _key(self, key: str) -> tuple[Mapping[str, object], tuple[str, ...]] | None:
        folded = key.lower()
        if folded not in self._read:
            self._read[folded] = _read(key)
        return self._read[folded]


def _read(key: str) -> tuple[Mapping[str, object], tuple[str, ...]] | None:
    registry = _winreg()
    hive, _, path = key.replace("/", "\\").partition("\\")
    name = _HIVES.get(hive.upper(), hive.upper())
    if not hasattr(registry, name):
        return None
    found: dict[str, object] = {}
    try:
        with registry.OpenKey(getattr(registry, name), path, 0, registry.KEY_READ | registry.KEY_WOW64_64KEY) as handle:
            keys, values, _ = registry.QueryInfoKey(handle)
            for index in range(values):
                value = registry.EnumValue(handle, index)
                found[value[0]] = value[1]
            below = [registry.EnumKey(handle, index) for index in range(keys)]
    except FileNotFoundError:
        return {}, ()
    except OSError:
        return None
    return found, tuple(sorted(below, key=str.lower))


def _winreg() -> Any:
    import winreg

    return winreg
