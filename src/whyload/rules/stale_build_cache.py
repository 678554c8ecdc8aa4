r"""A cached build of an extension belongs to other sources, another environment, or to a build that was broken off.

`torch.utils.cpp_extension` keeps what it built in `torch_extensions`, by the name of the extension, the Python
and the CUDA version; Triton and others have caches of their own. After an upgrade of torch, another GPU, or a
build that was interrupted, the old files are taken again.

## How it looks

- `ImportError: .../torch_extensions/py38_cu118/fused_adam/fused_adam.so: cannot open shared object file: No
  such file or directory`
- `DLL load failed while importing bias_act_plugin: The specified module could not be
  found`, with a path in `torch_extensions`
- the process waits for ever: a `lock` file of a build that was broken off is still there
- `undefined symbol`, or error 127, in an extension that worked before torch was upgraded

## How to make sure

- the folder: `%LOCALAPPDATA%\torch_extensions\torch_extensions\Cache` on Windows, `~/.cache/torch_extensions`
  on Linux, or where `TORCH_EXTENSIONS_DIR` points; a folder of the extension with `build.ninja`, without a
  `.pyd` or `.so`, or with a `lock`, was broken off
- the times of the files are older than the installation of torch

## What to do

1. End programs that use the extension, remove the folder of that extension, start again.
2. If it fails again, what counts is the first error of the compiler (`build-failed`, `build-tool-missing`).
3. Several machines or environments with one home folder: give each its own `TORCH_EXTENSIONS_DIR`.
4. With compiled files in a clone of sources (`build/`, `*.so` beside the sources): remove them and install
   again.

## What not to do

- Remove the `lock` while another process is really building.
- Copy the built files from another machine.

## Sources

- PyTorch documentation: torch.utils.cpp_extension; torch/utils/file_baton.py
- QwenLM/Qwen3 issue 350
"""

from __future__ import annotations

from whyload.base.paths import WinPath
from whyload.facts.build_caches import in_build_cache
from whyload.facts.subjects import Absence, MissingFunction
from whyload.findings.absence import absent
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.remedies.choose import by_hand
from whyload.remedies.model import Remedy

CODE = "stale-build-cache"


def examine(subject: Absence | MissingFunction) -> Finding | None:
    """A file of the cache lacks a function of the torch that is installed, or was never finished."""
    if isinstance(subject, MissingFunction):
        importer = subject.symbol.importer
        if not subject.of_torch or not in_build_cache(subject.case.world, importer):
            return None
        return lacking(subject, CODE, culprit=importer, remedies=(_remedy(importer.parent),))
    if not subject.is_unfinished_build:
        return None
    asked = WinPath(subject.load.event.name)
    return absent(subject, CODE, culprit=asked, remedies=(_remedy(asked.parent),))


def _remedy(folder: WinPath) -> Remedy:
    return by_hand(
        "clear-build-cache",
        f"end the programs that use it, remove `{folder}`, and start again",
        f"结束正在使用它的程序，删除 `{folder}`，然后重新启动",
    )
