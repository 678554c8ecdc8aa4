r"""A cached build of an extension is from other sources, from another environment, or incomplete.

`torch.utils.cpp_extension` keeps its builds in `torch_extensions`, by the name of the extension and the Python
and CUDA versions; Triton and others have their own caches. After an upgrade of torch, a change of GPU or an
interrupted build, the old files are used again.

## How it looks

- `ImportError: .../torch_extensions/py38_cu118/fused_adam/fused_adam.so: cannot open shared object file: No
  such file or directory`
- `DLL load failed while importing bias_act_plugin: The specified module could not be
  found`, with a path in `torch_extensions`
- the process waits forever: an interrupted build left its `lock` file behind
- `undefined symbol`, or error 127, in an extension that worked before torch was upgraded

- `EOFError`, `ModuleNotFoundError`, `AttributeError` or `UnpicklingError` out of `numba/core/caching.py`

## How to make sure

- the folder: `%LOCALAPPDATA%\torch_extensions\torch_extensions\Cache` on Windows, `~/.cache/torch_extensions`
  on Linux, or where `TORCH_EXTENSIONS_DIR` points; a `build.ninja` without a `.pyd` or `.so`, or a `lock`, in
  the extension's folder means that the build was interrupted
- the files are older than the installation of torch

## What to do

1. End the programs that use the extension, delete the extension's folder, and start again. `whyload fix` only
   renames it, and `whyload undo` restores it.
2. If it fails again, look at the compiler's first error (see `build-failed`, `build-tool-missing`).
3. If several machines or environments share a home folder: give each its own `TORCH_EXTENSIONS_DIR`.
4. If there are compiled files in a clone of the sources (`build/`, `*.so` beside the sources): delete them and
   reinstall.

## What not to do

- Delete the `lock` while another process is building.
- Copy the built files from another machine.

## Sources

- PyTorch documentation: torch.utils.cpp_extension; torch/utils/file_baton.py
- Numba documentation: Notes on Caching; numba/core/caching.py
- QwenLM/Qwen3 issue 350
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.facts.build_caches import in_build_cache, numba_files, numba_folder
from whyload.facts.ending import ReportedError
from whyload.facts.subjects import Absence, MissingFunction
from whyload.findings.absence import absent
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.findings.said import said
from whyload.remedies.choose import by_hand, clear_build_cache

CODE = "stale-build-cache"
_NUMBA = regular(r'File "[^"\n]*[\\/]numba[\\/]core[\\/]caching\.py", line \d+, in (?:_?load|_?rebuild)\w*')
_SOURCE = regular(r'^ *File "(?P<file>[A-Za-z]:[^"\n]+\.py)", line \d+', re.MULTILINE)


def examine(subject: Absence | MissingFunction | ReportedError) -> Finding | None:
    """A file of the cache lacks a function of the torch that is installed, was never finished, or cannot be read."""
    if isinstance(subject, ReportedError):
        return _unreadable(subject) if _NUMBA.search(subject.ending.output) else None
    if isinstance(subject, MissingFunction):
        importer = subject.symbol.importer
        if not subject.of_torch or not in_build_cache(subject.case.world, importer):
            return None
        return lacking(subject, CODE, culprit=importer, remedies=(clear_build_cache(importer.parent),))
    if not subject.is_unfinished_build:
        return None
    asked = WinPath(subject.load.event.name)
    return absent(subject, CODE, culprit=asked, remedies=(clear_build_cache(asked.parent),))


def _unreadable(error: ReportedError) -> Finding:
    """Numba raised while it read back what it had compiled."""
    files = tuple(dict.fromkeys(_numba_caches(error)))
    remedy = by_hand(
        "clear-build-cache",
        "delete the `.nbi` and `.nbc` files in the `__pycache__` of the module with the compiled function",
        "删除该编译函数所在模块的 `__pycache__` 中的 `.nbi` 和 `.nbc` 文件",
    )
    return said(
        error,
        CODE,
        Message(
            en="Numba cannot read the code that it compiled and cached in an earlier run",
            zh="Numba 无法读回先前运行时编译并缓存的代码",
        ),
        culprit=files[0] if files else None,
        object_name=files[0].name if files else None,
        remedies=(clear_build_cache(*files) if files else remedy,),
    )


def _numba_caches(error: ReportedError) -> Iterator[WinPath]:
    """The folder that a variable names, else the files beside the sources in the traceback."""
    world = error.case.world
    folder = numba_folder(world)
    if folder is not None:
        yield folder
        return
    for match in _SOURCE.finditer(error.ending.output):
        yield from numba_files(world, WinPath(match["file"]))
