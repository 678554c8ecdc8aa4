"""An interpreter that does not start, since a file elsewhere answers for a module of its own."""

from __future__ import annotations

from whyload.base.regular import regular

_NO_START = regular(
    r"Fatal Python error: _?init\w{2,30}:[^\n]*\n(?:[^\n]*\n){0,6}?[^\n]*File \"([^\"\n]{1,300}[\\/]"
    r"(io|abc|codecs|encodings|os|site|stat|locale|types|enum)(?:[\\/]__init__)?\.py)\""
)
_OF_PYTHON = regular(r"(?i)[\\/]lib(?:[\\/]python\d[\d.]*)?[\\/](?:encodings[\\/])?\w+\.py$")


def answers_at_start(text: str) -> tuple[str, str] | None:
    """The file, and the module of Python's that it answers for."""
    fatal = _NO_START.search(text)
    return (fatal[1], fatal[2]) if fatal is not None and not _OF_PYTHON.search(fatal[1]) else None
