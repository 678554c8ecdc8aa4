"""`whyload --help` and `whyload COMMAND --help`, and the usage line below what is said about wrong arguments.

Chinese characters take two columns of a terminal: columns are laid out by `report.layout`.
"""

from __future__ import annotations

import os
import sys

from whyload.base.message import Message
from whyload.cli.option import HELP, LANGUAGE, REST, VERSION, Option
from whyload.cli.options import COMMANDS, options_of
from whyload.report.layout import pad, paragraph, width
from whyload.report.punctuation import colon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from whyload.cli.arguments import Arguments
    from whyload.cli.option import Said

_SECOND = 24
"""The column in which texts begin."""
_NARROWEST, _WIDEST = 40, 100
ABOUT = Message(
    en="Why will this native library not load from Python, and what makes it load?",
    zh="这个原生库为什么无法从 Python 加载？怎样才能让它加载？",
)
_SHORT = Message(
    en="`whyload MODULE ...` is short for `whyload import MODULE ...`.",
    zh="`whyload MODULE ...` 是 `whyload import MODULE ...` 的简写。",
)
_EACH = Message(
    en="`whyload COMMAND --help` shows the options of a command.", zh="`whyload COMMAND --help` 显示该命令的选项。"
)
_USAGE = Message(en="usage", zh="用法")
_COMMANDS = Message(en="commands", zh="命令")
_ARGUMENTS = Message(en="arguments", zh="参数")
_OPTIONS = Message(en="options", zh="选项")
_SEE = Message(en="all options", zh="全部选项")


def run(arguments: Arguments) -> int:
    """Show the help."""
    from whyload.cli.output import put

    put(help_text(arguments.subject, arguments.lang, terminal_columns()))
    return 0


def help_text(command: str | None, language: str, columns: int) -> str:
    """The help on a command; without one, on the program."""
    page = _Page(language, columns)
    lines = page.program() if command is None else page.command(command)
    return "\n".join(lines) + "\n"


def usage_text(command: str | None, language: str) -> str:
    """How a command is written, and where its options are told."""
    name = f"whyload {command}" if command else "whyload"
    line = usage_line(command, language)
    return f"{line}\n{_SEE.text(language)}{colon(language)}{name} --help\n"


def usage_line(command: str | None, language: str) -> str:
    """`usage: whyload load [options] [FILE]`."""
    if command is None:
        shown = f"whyload [{_OPTIONS.text(language)}] COMMAND ..."
    else:
        operands = "".join(f" {_operand(each)}" for each in options_of(command).all() if not each.names)
        shown = f"whyload {command} [{_OPTIONS.text(language)}]{operands}"
    return f"{_USAGE.text(language)}{colon(language)}{shown}"


def _operand(option: Option) -> str:
    name = option.value
    if option.count in ("*", "+"):
        return f"[{name} ...]" if option.count == "*" else f"{name} [{name} ...]"
    return f"[{name}]" if option.count in ("?", REST) else name


def terminal_columns() -> int:
    """The width of the terminal, or what COLUMNS says; 80 where neither is known."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80 if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80


class _Page:
    """Makes the lines of one help."""

    def __init__(self, language: str, columns: int) -> None:
        self._language = language
        self._columns = max(_NARROWEST, min(columns, _WIDEST)) - 2

    def program(self) -> Iterator[str]:
        """The help on the program."""
        yield usage_line(None, self._language)
        yield from self._text(ABOUT)
        yield from self._heading(_COMMANDS)
        for name, said in COMMANDS.items():
            yield from self._row(name, said, 12)
        yield from self._heading(_OPTIONS)
        for option in (HELP, VERSION, LANGUAGE):
            yield from self._option(option)
        yield from self._text(_SHORT)
        yield from paragraph("", _EACH.text(self._language), self._columns)

    def command(self, name: str) -> Iterator[str]:
        """The help on a command: what it takes, its own options, those that others have too."""
        options = options_of(name)
        yield from paragraph("", usage_line(name, self._language), self._columns)
        yield from self._text(_message(COMMANDS[name]))
        operands = [option for option in options.all() if not option.names]
        if operands:
            yield from self._heading(_ARGUMENTS)
            yield from self._options(operands)
        own = [option for title, members in options.groups if title is None for option in members if option.names]
        yield from self._heading(_OPTIONS)
        yield from self._options(own)
        for title, members in sorted(options.groups, key=lambda group: group[1][0].target == "format"):
            if title is not None:
                yield from self._heading(_message(title))
                yield from self._options(members)
        if options.epilog:
            yield from self._text(_message(options.epilog))

    def _heading(self, title: Message) -> Iterator[str]:
        yield ""
        yield from paragraph("", f"{title.text(self._language)}{colon(self._language)}".rstrip(), self._columns)

    def _text(self, said: Message) -> Iterator[str]:
        yield ""
        yield from paragraph("", said.text(self._language), self._columns)

    def _options(self, options: list[Option]) -> Iterator[str]:
        for option in options:
            yield from self._option(option)

    def _option(self, option: Option) -> Iterator[str]:
        shown = " ".join([", ".join(option.names), option.value]).strip()
        yield from self._row(shown, option.help, _SECOND)

    def _row(self, name: str, said: Said, second: int) -> Iterator[str]:
        head = f"  {name}  "
        if width(head) > second:
            yield head.rstrip()
            head = ""
        yield from paragraph(pad(head, second), _message(said).text(self._language), self._columns, indent=second)


def _message(said: Said) -> Message:
    return Message(en=said[0], zh=said[1])
