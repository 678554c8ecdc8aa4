"""How far long work is, on standard error: a bar where `rich` is installed, a line that is overwritten elsewhere.

Nothing is shown where standard error is no terminal, nor in the first second.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType

from whyload.base.typing import Any
from whyload.report.layout import pad, width
from whyload.report.punctuation import colon

_QUIET_SECONDS = 1.0
_BETWEEN_SECONDS = 0.1
_COLUMNS = 78


class Progress:
    """A context in which `tell` shows how much is done."""

    def __init__(self, language: str = "en") -> None:
        self._name = f"whyload{colon(language)}"
        self._start = self._last = time.monotonic()
        self._shown = False
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._shown and sys.stderr is not None:
            sys.stderr.write("\r" + " " * _COLUMNS + "\r")
            sys.stderr.flush()

    def tell(self, done: int, whole: int, what: str) -> None:
        """`done` of `whole` are done, `what` comes next."""
        now = time.monotonic()
        if now - self._start < _QUIET_SECONDS or now - self._last < _BETWEEN_SECONDS or not _is_terminal():
            return
        self._last = now
        if not self._shown:
            self._shown = True
            self._bar, self._task = _rich_bar()
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=whole, description=what[:40])
        else:
            line = f"{self._name}{done}/{whole} {what}"
            while width(line) > _COLUMNS:
                line = line[:-1]
            sys.stderr.write("\r" + pad(line, _COLUMNS))
            sys.stderr.flush()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _rich_bar() -> tuple[Any, Any]:
    """A bar and its task; (None, None) without `rich`, or where it is of another kind than expected."""
    try:
        from rich.console import Console
        from rich.progress import Progress as Bar
    except ImportError:
        return None, None
    bar = Bar(console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)
    bar.start()
    return bar, task
