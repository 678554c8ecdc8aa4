"""The arguments of every command (docs/contract.md, section 1)."""

from __future__ import annotations

import argparse

from whyload import __version__

COMMANDS = {
    "import": "why does importing these modules, in this order, in one process, fail?",
    "run": "the same question for a program: SCRIPT [ARGS], -c CODE or -m MODULE",
    "load": "the same question for one library",
    "check": "will it load there? a wheel, a requirement, a folder, a library",
    "tree": "the dependency tree, with where and by which rule each file was found",
    "cause": "the page on one cause",
    "schema": "the JSON schema of the reports",
}
PLANNED = ("explain", "doctor", "fix", "undo", "snapshot")
"""Commands of the contract that this version does not have yet."""


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments of one call; ends the program with code 2 where they are wrong."""
    top = argparse.ArgumentParser(
        prog="whyload",
        description="Why will this native library not load from Python, and what makes it load?",
        epilog="`whyload MODULE ...` is short for `whyload import MODULE ...`.",
    )
    top.add_argument("--version", action="version", version=f"whyload {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    first = argv[0] if argv else ""
    if first in PLANNED:
        top.error(f"`whyload {first}` is not in this version yet")
    if first and first not in COMMANDS and first not in ("-h", "--help", "--version"):
        argv = ["import", *argv]
    for name, help_text in COMMANDS.items():
        if argv[:1] != [name]:  # for the list of commands only: start-up time
            commands.add_parser(name, help=help_text)
            continue
        parents = [_common()] if name in ("cause", "schema", "check") else [_common(), _world()]
        _ARGUMENTS[name](commands.add_parser(name, help=help_text, description=help_text, parents=parents))
    return top.parse_args(argv)


def _common() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--json", dest="format", action="store_const", const="json", default="text", help="the same as --format json"
    )
    group.add_argument("--format", choices=("text", "json", "html", "markdown"), default="text")
    group.add_argument("-o", "--output", metavar="FILE", help="write the report there instead of standard output")
    group.add_argument("--lang", choices=("en", "zh"), default="en", help="language of texts")
    group.add_argument("-v", "--verbose", action="count", default=0, help="say more")
    group.add_argument("--no-color", action="store_true", help="no colour on a terminal either")
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 7 * 24 * 3600:
        raise ValueError(text)
    return value


def _world() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    group = parser.add_argument_group("where to look (without any: this machine and this Python)")
    group.add_argument("--python", metavar="EXE", help="this machine, another interpreter")
    group.add_argument("--root", metavar="DIR", help="a folder that stands for drive C:; nothing of it is executed")
    group.add_argument("--world", metavar="FILE", help="description of that machine (JSON or TOML)")
    group.add_argument("--timeout", type=_seconds, default=120.0, metavar="SECONDS", help="limit of a live run")
    return parser


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("modules", nargs="*", metavar="MODULE")


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-c", dest="code", metavar="CODE")
    parser.add_argument("-m", dest="module", metavar="MODULE")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="SCRIPT [ARGS]")


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
    group.add_argument("--root", metavar="DIR", help="a folder that stands for drive C:, instead of a clean machine")
    group.add_argument("--world", metavar="FILE", help="description of that machine (JSON or TOML)")


def _cause(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="without it: the list of causes")


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(schema="report")


_ARGUMENTS = {
    "import": _import,
    "run": _run,
    "load": _load,
    "check": _check,
    "tree": _tree,
    "cause": _cause,
    "schema": _schema,
}
