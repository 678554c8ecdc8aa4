"""The file exists on the machine and matches, but is in no folder that this load searches.

Since Python 3.8, `PATH` and the current folder are not searched for the dependencies of an extension module.
What is searched is the module's folder, the folder of `python.exe`, the folders added with
`os.add_dll_directory`, and System32. A load by name with other flags (`winmode=0`, a library that loads its own
plug-ins) does search `PATH`, but not the added folders.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.`, although `where
  NAME.dll` finds the file
- it works in Python 3.7, in a C++ program, or from another current folder, but not in Python 3.8 and later
- a conda environment that was not activated
- Linux: `libcudnn_ops_infer.so.8: cannot open shared object file`, although the file is in
  `site-packages/nvidia/cudnn/lib`

## How to make sure

- `whyload PACKAGE` shows every place that was searched, and where the file is
- in Python: `os.add_dll_directory(r"FOLDER")`, then the import works

## What to do

1. In the program, before the import: `os.add_dll_directory(r"FOLDER")`, and keep the returned object for as
   long as the folder is needed.
2. conda: start Python from the activated environment, or with `conda run`.
3. If a library loads by name and ignores the added folders: put the folder first on `PATH` in the program.
4. If you maintain the package: bundle the DLLs (delvewheel), or add their folder in `__init__.py`.

## What not to do

- Copy single DLLs beside the module: their own dependencies are missing there, and nobody updates them.
- Set `PYTHONPATH`: it is for Python modules, not for DLLs.
- Put anything into `System32`.

## Sources

- Python documentation: What's New in Python 3.8 (DLL resolution); os.add_dll_directory
- Microsoft: Dynamic-link library search order; LoadLibraryExW
- docs/loader.md R2.20, R3.15, R3.21
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.remedies.choose import put_in_view


def examine(absence: Absence) -> Finding | None:
    """A fitting copy lies elsewhere."""
    if absence.kind is not AbsenceKind.MISPLACED or absence.copy is None or absence.is_sought_at_conda:
        return None
    copy = absence.copy
    note = Message(
        en=f"it is at `{copy.path}` ({copy.found_by.en}), a folder that this load does not search",
        zh=f"它在 `{copy.path}`（{copy.found_by.zh}），但这次加载不搜索那个目录",
    )
    return absent(
        absence,
        "dependency-not-on-search-path",
        notes=(note,),
        remedies=(put_in_view(absence.load.event.flags, copy.path.parent),),
        found_at=copy.path,
    )
