"""Items of sequences and dicts."""

from __future__ import annotations

from collections.abc import Sequence

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.values import (
    MISSING,
    UNKNOWN,
    DictValue,
    Fork,
    Known,
    Later,
    ListValue,
    ModuleValue,
    Unknown,
    Value,
    is_constant,
    new_list,
)

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


def sequence(reader: Reader, value: Value) -> Sequence[Value] | None:
    """The items that iterating over a value gives; None where that is not known."""
    value = reader.plain(value)
    if isinstance(value, ListValue):
        items = reader.plain(value.cell["items"])
        return items if isinstance(items, tuple) else None
    if isinstance(value, tuple):
        return value
    if isinstance(value, (str, bytes)):
        return tuple(value) if len(value) < 4096 else None
    if isinstance(value, DictValue):
        return None if value.partial else tuple(value.names)
    return None


def get_item(reader: Reader, container: Value, key: Value) -> Value:
    """`container[key]`."""
    if isinstance(container, Later):
        return Later(lambda: get_item(reader, reader.settle(container), key))
    container = reader.settle(container)
    if isinstance(container, Fork):
        return Fork(container.node, get_item(reader, container.ok, key), get_item(reader, container.failed, key))
    if isinstance(container, Unknown) or (isinstance(container, Known) and container.name.startswith("typing")):
        return UNKNOWN
    key = key if isinstance(key, slice) else reader.plain(key)
    if isinstance(container, Known):
        from whyload.startup.known import known_item

        return known_item(reader, container.name, key)
    if isinstance(container, DictValue):
        return _from_dict(reader, container, key)
    if isinstance(container, ListValue):
        items = reader.items(container)
        if isinstance(key, slice):
            return new_list(items[key])
        return items[key] if isinstance(key, int) and -len(items) <= key < len(items) else UNKNOWN
    if isinstance(container, (str, bytes, tuple)) and isinstance(key, (int, slice)):
        try:
            return container[key]
        except (IndexError, ValueError):
            return UNKNOWN
    return UNKNOWN


def _from_dict(reader: Reader, container: DictValue, key: Value) -> Value:
    if isinstance(key, slice) or not is_constant(key):
        return UNKNOWN
    value = container.names.get(key, MISSING)
    if value is not MISSING:
        return value
    if not container.partial and reader.guarded("KeyError"):
        raise reader.throw("KeyError", repr(key))
    return UNKNOWN


def set_item(reader: Reader, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`."""
    container, key = reader.plain(container), reader.plain(key)
    if isinstance(container, Known) and container.name == "os.environ":
        if isinstance(key, str):
            text = reader.plain(value)
            if isinstance(text, str):
                reader.set_variable(key, text)
            elif key.upper() == "PATH":
                reader.note(
                    "PATH",
                    Message(
                        en=f"the program sets it to a value that is not known ({reader.where()})",
                        zh=f"程序把它设成了一个未知的值（{reader.where()}）",
                    ),
                )
    elif isinstance(container, Known) and container.name == "sys.modules":
        item = reader.plain(value)
        if isinstance(key, str) and isinstance(item, ModuleValue):
            reader.modules[key] = item.module
        elif isinstance(key, str):
            reader.open_names.add(key)
    elif isinstance(container, DictValue):
        if is_constant(key):
            reader.store.write(container.names, key, value)
        else:
            container.partial = True
    elif isinstance(container, ListValue):
        items = list(reader.items(container))
        if isinstance(key, int) and -len(items) <= key < len(items):
            items[key] = value
            reader.store.write(container.cell, "items", tuple(items))
        else:
            reader.store.write(container.cell, "items", UNKNOWN)
