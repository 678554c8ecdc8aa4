"""Habits of packages that their source does not show (data/startup.toml)."""

from __future__ import annotations

import functools

from whyload.knowledge.reader import data_tables


@functools.cache
def _extensions() -> dict[str, tuple[str, ...]]:
    return {entry["module"]: tuple(entry["imports"]) for entry in data_tables("startup")["extension"]}


def imports_of_extension(name: str) -> tuple[str, ...]:
    """Modules that an extension module imports itself when it is initialised."""
    known = _extensions()
    return known.get(name) or tuple(other for other in known.get(f"{name.rpartition('.')[0]}.*", ()) if other != name)
