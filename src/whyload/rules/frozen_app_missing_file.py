r"""A frozen application was bundled without a file that it needs.

PyInstaller, Nuitka and cx_Freeze collect the libraries that they can see at build time. What is loaded by name
at run time, what lay in System32 of the builder's machine, or what somebody removed from the folder afterwards
is absent on the customer's machine.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be
  found.` in the frozen program, while `python app.py` works
- `Failed to load Python DLL '...\_internal\python311.dll'`, `Failed to execute script`
- PyInstaller's build prints `WARNING: Library not found: could not resolve 'x.dll'`
- it works on the builder's machine and not on another

## How to make sure

- `whyload check FOLDER` examines the bundle; `build/NAME/warn-NAME.txt` is PyInstaller's own list
- start the program on a machine on which neither Python nor compilers were ever installed

## What to do

1. Name the file in the spec file: `binaries=[(r'FOLDER\x.dll', '.')]`, or let the package's hook collect it:
   `collect_dynamic_libs("PACKAGE")`.
2. Update `pyinstaller-hooks-contrib`.
3. The Visual C++ runtime: bring `msvcp140.dll` and its kin along from the redistributable, or let the installer
   run the redistributable.
4. Build again in a clean environment, made with one installer (pip or conda).

## What not to do

- Tell customers to download the DLL.
- Bundle files out of `System32` that belong to Windows or to the driver.

## Sources

- PyInstaller documentation: When Things Go Wrong; Understanding PyInstaller Hooks
- pyinstaller/pyinstaller issue 6482
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import Absence, AbsenceKind
from whyload.facts.unavailable import UnbundledModule
from whyload.findings.absence import absent
from whyload.findings.composition import plain
from whyload.findings.model import Certainty, Finding
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import by_hand

CODE = "frozen-app-missing-file"
_NOT_BUNDLED = (Family.NVIDIA_DRIVER, Family.WINDOWS, Family.WINDOWS_FEATURE, Family.API_SET)


def examine(absence: Absence | UnbundledModule) -> Finding | None:
    """An absent library in a frozen application that is no part of Windows or of the driver, or a module of Python."""
    if isinstance(absence, UnbundledModule):
        return _module(absence)
    if not absence.case.is_frozen or absence.kind not in (
        AbsenceKind.PLAIN,
        AbsenceKind.RECORDED,
        AbsenceKind.OTHER_VERSION,
    ):
        return None
    if absence.library is not None and absence.library.family in _NOT_BUNDLED:
        return None
    name = absence.name
    remedy = by_hand(
        "bundle-the-file",
        f"add `{name}` to the bundle: in the spec file `binaries=[(r'<folder>\\{name}', '.')]`, then build again",
        f"把 `{name}` 加入打包：在 spec 文件中写 `binaries=[(r'<文件夹>\\{name}', '.')]`，然后重新构建",
    )
    return absent(absence, CODE, remedies=(remedy,))


def _module(subject: UnbundledModule) -> Finding:
    name = subject.module
    remedy = by_hand(
        "bundle-the-module",
        f"name it to the tool that freezes (PyInstaller: `--hidden-import {name}`; Nuitka: `--include-module={name}`;"
        f" cx_Freeze: `includes`), then build again",
        f"在打包工具中指明它（PyInstaller：`--hidden-import {name}`；Nuitka：`--include-module={name}`；"
        f"cx_Freeze：`includes`），然后重新构建",
    )
    return plain(
        subject.case,
        code=CODE,
        headline=Message(
            en=f"the program asks for the module `{name}`, which the bundle does not hold",
            zh=f"程序要导入模块 `{name}`，但打包结果中没有它",
        ),
        culprit=subject.case.world.python.executable,
        object_name=name,
        certainty=Certainty.LIKELY,
        remedies=(remedy,),
    )
