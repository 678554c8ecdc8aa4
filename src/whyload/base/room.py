"""Room for deep recursion: reading follows the nesting of source and of imports.

Source: CPython's documentation of `sys.setrecursionlimit` (a limit that the C stack cannot bear crashes the process)
and of `threading.stack_size`; before Python 3.11 every call of a Python function takes C stack, and a main thread has
1 to 8 MB of it.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
from collections.abc import Callable, Iterator

from whyload.base.typing import Final, TypeVar

_Result = TypeVar("_Result")
_RECURSION: Final = 12_000
_STACK: Final = (256 if sys.maxsize > 2**32 else 64) << 20
"""Bytes, 22 kB for each of those calls; only what is used of it is taken from the machine."""
_POLL: Final = 0.2
"""Seconds between looks for Ctrl-C, which Windows does not deliver to a thread that waits."""


def with_room(work: Callable[[], _Result]) -> _Result:
    """The result of `work`, done in a thread whose stack bears the recursion; without one, here and less deep."""
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            with _deep():
                results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = _started(run)
    if thread is None:
        with _without_collection():
            return work()
    while thread.is_alive():
        thread.join(_POLL)
    if errors:
        raise errors[0]
    return results[0]


def _started(run: Callable[[], None]) -> threading.Thread | None:
    try:
        before = threading.stack_size(_STACK)
    except (ValueError, RuntimeError):
        return None
    try:
        thread = threading.Thread(target=run, name="whyload-room", daemon=True)
        thread.start()
    except RuntimeError:
        return None
    finally:
        threading.stack_size(before)
    return thread


@contextlib.contextmanager
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        with _without_collection():
            yield
    finally:
        sys.setrecursionlimit(before)


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    """Syntax trees are many objects, and all of them are still in use: looking for garbage among them finds none."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()
