"""ctypes, cffi and os.add_dll_directory: libraries that Python code opens by itself (loader.md R3.15, R3.21-R3.24).

cffi: its documentation, "ffi.dlopen()": a name with a slash has the flags of ctypes from cffi 1.17 on, none before.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING, Final
from whyload.observe.events import DefaultDirectoriesSet, DirectoryAdded, DllDirectorySet, LibrarySought, Via
from whyload.startup.known.table import Table, argument, path_text, register
from whyload.startup.tree import AttemptNode, Clause, Events, LoadNode, surely_happened
from whyload.startup.values import (
    UNKNOWN,
    ErrorValue,
    Folder,
    Fork,
    LastError,
    LibraryFunction,
    LibraryValue,
    PathValue,
    Value,
)
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

TABLE: Table = {}
_LOADERS: Final = ("CDLL", "WinDLL", "PyDLL", "OleDLL")
_FAMILIES: Final = ("ctypes.cdll", "ctypes.windll", "ctypes.pydll", "ctypes.oledll")
_DEFAULT_DIRS, _LOAD_DIR = 0x1000, 0x100
_RUNTIME: Final = ("c", "m")
"""The C runtime's names, for which find_library has no answer on Windows."""


@register(TABLE, "os.add_dll_directory")
def _add_directory(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path"))
    if reader.version < (3, 8):
        raise reader.throw("AttributeError", "module 'os' has no attribute 'add_dll_directory'")
    if path is None:
        reader.note(
            Message(en="a folder for DLLs", zh="DLL 目录"),
            Message(
                en=f"the argument of os.add_dll_directory is not known at {reader.where()}",
                zh=f"{reader.where()} 处 os.add_dll_directory 的参数未知",
            ),
        )
        return UNKNOWN
    _take_directory(reader, path)
    return Folder(path)


def _open(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    given = reader.plain(argument(args, keywords, 0, "name"))
    if given is None or reader.plain(keywords.get("handle")) is not None:
        return UNKNOWN
    if isinstance(given, PathValue) and reader.version < (3, 12):
        raise reader.throw("TypeError", "argument of type 'WindowsPath' is not iterable")
    name = path_text(reader, given)
    if name is None:
        reader.note(
            Message(en="a library", zh="某个库"),
            Message(
                en=f"the name given to ctypes is not known at {reader.where()}",
                zh=f"{reader.where()} 处传给 ctypes 的名称未知",
            ),
        )
        return UNKNOWN
    winmode = reader.plain(argument(args, keywords, 5, "winmode", None))
    return open_library(reader, name, winmode)


for _loader in _LOADERS:
    TABLE[f"ctypes.{_loader}"] = _open
for _family in _FAMILIES:
    TABLE[f"{_family}.LoadLibrary"] = _open
TABLE["ctypes.LibraryLoader"] = lambda reader, args, keywords: args[0] if args else UNKNOWN


def open_library(reader: Reader, name: str, winmode: Value = None) -> LibraryValue:
    """ctypes' way of opening a library (R3.21, R3.22)."""
    if reader.version < (3, 8):
        flags = 0
    elif isinstance(winmode, int):
        flags = winmode
    else:
        flags = _DEFAULT_DIRS
        if "/" in name or "\\" in name:
            name, flags = _full(reader, name), _DEFAULT_DIRS | _LOAD_DIR
    return LibraryValue(name, reader.load(name, Via.CTYPES, flags))


def _full(reader: Reader, name: str) -> str:
    from whyload.startup.known.files import absolute_text

    return absolute_text(reader, name)


def open_by_attribute(reader: Reader, family: str, name: str) -> LibraryValue:
    """`ctypes.windll.NAME`: opened once, kept by name."""
    key = f"{family}.{name}"
    kept = reader.attribute(key)
    if isinstance(kept, LibraryValue) and kept.load is not None and surely_happened(kept.load.home, reader.sink):
        return kept
    library = open_library(reader, name)
    reader.store.write(reader.known, key, library)
    return library


def call_by_attribute(reader: Reader, name: str, args: list[Value]) -> Value:
    """A call of a dotted name that is in no table: a function of `ctypes.windll.NAME`, or nothing that is known."""
    for family in _FAMILIES:
        if name.startswith(family + "."):
            library, _, function = name[len(family) + 1 :].partition(".")
            if function and "." not in function and library.lower() != "kernel32":
                open_by_attribute(reader, family, library)
                return UNKNOWN
            if function:
                return call_library_function(reader, LibraryFunction(LibraryValue(library), function), args)
    return UNKNOWN


@register(TABLE, "ctypes.util.find_library")
def _find_library(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "name"))
    if not isinstance(name, str):
        return UNKNOWN
    found = find_library(reader, name)
    if found is None and name not in _RUNTIME:
        reader.emit(LibrarySought(name=name, place=reader.place()))
    return found


def find_library(reader: Reader, name: str) -> str | None:
    """ctypes.util.find_library: PATH only (R3.22)."""
    if name in _RUNTIME:
        return None
    import ntpath

    for folder in reader.environment.get("PATH", "").split(";"):
        for candidate in (name, name + ".dll"):
            path = ntpath.join(folder, candidate)
            if (folder or candidate) and reader.presence(path) is Presence.FILE:
                return path
    return None


@register(TABLE, "ctypes.get_last_error", "ctypes.GetLastError")
def _last_error(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return reader.known.get("the last load", UNKNOWN)


@register(TABLE, "ctypes.WinError", "ctypes.FormatError")
def _win_error(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return ErrorValue(("OSError", "Exception", "BaseException"), "…")


def call_library_function(reader: Reader, function: LibraryFunction, args: list[Value]) -> Value:
    """A call of a library's function: those of kernel32 that concern loading are known."""
    if function.library.name.lower().removesuffix(".dll").rpartition("\\")[2] not in ("kernel32", "kernelbase"):
        return UNKNOWN
    name = function.name
    path = path_text(reader, args[0]) if args else None
    if name.startswith("LoadLibrary") and path is not None:
        flags = reader.plain(args[2]) if name.startswith("LoadLibraryEx") and len(args) > 2 else 0
        return _load_by_hand(reader, path, flags if isinstance(flags, int) else 0)
    if name.startswith("LoadLibrary"):
        reader.note(
            Message(en="a library", zh="某个库"),
            Message(
                en=f"the name given to {name} is not known at {reader.where()}",
                zh=f"{reader.where()} 处传给 {name} 的名称未知",
            ),
        )
    if name.startswith("SetDllDirectory") and args:
        reader.emit(DllDirectorySet(path=path))
        return 1
    if name == "SetDefaultDllDirectories" and args:
        return _set_default_directories(reader, reader.plain(args[0]))
    if name == "AddDllDirectory" and path is not None:
        if reader.presence(path) is Presence.ABSENT:
            return None
        reader.emit(DirectoryAdded(path=reader.absolute(path), place=reader.place()))
        return 1
    if name.startswith("SetEnvironmentVariable") and len(args) > 1:
        value = reader.plain(args[1])
        if path is not None and isinstance(value, str):
            reader.set_variable(path, value)
        return 1
    return UNKNOWN


def _set_default_directories(reader: Reader, flags: Value) -> Value:
    """R2.26: the search list of every later call without flags of its own."""
    if isinstance(flags, int):
        reader.emit(DefaultDirectoriesSet(flags=flags))
    else:
        reader.note(
            Message(en="the folders of DLLs", zh="DLL 目录"),
            Message(
                en=f"the flags of SetDefaultDllDirectories are not known at {reader.where()}",
                zh=f"{reader.where()} 处 SetDefaultDllDirectories 的标志未知",
            ),
        )
    return 1


def _load_by_hand(reader: Reader, path: str, flags: int) -> Value:
    node = AttemptNode(reader.sink)
    node.clauses.append(Clause(("OSError",), Events(reader.sink, node)))
    reader.emit(node)
    main, reader.sink = reader.sink, node.body
    load = reader.load(path, Via.LOADLIBRARY, flags)
    load.home = main
    reader.sink = main
    reader.store.write(reader.known, "the last load", Fork(node, 0, LastError(node)))
    return Fork(node, LibraryValue(path, load), None)


def open_with_cffi(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`ffi.dlopen(name, flags)` of cffi, which tries PATH when the name itself fails."""
    given = reader.plain(argument(args, keywords, 0, "name"))
    flags = reader.plain(argument(args, keywords, 1, "flags", 0))
    name = path_text(reader, given)
    if not name:
        return UNKNOWN
    found = None
    if "." not in name and "/" not in name and "\\" not in name:
        found = find_library(reader, name)
        name = found or name
    return LibraryValue(name, _cffi_load(reader, name, flags if isinstance(flags, int) else 0))


def _cffi_load(reader: Reader, name: str, flags: int) -> LoadNode:
    # ctypes.RTLD_* and ffi.RTLD_* are 0 on Windows.
    if not flags and ("/" in name or "\\" in name) and _cffi_version(reader) >= (1, 17):
        flags = _DEFAULT_DIRS | _LOAD_DIR
    return reader.load(name, Via.CTYPES, flags)


def _cffi_version(reader: Reader) -> tuple[int, int]:
    import re

    for folder in reader.search_path():
        for name in reader.finder.names(folder):
            if match := re.match(r"cffi-(\d+)\.(\d+).*\.dist-info$", name, re.IGNORECASE):
                return int(match[1]), int(match[2])
    return (1, 17)


def _take_directory(reader: Reader, path: str) -> None:
    """os.add_dll_directory, its checks included (R2.25, R3.15): a file is accepted, a relative path is not."""
    rooted = path[:1] in ("\\", "/") and path[1:2] not in ("\\", "/")
    target = WinPath(reader.world.process.cwd.text[:2] + path) if rooted else WinPath(path)
    if not path or not target.is_absolute:
        raise reader.throw("OSError", f"[WinError 87] The parameter is incorrect: {path!r}")
    presence = reader.world.files.presence(target)
    if presence is Presence.ABSENT:
        raise reader.throw("FileNotFoundError", f"[WinError 2] The system cannot find the file specified: {path!r}")
    reader.emit(DirectoryAdded(path=target, place=reader.place()))
