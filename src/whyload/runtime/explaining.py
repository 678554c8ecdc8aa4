"""Under the traceback of a failed import: why it failed. Asked for with `whyload.explain_imports()`.

Until something fails this costs a hook for uncaught exceptions and a list of added DLL folders. Then the failure as it
is in this very process (exception chain, loaded modules, folders, variables) is written down, and another process
answers: nothing of the analysis runs in the user's program, and nothing of the program is imported by the analysis.
Source: Python's documentation of `sys.excepthook` and `threading.excepthook`; IPython's of `showtraceback`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

_LONGEST_WAIT = 60.0
_ANSWER = "import sys; sys.path.insert(0, sys.argv[1]); from whyload.api.failures import main; main(*sys.argv[2:])"
_LOADING = (ImportError, OSError)
_MOST_LINKS = 32


def explain_imports(*, language: str | None = None, timeout: float = _LONGEST_WAIT) -> Callable[[], None]:
    """From now on, an import or a library load that fails and ends the program, a thread or a cell of IPython is
    explained on standard error, below its traceback.

    `language` is `en` or `zh`, by default that of the system; an explanation that takes longer than `timeout` seconds
    is left out. The exit code, the hooks that were there before and the exception stay as they are. The result takes
    all of this back.
    """
    watch = _Watch(language, timeout)
    undo = [_hook_main(watch), _hook_threads(watch), _hook_ipython(watch), _note_folders(watch)]

    def stop() -> None:
        while undo:
            undo.pop()()

    return stop


class _Watch:
    """What is noted until a failure, and what happens then."""

    def __init__(self, language: str | None, timeout: float) -> None:
        self.language = language
        self.timeout = timeout
        self.cookies: list[Any] = []
        """What `os.add_dll_directory` returned: `path` is None where the folder was taken back."""
        self.last: int | None = None

    def failed(self, error: BaseException | None) -> None:
        """Explain the error, where it is about loading. Never raises."""
        try:
            if error is not None and id(error) != self.last and _is_about_loading(error) and sys.stderr is not None:
                self.last = id(error)
                text = answer(error, [str(cookie.path) for cookie in self.cookies if cookie.path], self)
                if text:
                    sys.stderr.write(f"\n{text}")
                    sys.stderr.flush()
        except BaseException:  # also Ctrl-C: the program is ending anyway, and with the exit code that it has
            return


def _is_about_loading(error: BaseException) -> bool:
    """True where an import or a library is among the reasons; a file of the program's own that is not there is none."""
    waiting: list[BaseException | None] = [error]
    for _ in range(_MOST_LINKS):
        item = waiting.pop() if waiting else None
        if item is None and not waiting:
            return False
        if isinstance(item, ImportError) or (isinstance(item, _LOADING) and _is_of_a_library(item)):
            return True
        if item is not None:
            waiting += [item.__context__, item.__cause__]
    return False


def _is_of_a_library(error: BaseException) -> bool:
    text = str(error).lower()
    return any(word in text for word in (".dll", ".pyd", "one of its dependencies", "dlopen", ".so:", ".so.", ".so'"))


def answer(error: BaseException, folders: list[str], watch: _Watch) -> str:
    """What whyload says of the error; empty where it has no cause for it."""
    import shutil
    import tempfile

    from whyload.observe.child import run_child

    python = _interpreter()
    if python is None:
        return ""
    folder = tempfile.mkdtemp(prefix="whyload-")
    try:
        record = f"{folder}{os.sep}failure.jsonl"
        write_record(record, error, folders)
        root = sys.modules["whyload"].__path__[0].rpartition(os.sep)[0]
        command = [python, "-I", "-X", "utf8", "-c", _ANSWER, root, record, watch.language or ""]
        ended = run_child(command, environment=dict(os.environ), cwd=None, timeout=watch.timeout)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ended.stdout if ended.exit_status == 0 and not ended.timed_out else ""


def _interpreter() -> str | None:
    """A Python to answer with: this one, or, where a program embeds Python, the one that it took its files from."""
    own = (sys.executable or "").replace("\\", "/").rpartition("/")[2].lower()
    if own.startswith("python"):
        return sys.executable
    beside = f"{sys.base_prefix}{os.sep}python.exe"
    return beside if os.access(beside, os.R_OK) else None


def write_record(file: str, error: BaseException, folders: list[str]) -> None:
    """The failure in the form in which the probe of a watched run reports one (observe/probe.py)."""
    from whyload.observe import probe

    journal = probe.Journal(file)
    recorder = probe.Recorder(journal)
    journal.write("facts", **probe.facts(), **probe.state())
    journal.write("begin", sys_path=[str(entry) for entry in sys.path], argv=[str(item) for item in sys.argv])
    for folder in folders:
        journal.write("directory", path=folder, added=True, at=None)
    probe.finish(recorder, error, list(sys.path))
    os.close(journal.file)


def _hook_main(watch: _Watch) -> Callable[[], None]:
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        watch.failed(error)

    sys.excepthook = hook
    return lambda: _put_back(sys, "excepthook", hook, before)


def _hook_threads(watch: _Watch) -> Callable[[], None]:
    import threading

    before = threading.excepthook

    def hook(arguments: threading.ExceptHookArgs) -> None:
        before(arguments)
        watch.failed(arguments.exc_value)

    threading.excepthook = hook
    return lambda: _put_back(threading, "excepthook", hook, before)


def _hook_ipython(watch: _Watch) -> Callable[[], None]:
    """Where IPython runs it shows tracebacks itself, and `sys.excepthook` is not called."""
    module: Any = sys.modules.get("IPython")
    shell = module.get_ipython() if hasattr(module, "get_ipython") else None
    if shell is None:
        return lambda: None
    before = shell.showtraceback

    def showtraceback(exc_tuple: Any = None, *args: Any, **kwargs: Any) -> Any:
        error = exc_tuple[1] if exc_tuple else sys.exc_info()[1]
        shown = before(exc_tuple, *args, **kwargs)
        watch.failed(error)
        return shown

    shell.showtraceback = showtraceback
    return lambda: _put_back(shell, "showtraceback", showtraceback, before)


def _note_folders(watch: _Watch) -> Callable[[], None]:
    """`os.add_dll_directory` passed on, its results kept: no list of the folders can be had from Windows."""
    before = getattr(os, "add_dll_directory", None)
    if before is None:
        return lambda: None

    def add_dll_directory(path: Any) -> Any:
        cookie = before(path)
        watch.cookies.append(cookie)
        return cookie

    add_dll_directory.__doc__ = before.__doc__
    setattr(os, "add_dll_directory", add_dll_directory)  # noqa: B010 - it is not there on every system
    return lambda: _put_back(os, "add_dll_directory", add_dll_directory, before)


def _put_back(owner: Any, name: str, ours: object, before: object) -> None:
    """Only where nobody has put another hook over ours."""
    if getattr(owner, name, None) is ours:
        setattr(owner, name, before)
