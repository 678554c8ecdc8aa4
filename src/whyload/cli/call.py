"""How a library is loaded, from `--how` and `--flags` (docs/contract.md, section 1)."""

from __future__ import annotations

from whyload.base.errors import UsageError
from whyload.base.message import Message

_HOWS = ("import", "ctypes", "exe")


def call_of(how: str, flags: object) -> tuple[str, int | None]:
    """(how, flags): flags are None where `how` decides. Raises UsageError where a text cannot be read."""
    if flags is not None and flags != "":
        return "import", _number(flags, "--flags")
    if how.startswith("winmode="):
        return "ctypes", _number(how.removeprefix("winmode="), "--how winmode")
    if how not in _HOWS:
        raise UsageError(
            Message(
                en=f"--how: {how!r} is none of import, ctypes, winmode=N, exe",
                zh=f"--how 的值不能是 {how!r}，只能是 import、ctypes、winmode=N、exe 之一",
            )
        )
    return how, None


def _number(value: object, option: str) -> int:
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        return value if isinstance(value, int) else int(value, 0)
    except ValueError:
        raise UsageError(
            Message(
                en=f"{option}: {value!r} is no number such as 0x1100",
                zh=f"{option} 的值应为 0x1100 这样的数，而不是 {value!r}",
            )
        ) from None
