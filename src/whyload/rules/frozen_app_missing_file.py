r"""A frozen application was bundled without a file that it needs.

PyInstaller, Nuitka and cx_Freeze collect the libraries that they can see at build time. A library that is
loaded by name at run time, that was in System32 on the build machine, or that somebody deleted from the folder
later is missing on the user's machine.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.` in the frozen
  application, while `python app.py` works
- `Failed to load Python DLL '...\_internal\python311.dll'`, `Failed to execute script`
- PyInstaller's build prints `WARNING: Library not found: could not resolve 'x.dll'`
- it works on the build machine, but not on others

## How to make sure

- `whyload check FOLDER` examines the bundle; `build/NAME/warn-NAME.txt` is PyInstaller's own list
- start the program on a machine on which neither Python nor a compiler was ever installed

## What to do

1. Name the file in the spec file: `binaries=[(r'FOLDER\x.dll', '.')]`, or let the package's hook collect it:
   `collect_dynamic_libs("PACKAGE")`.
2. Update `pyinstaller-hooks-contrib`.
3. The Visual C++ runtime: bundle `msvcp140.dll` and the other files of the redistributable, or let the
   installer run the redistributable.
4. Rebuild in a clean environment that was made with one tool only (pip or conda).

## What not to do

- Tell users to download the DLL.
- Bundle files from `System32` that belong to Windows or to a display driver.

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
        f"add `{name}` to the bundle: in the spec file `binaries=[(r'<folder>\\{name}', '.')]`, then rebuild",
        f"把 `{name}` 打包进去：在 spec 文件中写 `binaries=[(r'<目录>\\{name}', '.')]`，然后重新构建",
    )
    return absent(absence, CODE, remedies=(remedy,))


def _module(subject: UnbundledModule) -> Finding:
    name = subject.module
    remedy = by_hand(
        "bundle-the-module",
        f"name it in the bundler's options (PyInstaller: `--hidden-import {name}`; Nuitka: `--include-module={name}`; "
        "cx_Freeze: `includes`), then rebuild",
        f"在打包工具的选项中指明它（PyInstaller：`--hidden-import {name}`；Nuitka：`--include-module={name}`；"
        "cx_Freeze：`includes`），然后重新构建",
    )
    return plain(
        subject.case,
        code=CODE,
        headline=Message(
            en=f"the program imports the module `{name}`, which is not in the bundle",
            zh=f"程序要导入模块 `{name}`，但打包目录中没有它",
        ),
        culprit=subject.case.world.python.executable,
        object_name=name,
        certainty=Certainty.LIKELY,
        remedies=(remedy,),
    )
