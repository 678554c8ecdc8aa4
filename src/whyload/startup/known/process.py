"""sys, os, platform and their like, as they answer in the process that is being imagined."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping

from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING, Final
from whyload.startup.known.table import Table, argument, register
from whyload.startup.model import ProgramEnd
from whyload.startup.values import MISSING, UNKNOWN, DictValue, Known, Value, is_constant, new_list
from whyload.world.model import Layout

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

TABLE: Table = {}

SYS_NAMES: Final = (frozenset(dir(sys)) | {"getwindowsversion", "winver", "dllhandle", "_framework", "flags"}) - {
    "getdlopenflags", "setdlopenflags", "abiflags", "_git", "gettotalrefcount", "ps1", "ps2", "last_value", "last_exc",
    "last_type", "last_traceback", "real_prefix", "_MEIPASS", "frozen",
}  # fmt: skip
ABSENT_ON_WINDOWS: Final = frozenset(
    [
        *("os.fork", "os.uname", "os.getuid", "os.geteuid", "os.getgid", "os.getegid", "os.setuid", "os.mkfifo"),
        *("os.sched_getaffinity", "os.getloadavg", "os.chroot", "os.RTLD_GLOBAL", "os.RTLD_NOW", "os.RTLD_LAZY"),
        *("os.RTLD_LOCAL", "os.RTLD_DEEPBIND", "os.RTLD_NODELETE", "os.register_at_fork", "os.sysconf", "os.getpgid"),
        *("os.setsid", "os.posix_fadvise", "os.memfd_create", "os.statvfs", "os.openpty", "os.forkpty", "os.confstr"),
        *("os.nice", "os.chown", "os.lchown", "os.O_CLOEXEC", "os.getresuid", "sys.getdlopenflags"),
        *("sys.setdlopenflags", "sys.abiflags", "socket.AF_UNIX", "signal.SIGALRM", "signal.SIGKILL", "signal.SIGHUP"),
    ]
)
_SINCE: Final = {
    "os.add_dll_directory": (3, 8),
    "sys._is_gil_enabled": (3, 13),
    "importlib.resources.files": (3, 9),
    "math.prod": (3, 8),
    "sys.orig_argv": (3, 10),
    "sys.stdlib_module_names": (3, 10),
}
_PLATFORMS = {Machine.I386: ("win32", "x86", "x86"), Machine.ARM64: ("win-arm64", "ARM64", "ARM64"),
              Machine.ARMNT: ("win-arm32", "ARM", "ARM")}  # fmt: skip
_FUTURE_MICRO = 99


def exists_since(dotted: str) -> tuple[int, int] | None:
    """The Python version that brought a name, for the few that programs test for."""
    return _SINCE.get(dotted)


def _machine(reader: Reader) -> tuple[str, str, str]:
    return _PLATFORMS.get(reader.world.python.machine, ("win-amd64", "AMD64", "AMD64"))


def _version(reader: Reader) -> tuple[Value, ...]:
    # The last part is not known; programs ask whether it is new enough.
    return (*reader.version, _FUTURE_MICRO, "final", 0)


def _executable(reader: Reader) -> str:
    python = reader.world.python
    return (python.venv / "Scripts" / "python.exe").text if python.venv is not None else python.executable.text


def _frozen(reader: Reader) -> Value:
    return reader.world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER) or MISSING


def _bundle(reader: Reader) -> Value:
    if reader.world.python.layout is not Layout.PYINSTALLER:
        return MISSING
    inside = [path for path in reader.search_path() if not path.name.lower().endswith(".zip")]
    return inside[-1].text if inside else UNKNOWN


_CONSTANTS: Final[Mapping[str, Callable[[Reader], Value]]] = {
    "sys.platform": lambda reader: "win32",
    "os.name": lambda reader: "nt",
    "os.sep": lambda reader: "\\",
    "os.path.sep": lambda reader: "\\",
    "os.altsep": lambda reader: "/",
    "os.pathsep": lambda reader: ";",
    "os.path.pathsep": lambda reader: ";",
    "os.linesep": lambda reader: "\r\n",
    "os.curdir": lambda reader: ".",
    "os.path.curdir": lambda reader: ".",
    "os.pardir": lambda reader: "..",
    "os.path.pardir": lambda reader: "..",
    "os.extsep": lambda reader: ".",
    "sys.version_info": _version,
    "sys.hexversion": lambda reader: (reader.version[0] << 24) | (reader.version[1] << 16) | 0xF0,
    "sys.version": lambda reader: (
        f"{reader.version[0]}.{reader.version[1]}.{_FUTURE_MICRO} (CPython)"
        + (" | packaged by conda-forge |" if reader.world.python.layout is Layout.CONDA else "")
    ),
    "sys.winver": lambda reader: f"{reader.version[0]}.{reader.version[1]}",
    "sys.api_version": lambda reader: 1013,
    "sys.byteorder": lambda reader: "little",
    "sys.maxsize": lambda reader: (1 << (31 if reader.world.python.machine.bits == 32 else 63)) - 1,
    "sys.prefix": lambda reader: reader.world.python.prefix.text,
    "sys.exec_prefix": lambda reader: reader.world.python.prefix.text,
    "sys.base_prefix": lambda reader: reader.world.python.base_prefix.text,
    "sys.base_exec_prefix": lambda reader: reader.world.python.base_prefix.text,
    "sys.executable": _executable,
    "sys._base_executable": lambda reader: reader.world.python.executable.text,
    "sys.dont_write_bytecode": lambda reader: False,
    "sys.implementation.name": lambda reader: reader.world.python.implementation,
    "sys.implementation.cache_tag": lambda reader: f"cpython-{reader.version[0]}{reader.version[1]}",
    "sys.frozen": _frozen,
    "sys._MEIPASS": _bundle,
    "sys.real_prefix": lambda reader: MISSING,
    "sys.argv": lambda reader: new_list([_script(reader)]),
    "typing.TYPE_CHECKING": lambda reader: False,
    "typing_extensions.TYPE_CHECKING": lambda reader: False,
    "ctypes.RTLD_GLOBAL": lambda reader: 0,
    "ctypes.RTLD_LOCAL": lambda reader: 0,
    "ctypes.DEFAULT_MODE": lambda reader: 0,
    "importlib.machinery.EXTENSION_SUFFIXES": lambda reader: new_list(
        [suffix for suffix, _ in reader.finder.suffixes[:2]]
    ),
    "string.ascii_letters": lambda reader: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "string.ascii_lowercase": lambda reader: "abcdefghijklmnopqrstuvwxyz",
    "string.ascii_uppercase": lambda reader: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "string.digits": lambda reader: "0123456789",
    "nt._LOAD_LIBRARY_SEARCH_DEFAULT_DIRS": lambda reader: 0x1000,
    "nt._LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR": lambda reader: 0x100,
    "os._LOAD_LIBRARY_SEARCH_DEFAULT_DIRS": lambda reader: 0x1000,
    "os._LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR": lambda reader: 0x100,
    "os._LOAD_LIBRARY_SEARCH_APPLICATION_DIR": lambda reader: 0x200,
    "os._LOAD_LIBRARY_SEARCH_USER_DIRS": lambda reader: 0x400,
    "os._LOAD_LIBRARY_SEARCH_SYSTEM32": lambda reader: 0x800,
    "winreg.HKEY_LOCAL_MACHINE": lambda reader: Known("winreg.HKEY_LOCAL_MACHINE"),
}


def _script(reader: Reader) -> str:
    run = reader.world.run
    if run is not None and run.script is not None and run.code is None:
        return run.script.text
    return "-c"


def constant(reader: Reader, dotted: str) -> Value:
    """The value of a constant of the standard library; MISSING where it is none that is known."""
    make = _CONSTANTS.get(dotted)
    return MISSING if make is None else make(reader)


def constants() -> Iterable[str]:
    """The names of the constants that are known."""
    return _CONSTANTS


@register(TABLE, "os.environ.get", "os.getenv")
def _get_variable(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "key"))
    default = argument(args, keywords, 1, "default", None)
    if not isinstance(name, str):
        return UNKNOWN
    value = reader.environment.get(name)
    if value is None:
        return default if reader.is_variable_known(name) else UNKNOWN
    return value


@register(TABLE, "os.environ.setdefault")
def _set_default(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name, value = reader.plain(argument(args, keywords, 0, "key")), reader.plain(argument(args, keywords, 1, "value"))
    if not isinstance(name, str):
        return UNKNOWN
    if name not in reader.environment and isinstance(value, str):
        reader.set_variable(name, value)
    return reader.environment.get(name, UNKNOWN)


@register(TABLE, "os.putenv")
def _put_variable(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name, value = map(reader.plain, (argument(args, keywords, 0, "name"), argument(args, keywords, 1, "value")))
    if isinstance(name, str) and isinstance(value, str):
        reader.set_variable(name, value)
    return None


@register(TABLE, "os.environ.pop", "os.unsetenv")
def _pop_variable(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "key"))
    if not isinstance(name, str):
        return UNKNOWN
    value = reader.environment.get(name, argument(args, keywords, 1, "default"))
    reader.set_variable(name, None)
    return value


@register(TABLE, "os.environ.update")
def _update_variables(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    given = reader.plain(args[0]) if args else None
    pairs = dict(given.names) if isinstance(given, DictValue) else {}
    for name, value in {**pairs, **keywords}.items():
        text = reader.plain(value)
        if isinstance(name, str) and isinstance(text, str):
            reader.set_variable(name, text)
    return None


@register(TABLE, "os.environ.copy")
def _copy_variables(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return DictValue(dict(reader.environment.items()), partial=True)


@register(TABLE, "platform.system")
def _system(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return "Windows"


@register(TABLE, "platform.machine")
def _machine_name(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return _machine(reader)[1]


@register(TABLE, "platform.architecture")
def _architecture(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return (f"{reader.world.python.machine.bits or 64}bit", "WindowsPE")


@register(TABLE, "platform.python_implementation")
def _implementation(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return "CPython" if reader.world.python.implementation == "cpython" else UNKNOWN


@register(TABLE, "platform.python_version")
def _python_version(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return f"{reader.version[0]}.{reader.version[1]}.{_FUTURE_MICRO}"


@register(TABLE, "platform.python_version_tuple")
def _version_tuple(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return (str(reader.version[0]), str(reader.version[1]), str(_FUTURE_MICRO))


@register(TABLE, "sysconfig.get_platform", "distutils.util.get_platform")
def _platform_tag(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return _machine(reader)[0]


@register(TABLE, "struct.calcsize")
def _size(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    form = reader.plain(args[0]) if args else UNKNOWN
    return (reader.world.python.machine.bits or 64) // 8 if form in ("P", b"P", "N", "n") else UNKNOWN


@register(TABLE, "sys.exit", "builtins.exit", "builtins.quit", "os._exit")
def _exit(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    raise ProgramEnd


@register(TABLE, "sys.modules.get")
def _get_module(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.known import contains, known_item

    name = reader.plain(argument(args, keywords, 0, "key"))
    present = contains(reader, "sys.modules", name)
    if present is UNKNOWN:
        return UNKNOWN
    return known_item(reader, "sys.modules", name) if present else argument(args, keywords, 1, "default", None)


@register(TABLE, "sys.modules.pop")
def _pop_module(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.values import ModuleValue

    name = reader.plain(argument(args, keywords, 0, "key"))
    module = reader.modules.pop(name, None) if isinstance(name, str) else None
    return ModuleValue(module) if module is not None else argument(args, keywords, 1, "default", UNKNOWN)


@register(TABLE, "sys.modules.setdefault")
def _default_module(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "key"))
    if isinstance(name, str):
        reader.open_names.add(name)
    return UNKNOWN


@register(TABLE, "os.chdir")
def _change_folder(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.known.table import path_text

    path = path_text(reader, argument(args, keywords, 0, "path"))
    if path is not None:
        reader.store.write(reader.store.process, "cwd", reader.absolute(path))
    return None


@register(TABLE, "site.getsitepackages")
def _site_packages(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    prefix = reader.world.python.prefix
    return new_list([prefix.text, (prefix / "Lib" / "site-packages").text])


@register(TABLE, "sysconfig.get_path", "sysconfig.get_paths", "distutils.sysconfig.get_python_lib")
def _scheme_path(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    prefix = reader.world.python.prefix
    site = (prefix / "Lib" / "site-packages").text
    paths: dict[object, Value] = {
        "purelib": site,
        "platlib": site,
        "scripts": (prefix / "Scripts").text,
        "data": prefix.text,
    }
    paths["stdlib"] = paths["platstdlib"] = (reader.world.python.base_prefix / "Lib").text
    if not args:
        return DictValue(paths, partial=True)
    name = reader.plain(args[0])
    return paths.get(name, UNKNOWN) if is_constant(name) else UNKNOWN


@register(TABLE, "sysconfig.get_config_var")
def _config_variable(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "name"))
    if name in ("userbase", "USERBASE"):
        return user_base(reader)
    if name == "EXT_SUFFIX":
        return reader.finder.suffixes[0][0]
    if name == "Py_GIL_DISABLED":
        return 1 if reader.world.python.version.free_threaded else 0
    return {"prefix": reader.world.python.prefix.text, "SOABI": None, "Py_DEBUG": 0, "WITH_PYMALLOC": None}.get(
        name, UNKNOWN
    )


@register(TABLE, "site.getuserbase")
def _user_base(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return user_base(reader)


def user_base(reader: Reader) -> Value:
    """`site.USER_BASE` (CPython Lib/site.py)."""
    given = reader.environment.get("PYTHONUSERBASE")
    if given:
        return given
    appdata = reader.environment.get("APPDATA")
    if appdata is None:
        # site.py falls back to "~" as it stands; the folder below it is in nobody's way.
        home = reader.environment.get("USERPROFILE", "~")
        return f"{home}\\Python"
    return f"{appdata}\\Python"
