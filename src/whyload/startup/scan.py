"""A first, cheap look at source text: what a module imports, and whether it can matter for native code.

It errs on the side of reading: a false hit costs time, a missed one an event. The lines of a block are found by their
first word and indentation alone (Python reference, "Compound statements").
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from whyload.base.dataclass import dataclass, replace
from whyload.base.typing import Final

_LOADS = (
    "add_dll_directory",
    "AddDllDirectory",
    "SetDllDirectory",
    "SetDefaultDllDirectories",
    "LoadLibrary",
    "CDLL(",
    "CDLL)",
    "WinDLL",
    "PyDLL",
    "OleDLL",
    "windll",
    "cdll.",
    "cdll[",
    "oledll",
    "dlopen",
    "find_library",
    "load_library",
    "spec_from_file_location",
)
"""Words that count wherever they stand."""
_CHANGES = (
    ("import_module(", re.compile(r"import_module\(")),
    ("__import__(", re.compile(r"__import__\(")),
    ("__path__", re.compile(r"__path__")),
    ("environ", re.compile(r"environ(?:\[[^\]\n]*\]\s*\+?=[^=]|\.(?:setdefault|update|pop)\b)")),
    ("putenv(", re.compile(r"putenv\(")),
    ("sys.path", re.compile(r"sys\.path\b\s*(?:\.|\[|\+?=)")),
    ("sys.exit(", re.compile(r"sys\.exit\(")),
    ("exec(", re.compile(r"(?<![\w.])exec\(")),
)
"""Words that count in code that runs when the module is imported."""
MARKERS: Final = (*_LOADS, *(word for word, _ in _CHANGES))
"""Words without which no text loads a library or changes how one is searched."""
_DECIDABLE = re.compile(r"version|platform|maxsize|exist|isfile|isdir|os\.name|calcsize|err|exc|missing|None")
_LINE = re.compile(
    r"[\n;]([ \t]*)(?:"
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


@functools.cache
def outside(indent: int) -> re.Pattern[str]:
    """A line that is indented no deeper, and does not end the brackets of the line that opened the block."""
    return re.compile(rf"\n(?= {{0,{indent}}}[^\s#)\]}}])")


def scan(text: str) -> Scan:
    """Look through `text` once."""
    return _Scanner(text).run()


class _Scanner:
    """One look through one text."""

    def __init__(self, text: str) -> None:
        self.text = f"\n{text}"
        self.imports: list[ImportLine] = []
        self.marked = any(word in text for word in _LOADS)
        self.handler_raises = False
        self.blocks: list[tuple[int, str, str]] = []
        self.functions: list[tuple[int, int, str]] = []
        """Start and end of top-level functions (and what is inert), with their names."""

    def run(self) -> Scan:
        """The result."""
        match = _LINE.search(self.text)
        while match is not None:
            position = self._end(match) if self._line(match) else match.end()
            match = _LINE.search(self.text, position)
        self._close(0, len(self.text))
        marked = self.marked or self._changes()
        imports = tuple(self.imports)
        if self.handler_raises:
            imports = tuple(replace(line, guarded=False) for line in imports)
        return Scan(imports=imports, marked=marked)

    def _line(self, match: re.Match[str]) -> bool:
        """Take one line in; True where it opens a block that does not run."""
        indent = len(match[1].expandtabs())
        self._close(indent, match.start(1))
        inert = any(kind == "inert" for _, kind, _ in self.blocks)
        kind = ""
        if match["block"]:
            head = match["head"]
            kind = _kind(match["block"], head, head.strip())
            if kind == "inert" and not inert:
                self.functions.append((match.start(1), -1, head.strip().removeprefix("def ").partition("(")[0].strip()))
            self.blocks.append((indent, kind, match["block"] + head))
            if not inert and kind != "inert":
                self._same_line(head)
        elif not inert and match["raise"]:
            self._raises()
        elif not inert:
            self.imports.extend(_imports(match, guarded=bool(self.blocks)))
        return match["block"] is not None and not inert and kind == "inert"

    def _end(self, match: re.Match[str]) -> int:
        """Where the block that a line opens ends: what is in it need not be looked at."""
        indent = match[1]
        if "\t" in indent:
            return match.end()
        end = outside(len(indent)).search(self.text, match.end())
        return end.start() if end is not None else len(self.text)

    def _close(self, indent: int, position: int) -> None:
        while self.blocks and self.blocks[-1][0] >= indent:
            _, kind, _ = self.blocks.pop()
            if kind == "inert" and not any(outer == "inert" for _, outer, _ in self.blocks):
                start, _, name = self.functions[-1]
                self.functions[-1] = (start, position, name)

    def _raises(self) -> None:
        inner = self.blocks[-1][2] if self.blocks else ""
        if any(head.startswith("except") for _, _, head in self.blocks):
            self.handler_raises = True
        elif not inner.startswith(("if", "elif")) or _DECIDABLE.search(inner):
            self.marked = True

    def _same_line(self, head: str) -> None:
        _, colon, rest = head.rpartition(":")
        rest = rest.strip()
        if colon and rest.startswith("raise"):
            self._raises()
        elif colon and rest.startswith(("import ", "from ")) and (match := _LINE.match(f"\n{rest}")):
            self.imports.extend(_imports(match, guarded=True))

    def _changes(self) -> bool:
        return any(
            word in self.text and any(self._runs(match.start()) for match in pattern.finditer(self.text))
            for word, pattern in _CHANGES
        )

    def _runs(self, position: int) -> bool:
        """Does the code at `position` run on import? That of a function does where the module calls it itself."""
        line = self.text.rfind("\n", 0, position) + 1
        first = len(self.text[line:position]) - len(self.text[line:position].lstrip())
        if not first:
            return True
        for start, end, name in self.functions:
            if start <= position < end:
                return (
                    bool(name) and re.search(rf"(?:^|\n)[^\n#]*(?<!def )\b{re.escape(name)}\(", self.text) is not None
                )
        return True


def has_marker(text: str) -> bool:
    """May this text load a library or change how one is searched?"""
    return any(word in text for word in _LOADS) or any(
        word in text and pattern.search(text) is not None for word, pattern in _CHANGES
    )


def _kind(word: str, head: str, stripped: str) -> str:
    if word == "def" or (word == "async" and stripped.startswith("def")):
        return "inert"
    if word in ("if", "elif") and _NEVER.match(head):
        return "inert"
    return "block"


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
