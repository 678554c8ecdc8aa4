"""An environment variable or a PATH entry that the package obeys points to a folder that is gone, or to the wrong
one.

Packages read variables such as `CUDA_PATH`, `CONDA_PREFIX`, `GDAL_DATA`, `PROJ_LIB`, `OPENBLAS_...`,
`PYTHONHOME`, or walk through `PATH`, to find their libraries. An uninstalled toolkit leaves the variable
behind; an installer for another program sets it for everybody.

## How it looks

- `FileNotFoundError: [WinError 3] The system cannot find the path specified: '...'` or `[WinError
  2]` out of `os.add_dll_directory`
- a message that the folder which `CUDA_PATH` or another variable names does not exist
- a library is not found although its program is installed, in a newer folder than the variable names

## How to make sure

- `echo %CUDA_PATH%` (PowerShell: `$env:CUDA_PATH`; Linux: `echo $CUDA_HOME`), then look whether the folder is
  there and what is in it
- the same call works in a shell where the variable was removed (`set CUDA_PATH=`)

## What to do

1. Set the variable to the folder that is there, or remove it, first for one shell, to see that it helps.
2. Then change it where it is set: System Properties > Environment Variables, the activation script of the
   environment, the service's or container's definition. Open a new shell afterwards: running programs keep the
   old value.

## What not to do

- Create an empty folder of that name: the error moves on to the first file that is looked for there.
- Add all of the machine's folders to `PATH`: Python 3.8 and later do not search it for the imports of a module.

## Sources

- Python documentation: os.add_dll_directory
- Microsoft: AddDllDirectory; System Error Codes (2, 3)
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.message import Message
from whyload.facts.variables import GoneFolder, folders_instead
from whyload.findings.composition import plain
from whyload.findings.model import Certainty, Finding
from whyload.remedies.choose import by_hand, set_variable
from whyload.remedies.model import Remedy


def examine(gone: GoneFolder) -> Finding | None:
    """The program asked for a folder that a variable names, and it is not there."""
    file = gone.place.file if gone.place else None
    return plain(
        gone.case,
        code="env-variable-misdirects",
        headline=Message(
            en=f"`{gone.variable}` leads to `{gone.folder}`, which is not there",
            zh=f"环境变量 `{gone.variable}` 指向的 `{gone.folder}` 不存在",
        ),
        culprit=file,
        object_name=gone.variable,
        certainty=Certainty.PROVED,
        notes=(Message(en=f"its value is `{gone.value}`", zh=f"它的值是 `{gone.value}`"),),
        remedies=(
            *_for_this_environment(gone),
            by_hand(
                "correct-the-variable",
                f"set `{gone.variable}` to the folder that is there, or remove the variable",
                f"把 `{gone.variable}` 改为实际存在的文件夹，或删除该变量",
            ),
        ),
    )


def _for_this_environment(gone: GoneFolder) -> Iterator[Remedy]:
    """Another value, or none; which of them helps is seen when they are tried."""
    name = gone.variable
    for value in folders_instead(gone):
        title = Message(
            en=f"set `{name}` to `{value}`, which is there, for this environment",
            zh=f"在此环境中把 `{name}` 设为实际存在的 `{value}`",
        )
        yield set_variable(name, value, title)
    title = Message(en=f"leave `{name}` unset in this environment", zh=f"在此环境中不设置 `{name}`")
    yield set_variable(name, None, title)
