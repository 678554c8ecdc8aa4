"""What the reader knows of Python's built-ins and standard library: constants, and what a call returns and does.

Each table below names functions by their dotted name in the library reference; what is in none is UNKNOWN when called.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from whyload.base.typing import TYPE_CHECKING
from whyload.startup.known.table import ALIASES, Native
from whyload.startup.standard import is_standard
from whyload.startup.values import MISSING, UNKNOWN, Known, ModuleValue, Value

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


@functools.cache
def _functions() -> Mapping[str, Native]:
    from whyload.startup.known import builtin, files, importing, libraries, process

    return {**builtin.TABLE, **files.TABLE, **importing.TABLE, **libraries.TABLE, **process.TABLE}


def canonical(name: str) -> str:
    """The name under which the tables know a function."""
    head, _, last = name.rpartition(".")
    return f"{ALIASES[head]}.{last}" if head in ALIASES else name


def known_attribute(reader: Reader, dotted: str) -> Value:
    """The value of a dotted name of the standard library."""
    from whyload.startup.known.process import constant

    dotted = canonical(dotted)
    stored = reader.attribute(dotted)
    if stored is not MISSING:
        return stored
    value = constant(reader, dotted)
    return Known(dotted) if value is MISSING else value


_SUBMODULES = frozenset({"util", "machinery", "resources", "sysconfig"})
"""Parts of the names below that are modules of their own, which their package does not export."""


def exported(reader: Reader, module: str) -> dict[str, Value]:
    """What `from module import *` brings of a module of the standard library, as far as it is known here."""
    from whyload.startup.known.process import constants

    prefix = canonical(f"{module}.")
    names = {
        dotted[len(prefix) :].partition(".")[0] for dotted in (*_functions(), *constants()) if dotted.startswith(prefix)
    }
    return {
        name: known_attribute(reader, prefix + name) for name in sorted(names - _SUBMODULES) if not name.startswith("_")
    }


def call_known(reader: Reader, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """Call a function of the standard library."""
    function = _functions().get(name)
    if function is None:
        from whyload.startup.known.libraries import call_by_attribute

        return call_by_attribute(reader, name, args)
    return function(reader, args, keywords)


def known_item(reader: Reader, name: str, key: Value) -> Value:
    """`name[key]` for a name of the standard library."""
    if name == "os.environ" and isinstance(key, str):
        value = reader.environment.get(key, MISSING)
        if value is MISSING:
            if reader.guarded("KeyError"):
                raise reader.throw("KeyError", repr(key))
            if not reader.is_variable_known(key):
                return UNKNOWN
            raise reader.throw("KeyError", repr(key))
        return value
    if name == "sys.modules" and isinstance(key, str):
        module = reader.modules.get(key)
        if module is not None:
            return ModuleValue(module)
        return Known(key) if is_standard(key, reader.world.python.version) else UNKNOWN
    if name in ("ctypes.cdll", "ctypes.windll", "ctypes.oledll", "ctypes.pydll") and isinstance(key, str):
        from whyload.startup.known.libraries import open_by_attribute

        return open_by_attribute(reader, name, key)
    return UNKNOWN


def contains(reader: Reader, name: str, item: Value) -> Value:
    """`item in name` for a name of the standard library."""
    item = reader.plain(item)
    if not isinstance(item, str):
        return UNKNOWN
    if name == "os.environ":
        return item in reader.environment or (False if reader.is_variable_known(item) else UNKNOWN)
    if name == "sys.modules":
        return item in reader.modules or (UNKNOWN if is_standard(item, reader.world.python.version) else False)
    if name == "sys.builtin_module_names":
        return UNKNOWN
    return UNKNOWN


def has_attribute(reader: Reader, name: str, attribute: str) -> Value:
    """`hasattr(name, attribute)` for a name of the standard library."""
    from whyload.startup.known.process import ABSENT_ON_WINDOWS, SYS_NAMES, constant, exists_since

    dotted = canonical(f"{name}.{attribute}")
    if reader.attribute(dotted) is not MISSING:
        return True
    since = exists_since(dotted)
    if since is not None:
        return reader.version >= since
    if dotted in ABSENT_ON_WINDOWS:
        return False
    if constant(reader, dotted) is not MISSING or dotted in _functions():
        return True
    if name == "sys":
        return attribute in SYS_NAMES
    return UNKNOWN


def is_function_or_module(reader: Reader, name: str) -> bool:
    """True where a name surely is a function or module (and so true in a condition)."""
    return name in _functions() or ("." not in name and is_standard(name, reader.world.python.version))
