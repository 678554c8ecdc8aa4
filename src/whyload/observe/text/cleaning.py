"""What terminals, notebooks, containers, build servers and mail put around a message, taken off.

Source: ECMA-48 (control sequences); the log formats of Docker Compose, BuildKit, GitHub Actions, pytest and rich.
"""

from __future__ import annotations

from whyload.base.regular import regular

_ESCAPES = regular(r"\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\x1b[\[(][0-?]{0,30}[ -/]{0,4}[@-~]|\x1b[@-_]")
_LOST_ESCAPES = regular(r"\[\d{1,3}(?:;\d{1,3}){0,5}m|\[m(?![\]\w])")
"""Colours whose escape character was lost on the way through a web form: `[0;31m`."""
_BOX = regular(r"[\u2500-\u257f\u2580-\u259f\u23b8]+")
_PREFIXES = tuple(
    regular(pattern)
    for pattern in (
        r"[>|](?:\s?[>|]){0,3}\s?",  # quoted mail, YAML-like bars
        r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s",
        r"\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?\s",
        r"#\d{1,4} (?:\d{1,6}\.\d{1,4} )?",
        r"[A-Za-z][\w.-]{0,40}\s{1,20}\|\s?",
        r"##\[(?:error|warning|group|debug)\]|::(?:error|warning)[^:]{0,200}::",
        r"E(?:\s{2,7}(?=\S)| {3}(?=\s))",  # pytest, also before lines that are indented
        r"(?:stderr|stdout)(?: \||:)\s?",
    )
)
_NOTES = 3
"""Prefixes that can stand before one another."""


def clean(text: str) -> str:
    """The text without colours, boxes, and the prefixes of logs; line ends are single newlines."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "m" in text and "[" in text:
        text = _LOST_ESCAPES.sub("", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    return "\n".join(_without_frame(line) for line in text.split("\n"))


def _without_frame(line: str) -> str:
    if line.isascii():
        return _without_prefix(line)
    return _without_prefix(_BOX.sub(" ", line).strip(" \u00a0"))


def _without_prefix(line: str) -> str:
    for _ in range(_NOTES):
        shorter = next((line[match.end() :] for pattern in _PREFIXES if (match := pattern.match(line))), line)
        if shorter == line:
            return line
        line = shorter
    return line
