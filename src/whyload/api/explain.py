"""`explain`: a pasted text, from a file or from standard input."""

from __future__ import annotations

import io
import sys
from typing import IO

from whyload.base.dataclass import replace
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.engine.explain import explain
from whyload.findings.candidate import Explanation
from whyload.observe.text.selection import read_selected


def explain_file(name: str | None) -> Explanation:
    """The causes that a text speaks for; None or `-` is standard input. Raises UsageError where it cannot be read."""
    if name in (None, "-"):
        return _answer(sys.stdin.buffer if sys.stdin is not None else io.BytesIO())
    try:
        with open(str(name), "rb") as stream:  # noqa: PTH123 - pathlib is not worth its import here
            return _answer(stream)
    except (OSError, ValueError) as error:
        raise UsageError(_unreadable(str(name), getattr(error, "strerror", None) or error)) from None


def _unreadable(name: str, why: object) -> Message:
    return Message(en=f"cannot read {name}: {why}", zh=f"无法读取 {name}：{why}")


def _answer(stream: IO[bytes]) -> Explanation:
    explanation = explain(read_selected(stream))
    return replace(explanation, look=_look_here(explanation))


def _look_here(explanation: Explanation) -> str | None:
    """The command that looks at this machine, where it is of the kind in question and the module is installed on it."""
    here = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    top = (explanation.module or "").partition(".")[0]
    if (
        here != "windows"
        or explanation.platform not in (here, None)
        or not explanation.candidates
        or not top.isidentifier()
    ):
        return None
    from importlib.util import find_spec

    try:
        return f"whyload {top}" if find_spec(top) is not None else None
    except (ImportError, ValueError):
        return None
