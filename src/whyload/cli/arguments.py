"""The arguments of every command (docs/contract.md, section 1)."""

from __future__ import annotations

import argparse
import os
import sys

from whyload import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMMANDS = {
    "import": "why does importing these modules, in this order, in one process, fail?",
    "run": "the same question for a program: SCRIPT [ARGS], -c CODE or -m MODULE",
    "load": "the same question for one library",
    "check": "will it load there? a wheel, a requirement, a folder, a library",
    "fix": "plan the remedy, show it, apply it on request, check that it works",
    "undo": "take the last applied remedy back",
    "tree": "the dependency tree, with where and by which rule each file was found",
    "doctor": "every native module of an environment, and the facts about the machine",
    "snapshot": "carry the evidence to another machine in one file",
    "explain": "read an error message or log, in any language, and name causes",
    "cause": "the page on one cause",
    "schema": "the JSON schema of the reports",
}


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments of one call; ends the program with code 2 where they are wrong."""
    top = _Parser(
        prog="whyload",
        description="Why will this native library not load from Python, and what makes it load?",
        epilog="`whyload MODULE ...` is short for `whyload import MODULE ...`.",
    )
    top.add_argument("--version", action="version", version=f"whyload {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="whyload")
    first = argv[0] if argv else ""
    if first and first not in COMMANDS and first not in ("-h", "--help", "--version"):
        argv = ["import", *argv]
    if argv and argv[0] in COMMANDS:
        _command(commands, argv[0])
    else:  # only their names are shown
        for name, help_text in COMMANDS.items():
            commands.add_parser(name, help=help_text)
    arguments = top.parse_args(argv)
    if getattr(arguments, "lang", "") is None:
        arguments.lang = _language(arguments)
    return arguments


def _language(arguments: argparse.Namespace) -> str:
    """JSON is for programs, and English unless the person says otherwise."""
    if arguments.format == "json" or getattr(arguments, "batch", None):
        return "en"
    from whyload.api.language import default_language

    return default_language()


def _command(commands: argparse._SubParsersAction[_Parser], name: str) -> None:
    parser = commands.add_parser(name, help=COMMANDS[name], description=COMMANDS[name])
    _common(parser)
    if name not in ("cause", "schema", "check", "explain"):
        _world(parser)
    _ARGUMENTS[name](parser)


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


def _common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--json", dest="format", action="store_const", const="json", default="text", help="the same as --format json"
    )
    group.add_argument("--format", choices=("text", "json", "html", "markdown"), default="text")
    group.add_argument("-o", "--output", metavar="FILE", help="write the report there instead of standard output")
    group.add_argument("--lang", choices=("en", "zh"), help="language of texts (default: the system's; JSON: en)")
    group.add_argument("-v", "--verbose", action="count", default=0, help="say more")
    group.add_argument("--no-color", action="store_true", help="no colour on a terminal either")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 7 * 24 * 3600:
        raise ValueError(text)
    return value


def _world(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where to look (without any: this machine and this Python)")
    group.add_argument("--python", metavar="EXE", help="this machine, another interpreter")
    group.add_argument("--root", metavar="DIR", help="a folder that stands for drive C:; nothing of it is executed")
    group.add_argument("--world", metavar="FILE", help="description of that machine (JSON or TOML)")
    group.add_argument("--snapshot", metavar="FILE", help="a machine that `whyload snapshot` recorded")
    group.add_argument("--timeout", type=_seconds, default=120.0, metavar="SECONDS", help="limit of a live run")


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("modules", nargs="*", metavar="MODULE")


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-c", dest="code", metavar="CODE")
    parser.add_argument("-m", dest="module", metavar="MODULE")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="SCRIPT [ARGS]")


def _fix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-c", dest="code", metavar="CODE")
    parser.add_argument("-m", dest="module", metavar="MODULE")
    parser.add_argument("arguments", nargs="*", metavar="MODULE|SCRIPT")
    parser.add_argument("--yes", action="store_true", help="apply without a question; what needs you is only shown")
    parser.add_argument("--dry-run", action="store_true", help="show the plan and change nothing")


def _undo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="without a question")
    parser.add_argument(
        "--force", action="store_true", help="also where the environment was changed since; those changes may be lost"
    )


def _load(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE")
    _call(parser)
    parser.add_argument("--batch", metavar="FILE", help="one question per line as JSON; - is standard input")


def _tree(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE|MODULE")
    _call(parser)


def _call(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--how", default="import", metavar="HOW", help="import, ctypes, winmode=N or exe")
    parser.add_argument("--flags", metavar="0x1100", help="the flags of LoadLibraryEx, instead of --how")


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    group = parser.add_argument_group("the machine")
    group.add_argument("--os", metavar="PROFILE", help="a clean machine, such as windows-11-23h2+vcredist")
    group.add_argument("--python-version", metavar="3.11", help="python.org's Python of that minor version")
    group.add_argument("--platform", choices=("win_amd64", "win32", "win_arm64"), help="default: win_amd64")
    group.add_argument("--no-deps", action="store_true", help="leave out what the target needs")
    group.add_argument("--no-network", action="store_true", help="only wheels of the cache; try no other release")
    group.add_argument("--no-cache", action="store_true", help="download anew, and keep nothing of it")
    group.add_argument("--root", metavar="DIR", help="a folder that stands for drive C:, instead of a clean machine")
    group.add_argument("--world", metavar="FILE", help="description of that machine (JSON or TOML)")
    group.add_argument("--snapshot", metavar="FILE", help="a machine that `whyload snapshot` recorded, likewise")


def _snapshot(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "-o FILE is the zip file to write. Names of users and hosts and secrets are left out of it."
    parser.add_argument("-c", dest="code", metavar="CODE")
    parser.add_argument("subject", nargs="*", metavar="MODULE | SCRIPT", help="the question; without it: the machine")


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--hashes", action="store_true", help="compare native files with RECORD by contents too: reads all of them"
    )


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="without it, or with -: standard input")


def _cause(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="without it: the list of causes")


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("of", nargs="?", choices=("report", "explain"), default="report", help="default: report")


_ARGUMENTS = {
    "import": _import,
    "run": _run,
    "load": _load,
    "fix": _fix,
    "undo": _undo,
    "check": _check,
    "tree": _tree,
    "doctor": _doctor,
    "snapshot": _snapshot,
    "explain": _explain,
    "cause": _cause,
    "schema": _schema,
}
