"""Folders in which packages keep what they compiled on first use.

Sources: torch/utils/cpp_extension.py (`torch_extensions`), torch/_inductor/runtime/cache_dir_utils.py
(`torchinductor_USER` in the temporary folder), triton/knobs.py (`~/.triton/cache`), cupy/cuda/compiler.py
(`~/.cupy/kernel_cache`), pyximport/pyximport.py (`~/.pyxbld`), numba/core/caching.py (`__pycache__`, `*.nbi`, `*.nbc`).
"""

from __future__ import annotations

from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.world.model import Presence, World

_VARIABLES = (
    *("TORCH_EXTENSIONS_DIR", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "CUPY_CACHE_DIR", "NUMBA_CACHE_DIR"),
)
_USUAL = regular(
    r"\\(?:torch_extensions|torchinductor_[^\\]+|\.triton\\(?:cache|dump)|\.cupy\\kernel_cache|\.pyxbld)\\"
)
_NUMBA = (".nbi", ".nbc")


def in_build_cache(world: World, path: WinPath) -> bool:
    """Whether a file was compiled on first use."""
    named = (WinPath(value) for name in _VARIABLES if (value := world.environment.get(name)))
    return any(folder.is_absolute and path.is_below(folder) for folder in named) or _USUAL.search(path.key) is not None


def numba_files(world: World, source: WinPath) -> tuple[WinPath, ...]:
    """What Numba compiled of the functions of a Python file: index and machine code, beside Python's own cache."""
    folder = source.parent / "__pycache__"
    stem = source.name.rpartition(".")[0].lower()
    names = (name for name in world.files.listdir(folder) if name.lower().endswith(_NUMBA))
    return tuple(folder / name for name in names if name.lower().startswith(f"{stem}."))


def numba_folder(world: World) -> WinPath | None:
    """The folder that Numba keeps everything in, where a variable names one that is there."""
    named = world.environment.get("NUMBA_CACHE_DIR")
    folder = WinPath(named) if named else None
    there = folder is not None and folder.is_absolute and world.files.presence(folder) is Presence.DIRECTORY
    return folder if there else None
