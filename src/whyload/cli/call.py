"""How a library is loaded, from `--how` and `--flags` (docs/contract.md, section 1)."""

from __future__ import annotations

from whyload.base.errors import UsageError

_HOWS = ("import", "ctypes", "exe")


def call_of(how: str, flags: object) -> tuple[str, int | None]:
    """(how, flags): flags are None where `how` decides. Raises UsageError where a text cannot be read."""
    if flags is not None and flags != "":
        return "import", _number(flags, "--flags")
    if how.startswith("winmode="):
        return "ctypes", _number(how.removeprefix("winmode="), "--how winmode")
    if how not in _HOWS:
        raise UsageError(f"--how: {how!r} is none of import, ctypes, winmode=N, exe")
    return how, None


def _number(value: object, option: str) -> int:
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        return value if isinstance(value, int) else int(value, 0)
    except ValueError:
        raise UsageError(f"{option}: {value!r} is no number such as 0x1100") from None
