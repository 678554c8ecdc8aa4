"""What an option of a command is, and those that every command has."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Said: TypeAlias = "tuple[str, str]"
    """English, Chinese. A pair of constants costs a call nothing that shows no help; `help_command` makes messages."""
    Group: TypeAlias = "tuple[Said | None, list[Option]]"

REST = "..."
"""Operands that take all that follows the first of them, options too."""


class Option:
    """One option, or the operands of a command (`names` is empty then).

    `action` is `store`, `store_true`, `store_const` (stores `const`), `count` or `help`; `count` of operands is `?`
    (one or none), `*`, `+`, `REST` or None (exactly one). `type` raises ValueError for a text that it cannot take;
    `wanted` says then what it takes.
    """

    __slots__ = (
        "action",
        "choices",
        "const",
        "count",
        "default",
        "help",
        "metavar",
        "names",
        "target",
        "type",
        "wanted",
    )

    def __init__(
        self,
        *names: str,
        target: str,
        help: Said,
        metavar: str | None = None,
        action: str = "store",
        const: str | None = None,
        default: Any = None,
        choices: tuple[str, ...] | None = None,
        type: Callable[[str], Any] | None = None,
        wanted: Said | None = None,
        count: str | None = None,
    ) -> None:
        self.names, self.target, self.help, self.metavar = names, target, help, metavar
        self.action, self.const, self.default = action, const, default
        self.choices, self.type, self.wanted, self.count = choices, type, wanted, count

    @property
    def value(self) -> str:
        """What stands for its value in the help: `FILE`, `{en,zh}`."""
        return self.metavar or ("{" + ",".join(self.choices) + "}" if self.choices else "")


class Options:
    """What one command takes: `groups` are (title, options), the operands last."""

    __slots__ = ("epilog", "groups")

    def __init__(self, groups: list[Group], epilog: Said | None = None) -> None:
        self.groups, self.epilog = groups, epilog

    def all(self) -> list[Option]:
        """Every option and operand."""
        return [option for _, options in self.groups for option in options]


HELP = Option("-h", "--help", target="help", action="help", help=("show this help", "显示本帮助"))
VERSION = Option("--version", target="version", action="version", help=("show the version", "显示版本号"))
LANGUAGE = Option(
    "--lang",
    target="lang",
    choices=("en", "zh"),
    help=("language of texts (default: the system's; JSON: en)", "输出的语言（默认：系统语言；JSON 为 en）"),
)
