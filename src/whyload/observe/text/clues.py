"""What a pasted text tells: failures, what they name, and what it says of the machine."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.regular import regular
from whyload.base.versions import PythonVersion
from whyload.knowledge.messages import Said, Saying
from whyload.knowledge.suspects import Suspect, is_standard


class Platform(Enum):
    """The operating system that the text comes from."""

    WINDOWS = "windows"
    LINUX = "linux"
    MACOS = "macos"


class Trait(Enum):
    """Something that the text says of the machine, the installation or what was done to it."""

    CONDA = "conda"
    FROZEN = "frozen"
    CONTAINER = "container"
    WSL = "wsl"
    STORE_PYTHON = "store-python"
    DEBUG_PYTHON = "debug-python"
    PRE_RELEASE_PYTHON = "pre-release-python"
    FREE_THREADED = "free-threaded"
    PYPY = "pypy"
    EMBEDDED = "embedded"
    NOT_ACTIVATED = "not-activated"
    MUSL = "musl"
    SERVER = "server"
    SERVER_CORE = "server-core"
    NANO_SERVER = "nano-server"
    N_EDITION = "n-edition"
    OLD_WINDOWS = "old-windows"
    NEWER_WINDOWS_WORKS = "newer-windows-works"
    SECURITY_SOFTWARE = "security-software"
    TAKEN_AWAY = "taken-away"
    """Security software deleted or blocked a file."""
    POLICY_ENFORCED = "policy-enforced"
    """A policy on what may run is said to be in force: Smart App Control, App Control, AppLocker."""
    BUILT_HERE = "built-here"
    UPGRADED = "upgraded"
    FILE_IS_THERE = "file-is-there"
    ON_PATH = "on-path"
    TWO_COPIES = "two-copies"
    MIXED_CHANNELS = "mixed-channels"
    NO_AVX = "no-avx"
    OTHER_SHELL = "other-shell"
    """It works when started from a terminal, and not from an editor, a service or by sudo."""
    OTHER_FIRST = "other-first"
    ALONE_WORKS = "alone-works"
    """The import works as long as another package was not imported before."""
    TEXT_FILE = "text-file"
    DAMAGED = "damaged"
    OTHER_BITS = "other-bits"
    ARM = "arm"
    USER_SITE = "user-site"
    CLONE = "clone"
    ALONE = "alone"
    """It works in the plain interpreter, and not where that is hosted by another program."""
    LAMBDA = "lambda"
    """Functions in the cloud, whose packages are zipped on another machine."""
    RUNTIME_INSTALLED = "runtime-installed"
    """The Visual C++ runtime was installed, and the failure stayed."""
    RUNTIME_HELPS = "runtime-helps"
    """It works once the Visual C++ runtime is installed."""
    RUNTIME_ABSENT = "runtime-absent"
    """The Visual C++ runtime is said not to be there, or it works where Visual Studio brought it."""
    ABSENT = "absent"
    """Of something that is needed it is said that it is not installed."""
    DEBUG_BUILD = "debug-build"
    """The extension itself was built in the debug configuration."""
    OPENMP_BUILD = "openmp-build"
    """It was compiled for OpenMP, whose runtime comes from the compiler."""
    NEW_COMPILER = "new-compiler"
    """It was built with an MSVC whose locks need the C++ runtime of 14.40 or newer."""
    PIP_IN_CONDA = "pip-in-conda"
    """One remark tells of pip and of conda."""
    NO_DRIVER = "no-driver"
    """The machine is said to have no driver from NVIDIA."""
    FOLDER_HELPS = "folder-helps"
    """It loads once the library's folder is searched, or the library is copied to a folder that is."""


OF_A_CURE = (Trait.FOLDER_HELPS, Trait.RUNTIME_HELPS, Trait.NOT_ACTIVATED, Trait.ALONE_WORKS)
"""What makes it work tells more than what an environment is made up of."""


_WITHOUT_ENDING = regular(r"python\d{2,3}|(?i:(?:api|ext)-ms-win-[\w-]+)")
"""API sets are often told so, and the interpreter by .NET, which adds the ending itself."""
_BARE = regular(r"(?!.*\.(?:dll|so|dylib))[\w.+-]+")
"""A library without the ending that each system gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowsError:
    """An error number of Windows, said by number or by sentence."""

    code: int
    place: int
    language: str | None = None
    """Of the sentence; None for a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFrame:
    """One level of a traceback."""

    file: str
    line: int | None
    function: str | None
    source: str | None

    @property
    def package(self) -> str | None:
        """The top-level package below `site-packages`."""
        match = re.search(r"(?:site|dist)-packages[\\/]([^\\/]+)", self.file)
        return match[1].removesuffix(".py") if match else None


class Unlike(Enum):
    """In what the build of an extension module differs from that of the Python that runs."""

    SYSTEM = "system"
    LIBC = "libc"
    VERSION = "version"
    KIND = "kind"
    PROCESSOR = "processor"
    BITS = "bits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """A file that is there, and that Python does not see, by what its name tells of its build."""

    file: str
    unlike: Unlike


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """Everything that was read out of one text. Nothing is guessed: what the text does not say is absent."""

    text: str = field(repr=False)
    sayings: tuple[Saying, ...] = ()
    errors: tuple[WindowsError, ...] = ()
    statuses: tuple[int, ...] = ()
    """NTSTATUS codes that a process ended with."""
    platform: Platform | None = None
    system: str | None = None
    """The operating system in the text's own words."""
    python: PythonVersion | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of packages, by normal name."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """What else stands beside a package's name: `built under torch 1.3`."""
    frames: tuple[TextFrame, ...] = ()
    packages: tuple[str, ...] = ()
    """Packages that the failure is about, nearest first: of the module, the file, the stack, then the rest."""
    libraries: tuple[str, ...] = ()
    """Base names of libraries named anywhere, in order."""
    cuda: Mapping[str, str] = field(default_factory=dict)
    """`toolkit`, `torch` (what torch was built for), `driver`, `driver-cuda`, `cudnn`."""
    traits: frozenset[Trait] = frozenset()
    misfit: Misfit | None = None
    suspects: tuple[Suspect, ...] = ()
    """The usual suspects of such a failure, those of the nearest package first."""

    def said(self, *kinds: Said) -> Saying | None:
        """The last message of one of these kinds: what ended the run comes last."""
        return next((saying for saying in reversed(self.sayings) if saying.kind in kinds), None)

    def all_said(self, *kinds: Said) -> tuple[Saying, ...]:
        """Every message of these kinds, in order."""
        return tuple(saying for saying in self.sayings if saying.kind in kinds)

    def has(self, *traits: Trait) -> bool:
        """Whether one of these traits was read."""
        return any(trait in self.traits for trait in traits)

    def failed_with(self, *codes: int) -> bool:
        """Whether one of these errors of Windows was read."""
        return any(error.code in codes for error in self.errors)

    @property
    def winerror(self) -> int | None:
        """The error of Windows that the text is about: the last one that is said."""
        return self.errors[-1].code if self.errors else None

    @property
    def module(self) -> str | None:
        """The module whose import failed."""
        kinds = (Said.IMPORT_FAILED, Said.NATIVE_MODULE_MISSING, Said.NO_INIT_FUNCTION, Said.PARTIALLY_INITIALIZED)
        named = next((saying.module for saying in reversed(self.all_said(*kinds)) if saying.module), None)
        return named or _asked_in(self)

    @property
    def distribution(self) -> str | None:
        """The package nearest to the failure that an installer knows by name: none of the standard library."""
        return next((package for package in self.packages if not is_standard(package)), None)

    @property
    def file(self) -> str | None:
        """The file that the failure names."""
        return next((saying.file for saying in reversed(self.sayings) if saying.file), None)

    @property
    def missing(self) -> tuple[str, ...]:
        """Base names of libraries that are said to be absent, nearest to the failure last."""
        if self.is_found_and_refused:
            return ()
        refused = self.failed_with(127, 182, 193, 1114) and not self.failed_with(126)
        sayings = (saying for saying in self.sayings if not (refused and saying.kind is Said.FILE_OR_DEPENDENCY))
        return tuple(dict.fromkeys(name for saying in sayings if (name := _absent(saying)) is not None))

    @property
    def is_found_and_refused(self) -> bool:
        """Whether a binding that tries several names says that there is none, and Windows of one why it is refused."""
        tried = self.all_said(Said.FILE_OR_DEPENDENCY, Said.LIBRARY_MISSING)
        return (
            self.failed_with(127, 193)
            and not self.failed_with(126)
            and any(saying.kind is Said.FILE_OR_DEPENDENCY for saying in tried)
            and any(saying.kind is Said.LIBRARY_MISSING and _BARE.fullmatch(saying.library or "") for saying in tried)
        )

    def built_unlike(self, unlike: Unlike) -> str | None:
        """The file that Python does not see because its build differs in that."""
        return self.misfit.file if self.misfit is not None and self.misfit.unlike is unlike else None

    def version(self, package: str) -> str | None:
        """The version of a package."""
        return self.versions.get(package)

    def mentions(self, *words: str) -> bool:
        """Whether one of these words (in lower case) stands anywhere."""
        folded = folded_text(self.text)
        return any(word in folded for word in words)

    def concerns(self, *packages: str) -> bool:
        """Whether the failure is about one of these packages."""
        return any(package in self.packages for package in packages)


def _absent(saying: Saying) -> str | None:
    """The base name of what a message says is absent; a file asked for by its bare name is one, too."""
    kinds = (Said.LIBRARY_MISSING, Said.BUNDLING_WARNING, Said.FILE_OR_DEPENDENCY)
    if saying.kind in kinds and saying.library:
        name = re.split(r"[\\/]", saying.library)[-1]
        return f"{name}.dll" if _WITHOUT_ENDING.fullmatch(name) else name
    if saying.kind is Said.FILE_OR_DEPENDENCY and saying.file and re.fullmatch(r"[\w.+-]+\.dll|[\w+-]+", saying.file):
        return saying.file if "." in saying.file else f"{saying.file}.dll"  # as Windows completes it
    return None


_INTERPRETER = regular(r"(?:^|/)(?:bin|MacOS)/python[\d.]*$", re.IGNORECASE)


def is_own_python(clues: Clues, library: str) -> bool:
    """Whether a library of Python's is that of the very version that runs: then it is absent, not another one's."""
    if any(_INTERPRETER.search(saying.needed_by or "") for saying in clues.all_said(Said.LIBRARY_MISSING)):
        return True  # what does not start is the interpreter itself
    match = re.search(r"(\d)\.?(\d{1,2})", library)
    if clues.python is None and not library.lower().endswith(".dll"):
        return True  # an extension module of another version is not even seen: its name has the version
    return bool(match and clues.python and (int(match[1]), int(match[2])) == clues.python[:2])


_SERVICE = ("httpd", "apache", "mod_wsgi", "systemd", "nginx", "uwsgi", "gunicorn", "daemon")


def is_of_a_service(clues: Clues) -> bool:
    """A service loads the file: SELinux confines those, and not the user's shell."""
    return clues.mentions(*_SERVICE)


def is_by_policy(clues: Clues) -> bool:
    """A mapping was refused by the policy, and not by the folder: that one is mounted noexec, and gives another number.

    Source: Linux, `do_mmap` gives EPERM for a file on a file system without exec, `security_mmap_file` EACCES.
    """
    mapped = clues.said(Said.MAP_FAILED)
    denied = mapped is not None and (mapped.found or "").lower() == "permission denied"
    return denied and not clues.mentions("noexec", "android", "termux", "/storage/emulated", "/sdcard")


def is_outside_of_windows(library: str | None) -> bool:
    """Whether a path leads to a folder other than those of Windows."""
    place = (library or "").lower()
    return re.search(r"[\\/]", place) is not None and re.search(r"[\\/](?:system32|syswow64|winsxs)", place) is None


def is_of_a_program(clues: Clues) -> bool:
    """Whether the text is of a program that does not start, and tells of no Python: no module was imported yet."""
    return clues.python is None and not clues.said(Said.IMPORT_FAILED, Said.FILE_OR_DEPENDENCY)


def is_torch_extension(module: str | None) -> bool:
    """Whether a module is by its name the compiled part of a package that extends torch: `groundingdino._C`, `_ext`.

    Those that lie beside the packages are called after what they compute: `selective_scan_cuda`.
    """
    parts = (module or "").split(".")
    return (parts[-1] in ("_C", "_ext") and parts[0] not in ("torch", "_C")) or parts[-1].endswith("_cuda")


def is_of_torch_itself(clues: Clues) -> bool:
    """Whether the file that does not load is one of torch's own, which torch loads by their full paths."""
    return re.search(r"[\\/]torch[\\/]lib[\\/]", clues.file or "") is not None


_ANOTHER = regular(r"PyPy|PyUnicodeUCS[24]_")
_OF_ANOTHER_BUILD = frozenset(
    {"_Py_RefTotal", "_Py_NegativeRefcount", "_Py_INCREF_IncRefTotal", "_Py_DECREF_DecRefTotal"}
    | {"Py_InitModule4TraceRefs", "PyModule_Create2TraceRefs", "_PyTrash_thread_destroy_chain"}
    | {"PyFPE_jbuf", "PyFPE_counter", "PyFPE_dummy"}
    | {"_Py_DecRefShared", "_Py_MergeZeroLocalRefcount", "PyUnstable_Module_SetGIL"}
)
"""Of debug builds, of those with `--with-trace-refs` and `--with-fpectl`, of free-threaded ones.

Source: CPython, Include/refcount.h, Include/modsupport.h, Include/pyfpe.h (until 3.6), Include/moduleobject.h.
"""


def is_of_another_build(symbol: str) -> bool:
    """Whether a function of Python's is one that only another kind of build has."""
    return symbol in _OF_ANOTHER_BUILD or _ANOTHER.match(symbol) is not None


def is_python_itself(library: str) -> bool:
    """Whether a library that comes with Python is the interpreter: `python311.dll`, and not `libffi-8.dll`.

    Nor `python3.dll`, which every Python 3 has, and which only leads to the interpreter.
    """
    return re.match(r"(?:lib)?python(?!3\.(?:dll|so)$)", library, re.IGNORECASE) is not None


def is_of_another_kind(library: str | None) -> bool:
    """Whether a library of Python's has the name of a debug or free-threaded build: python3_d.dll, python313t.dll."""
    return re.fullmatch(r"python\d+(?:t|t?_d)\.dll", library or "", re.IGNORECASE) is not None


@functools.lru_cache(maxsize=4)
def folded_text(text: str) -> str:
    """The text in lower case with single blanks."""
    return " ".join(text.split()).lower()


def _asked_in(clues: Clues) -> str | None:
    """The module that the innermost line of source imports natively."""
    for frame in reversed(clues.frames):
        match = re.match(r"\s*from\s+([\w.]+)\s+import\s+(\w+|\*)|\s*import\s+([\w.]+)", frame.source or "")
        if match is not None:
            name = match[3] or (match[2] if match[1].strip(".") == "" else f"{match[1].strip('.')}.{match[2]}")
            return name.removesuffix(".*")
    return None
