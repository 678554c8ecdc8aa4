"""The part of a source text that can matter for native code: long functions and classes without a hint are left out.

Parsing is most of the cost of reading a large package. Line numbers stay as they are. Where the result does not parse
(a line of a string looks like code), the whole text is parsed instead.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings

from whyload.base.regular import regular
from whyload.startup.scan import CHANGES, LOADS, has_load, has_marker, outside

_BLOCK = regular(r"\n([ \t]*)(async[ \t]+def|def|class)[ \t]+(\w+)")
"""Starts with a fixed character, as the pattern of `scan` does, which makes the search several times faster."""
_CLASS = regular(r"class[ \t]+\w+[ \t]*(?:\([^()]*\))?[ \t]*:")
_HINTS = (
    "import ",
    "ImportError",
    "OSError",
    "os.path",
    "__file__",
    "environ",
    "Path(",
    ".dll",
    "__getattr__",
    "globals(",
)
_JOINTS = (
    "\n", "\n", "\n", ",", ".", "(", "[", "{", "=", ":", ";", "+", "-", "*", "/", "<", ">", "|", "&",
    " or ", " and ", " is ",
)  # fmt: skip
_MOST_JOINTS = 120_000
"""A tree takes memory and time by its nodes, of which there are about as many as such marks, and about three for each
line; hardly a module of a published package comes near. Beyond, a text counts as one that does not parse."""
_SHORT = 700
"""Characters; a function that is shorter is kept whatever it does, it may compute a path."""


def parse(text: str) -> ast.Module | None:
    """The tree of a source text; None where it is none that this Python understands."""
    thin = skeleton(text) if len(text) > _SHORT else text
    tree = _parse(thin) if thin is not text else None
    return tree if tree is not None else _parse(text)


def skeleton(whole: str) -> str:
    """The text with the bodies of long, harmless blocks replaced by `...`; the text itself where none is."""
    pieces: list[str] = []
    done = 0
    hints = [word for word in (*_HINTS, *CHANGES, *(LOADS if has_load(whole) else ())) if word in whole]
    text = f"\n{whole}"
    for match in _BLOCK.finditer(text):
        start = match.start(1)
        if start < done or "\t" in match[1]:
            continue
        end_match = outside(len(match[1])).search(text, match.end())
        end = end_match.start() if end_match else len(text)
        if end - start < _SHORT or any(text.find(word, start, end) >= 0 for word in hints):
            continue
        header = _header(text, match)
        if header is None:
            continue
        pieces.append(text[done:start] + header + "\n" * (text.count("\n", start, end) - header.count("\n")))
        done = end
    return "".join([*pieces, text[done:]])[1:] if pieces else whole


def _header(text: str, block: re.Match[str]) -> str | None:
    if block[2] != "class":
        return f"{block[1]}def {block[3]}(*args, **kwargs): ..."
    match = _CLASS.match(text, block.start(2))
    return f"{block[1]}{match[0]} ..." if match else None


def is_stub(body: list[ast.stmt]) -> bool:
    """True for a body that was left out (or that is `...` itself)."""
    first = body[0]
    return (
        len(body) == 1
        and isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and first.value.value is ...
    )


def is_hinting(text: str) -> bool:
    """May code of this text matter for native code?"""
    return any(hint in text for hint in _HINTS) or has_marker(text)


def is_too_dense(text: str) -> bool:
    """Would its tree take more than a module that somebody wrote? Such a text is not parsed."""
    return len(text) > _MOST_JOINTS // 3 and sum(map(text.count, _JOINTS)) > _MOST_JOINTS  # three for a line's end


def _parse(text: str) -> ast.Module | None:
    if is_too_dense(text):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def is_no_python(text: str, version: tuple[int, int]) -> bool:
    """True only where a Python of that version does not take the text either: this one is as new and its parser has
    said so. What is too deep or too large for this process says nothing.
    """
    if version > sys.version_info[:2] or is_too_dense(text):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return True
        except (RecursionError, MemoryError):
            return False
    return False
