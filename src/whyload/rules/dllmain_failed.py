r"""Initialisation failed or crashed (Windows error 1114), and no more specific cause applies.

Everything that the file needs was found; its own initialisation code then failed. The reason is inside the
library: a runtime that is too old for it, a missing processor feature, two copies of a library in one process,
too little memory.

## How it looks

- `OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed. Error loading
  "...\c10.dll" or one of its dependencies.`
- `ImportError: DLL load failed while importing _x: A dynamic link library (DLL) initialization routine failed.`
- `[WinError 998] Invalid access to memory location`, or the process ends with `0xC0000005` or `0xC0000142`

## How to make sure

- import the package first, in a new process: if it works, the reason is a library that another package loads
  (`old-vc-runtime`, `path-shadowing`, `duplicate-openmp`)
- the version of the `msvcp140.dll` that is loaded: anything below 14.40 is the first suspect for software built
  since 2024
- Event Viewer > Windows Logs > Application: the event "Application Error" names the module that crashed

## What to do

1. Update the Visual C++ redistributable.
2. Change the import order, or remove old runtimes that other packages bundle.
3. Reinstall the package with `--force-reinstall`, or go back to the previous release.

## What not to do

- Look for a missing file: no file is missing.
- Delete DLLs in `System32`.

## Sources

- Microsoft: System Error Codes (1114); DllMain entry point
- microsoft/STL issue 4730; pytorch/pytorch issue 169429
- docs/loader.md R2.51
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.ending import ReportedError, Unexplained
from whyload.facts.subjects import BrokenStart
from whyload.findings.composition import compose
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import about_file, file_label

CODE = "dllmain-failed"
_NUMBERS = frozenset({1114, 998})
"""ERROR_DLL_INIT_FAILED, ERROR_NOACCESS."""
_STATUSES = frozenset({0xC0000142, 0xC0000005, 0xC0000409, 0xC00000FD})
"""Failed initialisation, access violation, fast fail, stack overflow: how a process ends when start-up code crashes."""


def examine(start: BrokenStart | Unexplained) -> Finding | None:
    """The initialiser fails and the file is the one that was installed; or the run said so and nothing explains it."""
    if isinstance(start, Unexplained):
        return _said(start.error)
    if start.altered is not None:
        return None
    label = start.case.label(start.path)
    return compose(
        start.case,
        start.load,
        start.fault,
        code=CODE,
        headline=Message(en=f"`{label}` fails to initialise", zh=f"`{label}` 初始化失败"),
        culprit=start.path,
        object_name=start.path.name,
    )


def _said(error: ReportedError) -> Finding | None:
    ending = error.ending
    crashed = ending.ntstatus in _STATUSES and error.load is not None
    if error.file is None or error.lacks_avx or (ending.winerror not in _NUMBERS and not crashed):
        return None
    label = file_label(error)
    note = Message(
        en="every file that it needs was found: the fault is in the initialisation code of one of them",
        zh="它所需的文件都已找到：问题出在其中某个文件的初始化代码",
    )
    headline = Message(
        en=f"{label.en}, or a library that it loads, fails to initialise",
        zh=f"{label.zh} 或它所加载的某个库初始化失败",
    )
    return about_file(error, CODE, headline, notes=(note,), certainty=Certainty.LIKELY)
