"""The arguments of one call, read by the options of `options` as `argparse` would read them.

`argparse` itself takes as long to import as a short question takes to answer, writes its help and errors in English,
and lays columns out for Latin letters. It is the judge of this reader in `tests/cli/test_arguments.py`.
"""

from __future__ import annotations

from whyload.base.errors import UsageError
from whyload.cli.option import HELP, LANGUAGE, REST, VERSION, Option
from whyload.cli.options import COMMANDS, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn


class ArgumentError(UsageError):
    """The arguments are wrong; `command` is the one whose they are, None before one is named."""

    def __init__(self, command: str | None, en: str, zh: str) -> None:
        from whyload.base.message import Message

        self.command = command
        super().__init__(Message(en=en, zh=zh))


class Arguments:
    """What was given, by the targets of the options; `vars` shows all of it."""

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)

    if TYPE_CHECKING:
        lang: str

        def __getattr__(self, name: str) -> Any: ...


def parse(argv: list[str]) -> Arguments:
    """The arguments of one call, the command among them: one of `COMMANDS`, or `help` (on `subject`) or `version`.

    Raises ArgumentError where they are wrong.
    """
    argv = _with_command(argv)
    if argv[:1] and argv[0] in COMMANDS:
        reading = _Reading(argv[0], argv[1:])
    else:
        reading = _Reading(None, argv)
    values = reading.values()
    if values.get("lang") is None:
        values["lang"] = _language(values)
    return Arguments(**values)


def _with_command(argv: list[str]) -> list[str]:
    """The call with its command in front; `--lang` may stand before it. A module alone is imported."""
    ahead = argv[: _languages_ahead(argv)]
    rest = argv[len(ahead) :]
    if not rest or rest[0] in (*HELP.names, *VERSION.names):
        return argv
    return [rest[0], *ahead, *rest[1:]] if rest[0] in COMMANDS else ["import", *ahead, *rest]


def _languages_ahead(argv: list[str]) -> int:
    """How many arguments in front are `--lang` and its value."""
    count = 0
    while count < len(argv) and argv[count].partition("=")[0] == "--lang":
        count += 1 if "=" in argv[count] else 2
    return min(count, len(argv))


def language_of(argv: list[str]) -> str:
    """The language of what is said about arguments that could not be read to their end: wherever `--lang` stands."""
    values: dict[str, Any] = {}
    for index, text in enumerate(argv):
        name, equals, value = text.partition("=")
        if text == "--":
            break
        value = value if equals else "".join(argv[index + 1 : index + 2])
        if name[:3] == "--l" and "--lang".startswith(name) and value in (LANGUAGE.choices or ()):
            values["lang"] = value
        elif name in ("--json", "--batch") or (name == "--format" and value == "json"):
            values["format"] = "json"
    return values.get("lang") or _language(values)


def _language(values: dict[str, Any]) -> str:
    """JSON is for programs, and English unless the person says otherwise."""
    if values.get("format") == "json" or values.get("batch"):
        return "en"
    from whyload.api.language import default_language

    return default_language()


class _Reading:
    """One way through the arguments of a command; without one, of the program itself."""

    def __init__(self, command: str | None, argv: list[str]) -> None:
        self._command, self._argv, self._next = command, argv, 0
        self._options = options_of(command).all() if command else [HELP, VERSION, LANGUAGE]
        self._named = {name: option for option in self._options for name in option.names}
        self._operands = next((option for option in self._options if not option.names), None)
        self._found: list[str] = []

    def values(self) -> dict[str, Any]:
        """Every target with its value. Raises ArgumentError."""
        values: dict[str, Any] = {"command": self._command}
        for option in self._options:
            if option.action not in ("help", "version"):
                values.setdefault(option.target, [] if option.count in ("*", REST) else option.default)
        while self._next < len(self._argv):
            text = self._argv[self._next]
            self._next += 1
            if text == "--" or not self._is_option(text):
                self._take_operands(text)
            elif asked := self._option(text, values):
                return {"command": asked, "subject": self._command, **_spoken(self._argv)}
        if self._command is None:
            self._wrong("name a module or a command", "请指定模块名或命令")
        self._fill(values)
        return values

    def _take_operands(self, text: str) -> None:
        if text == "--" or (self._operands is not None and self._operands.count == REST):
            rest = self._argv[self._next :]
            is_kept = text != "--" or (self._operands is not None and self._operands.count == REST)
            self._found += [text, *rest] if is_kept else rest
            self._next = len(self._argv)
        else:
            self._found.append(text)

    def _is_option(self, text: str) -> bool:
        """As argparse tells: a known one, else what begins with a dash and is neither a number nor several words."""
        if text[:1] != "-" or text == "-":
            return False
        return bool(self._named_by(text)) or not (_is_number(text) or " " in text)

    def _named_by(self, text: str) -> list[str]:
        """Names of options that a text may stand for: in full, shortened, or a letter with what follows it."""
        name = text.partition("=")[0]
        if name in self._named:
            return [name]
        if name[:2] != "--":
            return [name[:2]] if name[:2] in self._named else []
        return [each for each in self._named if each.startswith(name)]

    def _option(self, text: str, values: dict[str, Any]) -> str | None:
        """Take one option into the values; `help` or `version` where that is asked for."""
        names = self._named_by(text)
        if len(names) != 1:
            self._no_such_option(text.partition("=")[0], names)
        name, option = names[0], self._named[names[0]]
        given = _value_in(text, name)
        if option.action == "store":
            values[option.target] = self._value(name, option, self._following(name, option) if given is None else given)
            return None
        if given is not None and name[:2] == "--":
            self._wrong(f"`{name}` takes no value", f"`{name}` 不带值")
        if option.action in ("help", "version"):
            return option.action
        if option.action == "count":
            values[option.target] += 1
        else:
            values[option.target] = option.const if option.action == "store_const" else True
        return self._option(f"-{given}", values) if given is not None else None  # letters in a row: -vv

    def _following(self, name: str, option: Option) -> str:
        """The value that stands behind an option."""
        if self._next >= len(self._argv) or self._argv[self._next] == "--" or self._is_option(self._argv[self._next]):
            self._wrong(f"`{name}` needs a value: {option.value}", f"`{name}` 后面缺少值：{option.value}")
        self._next += 1
        return self._argv[self._next - 1]

    def _value(self, name: str, option: Option, text: str) -> Any:
        """A value as the option takes it."""
        if option.choices is not None and text not in option.choices:
            hint = _near(text, option.choices)
            where = (f"{name}: ", f"{name} 的值") if name else ("", "参数")
            self._wrong(
                f"{where[0]}`{text}` is none of {', '.join(option.choices)}{hint[0]}",
                f"{where[1]}不能是 `{text}`，只能是 {'、'.join(option.choices)} 之一{hint[1]}",
            )
        try:
            return text if option.type is None else option.type(text)
        except ValueError:
            wanted = option.wanted or ("something else", "其他值")
            self._wrong(f"{name}: `{text}` is not {wanted[0]}", f"{name} 的值应为{wanted[1]}，而不是 `{text}`")

    def _fill(self, values: dict[str, Any]) -> None:
        """Store the operands."""
        operands, found = self._operands, self._found
        most = 0 if operands is None else 1 if operands.count in (None, "?") else len(found)
        if len(found) > most:
            self._wrong(f"`{found[most]}` is one argument too many", f"多出了一个参数 `{found[most]}`")
        if operands is None:
            return
        if not found and operands.count in (None, "+"):
            self._wrong(f"{operands.metavar} is missing", f"缺少参数 {operands.metavar}")
        if operands.count in ("*", "+", REST):
            values[operands.target] = found
        elif found:
            values[operands.target] = self._value(operands.metavar or "", operands, found[0])

    def _no_such_option(self, text: str, names: list[str]) -> NoReturn:
        if names:
            self._wrong(
                f"`{text}` may stand for {', '.join(names)}",
                f"`{text}` 可以是多个选项的缩写：{'、'.join(names)}",
            )
        hint = _near(text, self._named)
        self._wrong(f"there is no option `{text}`{hint[0]}", f"没有 `{text}` 这个选项{hint[1]}")

    def _wrong(self, en: str, zh: str) -> NoReturn:
        raise ArgumentError(self._command, en, zh)


def _spoken(argv: list[str]) -> dict[str, str]:
    return {"lang": language_of(argv)}


def _value_in(text: str, name: str) -> str | None:
    """The value that is written in one with an option (`--root=C`, `-oFILE`); None without one."""
    if text[:2] == "--":
        _, equals, value = text.partition("=")
        return value if equals else None
    return text[2:].removeprefix("=") if len(text) > 2 else None


def _is_number(text: str) -> bool:
    whole, _, part = text[1:].partition(".")
    return (whole + part).isdigit()


def _near(text: str, known: Iterable[str]) -> tuple[str, str]:
    """In English and in Chinese: what was meant, where something is near."""
    from difflib import get_close_matches  # after a slip only

    near = get_close_matches(text, list(known), 1, 0.7)
    return (f"; did you mean {near[0]}?", f"；你是想用 {near[0]} 吗？") if near else ("", "")
