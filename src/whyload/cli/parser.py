"""argparse's parser for the options of `options`: it writes help, names errors and understands shortened options."""

from __future__ import annotations

import argparse
import os
import sys

from whyload import __version__
from whyload.cli.options import COMMANDS, Option, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whyload.cli.arguments import Arguments


def parsed(argv: list[str], into: Arguments) -> Arguments:
    """`into`, filled with the arguments; ends the program where they are wrong (2) or ask for help (0)."""
    top = _Parser(
        prog="whyload",
        description="Why will this native library not load from Python, and what makes it load?",
        epilog="`whyload MODULE ...` is short for `whyload import MODULE ...`.",
    )
    top.add_argument("--version", action="version", version=f"whyload {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="whyload")
    if argv and argv[0] in COMMANDS:
        _command(commands, argv[0])
    else:  # only their names are shown
        for name, help_text in COMMANDS.items():
            commands.add_parser(name, help=help_text)
    return top.parse_args(argv, into)


def _command(commands: argparse._SubParsersAction[_Parser], name: str) -> None:
    options = options_of(name)
    parser = commands.add_parser(name, help=COMMANDS[name], description=COMMANDS[name], epilog=options.epilog)
    for title, members in options.groups:
        group = parser if title is None else parser.add_argument_group(title)
        for option in members:
            group.add_argument(*(option.names or [option.target]), **_given(option))


def _given(option: Option) -> dict[str, Any]:
    """What argparse is told of an option."""
    given: dict[str, Any] = {"help": option.help}
    if option.names:
        given |= {"dest": option.target, "action": option.action}
    elif option.count is not None:
        given["nargs"] = option.count
    if option.action in ("store_const", "count") or (option.action == "store" and option.default is not None):
        given["default"] = option.default
    if option.action == "store_const":
        given["const"] = option.const
    for name in ("metavar", "choices", "type"):
        if (value := getattr(option, name)) is not None:
            given[name] = value
    return given


class _Help(argparse.HelpFormatter):
    """The usual one, but it does not import `shutil` to ask how wide the terminal is. Every argument makes one."""

    def __init__(self, prog: str, **given: Any) -> None:
        super().__init__(prog, **{"width": _columns() - 2, **given})


class _Parser(argparse.ArgumentParser):
    """The usual one with that help; commands get the same."""

    def __init__(self, **given: Any) -> None:
        super().__init__(formatter_class=_Help, **given)


def _columns() -> int:
    try:
        return int(os.environ["COLUMNS"]) or 80
    except (KeyError, ValueError):
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80 if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80
