"""Answers one question inside the interpreter under examination: `python probe.py RESULT REQUEST`.

One file, standard library only, CPython 3.7 and newer; nothing of whyload is installed there. What happens is appended
to RESULT as lines of JSON while it happens, so that a crash or `os._exit` loses nothing. Before the question nothing is
imported that an interpreter has not imported by itself: the user's folder may shadow any standard module. Facts about
Python's audit events: https://docs.python.org/3/library/audit_events.html and CPython's sources.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, ModuleType
    from typing import Any

WINDOWS = os.name == "nt"
OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))
EXTENSION_FLAGS = 0x1100 if sys.version_info >= (3, 8) else 0x8  # R3.1
MOST_LINES = 200000
MOST_BYTES = 128 << 20
UNLIMITED = ("note", "modules", "dll_directory", "failure", "end")
MOST_EXCEPTIONS = 32
MOST_FRAMES = 100
MACHINERY = ("importlib", "importlib._bootstrap", "importlib._bootstrap_external", "zipimport", "ctypes", "os", "runpy")
LOAD_CALLS = {"LoadLibraryExW", "LoadLibraryW", "LoadLibraryExA", "LoadLibraryA", "LoadLibrary", "dlopen"}
VARIABLES = (
    "PATH PATHEXT SYSTEMROOT WINDIR SYSTEMDRIVE PROGRAMFILES PROGRAMDATA APPDATA LOCALAPPDATA USERPROFILE TEMP TMP HOME"
    " VIRTUAL_ENV NVTOOLSEXT_PATH HIP_PATH CUDNN_PATH LD_LIBRARY_PATH PROCESSOR_ARCHITECTURE PROCESSOR_ARCHITEW6432 "
    "__PYVENV_LAUNCHER__ TORCH_EXTENSIONS_DIR USE_PATH_FOR_GDAL_PYTHON GDAL_DATA NUMBER_OF_PROCESSORS OS"
).split()
PREFIXES = tuple("PYTHON CONDA CUDA KMP_ OMP_ MKL_ QT_ PROGRAMFILES CUPY_ ORT_ ONEAPI OPENBLAS_".split())

_ESCAPES = {**{code: "\\u%04x" % code for code in range(32)}, ord('"'): '\\"', ord("\\"): "\\\\"}


def dumps(value: object) -> str:
    """JSON, without the json module: the user's folder may hold another module of that name."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    if isinstance(value, dict):
        return "{" + ",".join([dumps(str(key)) + ":" + dumps(value[key]) for key in value]) + "}"
    return '"' + str(value).translate(_ESCAPES) + '"'


class Journal:
    """Appends records to the result file, each with one write."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.process = os.getpid()
        self.lines = self.bytes = 0
        self.closed = self.full = False
        self.file = self.open()

    def open(self) -> int:
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        self.identity = os.fstat(file)
        return file

    def write(self, kind: str, **fields: object) -> None:
        if self.closed or os.getpid() != self.process:  # a forked child has our hook and our file
            return
        fields["kind"] = kind
        line = (dumps(fields) + "\n").encode("utf-8", "surrogatepass")
        self.lines += 1
        self.bytes += len(line)
        if kind not in UNLIMITED and (self.lines > MOST_LINES or self.bytes > MOST_BYTES):
            if not self.full:
                self.full = True
                self.write("note", what="later events", why="there were too many of them")
            return
        try:
            if not os.path.samestat(os.fstat(self.file), self.identity):
                raise OSError
            os.write(self.file, line)
        except OSError:  # the program closed every file, and may have opened another one under our number
            self.file = self.open()
            os.write(self.file, line)


def variables() -> dict[str, str]:
    """The environment variables that matter to a loader; no others leave the process."""
    return {name: value for name, value in os.environ.items() if wanted(name)}


def wanted(name: str) -> bool:
    upper = name.upper()
    return upper in VARIABLES or upper.startswith(PREFIXES)


def state() -> dict[str, Any]:
    """What a program may change while it runs."""
    try:
        cwd: str | None = os.getcwd()
    except OSError:
        cwd = None
    return {"sys_path": [str(entry) for entry in sys.path], "cwd": cwd, "environment": variables()}


def facts() -> dict[str, Any]:
    windows = getattr(sys, "getwindowsversion", None)
    names = [name for name in dir(sys.flags) if name[:1] != "_" and name[:2] != "n_" and name not in ("count", "index")]
    told = ("version", "executable", "prefix", "base_prefix", "exec_prefix", "base_exec_prefix")
    return {
        **{name: getattr(sys, name) for name in told},
        "version_info": list(sys.version_info[:3]),
        "implementation": sys.implementation.name,
        "image": __import__("_winapi").GetModuleFileName(0) if WINDOWS else os.path.realpath("/proc/self/exe"),
        "bits": 64 if sys.maxsize > 2**32 else 32,
        "flags": {name: int(getattr(sys.flags, name)) for name in names if isinstance(getattr(sys.flags, name), int)},
        "windows": list(windows()[:3]) if windows else None,
        "modules": {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())},
    }


class LoadedModules:
    """The native modules of the process in the order in which they were loaded (EnumProcessModules)."""

    def __init__(self) -> None:
        self.kernel32: Any = None
        self.paths: dict[int, str] = {}

    def available(self) -> bool:
        """True where the program itself has already loaded ctypes, so that asking changes nothing."""
        return WINDOWS and "_ctypes" in sys.modules and hasattr(sys.modules.get("ctypes"), "WinDLL")

    def _prepare(self) -> Any:
        if self.kernel32 is None:
            ctypes: Any = __import__("ctypes")
            self.kernel32 = kernel32 = ctypes.WinDLL("kernel32")  # our own: the program's argtypes are not touched
            kernel32.GetCurrentProcess.restype = pointer = ctypes.c_void_p
            kernel32.K32EnumProcessModules.argtypes = [pointer, pointer, ctypes.c_ulong, pointer]
            kernel32.GetModuleFileNameW.argtypes = [pointer, ctypes.c_wchar_p, ctypes.c_ulong]
            kernel32.GetDllDirectoryW.argtypes = [ctypes.c_ulong, ctypes.c_wchar_p]
        return self.kernel32

    def list(self) -> list[str]:
        ctypes: Any = __import__("ctypes")
        kernel32, room = self._prepare(), 1024
        while True:
            handles, needed = (ctypes.c_void_p * room)(), ctypes.c_ulong()
            size = ctypes.sizeof(handles)
            if not kernel32.K32EnumProcessModules(kernel32.GetCurrentProcess(), handles, size, ctypes.byref(needed)):
                raise ctypes.WinError()
            if needed.value <= size:
                break
            room *= 2
        return [self.path(handle) for handle in handles[: needed.value // ctypes.sizeof(ctypes.c_void_p)]]

    def path(self, handle: int) -> str:
        if handle not in self.paths:
            ctypes: Any = __import__("ctypes")
            text = ctypes.create_unicode_buffer(32768)
            self.kernel32.GetModuleFileNameW(handle, text, 32768)
            self.paths[handle] = str(text.value)
        return self.paths[handle]

    def dll_directory(self) -> str | None:
        """What SetDllDirectoryW was given last; None where it was not called."""
        ctypes: Any = __import__("ctypes")
        text = ctypes.create_unicode_buffer(32768)
        self._prepare().GetDllDirectoryW(32768, text)
        return str(text.value) or None


def mapped_files() -> list[str]:
    """The same on Linux, in the order of addresses."""
    with open("/proc/self/maps", "rb") as file:
        lines = [line.partition("/") for line in file.read().decode("utf-8", "replace").splitlines()]
    return list(dict.fromkeys("/" + path for _, slash, path in lines if slash))


def place(frame: FrameType | None) -> list[object] | None:
    """File and line of the innermost frame that is neither the import machinery's, ctypes' nor ours; no file for -c."""
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_globals.get("__name__")
        if not (file == __file__ or file.startswith("<frozen") or name in MACHINERY):
            return [None if file.startswith("<") else file_of(frame), frame.f_lineno]
        frame = frame.f_back
    return None


def file_of(frame: FrameType) -> str:
    """The source file of a frame; byte code that was compiled elsewhere may carry a relative name."""
    file, module_file = frame.f_code.co_filename, frame.f_globals.get("__file__")
    return file if os.path.isabs(file) or not isinstance(module_file, str) else module_file


class Recorder:
    """Turns audit events into records. It never raises and never changes what the program gets."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.modules = LoadedModules()
        self.known: set[str] = set()
        self.symbols: set[tuple[str, str]] = set()
        self.busy = False
        self.lost: str | None = None
        self.handlers: dict[str, Callable[[Any], None]] = {
            "import": self.imported,
            "exec": self.executed,
            "ctypes.dlopen": self.opened,
            "ctypes.dlsym": self.asked,
            "os.add_dll_directory": self.directory,
            "os.putenv": self.variable,
            "os.unsetenv": self.variable,
        }
        started = ("subprocess.Popen", "os.system", "os.startfile", "os.spawn", "os.exec")
        self.handlers.update(dict.fromkeys(started, self.process))

    def install(self) -> None:
        if hasattr(sys, "addaudithook"):
            sys.addaudithook(self.audit)
        else:
            self.install_old()
        if WINDOWS and sys.version_info >= (3, 8):
            self.watch_removal()

    def audit(self, event: str, args: Any) -> None:
        handler = self.handlers.get(event)
        if handler is None or self.busy or self.journal.closed:
            return
        try:
            handler(args)
        except Exception as error:
            self.lost = "%s: %r" % (event, error)

    # The frames below: 0 is `place`'s caller, 1 `audit`, 2 whoever raised the event.
    def imported(self, args: Any) -> None:
        if args[1] is not None:  # the finder's own event carries no file; an extension module's does
            self.load("import", str(args[1]), EXTENSION_FLAGS, str(args[0]), sys._getframe(2))

    def executed(self, args: Any) -> None:
        code, frame = args[0], sys._getframe(2)
        if getattr(code, "co_name", None) != "<module>":
            return
        by = frame.f_code.co_filename
        if by.startswith("<frozen importlib") and frame.f_code.co_name == "_call_with_frames_removed":
            arguments = frame.f_locals["args"]
            if arguments[0] is code:  # not an extension module that runs code of its own in its init function
                values = arguments[1]
                self.started(values.get("__name__"), values.get("__file__") or code.co_filename, frame)
        elif by == "<frozen zipimport>" and "fullname" in frame.f_locals:
            self.started(frame.f_locals["fullname"], code.co_filename, frame)

    def started(self, module: str, file: str | None, frame: FrameType | None) -> None:
        self.journal.write("started", module=module, file=file, at=place(frame))

    def load(self, via: str, name: str, flags: int, module: str | None, frame: FrameType | None) -> None:
        self.snapshot("load")
        self.journal.write("load", via=via, name=name, flags=flags, module=module, at=place(frame))

    def opened(self, args: Any) -> None:
        name, frame = args[0], sys._getframe(2)
        if name is None:
            return
        values, function = frame.f_locals, frame.f_code.co_name
        mode = values.get("mode") if function == "__init__" else None
        if function == "_load_library" and values.get("winmode") is not None:  # 3.14 and newer
            mode = values["winmode"]
        flags = mode if isinstance(mode, int) and sys.version_info >= (3, 8) else 0  # before 3.8: LoadLibrary(name)
        self.load("ctypes", os.fsdecode(name), flags, None, frame)

    def asked(self, args: Any) -> None:
        library, name = getattr(args[0], "_name", None), args[1]
        if isinstance(library, str) and isinstance(name, str) and (library, name) not in self.symbols:
            if len(self.symbols) < 20000:
                self.symbols.add((library, name))
                self.journal.write("symbol", library=library, name=name, at=place(sys._getframe(2)))

    def directory(self, args: Any) -> None:
        path = os.fsdecode(args[0])
        there = os.path.isabs(path) and os.path.exists(path)  # R3.15: otherwise the call raises
        self.journal.write("directory", path=path, added=there, at=place(sys._getframe(2)))

    def watch_removal(self) -> None:
        """The one thing that no audit event tells: an added folder is taken back. Passes everything on unchanged."""
        nt: Any = __import__("nt")
        remove = nt._remove_dll_directory

        def _remove_dll_directory(cookie: object) -> object:
            path = getattr(sys._getframe(1).f_locals.get("self"), "path", None)
            if path is not None:
                self.journal.write("removed", path=os.fsdecode(path))
            return remove(cookie)

        nt._remove_dll_directory = _remove_dll_directory

    def variable(self, args: Any) -> None:
        name, value = os.fsdecode(args[0]), os.fsdecode(args[1]) if len(args) > 1 else None
        if wanted(name):
            self.journal.write("environment", name=name, value=value, at=place(sys._getframe(2)))

    def process(self, args: Any) -> None:
        what = args[1] if len(args) > 1 and not args[0] else args[0]
        what = what[0] if isinstance(what, (list, tuple)) and what else what
        self.journal.write("process", command=str(what)[:1000], at=place(sys._getframe(2)))

    def snapshot(self, when: str) -> None:
        """New native modules since the last time, as long as asking costs the process nothing."""
        if self.busy or not self.modules.available():
            return
        self.busy = True
        try:
            paths = self.modules.list()
            fresh = [path for path in paths if path not in self.known]
            self.known.update(fresh)
            if fresh:
                self.journal.write("modules", when=when, paths=fresh)
        finally:
            self.busy = False

    # ---- Python 3.7 has no audit events: its own Python code is followed instead
    def install_old(self) -> None:
        external: Any = sys.modules["_frozen_importlib_external"]
        create, get_code = external.ExtensionFileLoader.create_module, external._LoaderBasics.exec_module
        recorder = self

        def create_module(self: Any, spec: Any) -> object:
            recorder.load("import", spec.origin, EXTENSION_FLAGS, spec.name, sys._getframe(1))
            return create(self, spec)

        def exec_module(self: Any, module: Any) -> None:
            recorder.started(module.__name__, getattr(module, "__file__", None), sys._getframe(1))
            get_code(self, module)
            if module.__name__ == "ctypes":
                recorder.follow_ctypes(module)

        external.ExtensionFileLoader.create_module = create_module
        external._LoaderBasics.exec_module = exec_module
        if "ctypes" in sys.modules:
            self.follow_ctypes(sys.modules["ctypes"])
        self.journal.write("note", what="environment changes, processes", why="Python 3.7 has no audit events")

    def follow_ctypes(self, module: Any) -> None:
        dlopen = module._dlopen

        def _dlopen(name: Any, mode: int) -> object:
            if name is not None:
                self.load("ctypes", os.fsdecode(name), 0, None, sys._getframe(1))
            return dlopen(name, mode)

        module._dlopen = _dlopen


def attribute(error: BaseException, name: str) -> object:
    try:
        value = getattr(error, name, None)
        return value if isinstance(value, (int, str)) else os.fsdecode(value) if value is not None else None
    except Exception:
        return None


def chain(error: BaseException) -> list[dict[str, object]]:
    """The exception, then what it came from: causes, contexts (also suppressed ones), members of groups."""
    found: list[dict[str, object]] = []
    seen: set[int] = set()
    waiting: list[tuple[BaseException, str]] = [(error, "raised")]
    while waiting and len(found) < MOST_EXCEPTIONS:
        item, link = waiting.pop(0)
        if id(item) in seen:
            continue
        seen.add(id(item))
        found.append(describe(item, link))
        waiting[:0] = origins(item)
    return found


def origins(error: BaseException) -> list[tuple[BaseException, str]]:
    members = getattr(error, "exceptions", None)
    members = members if isinstance(members, (tuple, list)) else ()
    found = [(member, "member") for member in members if isinstance(member, BaseException)]
    if error.__cause__ is not None:
        return [*found, (error.__cause__, "cause")]
    if error.__context__ is not None:
        return [*found, (error.__context__, "suppressed" if error.__suppress_context__ else "context")]
    return found


def describe(error: BaseException, link: str) -> dict[str, object]:
    fields: dict[str, object] = {"type": type(error).__name__, "module": type(error).__module__, "link": link}
    try:
        fields["text"] = str(error)[:20000]
    except Exception:
        fields["text"] = ""
    for name in ("winerror", "errno", "name", "path", "filename"):
        fields[name] = attribute(error, name)
    fields["frames"] = frames(error)
    return fields


def frames(error: BaseException) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename != __file__:
            frame: dict[str, object] = {"file": file_of(step.tb_frame), "line": step.tb_lineno}
            frame.update(function=code.co_name, module=str(step.tb_frame.f_globals.get("__name__")))
            if LOAD_CALLS.intersection(code.co_names):
                frame.update(load_call(step.tb_frame))
            found.append(frame)
        step = step.tb_next
    if len(found) > MOST_FRAMES:
        found = found[: MOST_FRAMES // 2] + found[-MOST_FRAMES // 2 :]
    for frame in found:
        frame["source"] = source_line(str(frame["file"]), int(str(frame["line"])))
    return found


def load_call(frame: FrameType) -> dict[str, object]:
    """A function that calls LoadLibrary itself is invisible to audit events: its constants and file names must do."""
    code = frame.f_code
    variables = dict(frame.f_locals)
    texts = [value for value in variables.values() if isinstance(value, str) and 0 < len(value) < 1000]
    numbers = [value for name, value in variables.items() if "flag" in name.lower()]
    return {
        "calls": sorted(LOAD_CALLS.intersection(code.co_names)),
        "numbers": [value for value in numbers + list(code.co_consts) if type(value) is int],
        "texts": [text for text in texts if text.lower().endswith((".dll", ".pyd", ".so"))][:20],
    }


LINES: dict[str, list[bytes]] = {}


def source_line(file: str, line: int) -> str | None:
    if file not in LINES:
        try:
            with open(file, "rb") as stream:
                LINES[file] = stream.read(8 << 20).splitlines()
        except (OSError, ValueError):
            LINES[file] = []
    lines = LINES[file]
    return lines[line - 1].strip()[:500].decode("utf-8", "replace") if 0 < line <= len(lines) else None


def main_module(file: str | None) -> ModuleType:
    """A fresh `__main__`, as the interpreter makes it for the user's program."""
    module = type(sys)("__main__")
    machinery: Any = sys.modules["_frozen_importlib"]
    external: Any = sys.modules["_frozen_importlib_external"]
    vars(module).update(__builtins__=sys.modules["builtins"], __loader__=machinery.BuiltinImporter)
    if file is not None:
        vars(module).update(__file__=file, __cached__=None, __loader__=external.SourceFileLoader("__main__", file))
    sys.modules["__main__"] = module
    return module


def set_path(first: str) -> None:
    """The first entry of sys.path is this file's folder, except in safe-path and isolated mode, where there is none."""
    if sys.path and os.path.normcase(os.path.abspath(sys.path[0] or os.curdir)) == os.path.normcase(OWN_FOLDER):
        sys.path[0] = first


def set_arguments(arguments: list[str], instead: list[str]) -> None:
    sys.argv[:] = arguments
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = sys.orig_argv[: -len(OWN_ARGUMENTS)] + instead


def run_code(question: dict[str, Any]) -> None:
    set_path("")
    set_arguments(["-c"] + question["args"], ["-c", question["code"]] + question["args"])
    LINES["<string>"] = question["code"].encode("utf-8", "replace").splitlines()
    module = main_module(None)
    begin()
    exec(compile(question["code"], "<string>", "exec", 0, True), vars(module))


def run_script(question: dict[str, Any]) -> None:
    script = question["script"]
    file = os.path.abspath(script) if sys.version_info >= (3, 9) else script
    set_arguments([script] + question["args"], [script] + question["args"])
    if not os.path.isfile(script) or not script.lower().endswith((".py", ".pyw")):
        set_path(os.path.abspath(script))
        begin()
        __import__("runpy").run_path(script, run_name="__main__")  # a folder, a zip file, byte code
        return
    set_path(os.path.dirname(os.path.abspath(script) if WINDOWS else os.path.realpath(script)))
    with open(script, "rb") as stream:
        source = stream.read()
    module = main_module(file)
    begin()
    exec(compile(source, file, "exec", 0, True), vars(module))


def run_module(question: dict[str, Any]) -> None:
    set_path(os.getcwd())
    set_arguments(["-m"] + question["args"], ["-m", question["module"]] + question["args"])
    main_module(None)
    begin()
    __import__("runpy")._run_module_as_main(question["module"])


RUNNERS = {"code": run_code, "script": run_script, "module": run_module}
OWN_ARGUMENTS = list(sys.argv)
RECORDER: Recorder
KEPT: list[object] = [sys.modules["__main__"]]


def begin() -> None:
    """Called right before the user's code starts."""
    RECORDER.journal.write("begin", sys_path=[str(entry) for entry in sys.path], argv=[str(item) for item in sys.argv])
    RECORDER.snapshot("start")
    RECORDER.install()


def watch_faults(path: str, timeout: float | None) -> None:
    """Where the program was when it crashed or hung goes into a file of its own; no message box waits for a click."""
    if WINDOWS:
        msvcrt: Any = __import__("msvcrt")
        msvcrt.SetErrorMode(0x0001 | 0x0002 | 0x8000)
    faulthandler: Any = __import__("faulthandler")
    stream = open(path, "wb", 0)
    KEPT.append(stream)
    if not faulthandler.is_enabled():
        faulthandler.enable(stream)
    if timeout:
        faulthandler.dump_traceback_later(timeout, file=stream)


def final_modules(recorder: Recorder, path: list[str]) -> None:
    """The native modules at the end. Where the program did not load ctypes we do, and leave out what it brings."""
    own = "_ctypes" not in sys.modules
    before, sys.path[:] = list(sys.path), path  # no module of the user's folder may be taken for a standard one
    try:
        paths = recorder.modules.list() if WINDOWS else mapped_files()
        if own and WINDOWS:
            names = [os.path.basename(item).lower() for item in paths]
            start = next((i for i, name in enumerate(names) if name.startswith("_ctypes")), len(paths))
            paths = paths[:start]
        recorder.journal.write("modules", when="end", paths=paths)
        if WINDOWS:
            recorder.journal.write("dll_directory", path=recorder.modules.dll_directory())
    except Exception as error:
        recorder.journal.write("note", what="loaded native modules", why="%s: %s" % (type(error).__name__, error))
    finally:
        sys.path[:] = before


def finish(recorder: Recorder, error: BaseException | None, path: list[str]) -> None:
    status = error.code if isinstance(error, SystemExit) else None if error is None else 1
    recorder.busy = True
    if recorder.lost:
        recorder.journal.write("note", what="some events", why=recorder.lost)
    if error is not None and not (isinstance(error, SystemExit) and error.code in (None, 0)):
        recorder.journal.write("failure", chain=chain(error))
    final_modules(recorder, path)
    recorder.journal.write(
        "end",
        outcome="finished" if error is None else "exited" if isinstance(error, SystemExit) else "raised",
        status=status if isinstance(status, int) or status is None else 1,
        **state(),
    )
    recorder.journal.closed = True


def main() -> None:
    global RECORDER
    result, request = sys.argv[1:3]
    with open(request, encoding="utf-8") as stream:
        question: dict[str, Any] = eval(stream.read(), {"__builtins__": {}})  # a literal, written by whyload
    journal = Journal(result)
    RECORDER = recorder = Recorder(journal)
    path = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != OWN_FOLDER]
    journal.write("facts", **facts(), **state())
    watch_faults(question["faults"], question["timeout"])
    error: BaseException | None = None
    try:
        RUNNERS[question["kind"]](question)
    except BaseException as caught:
        error = caught
    __import__("faulthandler").cancel_dump_traceback_later()
    finish(recorder, error, path)
    if isinstance(error, SystemExit):
        raise error
    if error is not None:
        step = error.__traceback__
        while step is not None and step.tb_frame.f_code.co_filename == __file__:
            step = step.tb_next
        error.__traceback__ = step
        sys.excepthook(type(error), error, step)
        sys.exit(1)


if __name__ == "__main__":
    main()
