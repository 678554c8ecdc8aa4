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
            return _answer(stream, name)
    except (OSError, ValueError) as error:
        raise UsageError(_unreadable(str(name), getattr(error, "strerror", None) or error)) from None


def _unreadable(name: str, why: object) -> Message:
    return Message(en=f"cannot read {name}: {why}", zh=f"无法读取 {name}：{why}")


_SIGNATURES = (
    (
        (b"PK\x03\x04",),
        Message(
            en="a zip archive, no text; a snapshot is answered by `whyload import --snapshot FILE`",
            zh="是 zip 压缩包，不是文本；快照请用 `whyload import --snapshot FILE` 分析",
        ),
    ),
    (
        (b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh9", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"),
        Message(en="a packed file, no text: unpack it first", zh="是压缩文件，不是文本：请先解压"),
    ),
    (
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8"),
        Message(en="a picture, no text: copy or type what it shows", zh="是图片，不是文本：请把图中的文字复制或打出来"),
    ),
    (
        (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"),
        Message(en="a library or a program, no text", zh="是库文件或程序，不是文本"),
    ),
    (
        (b"MZ\x90\x00", b"MZ\x00\x00"),
        Message(
            en="a library or a program, no text; `whyload load FILE` looks at it",
            zh="是库文件或程序，不是文本；请用 `whyload load FILE` 检查",
        ),
    ),
)
"""How files begin that people give although there is nothing to read in them, and what helps.
Source: https://en.wikipedia.org/wiki/List_of_file_signatures"""


def _answer(stream: IO[bytes], name: str | None = None) -> Explanation:
    text = read_selected(stream)
    for beginnings, said in _SIGNATURES:
        if text.startswith(beginnings):
            raise UsageError(
                Message(en=f"{name or 'standard input'} is {said.en}", zh=f"{name or '标准输入'} {said.zh}")
            )
    explanation = explain(text)
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
