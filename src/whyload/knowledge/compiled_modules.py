"""Which modules of a package are compiled, where that is known.

Source: data/compiled_modules.toml (the files of the packages' wheels).
"""

from __future__ import annotations

from whyload.knowledge.reader import data_tables


def is_compiled(module: str) -> bool | None:
    """Whether a dotted module is compiled, or lies in one that is; None where that is not known."""
    top, *parts = module.split(".")
    tables = data_tables("compiled_modules")
    if not parts:
        return None
    if top in tables["modules"]:
        return any(part in tables["modules"][top] for part in parts)
    is_file = any(part in tables["python_files"].get(top, ()) for part in parts[:-1])
    return False if is_file or parts[-1] in tables["python_code"].get(top, ()) else None
