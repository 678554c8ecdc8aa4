"""Folders in which packages keep what they compiled on first use.

Source: torch/utils/cpp_extension.py (`torch_extensions`, or the variable `TORCH_EXTENSIONS_DIR`).
"""

from __future__ import annotations

from whyload.base.paths import WinPath
from whyload.world.model import World

_NAME = "torch_extensions"


def in_build_cache(world: World, path: WinPath) -> bool:
    """Whether a file was compiled on first use."""
    named = world.environment.get("TORCH_EXTENSIONS_DIR")
    if named and WinPath(named).is_absolute and path.is_below(WinPath(named)):
        return True
    return f"\\{_NAME}\\" in path.key
