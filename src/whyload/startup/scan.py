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

LOADS = (
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
_STEMS = ("dll", "dlopen", "library", "spec_from_file_location")
"""One of them is in each of those, in small letters."""
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
CHANGES: Final = tuple(word for word, _ in _CHANGES)
"""Those words alone; without them and `LOADS` no text loads a library or changes how one is searched."""
_DECIDABLE = re.compile(r"version|platform|maxsize|exist|isfile|isdir|os\.name|calcsize|err|exc|missing|None")
_BLOCKS = "def|class|async|try|if|elif|else|except|finally|with|for|while|match"
_TELLING = (
    r"([ \t]*)(?:"
    r"from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|(?:[^\n;#\\]|\\\r?\n)*)"
    r"|import[ \t]+(?P<modules>[\w.][^\n;#]*)"
    rf"|(?P<block>{_BLOCKS})\b(?P<head>[^\n]*)"
    r"|(?P<raise>raise)\b)"
)
_LINE = re.compile(rf"\n{_TELLING}")
"""Starts with a fixed character, which makes the search four times faster than the other pattern's."""
_STATEMENT = re.compile(rf"[\n;]{_TELLING}")
_SECOND = re.compile(rf";[ \t]*(?:from|import|{_BLOCKS}|raise)\b")
"""A statement that is not the first of its line: rare, and seldom in code."""
_MOST_IMPORTS = 20_000
"""Beyond, a text is no module that anybody wrote; it is read as one that may do anything."""
_INNER_IMPORT = re.compile(r"\n[ \t]+(?:from[ \t]+[.\w]+[ \t]+import|import)[ \t(]")
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
    loaders: tuple[str, ...] = ()
    """Its own functions that may do so and that it does not call itself: whoever calls them does it."""


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
        self.marked = has_load(text)
        self.handler_raises = False
        self.blocks: list[tuple[int, bool, str]] = []
        """Indentation, whether what is in it does not run, and the line, from the outermost block inwards."""
        self.inert = 0
        """How many of them do not run."""
        self.functions: list[tuple[int, int, str]] = []
        """Start and end of top-level functions (and what is inert), with their names."""
        self.loaders: list[str] = []

    def run(self) -> Scan:
        """The result."""
        search = (_STATEMENT if _SECOND.search(self.text) else _LINE).search
        match = search(self.text)
        while match is not None and len(self.imports) < _MOST_IMPORTS:
            position = self._end(match) if self._line(match) else match.end()
            match = search(self.text, position)
        self._close(0, len(self.text))
        marked = self.marked or len(self.imports) >= _MOST_IMPORTS or self._changes()
        loaders = () if marked else tuple(dict.fromkeys(self.loaders))
        imports = tuple(self.imports)
        if self.handler_raises:
            imports = tuple(replace(line, guarded=False) for line in imports)
        return Scan(imports=imports, marked=marked, loaders=loaders)

    def _line(self, match: re.Match[str]) -> bool:
        """Take one line in; True where it opens a block that does not run."""
        spaces, word = match[1], match["block"]
        indent = len(spaces.expandtabs()) if spaces else 0
        if self.blocks and self.blocks[-1][0] >= indent:
            self._close(indent, match.start(1))
        if word is not None:
            return self._block(match, word, match["head"], indent)
        if self.inert:
            return False
        if match["raise"]:
            self._raises()
        else:
            self.imports.extend(_imports(match, guarded=bool(self.blocks)))
        return False

    def _block(self, match: re.Match[str], word: str, head: str, indent: int) -> bool:
        within, is_inert = self.inert > 0, _is_inert(word, head)
        if is_inert:
            self.inert += 1
            if not within:
                name = head.strip().removeprefix("def ").partition("(")[0].strip()
                self.functions.append((match.start(1), -1, name))
        elif not within:
            self._same_line(head)
        self.blocks.append((indent, is_inert, word + head))
        return is_inert and not within

    def _end(self, match: re.Match[str]) -> int:
        """Where the block that a line opens ends: what is in it need not be looked at."""
        indent = match[1]
        if "\t" in indent:
            return match.end()
        end = outside(len(indent)).search(self.text, match.end())
        return end.start() if end is not None else len(self.text)

    def _close(self, indent: int, position: int) -> None:
        while self.blocks and self.blocks[-1][0] >= indent:
            _, is_inert, _ = self.blocks.pop()
            if is_inert:
                self.inert -= 1
                if not self.inert:
                    start, _, name = self.functions[-1]
                    self.functions[-1] = (start, position, name)

    def _raises(self) -> None:
        inner = self.blocks[-1][2] if self.blocks else ""
        if any(head.startswith("except") for _, _, head in self.blocks):
            self.handler_raises = True
        elif not inner.startswith(("if", "elif")) or _DECIDABLE.search(inner):
            self.marked = True

    def _same_line(self, head: str) -> None:
        if head.endswith(":"):
            return
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
                if not name or calls(self.text, name):
                    return bool(name)
                self.loaders.append(name)
                return False
        return True


def imports_inside(text: str, name: str) -> bool:
    """Does the function or class `name` of the module hold import statements of its own?"""
    if not name or not _INNER_IMPORT.search(text):
        return False
    match = re.search(rf"(?:^|\n)([ \t]*)(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b", text)
    if match is None:
        return False
    end = outside(len(match[1])).search(text, match.end())
    return _INNER_IMPORT.search(text, match.end(), end.start() if end is not None else len(text)) is not None


def has_load(text: str) -> bool:
    """May this text load a library, or say where one is searched?"""
    small = text.lower()
    return any(stem in small for stem in _STEMS) and any(word in text for word in LOADS)


def calls(text: str, name: str) -> bool:
    """Does the text call a function of that name anywhere?"""
    return name in text and re.search(rf"(?:^|\n)[^\n#]*(?<!def )\b{re.escape(name)}\(", text) is not None


def has_marker(text: str) -> bool:
    """May this text load a library or change how one is searched?"""
    return has_load(text) or any(word in text and pattern.search(text) is not None for word, pattern in _CHANGES)


def _is_inert(word: str, head: str) -> bool:
    """A function, or a condition that is not met when Python runs the module."""
    if word in ("if", "elif"):
        return _NEVER.match(head) is not None
    return word == "def" or (word == "async" and head.lstrip().startswith("def"))


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
