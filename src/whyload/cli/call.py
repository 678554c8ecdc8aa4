"""The flags of a load call, from `--how` or `--flags` (loader.md 3.1, 3.4)."""

from __future__ import annotations

from whyload.base.errors import UsageError


def flags_of(how: str, flags: object, file: str) -> int:
    """The flags that are meant. Raises UsageError where neither text can be read."""
    if flags is not None:
        return _number(flags, "--flags")
    if how == "import":
        return 0x1100
    if how == "ctypes":
        return 0x1100 if any(mark in file for mark in "\\/") else 0x1000
    if how == "exe":
        return 0
    if how.startswith("winmode="):
        return _number(how.removeprefix("winmode="), "--how winmode")
    raise UsageError(f"--how: {how!r} is none of import, ctypes, winmode=N, exe")


def _number(value: object, option: str) -> int:
    try:
        if isinstance(value, int):
            return value
        return int(str(value), 0)
    except ValueError:
        raise UsageError(f"{option}: {value!r} is no number such as 0x1100") from None
