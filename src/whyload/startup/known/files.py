"""os.path, pathlib, glob and their like, answered from the world's files.

Source: the library reference; paths by Windows' rules (ntpath).
"""

from __future__ import annotations

import fnmatch
import ntpath
import re
from collections.abc import Callable, Iterator

from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.known.table import Table, argument, path_text, register
from whyload.startup.values import UNKNOWN, BuiltinMethod, FileStatus, OpenFile, PathValue, Value, new_list
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

TABLE: Table = {}
_PLAIN: dict[str, Callable[..., object]] = {
    "dirname": ntpath.dirname,
    "basename": ntpath.basename,
    "normpath": ntpath.normpath,
    "normcase": lambda path: path.replace("/", "\\").lower(),
    "splitext": ntpath.splitext,
    "split": ntpath.split,
    "splitdrive": ntpath.splitdrive,
    "isabs": ntpath.isabs,
}
_RECURSIVE_LIMIT = 2000


def _plain(name: str, function: Callable[..., object]) -> None:
    def run(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
        path = path_text(reader, argument(args, keywords, 0, "path", keywords.get("p", UNKNOWN)))
        return UNKNOWN if path is None else function(path)

    TABLE[f"os.path.{name}"] = run


for _function_name, _function in _PLAIN.items():
    _plain(_function_name, _function)


def _texts(reader: Reader, args: list[Value]) -> list[str] | None:
    texts = [path_text(reader, value) for value in args]
    return None if any(text is None for text in texts) else [text for text in texts if text is not None]


@register(TABLE, "os.path.join")
def _join(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    texts = _texts(reader, args)
    return ntpath.join(*texts) if texts else UNKNOWN


@register(TABLE, "os.path.abspath", "os.path.realpath")
def _absolute(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path", keywords.get("filename", UNKNOWN)))
    return UNKNOWN if path is None else absolute_text(reader, path)


def absolute_text(reader: Reader, path: str) -> str:
    """A path as os.path.abspath gives it."""
    return ntpath.normpath(ntpath.join(reader.cwd.text, path))


@register(TABLE, "os.path.expanduser")
def _expand_user(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path"))
    home = reader.environment.get("USERPROFILE")
    if path is None or (path.startswith("~") and home is None):
        return UNKNOWN
    return (home or "") + path[1:] if path[:2] in ("~", "~/", "~\\") else path


@register(TABLE, "os.path.expandvars")
def _expand_variables(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path"))
    if path is None:
        return UNKNOWN
    names = re.compile(r"%([^%]+)%|\$\{(\w+)\}|\$(\w+)")
    return names.sub(lambda match: reader.environment.get(match[1] or match[2] or match[3], match[0]), path)


def _presence(name: str, kinds: tuple[Presence, ...]) -> None:
    def run(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
        path = path_text(reader, argument(args, keywords, 0, "path", keywords.get("s", UNKNOWN)))
        return UNKNOWN if path is None else is_there(reader, path, kinds)

    TABLE[name] = run


_ANY = (Presence.FILE, Presence.DIRECTORY, Presence.DENIED)
for _name in ("os.path.exists", "os.path.lexists"):
    _presence(_name, _ANY)
_presence("os.path.isfile", (Presence.FILE,))
_presence("os.path.isdir", (Presence.DIRECTORY,))


def is_there(reader: Reader, path: str, kinds: tuple[Presence, ...] = _ANY) -> Value:
    """Does one of `kinds` stand at a path? UNKNOWN where the world cannot say."""
    presence = reader.presence(path)
    return UNKNOWN if presence is Presence.UNKNOWN else presence in kinds


@register(TABLE, "os.path.islink", "os.path.ismount")
def _is_link(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return False


@register(TABLE, "os.access")
def _access(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path"))
    return UNKNOWN if path is None else is_there(reader, path)


@register(TABLE, "importlib.resources.as_file", "importlib_resources.as_file")
def _as_file(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return args[0] if args else UNKNOWN


@register(TABLE, "os.fspath", "os.fsdecode")
def _as_path(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = reader.plain(args[0]) if args else UNKNOWN
    return value.text if isinstance(value, PathValue) and len(args) == 1 and not keywords else value


@register(TABLE, "os.getcwd")
def _current_folder(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return reader.cwd.text


@register(TABLE, "os.listdir")
def _list_folder(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path", "."))
    if path is None or reader.presence(path) is Presence.UNKNOWN:
        return UNKNOWN
    if reader.presence(path) is Presence.ABSENT:
        raise reader.throw("FileNotFoundError", f"[WinError 3] The system cannot find the path specified: {path!r}")
    return new_list(list(reader.finder.names(reader.absolute(path))))


@register(TABLE, "os.scandir")
def _scan_folder(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path", "."))
    if path is None:
        return UNKNOWN
    return new_list([PathValue(ntpath.join(path, name)) for name in reader.finder.names(reader.absolute(path))])


@register(TABLE, "os.walk")
def _walk(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    top = path_text(reader, argument(args, keywords, 0, "top"))
    if top is None:
        return UNKNOWN
    rows: list[Value] = []
    for folder in _folders_below(reader, top):
        names = reader.finder.names(reader.absolute(folder))
        inner = [name for name in names if reader.presence(ntpath.join(folder, name)) is Presence.DIRECTORY]
        rows.append((folder, new_list(list(inner)), new_list([name for name in names if name not in inner])))
    return new_list(rows)


def _folders_below(reader: Reader, top: str) -> Iterator[str]:
    waiting, count = [top], 0
    while waiting and count < _RECURSIVE_LIMIT:
        folder = waiting.pop(0)
        count += 1
        yield folder
        for name in reader.finder.names(reader.absolute(folder)):
            path = ntpath.join(folder, name)
            if reader.presence(path) is Presence.DIRECTORY:
                waiting.append(path)


@register(TABLE, "glob.glob", "glob.iglob")
def _glob(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    pattern = path_text(reader, argument(args, keywords, 0, "pathname"))
    root = keywords.get("root_dir")
    if pattern is None or root is not None:
        return UNKNOWN
    return new_list(list(matching(reader, pattern, recursive=reader.plain(keywords.get("recursive", False)) is True)))


def matching(reader: Reader, pattern: str, *, recursive: bool = False) -> Iterator[str]:
    """Paths that match a pattern, in the order in which NTFS lists them."""
    head, tail = ntpath.split(pattern)
    if not re.search(r"[*?\[]", pattern):
        if is_there(reader, pattern) is True:
            yield pattern
        return
    if head == pattern:
        return
    if head and re.search(r"[*?\[]", head):
        folders: Iterator[str] | list[str] = (
            folder
            for folder in matching(reader, head, recursive=recursive)
            if reader.presence(folder) is Presence.DIRECTORY
        )
    else:
        folders = [head]
    for folder in folders:
        if tail == "**" and recursive:
            yield from _folders_below(reader, folder)
        elif not re.search(r"[*?\[]", tail):
            if is_there(reader, ntpath.join(folder, tail)) is True:
                yield ntpath.join(folder, tail)
        else:
            for name in reader.finder.names(reader.absolute(folder or ".")):
                if fnmatch.fnmatchcase(name.lower(), tail.lower()) and (
                    not name.startswith(".") or tail.startswith(".")
                ):
                    yield ntpath.join(folder, name)


@register(TABLE, "glob.escape")
def _escape(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "pathname"))
    return UNKNOWN if path is None else re.sub(r"([*?[])", r"[\1]", path)


@register(TABLE, "builtins.open", "io.open", "codecs.open")
def _open(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "file"))
    mode = reader.plain(argument(args, keywords, 1, "mode", "r"))
    if path is None or not isinstance(mode, str) or not mode.startswith("r"):
        return UNKNOWN
    if reader.presence(path) is Presence.ABSENT and reader.guarded("FileNotFoundError"):
        raise reader.throw("FileNotFoundError", f"[Errno 2] No such file or directory: {path!r}")
    return OpenFile(path)


@register(TABLE, "pathlib.Path", "pathlib.PurePath", "pathlib.WindowsPath", "pathlib.PureWindowsPath")
def _path(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    texts = _texts(reader, args)
    return PathValue(_tidy(ntpath.join(*(texts or ["."])))) if texts is not None else UNKNOWN


@register(TABLE, "pathlib.Path.cwd")
def _path_cwd(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return PathValue(reader.cwd.text)


@register(TABLE, "pathlib.Path.home")
def _path_home(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    home = reader.environment.get("USERPROFILE")
    return UNKNOWN if home is None else PathValue(home)


@register(TABLE, "importlib.resources.files", "importlib_resources.files")
def _resources(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    folder = _package_folder(reader, argument(args, keywords, 0, "anchor", keywords.get("package", UNKNOWN)))
    return UNKNOWN if folder is None else PathValue(folder)


@register(TABLE, "pkg_resources.resource_filename")
def _resource_text(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = _resource(reader, args, keywords)
    return path.text if isinstance(path, PathValue) else UNKNOWN


@register(TABLE, "importlib.resources.path")
def _resource(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    folder = _package_folder(reader, argument(args, keywords, 0, "package"))
    name = path_text(reader, argument(args, keywords, 1, "resource"))
    return UNKNOWN if folder is None or name is None else PathValue(ntpath.join(folder, name))


def _package_folder(reader: Reader, value: Value) -> str | None:
    from whyload.startup.values import ModuleValue

    value = reader.plain(value)
    module = (
        value.module
        if isinstance(value, ModuleValue)
        else reader.modules.get(value)
        if isinstance(value, str)
        else None
    )
    if module is None:
        return None
    return module.file.parent.text if module.file is not None else None


def _tidy(path: str) -> str:
    # pathlib drops `.` and doubled separators and keeps `..`
    drive, rest = ntpath.splitdrive(path.replace("/", "\\"))
    parts = [part for part in rest.split("\\") if part not in ("", ".")]
    root = "\\" if rest.startswith("\\") else ""
    return drive + root + "\\".join(parts) or "."


def join_path(left: Value, right: Value) -> Value:
    """`left / right` of pathlib."""
    texts = [value.text if isinstance(value, PathValue) else value for value in (left, right)]
    if not all(isinstance(text, str) for text in texts):
        return UNKNOWN
    return PathValue(_tidy(ntpath.join(texts[0], texts[1])))


def path_attribute(reader: Reader, path: PathValue, name: str) -> Value:
    """A property of a pathlib path, or one of its methods."""
    text = path.text
    if name == "parent":
        return PathValue(ntpath.dirname(text) or ".")
    if name == "parents":
        return tuple(map(PathValue, _parents(text)))
    if name == "path":
        return text
    if name in ("name", "stem", "suffix"):
        base = ntpath.basename(text)
        return {"name": base, "stem": ntpath.splitext(base)[0], "suffix": ntpath.splitext(base)[1]}[name]
    if name == "parts":
        drive, rest = ntpath.splitdrive(text)
        return tuple([drive + "\\"] * bool(drive) + [part for part in rest.split("\\") if part])
    if name == "drive":
        return ntpath.splitdrive(text)[0]
    return BuiltinMethod(path, name)


def _parents(text: str) -> list[str]:
    found: list[str] = []
    while (parent := ntpath.dirname(text)) != text and len(found) < 64:
        found.append(parent or ".")
        text = parent
    return found


def call_path_method(
    reader: Reader, path: PathValue, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """A method of a pathlib path (or of an os.scandir entry)."""
    text = path.text
    if name in ("resolve", "absolute", "expanduser", "__enter__", "as_file"):
        return PathValue(absolute_text(reader, text)) if name in ("resolve", "absolute") else path
    if name in ("exists", "is_file", "is_dir"):
        kinds = {"exists": _ANY, "is_file": (Presence.FILE,), "is_dir": (Presence.DIRECTORY,)}[name]
        return is_there(reader, text, kinds)
    if name == "joinpath":
        value: Value = path
        for part in args:
            value = join_path(value, reader.plain(part))
        return value
    if name in ("with_suffix", "with_name") and args and isinstance(part := reader.plain(args[0]), str):
        return PathValue(
            ntpath.splitext(text)[0] + part if name == "with_suffix" else ntpath.join(ntpath.dirname(text), part)
        )
    if name in ("as_posix", "__str__", "__fspath__"):
        return text.replace("\\", "/") if name == "as_posix" else text
    if name in ("glob", "rglob") and args and isinstance(pattern := reader.plain(args[0]), str):
        full = ntpath.join(text, "**", pattern) if name == "rglob" else ntpath.join(text, pattern)
        return new_list([PathValue(found) for found in matching(reader, full, recursive=True)])
    if name == "iterdir":
        return new_list([PathValue(ntpath.join(text, item)) for item in reader.finder.names(reader.absolute(text))])
    if name in ("read_text", "open"):
        return read_all(reader, text) if name == "read_text" else OpenFile(text)
    if name == "is_absolute":
        return ntpath.isabs(text)
    if name == "stat":
        return FileStatus(file_size(reader, text))
    return UNKNOWN


def file_size(reader: Reader, path: str) -> Value:
    """Bytes of a file; UNKNOWN where that is not known, or where there is none."""
    size = reader.world.files.size(WinPath(absolute_text(reader, path)))
    return UNKNOWN if size is None else size


@register(TABLE, "os.path.getsize")
def _size(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, args[0]) if args else None
    return UNKNOWN if path is None else file_size(reader, path)


@register(TABLE, "os.stat")
def _status(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return FileStatus(_size(reader, args, keywords))


def read_all(reader: Reader, path: str) -> Value:
    """The text of a small file; UNKNOWN for anything else."""
    size = reader.world.files.size(WinPath(absolute_text(reader, path)))
    if size is None or size > 1 << 20:
        return UNKNOWN
    text = reader.sources.text(reader.absolute(path))
    return UNKNOWN if text is None else text
