"""The arguments of one call. What is plain is read here; help, errors and shortened options are argparse's.

`argparse` takes as long to import as a short question takes to answer. That both read the same out of every call is
tested (`tests/cli/test_arguments.py`).
"""

from __future__ import annotations

from whyload.cli.options import COMMANDS, REST, Option, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Arguments:
    """What was given, by the targets of the options; `vars` shows all of it."""

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)

    if TYPE_CHECKING:
        lang: str

        def __getattr__(self, name: str) -> Any: ...


def parse(argv: list[str]) -> Arguments:
    """The arguments of one call; ends the program with code 2 where they are wrong."""
    first = argv[0] if argv else ""
    if first and first not in COMMANDS and first not in ("-h", "--help", "--version"):
        argv = ["import", *argv]
    arguments = read_plainly(argv)
    if arguments is None:
        from whyload.cli.parser import parsed

        arguments = parsed(argv, Arguments())
    if vars(arguments)["lang"] is None:
        arguments.lang = _language(arguments)
    return arguments


def _language(arguments: Arguments) -> str:
    """JSON is for programs, and English unless the person says otherwise."""
    if arguments.format == "json" or vars(arguments).get("batch"):
        return "en"
    from whyload.api.language import default_language

    return default_language()


def read_plainly(argv: list[str]) -> Arguments | None:
    """The arguments of a call whose options are written in full, each by itself; None for any other call."""
    if not argv or argv[0] not in COMMANDS or "--" in argv:
        return None
    options = options_of(argv[0]).all()
    reading = _Reading({name: option for option in options for name in option.names}, argv)
    values: dict[str, Any] = {"command": argv[0]}
    for option in options:
        values.setdefault(option.target, [] if option.count in ("*", REST) else option.default)
    operands = [option for option in options if not option.names]
    if not reading.read(values, operands[0] if operands else None):
        return None
    return Arguments(**values)


class _Reading:
    """One way through the arguments of a command, the first of which is its name."""

    def __init__(self, named: dict[str, Option], argv: list[str]) -> None:
        self._named, self._argv, self._next = named, argv, 1

    def read(self, values: dict[str, Any], operands: Option | None) -> bool:
        """Put everything into `values`; False where argparse has to be asked."""
        found: list[str] | None = None
        while self._next < len(self._argv):
            text = self._argv[self._next]
            if text.startswith("-") and text != "-":
                if not self._option(text, values):
                    return False
            elif operands is None or found is not None:  # operands in two places
                return False
            else:
                found = self._operands(operands)
        return operands is None or _fill(operands, found or [], values)

    def _operands(self, operands: Option) -> list[str]:
        start = self._next
        if operands.count == REST:
            self._next = len(self._argv)
        while self._next < len(self._argv) and (self._argv[self._next] == "-" or self._argv[self._next][:1] != "-"):
            self._next += 1
        return self._argv[start : self._next]

    def _option(self, text: str, values: dict[str, Any]) -> bool:
        name, equals, given = text.partition("=")
        option = self._named.get(name)
        if option is None or (equals and (not given or name[:2] != "--" or option.action != "store")):
            return False
        self._next += 1
        if option.action == "store":
            if not equals:
                if self._next >= len(self._argv) or self._argv[self._next][:1] == "-":
                    return False
                given = self._argv[self._next]
                self._next += 1
            return _store(option, given, values)
        if option.action == "count":
            values[option.target] += 1
        else:
            values[option.target] = option.const if option.action == "store_const" else True
        return True


def _store(option: Option, given: str, values: dict[str, Any]) -> bool:
    if option.choices is not None and given not in option.choices:
        return False
    try:
        values[option.target] = given if option.type is None else option.type(given)
    except ValueError:
        return False
    return True


def _fill(operands: Option, found: list[str], values: dict[str, Any]) -> bool:
    """Store the operands; False where there are too few or too many of them."""
    if operands.count in ("*", "+", REST):
        values[operands.target] = found
        return bool(found) or operands.count != "+"
    if len(found) > 1 or (not found and operands.count is None):
        return False
    return not found or _store(operands, found[0], values)
