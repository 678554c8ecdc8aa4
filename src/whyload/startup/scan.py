"""A first, cheap look at source text: what a module imports when it is imported, and whether it can matter for native code.

It errs on the side of reading: a false hit costs time, a missed one an event. The lines of a block are found by their
first word and indentation alone (Python reference, "Compound statements").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKER = re.compile(
    r"add_dll_directory|AddDllDirectory|SetDllDirectory|SetDefaultDllDirectories|LoadLibrary|CDLL\b|WinDLL\b|PyDLL\b|OleDLL\b"
    r"|\b(?:windll|cdll|oledll|pydll)\b|\bdlopen\b|find_library|load_library\b|import_module\(|__import__\(|__path__"
    r"|environ\[[^\]\n]*\]\s*\+?=[^=]|environ\.(?:setdefault|update|pop)\b|putenv\(|sys\.path\b\s*(?:\.|\[|\+?=)|\bexec\("
    r"|spec_from_file_location|_distributor_init|sys\.exit\("
)
_LINE = re.compile(
    r"(?:^|\n|;)([ \t]*)(?:"
    r"from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|(?:[^\n;#\\]|\\\r?\n)*)"
    r"|import[ \t]+(?P<modules>[\w.][^\n;#]*)"
    r"|(?P<block>def|class|async|try|if|elif|else|except|finally|with|for|while|match)\b(?P<head>[^\n]*)"
    r"|(?P<raise>raise)\b)"
)
_NAME = re.compile(r"(\w+)(?:\s+as\s+\w+)?")
_COMMENT = re.compile(r"#[^\n]*")
_NEVER = re.compile(r"\s*(?:typing\.|t\.|_t\.)?TYPE_CHECKING\s*:|\s*__name__\s*==|\s*False\s*:|\s*0\s*:")


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One import: `level` leading dots, the module, the names taken from it (empty for `import module`)."""

    level: int
    module: str
    names: tuple[str, ...]
    guarded: bool
    """True inside a block of any kind (try, if …)."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What one source text does when it is imported, as far as a first look shows."""

    imports: tuple[ImportLine, ...]
    marked: bool
    """It may load a library, change the search or end the import."""


def scan(text: str) -> Scan:
    """Look through `text` once."""
    imports: list[ImportLine] = []
    marked = _MARKER.search(text) is not None
    blocks: list[tuple[int, str]] = []
    for match in _LINE.finditer(text):
        indent = len(match[1].expandtabs())
        while blocks and blocks[-1][0] >= indent:
            blocks.pop()
        inert = any(kind == "inert" for _, kind in blocks)
        if match["block"]:
            blocks.append((indent, _kind(match["block"], match["head"], match["head"].strip())))
            if not inert and blocks[-1][1] != "inert":
                inner, raises = _same_line(match["head"])
                imports.extend(inner)
                marked = marked or raises
        elif not inert:
            if match["raise"]:
                marked = True
            else:
                imports.extend(_imports(match, guarded=bool(blocks)))
    return Scan(imports=tuple(imports), marked=marked)


def _kind(word: str, head: str, stripped: str) -> str:
    if word == "def" or (word == "async" and stripped.startswith("def")):
        return "inert"
    if word in ("if", "elif") and _NEVER.match(head):
        return "inert"
    return "block"


def _same_line(head: str) -> tuple[list[ImportLine], bool]:
    _, colon, rest = head.rpartition(":")
    rest = rest.strip()
    if not colon or not rest.startswith(("import ", "from ", "raise")):
        return [], False
    if rest.startswith("raise"):
        return [], True
    match = _LINE.match(rest)
    return (list(_imports(match, guarded=True)) if match else []), False


def _imports(match: re.Match[str], *, guarded: bool) -> Iterator[ImportLine]:
    if match["modules"] is not None:
        for part in match["modules"].split(","):
            if name := re.match(r"\s*([\w.]+)", part):
                yield ImportLine(0, name[1], (), guarded)
        return
    base = match["base"] or ""
    module = base.lstrip(".")
    names = _COMMENT.sub("", match["names"]).strip("() \t\\\r\n")
    taken = ("*",) if names.startswith("*") else tuple(name[1] for name in _NAME.finditer(names) if name[1] != "as")
    yield ImportLine(len(base) - len(module), module, taken, guarded)
