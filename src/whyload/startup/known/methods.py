"""Methods of strings, lists, dicts, paths, open files and exceptions."""

from __future__ import annotations

from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING, Final
from whyload.observe.events import DirectoryRemoved
from whyload.startup.subscripts import sequence
from whyload.startup.values import (
    LONGEST,
    MISSING,
    UNKNOWN,
    BuiltinMethod,
    DictValue,
    ErrorValue,
    Folder,
    FolderFinder,
    ListValue,
    OpenFile,
    PathValue,
    Unknown,
    Value,
    bounded,
    is_constant,
    new_list,
    same,
)

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

_TEXT_METHODS: Final = frozenset(
    [
        "capitalize",
        "casefold",
        "endswith",
        "find",
        "format",
        "index",
        "isalnum",
        "isalpha",
        "isdigit",
        "islower",
        "isspace",
        "istitle",
        "isupper",
        "join",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rindex",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
        "encode",
        "decode",
        "count",
    ]
)


def call_method(reader: Reader, method: BuiltinMethod, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`receiver.name(*args)`."""
    receiver, name = method.receiver, method.name
    if isinstance(receiver, (str, bytes)):
        return _of_text(reader, receiver, name, args, keywords)
    if isinstance(receiver, ListValue):
        return _of_list(reader, receiver, name, args)
    if isinstance(receiver, DictValue):
        return _of_dict(reader, receiver, name, args)
    if isinstance(receiver, PathValue):
        from whyload.startup.known.files import call_path_method

        return call_path_method(reader, receiver, name, args, keywords)
    if isinstance(receiver, Folder):
        if name == "close":
            reader.emit(DirectoryRemoved(path=WinPath(receiver.path)))
        return None
    if isinstance(receiver, FolderFinder):
        from whyload.startup.known.importing import find_in_folder

        return find_in_folder(reader, receiver.path, args) if name == "find_spec" else UNKNOWN
    if isinstance(receiver, OpenFile):
        return _of_file(reader, receiver, name)
    if isinstance(receiver, ErrorValue):
        return receiver
    if isinstance(receiver, Unknown) and name == "dlopen":
        from whyload.startup.known.libraries import open_with_cffi

        return open_with_cffi(reader, args, keywords)
    return UNKNOWN


def _of_text(reader: Reader, text: str | bytes, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if name not in _TEXT_METHODS:
        return UNKNOWN
    plain: list[Value] = []
    for value in args:
        value = reader.plain(value)
        items = sequence(reader, value) if isinstance(value, ListValue) else None
        plain.append(value if items is None else tuple(map(reader.plain, items)))
    plain = [value.text if isinstance(value, PathValue) else value for value in plain]
    named = {key: reader.plain(value) for key, value in keywords.items()}
    if not all(map(is_constant, [*plain, *named.values()])):
        return UNKNOWN
    try:
        result = getattr(text, name)(*plain, **named)
    except Exception:  # the program's own error
        return UNKNOWN
    if isinstance(result, list):
        return new_list(result)
    return UNKNOWN if isinstance(result, (str, bytes)) and len(result) > LONGEST else result


def _of_list(reader: Reader, target: ListValue, name: str, args: list[Value]) -> Value:
    items = list(reader.items(target))
    known = isinstance(reader.plain(target.cell["items"]), tuple)
    if name in ("copy", "__iter__"):
        return new_list(items, is_set=target.is_set) if known else UNKNOWN
    if name in ("index", "count"):
        found = [index for index, item in enumerate(items) if args and same(item, reader.plain(args[0]))]
        return (found[0] if found else UNKNOWN) if name == "index" else len(found)
    result: Value = None
    if name in ("append", "add") and args:
        items.append(args[0])
    elif name in ("extend", "update") and args:
        more = sequence(reader, args[0])
        known = known and more is not None
        items.extend(more or ())
    elif name == "insert" and len(args) == 2 and isinstance(index := reader.plain(args[0]), int):
        items.insert(index, args[1])
    elif name in ("remove", "discard") and args:
        wanted = reader.plain(args[0])
        index = next((i for i, item in enumerate(items) if same(reader.plain(item), wanted)), None)
        if index is not None:
            del items[index]
    elif name == "pop" and not target.is_set:
        index = reader.plain(args[0]) if args else -1
        result = items.pop(index) if isinstance(index, int) and -len(items) <= index < len(items) else UNKNOWN
    elif name == "clear":
        items = []
    elif name == "reverse":
        items.reverse()
    elif name == "sort":
        known = known and all(isinstance(item, str) for item in items)
        items = sorted(items) if known else items
    else:
        return UNKNOWN
    reader.store.write(target.cell, "items", bounded(tuple(items)) if known else UNKNOWN)
    if target is reader.attribute("sys.path"):
        reader.search_changed()
    return result


def _of_dict(reader: Reader, target: DictValue, name: str, args: list[Value]) -> Value:
    key = reader.plain(args[0]) if args else UNKNOWN
    if name in ("get", "setdefault", "pop"):
        if not is_constant(key):
            return UNKNOWN
        value = target.names.get(key, MISSING)
        if value is MISSING:
            value = UNKNOWN if target.partial else (args[1] if len(args) > 1 else None)
            if name == "setdefault":
                reader.store.write(target.names, key, value)
        elif name == "pop":
            reader.store.write(target.names, key, MISSING)
        return value
    if name == "copy":
        return DictValue(dict(target.names), target.partial)
    if name == "update":
        if isinstance(key, DictValue):
            for other, value in key.names.items():
                reader.store.write(target.names, other, value)
        else:
            target.partial = True
        return None
    if target.partial:
        return UNKNOWN
    if name == "keys":
        return new_list(tuple(target.names))
    if name == "values":
        return new_list(tuple(target.names.values()))
    if name == "items":
        return new_list(tuple(target.names.items()))
    return UNKNOWN


def _of_file(reader: Reader, file: OpenFile, name: str) -> Value:
    from whyload.startup.known.files import read_all

    if name in ("read", "readlines"):
        text = read_all(reader, file.path)
        if name == "read" or not isinstance(text, str):
            return text
        return new_list(text.splitlines(keepends=True))
    return UNKNOWN
