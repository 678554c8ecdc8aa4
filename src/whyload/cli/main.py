"""The command line: reads the arguments, calls one command's module, turns errors into one line and exit code 2."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence

from whyload import __version__
from whyload.base.errors import WhyloadError

EXIT_USAGE = 2
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
EXIT_UNKNOWN = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code of docs/contract.md, section 1."""
    if argv is not None:
        return _answer(argv)
    if sys.argv[1:] == ["--version"]:  # asked by scripts, and not worth the import of argparse, which knows it too
        return _say_version()
    import gc

    # nearly all that one question makes is kept to its end: looking for garbage in it takes a tenth of the time
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, 20, 50)
    code = _answer(sys.argv[1:])
    from whyload.cli.ending import end_at_once

    end_at_once(code)
    gc.freeze()
    return code


def _say_version() -> int:
    try:
        print(f"whyload {__version__}", flush=True)
    except OSError as error:
        _complain(f"cannot write the version: {error.strerror or error}")
        return EXIT_USAGE
    return 0


def _complain(text: str) -> None:
    """One line on standard error, where that can be written: the exit code says it too."""
    try:
        print(f"whyload: {text}", file=sys.stderr, flush=True)
    except (OSError, ValueError):  # full, closed
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.close()  # else Python's own end complains, with an exit code of its own


def _answer(argv: Sequence[str]) -> int:
    arguments: object = None
    try:
        from whyload.cli.arguments import parse

        arguments = parse(list(argv))
        _speak_utf8()
        return run_command(arguments)
    except WhyloadError as error:
        _complain(str(error))
        return EXIT_USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        _complain("interrupted")
        return EXIT_UNKNOWN
    except OSError as error:  # whyload's own folders (cache, state, temporary files): gone, full, read-only
        if getattr(arguments, "verbose", 0):
            raise
        where = f": {error.filename}" if error.filename else ""
        _complain(f"cannot go on: {error.strerror or error}{where} (-v shows where)")
        return EXIT_USAGE
    except Exception as error:  # a defect of ours: said in one line, in full with -v
        if getattr(arguments, "verbose", 0):
            raise
        _complain(f"a defect of whyload: {type(error).__name__}: {error} (-v shows where)")
        return EXIT_UNKNOWN


def _speak_utf8() -> None:
    """Files and pipes get UTF-8 whatever the code page; a terminal gets what it can show."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="replace")


def run_command(arguments: object) -> int:
    """Import the command's module and let it answer."""
    from importlib import import_module

    command = arguments.command  # type: ignore[attr-defined]
    module = import_module(f"whyload.cli.{command}_command")
    return int(module.run(arguments))
