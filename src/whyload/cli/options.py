"""The options of every command, as data (docs/contract.md, section 1)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Groups: TypeAlias = "list[tuple[str | None, list[Option]]]"

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

REST = "..."
"""Operands that take all that follows the first of them, options too."""


class Option:
    """One option, or the operands of a command (`names` is empty then).

    `action` is what argparse calls it: `store`, `store_true`, `store_const` (stores `const`) or `count`; `count` of
    operands is their `nargs` (None: exactly one).
    """

    __slots__ = ("action", "choices", "const", "count", "default", "help", "metavar", "names", "target", "type")

    def __init__(
        self,
        *names: str,
        target: str,
        help: str | None = None,
        metavar: str | None = None,
        action: str = "store",
        const: str | None = None,
        default: Any = None,
        choices: tuple[str, ...] | None = None,
        type: Callable[[str], Any] | None = None,
        count: str | None = None,
    ) -> None:
        self.names, self.target, self.help, self.metavar = names, target, help, metavar
        self.action, self.const, self.default = action, const, default
        self.choices, self.type, self.count = choices, type, count


class Options:
    """What one command takes: `groups` are (title, options), the operands last."""

    __slots__ = ("epilog", "groups")

    def __init__(self, groups: Groups, epilog: str | None = None) -> None:
        self.groups, self.epilog = groups, epilog

    def all(self) -> list[Option]:
        """Every option and operand."""
        return [option for _, options in self.groups for option in options]


def options_of(command: str) -> Options:
    """The options of a command, in the order in which its help shows them."""
    groups: Groups = [("output", _output())]
    if command not in ("cause", "schema", "check", "explain"):
        groups.append(("where to look (without any: this machine and this Python)", _world()))
    groups += _OWN[command]()
    return Options(groups, _EPILOGS.get(command))


def _output() -> list[Option]:
    return [
        Option("--json", target="format", action="store_const", const="json", default="text", help=_AS_JSON),
        Option("--format", target="format", choices=("text", "json", "html", "markdown"), default="text"),
        Option(
            "-o", "--output", target="output", metavar="FILE", help="write the report there instead of standard output"
        ),
        Option(
            "--lang", target="lang", choices=("en", "zh"), help="language of texts (default: the system's; JSON: en)"
        ),
        Option("-v", "--verbose", target="verbose", action="count", default=0, help="say more"),
        Option(
            "--no-color", target="no_color", action="store_true", default=False, help="no colour on a terminal either"
        ),
    ]


_AS_JSON = "the same as --format json"


def _world() -> list[Option]:
    return [
        Option("--python", target="python", metavar="EXE", help="this machine, another interpreter"),
        Option("--root", target="root", metavar="DIR", help=f"{_FOLDER}; nothing of it is executed"),
        _description(),
        Option("--snapshot", target="snapshot", metavar="FILE", help=_SNAPSHOT),
        Option(
            "--timeout", target="timeout", type=_seconds, default=120.0, metavar="SECONDS", help="limit of a live run"
        ),
    ]


_FOLDER = "a folder that stands for drive C:"
_SNAPSHOT = "a machine that `whyload snapshot` recorded"


def _description() -> Option:
    return Option("--world", target="world", metavar="FILE", help="description of that machine (JSON or TOML)")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 7 * 24 * 3600:
        raise ValueError(text)
    return value


def _operands(target: str, metavar: str | None, count: str | None, help: str | None = None) -> Option:
    return Option(target=target, metavar=metavar, count=count, help=help)


def _import() -> Groups:
    return [(None, [_operands("modules", "MODULE", "*")])]


def _program() -> list[Option]:
    return [_code(), Option("-m", target="module", metavar="MODULE")]


def _code() -> Option:
    return Option("-c", target="code", metavar="CODE")


def _run() -> Groups:
    return [(None, [*_program(), _operands("arguments", "SCRIPT [ARGS]", REST)])]


def _fix() -> Groups:
    own = [
        *_program(),
        _flag("--yes", "apply without a question; what needs you is only shown"),
        _flag("--dry-run", "show the plan and change nothing"),
        _operands("arguments", "MODULE|SCRIPT", "*"),
    ]
    return [(None, own)]


def _flag(name: str, help: str) -> Option:
    target = name.strip("-").replace("-", "_")
    return Option(name, target=target, action="store_true", default=False, help=help)


def _undo() -> Groups:
    changed = "also where the environment was changed since; those changes may be lost"
    return [(None, [_flag("--yes", "without a question"), _flag("--force", changed)])]


def _load() -> Groups:
    batch = Option("--batch", target="batch", metavar="FILE", help="one question per line as JSON; - is standard input")
    return [(None, [*_call(), batch, _operands("file", "FILE", "?")])]


def _tree() -> Groups:
    return [(None, [*_call(), _operands("file", "FILE|MODULE", None)])]


def _call() -> list[Option]:
    return [
        Option("--how", target="how", default="import", metavar="HOW", help="import, ctypes, winmode=N or exe"),
        Option("--flags", target="flags", metavar="0x1100", help="the flags of LoadLibraryEx, instead of --how"),
    ]


def _check() -> Groups:
    machine = [
        Option("--os", target="os", metavar="PROFILE", help="a clean machine, such as windows-11-23h2+vcredist"),
        Option(
            "--python-version",
            target="python_version",
            metavar="3.11",
            help="python.org's Python of that minor version",
        ),
        Option("--platform", target="platform", choices=("win_amd64", "win32", "win_arm64"), help="default: win_amd64"),
        _flag("--no-deps", "leave out what the target needs"),
        _flag("--no-network", "only wheels of the cache; try no other release"),
        _flag("--no-cache", "download anew, and keep nothing of it"),
        Option("--root", target="root", metavar="DIR", help=f"{_FOLDER}, instead of a clean machine"),
        _description(),
        Option("--snapshot", target="snapshot", metavar="FILE", help=f"{_SNAPSHOT}, likewise"),
    ]
    return [("the machine", machine), (None, [_operands("targets", "TARGET", "+")])]


def _snapshot() -> Groups:
    subject = _operands("subject", "MODULE | SCRIPT", "*", "the question; without it: the machine")
    return [(None, [_code(), subject])]


def _doctor() -> Groups:
    return [
        (None, [_flag("--hashes", "compare native files with RECORD by contents too: reads all of them")]),
    ]


def _explain() -> Groups:
    return [(None, [_operands("file", "FILE", "?", "without it, or with -: standard input")])]


def _cause() -> Groups:
    return [(None, [_operands("code", "CODE", "?", "without it: the list of causes")])]


def _schema() -> Groups:
    of = Option(target="of", count="?", choices=("report", "explain"), default="report", help="default: report")
    return [(None, [of])]


_OWN: dict[str, Callable[[], Groups]] = {
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
_EPILOGS = {
    "snapshot": "-o FILE is the zip file to write. Names of users and hosts and secrets are left out of it.",
}
