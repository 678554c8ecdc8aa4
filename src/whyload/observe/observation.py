"""What a run in a child process showed: the values that `observe` returns."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.message import Text
    from whyload.base.paths import WinPath
    from whyload.observe.events import Event, Place
    from whyload.world.interpreter import InterpreterFacts


class QuestionKind(Enum):
    """What is run."""

    CODE = "code"
    SCRIPT = "script"
    MODULE = "module"


class LoadHow(Enum):
    """How one library is asked for."""

    IMPORT = "import"
    """As an extension module."""
    CTYPES = "ctypes"
    """ctypes.CDLL; the flags are `winmode` where they are given."""
    FLAGS = "flags"
    """LoadLibraryExW with the flags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuestion:
    """What the child is to do. Made by the functions below."""

    kind: QuestionKind
    code: str = ""
    script: str = ""
    module: str = ""
    args: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """Options of the interpreter, such as `-I`."""
    cwd: str | None = None
    stdin: bool = False
    """True passes our standard input on; otherwise there is none."""


def ask_imports(*modules: str, options: tuple[str, ...] = (), cwd: str | None = None) -> RunQuestion:
    """`import` of the modules, one after the other, as `python -c` would do it."""
    code = "\n".join(f"import {name}" if _is_dotted(name) else f"__import__({name!r})" for name in modules)
    return RunQuestion(kind=QuestionKind.CODE, code=code, options=options, cwd=cwd)


def ask_code(
    code: str, args: tuple[str, ...] = (), *, options: tuple[str, ...] = (), cwd: str | None = None, stdin: bool = False
) -> RunQuestion:
    """`python -c code args…`."""
    return RunQuestion(kind=QuestionKind.CODE, code=code, args=args, options=options, cwd=cwd, stdin=stdin)


def ask_script(
    script: str,
    args: tuple[str, ...] = (),
    *,
    options: tuple[str, ...] = (),
    cwd: str | None = None,
    stdin: bool = False,
) -> RunQuestion:
    """`python script args…`."""
    return RunQuestion(kind=QuestionKind.SCRIPT, script=script, args=args, options=options, cwd=cwd, stdin=stdin)


def ask_module(
    module: str,
    args: tuple[str, ...] = (),
    *,
    options: tuple[str, ...] = (),
    cwd: str | None = None,
    stdin: bool = False,
) -> RunQuestion:
    """`python -m module args…`."""
    return RunQuestion(kind=QuestionKind.MODULE, module=module, args=args, options=options, cwd=cwd, stdin=stdin)


def ask_load(
    file: str, how: LoadHow = LoadHow.CTYPES, *, flags: int | None = None, module: str = "", cwd: str | None = None
) -> RunQuestion:
    """Load one library, as `python -c` would do it.

    `module` is the dotted name for `LoadHow.IMPORT` (default: the file's name up to its first dot).
    """
    name = module or file.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    values = f"file, name, flags = {file!r}, {name!r}, {flags!r}\n"
    return ask_code(values + _LOAD_CODE[how], cwd=cwd)


_LOAD_CODE = {
    LoadHow.IMPORT: """import importlib.machinery as machinery, importlib.util as util
loader = machinery.ExtensionFileLoader(name, file)
module = util.module_from_spec(util.spec_from_file_location(name, file, loader=loader))
loader.exec_module(module)
""",
    LoadHow.CTYPES: """import ctypes, sys
ctypes.CDLL(file, **({} if flags is None or sys.version_info < (3, 8) else {"winmode": flags}))
""",
    LoadHow.FLAGS: """import ctypes
LoadLibraryExW = ctypes.WinDLL("kernel32", use_last_error=True).LoadLibraryExW
LoadLibraryExW.argtypes = [ctypes.c_wchar_p, ctypes.c_void_p, ctypes.c_ulong]
LoadLibraryExW.restype = ctypes.c_void_p
if not LoadLibraryExW(file, None, flags or 0):
    error = ctypes.WinError(ctypes.get_last_error())
    error.strerror += f' Error loading "{file}" or one of its dependencies.'
    raise error
""",
}


def _is_dotted(name: str) -> bool:
    import keyword

    return all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split("."))


class Link(Enum):
    """How an exception of the chain hangs together with the one before it."""

    RAISED = "raised"
    CAUSE = "cause"
    CONTEXT = "context"
    SUPPRESSED = "suppressed"
    """A context that `raise … from None` hides."""
    MEMBER = "member"
    """A member of an exception group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One level of a traceback, outermost first."""

    place: Place
    function: str
    module: str = ""
    source: str | None = None
    """The source line, where it could be read."""
    calls: tuple[str, ...] = ()
    """LoadLibrary functions that this function's code names; the next two are recorded for such functions only."""
    numbers: tuple[int, ...] = ()
    """Integer constants of its code (flags are among them)."""
    libraries: tuple[str, ...] = ()
    """Its local variables that are file names of libraries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionInfo:
    """One exception of the chain."""

    type: str
    """Class name without its module."""
    text: str
    module: str = "builtins"
    link: Link = Link.RAISED
    winerror: int | None = None
    errno: int | None = None
    name: str | None = None
    path: str | None = None
    filename: str | None = None
    frames: tuple[Frame, ...] = ()


class Outcome(Enum):
    """How the run ended."""

    FINISHED = "finished"
    """The code came to its end."""
    EXITED = "exited"
    """sys.exit; `exit_status` says whether that means success."""
    RAISED = "raised"
    """An exception left the program."""
    DIED = "died"
    """The process ended without a word: a crash, os._exit, or killed from outside."""
    TIMED_OUT = "timed out"
    """It was ended because it ran too long."""
    NOT_STARTED = "not started"
    """The interpreter did not come as far as the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What happened, in order, and the state at the failure or the end."""

    outcome: Outcome
    exit_status: int | None
    """Of the process: unsigned on Windows, so that an NTSTATUS reads as such; negative for a signal elsewhere; None
    when it was ended for running too long."""
    events: tuple[Event, ...] = ()
    """A load that was not there afterwards and did not end the program stands in an `Attempt`."""
    exceptions: tuple[ExceptionInfo, ...] = ()
    """The exception that ended the program, then what it came from. Empty where none did."""
    loaded: tuple[WinPath, ...] | None = None
    """Native modules at the failure or the end, in the order of loading; None where that is not known."""
    baseline: tuple[WinPath, ...] | None = None
    """Those of them that were there before the first library was asked for."""
    python: InterpreterFacts | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    """The variables that matter to the loader, at the failure or the end."""
    initial_environment: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    sys_path: tuple[str, ...] = ()
    """At the failure or the end."""
    dll_directory: str | None = None
    """What SetDllDirectoryW was given last."""
    early_modules: tuple[str, ...] = ()
    """Modules from outside the standard library that were there before the question: `.pth` lines and sitecustomize."""
    processes: tuple[str, ...] = ()
    """Programs that the run started; they were not observed."""
    stdout: str = ""
    """The last part of the output."""
    stderr: str = ""
    fault: str = ""
    """faulthandler's account of a crash or a hang."""
    symbols: tuple[tuple[str, str], ...] = ()
    """(library, function) that ctypes was asked for."""
    notes: tuple[tuple[Text, Text], ...] = ()
    """(what, why) that this observation does not show."""

    @property
    def timed_out(self) -> bool:
        """True where the run was ended because it ran too long."""
        return self.outcome is Outcome.TIMED_OUT

    @property
    def succeeded(self) -> bool:
        """True where the program came to a good end."""
        return self.outcome in (Outcome.FINISHED, Outcome.EXITED) and not self.exit_status
