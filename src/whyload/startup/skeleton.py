"""The part of a source text that can matter for native code: long functions and classes without a hint are left out.

Parsing is most of the cost of reading a large package. Line numbers stay as they are. Where the result does not parse
(a line of a string looks like code), the whole text is parsed instead.
"""

from __future__ import annotations

import ast
import re
import warnings

from whyload.startup.scan import has_marker

_BLOCK = re.compile(r"(?:^|(?<=\n))(?:async[ \t]+def|def|class)[ \t]+(\w+)")
_NEXT = re.compile(r"\n(?=[^\s#)\]}])")
_CLASS = re.compile(r"class[ \t]+\w+[ \t]*(?:\([^()]*\))?[ \t]*:")
_HINT = re.compile(r"\bimport |ImportError|OSError|os\.path|__file__|environ|Path\(|\.dll|__getattr__|globals\(")
_SHORT = 700
"""Characters; a function that is shorter is kept whatever it does, it may compute a path."""


def parse(text: str) -> ast.Module | None:
    """The tree of a source text; None where it is none that this Python understands."""
    thin = skeleton(text)
    tree = _parse(thin) if thin is not text else None
    return tree if tree is not None else _parse(text)


def skeleton(text: str) -> str:
    """The text with the bodies of long, harmless blocks replaced by `...`; the text itself where none is."""
    pieces: list[str] = []
    done = 0
    for match in _BLOCK.finditer(text):
        if match.start() < done:
            continue
        end_match = _NEXT.search(text, match.end())
        end = end_match.start() if end_match else len(text)
        block = text[match.start() : end]
        if len(block) < _SHORT or is_hinting(block):
            continue
        header = _header(block, match[1])
        if header is None:
            continue
        pieces.append(text[done : match.start()] + header + "\n" * (block.count("\n") - header.count("\n")))
        done = end
    return "".join([*pieces, text[done:]]) if pieces else text


def _header(block: str, name: str) -> str | None:
    if not block.startswith("class"):
        return f"def {name}(*args, **kwargs): ..."
    match = _CLASS.match(block)
    return f"{match[0]} ..." if match else None


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
    return _HINT.search(text) is not None or has_marker(text)


def _parse(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
