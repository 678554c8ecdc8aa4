"""The standard library: present without reading it. Which of its modules load native ones is data (stdlib.toml)."""

from __future__ import annotations

import functools
import sys

from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge.reader import data_tables

if TYPE_CHECKING:
    from whyload.base.versions import PythonVersion


@functools.cache
def _names(version: PythonVersion) -> frozenset[str]:
    tables = data_tables("stdlib")
    names = set(sys.stdlib_module_names) | set(tables["names"]["added_by_hand"])
    names -= set(tables["names"]["not_on_windows"])
    for change in tables["change"]:
        since = (int(change["version"][0]), int(change["version"][1]))
        for name in change.get("added", ()):
            (names.add if (version.major, version.minor) >= since else names.discard)(name)
        for name in change.get("removed", ()):
            (names.discard if (version.major, version.minor) >= since else names.add)(name)
    return frozenset(names)


def is_standard(name: str, version: PythonVersion) -> bool:
    """True where the top-level part of `name` belongs to the standard library of that Python on Windows."""
    return name.partition(".")[0] in _names(version)


def comes_with_python(name: str, version: PythonVersion) -> bool:
    """True for what Python's installer puts into site-packages besides the standard library."""
    installed = data_tables("stdlib")["installed_with_python"]
    early = (version.major, version.minor) < (3, 12)
    return name.partition(".")[0] in (*installed["always"], *(installed["before_3_12"] if early else ()))


@functools.cache
def extension_modules(name: str, version: PythonVersion) -> tuple[tuple[str, bool], ...]:
    """(extension module, needed) pairs that `import name` of the standard library loads, in order."""
    tables = data_tables("stdlib")
    entry = tables["module"].get(name)
    if (version.major, version.minor) >= (3, 12):
        entry = tables["module_3_12"].get(name, entry)
    if entry is None:
        parent = name.rpartition(".")[0]
        return extension_modules(parent, version) if parent else ()
    return tuple((native.rstrip("?"), native[-1] != "?") for native in entry)
