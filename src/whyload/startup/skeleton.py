"""The part of a source text that can matter for native code: long functions and classes without a hint are left out,
and the bodies of other long functions until they are called.

Parsing is most of the cost of reading a large package. Line numbers stay as they are. Where the result does not parse
(a line of a string looks like code), the whole text is parsed instead.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Sequence

from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.scan import outside
from whyload.startup.words import CHANGES, LOADS, has_load, has_marker

if TYPE_CHECKING:
    from whyload.base.typing import TypeAlias

_BLOCK = regular(r"\n([ \t]*)(async[ \t]+def|def|class)[ \t]+(\w+)")
"""Starts with a fixed character, as the pattern of `scan` does, which makes the search several times faster."""
_CLASS = regular(r"class[ \t]+\w+[ \t]*(?:\([^()]*\))?[ \t]*:")
_SIGNS = regular(r""""[^"\\\n]*"|'[^'\\\n]*'|[()\[\]{}:"'#\\]""")
"""What counts between the name of a function and the colon of its header: short strings as a whole."""
_NEXT_LINE = regular(r"[ \t]*(?:#[^\n]*)?\r?\n")
_ODD = regular(r"[\t\f\0]")
"""Marks that count for more than one column, or for none."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
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


Bodies: TypeAlias = "dict[int, tuple[str, Sequence[str]]]"
"""Functions whose bodies were put off, by the number of their line: the text of each, whole and at its own line, and
the words that make a block in it matter.
"""


def parse(text: str, bodies: Bodies | None = None) -> ast.Module | None:
    """The tree of a source text; None where it is none that this Python understands.

    Long functions have `...` for a body where `bodies` is given, which takes in what they are.
    """
    later: Bodies | None = {} if bodies is not None else None
    thin = skeleton(text, later) if len(text) > _SHORT else text
    tree = _parse(thin) if thin is not text else None
    if tree is not None and bodies is not None and later is not None:
        bodies.update(later)
    return tree if tree is not None else _parse(text)


def complete(function: ast.AST, bodies: Bodies) -> None:
    """Give a function its body, if that was put off."""
    found = bodies.pop(function.lineno, None) if isinstance(function, _FUNCTIONS) else None
    if found is None:
        return
    text, hints = found
    tree = _parse(skeleton(text, hints=hints)) or _parse(text)
    first = tree.body[0] if tree is not None else None
    whole = first.body[0] if isinstance(first, ast.If) else first
    if isinstance(whole, _FUNCTIONS) and isinstance(function, _FUNCTIONS):
        function.body, function.end_lineno = whole.body, whole.end_lineno


def skeleton(whole: str, bodies: Bodies | None = None, hints: Sequence[str] | None = None) -> str:
    """The text with the bodies of long, harmless blocks replaced by `...`; the text itself where none is.

    Where `bodies` is given, those of other long functions are put there and replaced as well. `hints`: the words that
    make a block matter, where this is a part of a text in which they were looked for.
    """
    pieces: list[str] = []
    done = 0
    if hints is None:
        hints = [word for word in (*_HINTS, *CHANGES, *(LOADS if has_load(whole) else ())) if word in whole]
    text = f"\n{whole}"
    line, counted = 0, 0
    for match in _BLOCK.finditer(text):
        start = match.start(1)
        if start < done or "\t" in match[1]:
            continue
        end_match = outside(len(match[1])).search(text, match.end())
        end = end_match.start() if end_match else len(text)
        if end - start < _SHORT:
            continue
        if not any(text.find(word, start, end) >= 0 for word in hints):
            header = _header(text, match)
        elif bodies is not None and (header := _whole_header(text, match, end)) is not None:
            line, counted = line + text.count("\n", counted, start), start
            bodies[line] = _placed(text[start:end], line, match[1]), hints
            header += " ..."
        else:
            continue
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


def _whole_header(text: str, block: re.Match[str], end: int) -> str | None:
    """The header of a function as it stands, with what opens its body; None where it is not sure where body or function
    end: the end of a text may be missing, a line of a string or a continued line may stand further left.
    """
    start = block.start(1)
    if block[2] == "class" or end == len(text) or text[end - 2 : end].rstrip("\r").endswith("\\"):
        return None
    if any(text.count(quotes, start, end) % 2 for quotes in ('"""', "'''")) or _ODD.search(text, start, end):
        return None
    depth = 0
    for sign in _SIGNS.finditer(text, block.end(), end):
        if sign[0] in "([{":
            depth += 1
        elif sign[0] in ")]}":
            depth -= 1
        elif sign[0] in "\"'#\\":
            return None
        elif sign[0] == ":" and not depth:
            return text[start : sign.end()] if _NEXT_LINE.match(text, sign.end()) else None
    return None


def _placed(text: str, line: int, indent: str) -> str:
    """A function's text so that it parses by itself, at its own line."""
    if not indent:
        return "\n" * (line - 1) + text
    return "\n" * (line - 2) + "if 1:\n" + text


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
    most = len(text) + 2 * text.count("\n")  # one for each character, three for a line's end
    return most > _MOST_JOINTS and sum(map(text.count, _JOINTS)) > _MOST_JOINTS


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
