"""The command line: reads the arguments, calls one command's module, turns errors into one line and exit code 2."""

from __future__ import annotations

import io
import os
import sys

from whyload import __version__
from whyload.base.errors import WhyloadError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_USAGE = 2
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
EXIT_UNKNOWN = 3
_OF_UTF8 = ("json", "html")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code of docs/contract.md, section 1."""
    if argv is not None:
        return _answer(argv)
    if sys.argv[1:] == ["--version"]:  # asked by scripts, and not worth the import of the options
        return _say_version(sys.argv[1:])
    import gc

    # nearly all that one question makes is kept to its end: looking for garbage in it takes a tenth of the time
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, 20, 50)
    code = _answer(sys.argv[1:])
    from whyload.cli.ending import end_at_once

    end_at_once(code)
    gc.freeze()
    return code


def _say_version(argv: Sequence[str]) -> int:
    try:
        print(f"whyload {__version__}", flush=True)
    except BrokenPipeError:
        _close_error_output()
    except OSError as error:
        why = error.strerror or error
        _complain(_language(None, argv), f"cannot write the version: {why}", f"无法输出版本号：{why}")
        return EXIT_USAGE
    return 0


def _complain(language: str, en: str, zh: str, below: str = "") -> None:
    """One line on standard error, where that can be written, and what stands below it: the exit code says it too."""
    try:
        print(f"whyload：{zh}" if language == "zh" else f"whyload: {en}", file=sys.stderr)
        print(below, end="", file=sys.stderr, flush=True)
    except (OSError, ValueError):  # full, closed
        _close_error_output()  # else Python's own end complains, with an exit code of its own


def _close_error_output() -> None:
    try:
        sys.stderr.close()
    except (OSError, ValueError, AttributeError):  # full, closed, not there
        return


def _language(arguments: object, argv: Sequence[str]) -> str:
    """The language of what is said about this call, as far as it was read."""
    if arguments is not None:
        return str(arguments.lang)  # type: ignore[attr-defined]
    from whyload.cli.arguments import language_of

    return language_of(list(argv))


def _answer(argv: Sequence[str]) -> int:
    arguments: object = None
    try:
        from whyload.cli.arguments import parse

        _set_encodings()
        arguments = parse(list(argv))
        if getattr(arguments, "format", "text") in _OF_UTF8 or getattr(arguments, "batch", None):
            _set_encodings(is_data=True)
        return run_command(arguments)
    except WhyloadError as error:
        language = _language(arguments, argv)
        _complain(language, str(error), error.text(language), _usage(error, language) if arguments is None else "")
        return EXIT_USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        _complain(_language(arguments, argv), "interrupted", "已中断")
        return EXIT_UNKNOWN
    except OSError as error:  # whyload's own folders (cache, state, temporary files): gone, full, read-only
        if getattr(arguments, "verbose", 0):
            raise
        why, place = error.strerror or error, error.filename
        _complain(
            _language(arguments, argv),
            f"cannot go on: {why}{f': {place}' if place else ''} (-v shows where)",
            f"无法继续：{why}{f'：{place}' if place else ''}（用 -v 查看出错位置）",
        )
        return EXIT_USAGE
    except Exception as error:  # a defect of ours: said in one line, in full with -v
        if getattr(arguments, "verbose", 0):
            raise
        said = f"{type(error).__name__}: {error}"
        _complain(
            _language(arguments, argv),
            f"a defect of whyload: {said} (-v shows where)",
            f"whyload 内部错误：{said}（用 -v 查看出错位置）",
        )
        return EXIT_UNKNOWN


def _usage(error: WhyloadError, language: str) -> str:
    """How the command is written whose arguments are wrong."""
    from whyload.cli.help_command import usage_text

    return usage_text(getattr(error, "command", None), language)


def _set_encodings(*, is_data: bool = False) -> None:
    """Files and pipes get UTF-8 whatever the code page, texts for people what PYTHONIOENCODING says where it is set; a
    terminal gets what it can show. `is_data`: what comes is of a format that is UTF-8 by its own rules.
    """
    is_chosen = os.environ.get("PYTHONIOENCODING", "").partition(":")[0] != "" and not is_data
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty() or (is_chosen and stream is not sys.stdin):
                stream.reconfigure(errors="replace")
            elif not is_data or stream is sys.stdout:
                stream.reconfigure(encoding="utf-8", errors="replace")


def run_command(arguments: object) -> int:
    """Import the command's module and let it answer."""
    from importlib import import_module

    command = arguments.command  # type: ignore[attr-defined]
    if command == "version":
        return _say_version(())
    module = import_module(f"whyload.cli.{command}_command")
    return int(module.run(arguments))
