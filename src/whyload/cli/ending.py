"""The end of the program: without taking apart what it made, where nobody waits for that.

Source: Python's documentation of `os._exit` (no handlers are called, no buffers flushed) and of `atexit`. Python's own
end looks at every object that is left: a tenth of the time of a short command.
"""

from __future__ import annotations

import atexit
import os
import sys


def end_at_once(code: int) -> None:
    """End the process with this exit code; returns where something is to be done before it may end."""
    if not _is_anything_pending() and _flushed():
        os._exit(code)


def _is_anything_pending() -> bool:
    """A handler (of a temporary folder, of a measuring tool), another thread, somebody who watches or waits."""
    handlers = getattr(atexit, "_ncallbacks", None)
    if handlers is None or handlers():
        return True
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return True
    return bool(sys.flags.inspect or sys.flags.interactive) or _is_watched()


def _is_watched() -> bool:
    """Does a debugger or profiler look on? It says what it saw when the program returns to it."""
    if sys.gettrace() is not None or sys.getprofile() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)  # since Python 3.12
    return monitoring is not None and any(monitoring.get_tool(number) for number in range(6))


def _flushed() -> bool:
    """Everything written; False where that fails: Python's own end knows what to say then."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True
