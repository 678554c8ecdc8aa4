"""The source files of a program, each read once, and what their words alone tell."""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.startup.model import BoundReached, Limits
from whyload.startup.modules import has_word, is_closed, lacks_until, words_of
from whyload.startup.scan import Scan
from whyload.world.model import FileView, read_text

_MAKES_MODULES = regular(
    r"sys\.modules\s*\[[^\]\n]+\]\s*=[^=]|sys\.modules\.(?:setdefault|update)|\bmodules\[[^\]\n]+\]\s*=[^=]|meta_path|extend_path|__path__\s*[+=.]"
)
_WORTH_A_SET = 12
"""Questions for words of a text after which all its words are kept."""


class Sources:
    """Texts, words and first looks of source files, kept as long as the program is read."""

    def __init__(self, files: FileView, limits: Limits, note: Callable[[Text, Text], None]) -> None:
        self._files = files
        self._limits = limits
        self._note = note
        """Says that something is not analysed."""
        self._texts: dict[WinPath, str] = {}
        self._scans: dict[WinPath, Scan] = {}
        self._words: dict[WinPath, frozenset[str]] = {}
        self._asked: dict[WinPath, int] = {}
        self._closed: dict[WinPath, bool] = {}

    def text(self, file: WinPath) -> str | None:
        """A source text; each file is read once."""
        text = self._texts.get(file)
        if text is None:
            text = read_text(self._files, file, self._limits.source)
            if text is None:
                return None
            self._texts[file] = text
        return text

    def mentions(self, file: WinPath | None, name: str) -> bool:
        """Is `name` a word of a source file? True where the file is not known."""
        if file is None:
            return True
        words = self._words.get(file)
        if words is not None:
            return name in words
        text = self.text(file)
        if text is None:
            return True
        asked = self._asked[file] = self._asked.get(file, 0) + 1
        if asked > _WORTH_A_SET:
            self._words[file] = words_of(text)
        return has_word(text, name)

    def scan(self, file: WinPath) -> Scan:
        """The first look at a source file."""
        found = self._scans.get(file)
        if found is None:
            found = self._scans[file] = Scan(self.text(file) or "")
            if len(self._scans) > self._limits.modules:
                self._note(
                    Message(en="imports", zh="导入"),
                    Message(
                        en=f"stopped looking through imports after {self._limits.modules} modules",
                        zh=f"查看了 {self._limits.modules} 个模块后停止跟踪导入",
                    ),
                )
                raise BoundReached
        return found

    def makes_modules(self, file: WinPath) -> bool:
        """May the source make modules that no file stands for? True where it cannot be read."""
        text = self.text(file)
        return text is None or _MAKES_MODULES.search(text) is not None

    def lacks(self, file: WinPath | None, name: str) -> bool:
        """True only where a module of that source cannot have `name` by itself."""
        if file is None or self.mentions(file, name):
            return False
        closed = self._closed.get(file)
        if closed is None:
            closed = self._closed[file] = is_closed(self.text(file) or "")
        return closed and not name.startswith("__")

    def lacks_at_all(self, file: WinPath, name: str) -> bool:
        """The same where its own text speaks of `name`, if only to ask for it: `from . import name`."""
        text = self.text(file)
        return text is not None and is_closed(text) and lacks_until(text, name)
