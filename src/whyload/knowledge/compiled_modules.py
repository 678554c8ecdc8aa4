"""Which modules of a package are compiled, where that is known.

Source: data/compiled_modules.toml (the files of the packages' wheels).
"""

from __future__ import annotations

from whyload.knowledge.reader import data_tables


def is_compiled(module: str) -> bool | None:
    """Whether a dotted module is compiled, or lies in one that is; None where nothing is known of its package."""
    top, *parts = module.split(".")
    compiled = data_tables("compiled_modules")["modules"].get(top)
    return any(part in compiled for part in parts) if compiled is not None and parts else None
