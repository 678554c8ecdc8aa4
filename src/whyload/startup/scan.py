"""A first, cheap look at source text: what a module imports, and whether it can matter for native code.

It errs on the side of reading: a false hit costs time, a missed one an event. The lines of a block are found by their
first word and indentation alone (Python reference, "Compound statements").
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator

from whyload.base.dataclass import dataclass, replace
from whyload.base.regular import regular
from whyload.startup.prose import Prose
from whyload.startup.words import changes, has_load, places_of

_DECIDABLE = regular(r"version|platform|maxsize|exist|isfile|isdir|os\.name|calcsize|err|exc|missing|None")
_BLOCKS = "def|class|async|try|if|elif|else|except|finally|with|for|while|match"
_TELLING = (
    r"([ \t]*)(?:"
    r"from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|(?:[^\n;#\\]|\\\r?\n)*)"
    r"|import[ \t]+(?P<modules>[\w.][^\n;#]*)"
    rf"|(?P<block>{_BLOCKS})\b(?P<head>[^\n]*)"
    r"|(?P<raise>raise)\b)"
)
_LINE = regular(rf"\n{_TELLING}")
"""Starts with a fixed character, which makes the search four times faster than the other pattern's."""
_STATEMENT = regular(rf"[\n;]{_TELLING}")
_SECOND = regular(rf";[ \t]*(?:from|import|{_BLOCKS}|raise)\b")
"""A statement that is not the first of its line: rare, and seldom in code."""
_BEGINNING = regular(r"\n(?=[^\s#)\]}])(?!(?:else|elif|except|finally)\b)")
"""Before a line that begins a statement of the outermost level, or goes on with one in a string or in brackets."""
_DEEDS = ("from", "import", "raise")
_HEADS = ("class", "if", "try", "with", "for", "while", "match")
"""Words that open a block whose code runs with the module, in a line that is not the second part of a statement."""
_FUNCTIONS = ("def ", "async ", "@")
_RUNNING = (*_HEADS, "else", "elif", "except", "finally")
_INNER_DEED = regular(r"\n([ \t]+)(?:from|import|raise)\b")
_SAME_LINE = regular(r":[ \t]*(?:raise|import |from )")
_MOST_IMPORTS = 20_000
"""Beyond, a text is no module that anybody wrote; it is read as one that may do anything."""
_INNER_IMPORT = regular(r"\n[ \t]+(?:from[ \t]+[.\w]+[ \t]+import|import)[ \t(]")
_NAME = regular(r"(\w+)(?:\s+as\s+\w+)?")
_COMMENT = regular(r"#[^\n]*")
_NEVER = regular(r"\s*(?:typing\.|t\.|_t\.)?TYPE_CHECKING\s*:|\s*__name__\s*==|\s*False\s*:|\s*0\s*:")


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One import: `level` leading dots, the module, the names taken from it (empty for `import module`)."""

    level: int
    module: str
    names: tuple[str, ...]
    guarded: bool
    """True inside a block of any kind (try, if …)."""
    line: int = 0
    """Where it stands, from 1."""


class Scan:
    """What one source text does when it is imported, as far as a first look shows; looked for when it is asked for."""

    __slots__ = ("_imports", "_is_seen", "_loaders", "_marked", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_seen = False
        self._marked: bool = has_load(text)
        self._imports: tuple[ImportLine, ...] = ()
        self._loaders: tuple[str, ...] = ()

    @property
    def imports(self) -> tuple[ImportLine, ...]:
        """Its imports in order."""
        self._look()
        return self._imports

    @property
    def marked(self) -> bool:
        """It may load a library, change the search or end the import."""
        if not self._marked:
            self._look()
        return self._marked

    @property
    def loaders(self) -> tuple[str, ...]:
        """Its own functions that may do so and that it does not call itself: whoever calls them does it."""
        return () if self.marked else self._loaders

    def _look(self) -> None:
        if self._is_seen:
            return
        self._is_seen = True
        scanner = _Scanner(self._text, self._marked)
        self._imports = scanner.run()
        self._marked = scanner.marked
        self._loaders = tuple(dict.fromkeys(scanner.loaders))


@functools.cache
def outside(indent: int) -> re.Pattern[str]:
    """A line that is indented no deeper, and does not end the brackets of the line that opened the block."""
    return re.compile(rf"\n(?= {{0,{indent}}}[^\s#)\]}}])")


class _Scanner:
    """One look through one text."""

    def __init__(self, text: str, marked: bool) -> None:
        self.text = f"\n{text}"
        self.prose = Prose(self.text)
        self.imports: list[ImportLine] = []
        self.marked = marked
        self.handler_raises = False
        self.blocks: list[tuple[int, bool, str]] = []
        """Indentation, whether what is in it does not run, and the line, from the outermost block inwards."""
        self.inert = 0
        """How many of them do not run."""
        self.functions: list[tuple[int, int, str]] = []
        """Start and end of top-level functions (and what is inert) that were come by, with their names."""
        self._functions: list[tuple[int, int, str]] | None = None
        self.loaders: list[str] = []
        self._counted = 0, 0

    def run(self) -> tuple[ImportLine, ...]:
        """The imports; the rest is in `marked` and `loaders`."""
        self._deeds()
        self.marked = self.marked or len(self.imports) >= _MOST_IMPORTS or self._changes()
        if self.handler_raises:
            return tuple(replace(line, guarded=False) for line in self.imports)
        return tuple(self.imports)

    def _deeds(self) -> None:
        """Look at one statement of the outermost level after the other, and into blocks only where there is a deed."""
        text = self.text
        starts = beginnings(text)
        open_head = -1
        doubled = {bisect_right(starts, match.start()) for match in _SECOND.finditer(text)}
        for number, (begin, end) in enumerate(zip(starts, [*starts, len(text)][1:], strict=True), 1):
            if open_head >= 0 or (text.startswith(_HEADS, begin + 1) and self._is_open(begin, end)):
                open_head = open_head if open_head >= 0 else begin
                if text.find(":", begin, end) >= 0 or end == len(text):
                    self._walk(open_head, end)
                    open_head = -1
            elif number in doubled and not text.startswith(_FUNCTIONS, begin + 1):
                first = begin + 1 + len(text[begin + 1 : end].partition("\n")[0])
                self._walk(begin, end if text.startswith((*_HEADS, *_DEEDS), begin + 1) else first)
            elif text.startswith(_DEEDS, begin + 1):
                match = _LINE.match(text, begin)
                if match is not None and len(self.imports) < _MOST_IMPORTS:
                    self._deed(match)
            elif text.startswith(_HEADS, begin + 1):
                self._block_deeds(begin, end)

    def _is_open(self, begin: int, end: int) -> bool:
        """Does the header of a block go on in lines that look like other statements?"""
        text = self.text
        if text.find(":", begin, end) >= 0:
            return False
        return sum(text.count(mark, begin, end) for mark in "([{") > sum(text.count(mark, begin, end) for mark in ")]}")

    def _block_deeds(self, begin: int, end: int) -> None:
        """Look at a block of the outermost level where it holds an import or raise outside its functions."""
        text = self.text
        if text.find("import", begin, end) < 0 and text.find("raise", begin, end) < 0:
            return
        if self._has_deed_behind_a_colon(begin, end):
            self._walk(begin, end)
            return
        match = _INNER_DEED.search(text, begin, end)
        while match is not None:
            position = self._function_around(match, begin)
            if position is None:
                self._walk(begin, end)
                return
            match = _INNER_DEED.search(text, position, end)

    def _has_deed_behind_a_colon(self, begin: int, end: int) -> bool:
        """Is there an import or raise in the line that opens its block, which is no function?"""
        text = self.text
        places = [match.start() for match in _SAME_LINE.finditer(text, begin, end)]
        return any(text[text.rfind("\n", 0, place) + 1 : place].lstrip().startswith(_RUNNING) for place in places)

    def _function_around(self, match: re.Match[str], begin: int) -> int | None:
        """Where the function ends that a line stands in, if it is the one that begins last above."""
        text, start = self.text, match.start()
        above = text.rfind("def ", begin, start)
        before = text[text.rfind("\n", 0, above) + 1 : above] if above >= 0 else "?"
        indent = len(before) - len(before.lstrip(" "))
        if before[indent:] not in ("", "async ") or indent >= len(match[1].expandtabs()):
            return None
        end = outside(indent).search(text, above)
        if end is None:
            return len(text)
        return end.start() if end.start() > start else None

    def _walk(self, begin: int, end: int) -> None:
        """Look at every block between two places."""
        search = (_STATEMENT if _SECOND.search(self.text, begin, end) else _LINE).search
        match = search(self.text, begin, end)
        while match is not None and len(self.imports) < _MOST_IMPORTS:
            position = self._end(match) if self._line(match) else match.end()
            match = search(self.text, position, end)
        self._close(0, end)

    def _all_functions(self) -> list[tuple[int, int, str]]:
        """Start and end of the functions that no other function holds, and of what is inert, with their names."""
        if self._functions is None:
            other = _Scanner(self.text[1:], True)
            other._walk(0, len(self.text))
            self._functions = other.functions
        return self._functions

    def _line(self, match: re.Match[str]) -> bool:
        """Take one line in; True where it opens a block that does not run."""
        spaces, word = match[1], match["block"]
        indent = len(spaces.expandtabs()) if spaces else 0
        if self.blocks and self.blocks[-1][0] >= indent:
            self._close(indent, match.start(1))
        if word is not None:
            return self._block(match, word, match["head"], indent)
        if not self.inert and not self._is_example(match.start(1)):
            self._deed(match)
        return False

    def _deed(self, match: re.Match[str]) -> None:
        if match["raise"]:
            self._raises()
        else:
            self.imports.extend(_imports(match, bool(self.blocks), self._line_of(match.start())))

    def _block(self, match: re.Match[str], word: str, head: str, indent: int) -> bool:
        within, is_inert = self.inert > 0, _is_inert(word, head)
        if is_inert:
            self.inert += 1
            if not within:
                name = head.strip().removeprefix("def ").partition("(")[0].partition("[")[0].strip()
                self.functions.append((match.start(1), -1, name))
        elif not within:
            self._same_line(head, match.start())
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

    def _is_example(self, position: int) -> bool:
        """A line of a docstring: of a class, as functions are not looked at."""
        return any(head.startswith("class") for _, _, head in self.blocks) and self.prose.holds(position)

    def _line_of(self, position: int) -> int:
        """Number of the line that begins there, or holds that place; asked in ascending order."""
        counted, line = self._counted
        line += self.text.count("\n", counted, position + 1)
        self._counted = position + 1, line
        return line

    def _same_line(self, head: str, position: int) -> None:
        if head.endswith(":"):
            return
        _, colon, rest = head.rpartition(":")
        rest = rest.strip()
        if colon and rest.startswith("raise"):
            self._raises()
        elif colon and rest.startswith(("import ", "from ")) and (match := _LINE.match(f"\n{rest}")):
            self.imports.extend(_imports(match, True, self._line_of(position)))

    def _changes(self) -> bool:
        return any(self._runs(place) for place in changes(self.text))

    def _runs(self, position: int) -> bool:
        """Does the code at `position` run on import? That of a function does where the module calls it itself."""
        if self.prose.holds(position):
            return False
        function = self._function_at(position)
        if function is None:
            return True
        name = function[2]
        if not name:
            return False
        callers: set[str] = {name}
        if any(self._is_reached(place, callers) for place in self._places(name, is_called=True)):
            return True
        self.loaders.extend(callers)
        return False

    def _is_reached(self, position: int, callers: set[str]) -> bool:
        """Does the code at `position` run on import, as far as is known? Functions that lead there join `callers`."""
        function = self._function_at(position)
        if function is None:
            return True
        start, _, name = function
        if self._may_run_unseen(start):
            return True
        if not name or name in callers:
            return False
        callers.add(name)
        return any(self._is_reached(place, callers) for place in self._places(name, is_called=False))

    def _may_run_unseen(self, start: int) -> bool:
        """The function that starts there is a method or has a decorator: others may call it without its name."""
        before = self.text.rfind("\n", 0, start - 1) + 1
        return self.text[start : start + 1].isspace() or self.text.startswith(("@", ")"), before)

    def _function_at(self, position: int) -> tuple[int, int, str] | None:
        """The top-level function (or what is inert) around a place in an indented line."""
        line = self.text.rfind("\n", 0, position) + 1
        if not self.text[line : line + 1].isspace():
            return None
        return next((each for each in self._all_functions() if each[0] <= position < each[1]), None)

    def _places(self, name: str, *, is_called: bool) -> Iterator[int]:
        """Where code calls a function, or where it speaks of it in any way but as an attribute or a text."""
        if not name.isidentifier():
            return
        for place in places_of(self.text, f"{name}(" if is_called else name):
            if self.text.startswith("def ", max(place - 4, 0)):
                continue
            end = place + len(name)
            if not is_called and (self.text[place - 1] in "\"'." or self.text[end : end + 1] in ("'", '"')):
                continue
            if not self.prose.holds(place):
                yield place


def beginnings(text: str) -> list[int]:
    """The ends of the lines above those that begin a statement of the outermost level, or go on with one in a string or
    in brackets.
    """
    ends = [match.start() for match in _BEGINNING.finditer(text)]
    if "\\\n" not in text and "\\\r\n" not in text:
        return ends
    return [end for end in ends if not text.endswith(("\\", "\\\r"), 0, end)]


def imports_inside(text: str, name: str) -> bool:
    """Does the function or class `name` of the module hold import statements of its own?"""
    if not name or not _INNER_IMPORT.search(text):
        return False
    match = re.search(rf"(?:^|\n)([ \t]*)(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b", text)
    if match is None:
        return False
    end = outside(len(match[1])).search(text, match.end())
    return _INNER_IMPORT.search(text, match.end(), end.start() if end is not None else len(text)) is not None


def _is_inert(word: str, head: str) -> bool:
    """A function, or a condition that is not met when Python runs the module."""
    if word in ("if", "elif"):
        return _NEVER.match(head) is not None
    return word == "def" or (word == "async" and head.lstrip().startswith("def"))


def _imports(match: re.Match[str], guarded: bool, line: int) -> Iterator[ImportLine]:
    if match["modules"] is not None:
        for part in match["modules"].split(","):
            if name := re.match(r"\s*([\w.]+)", part):
                yield ImportLine(0, name[1], (), guarded, line)
        return
    base = match["base"] or ""
    module = base.lstrip(".")
    names = _COMMENT.sub("", match["names"]).strip("() \t\\\r\n")
    taken = ("*",) if names.startswith("*") else tuple(name[1] for name in _NAME.finditer(names) if name[1] != "as")
    yield ImportLine(len(base) - len(module), module, taken, guarded, line)
