"""An environment variable or a PATH entry that the package uses points to a missing or wrong folder.

Packages read variables such as `CUDA_PATH`, `CONDA_PREFIX`, `GDAL_DATA`, `PROJ_LIB` or `PYTHONHOME`, or search
`PATH`, to find their libraries. Uninstalling a toolkit often leaves the variable behind; the installer of
another program may set it for all users.

## How it looks

- `FileNotFoundError: [WinError 3] The system cannot find the path specified: '...'` or `[WinError 2]` from
  `os.add_dll_directory`
- a message that the folder in `CUDA_PATH` or another variable does not exist
- a library is not found although its software is installed: the variable points to an older folder

## How to make sure

- `echo %CUDA_PATH%` (PowerShell: `$env:CUDA_PATH`; Linux: `echo $CUDA_HOME`), then check whether the folder
  exists and what it contains
- the same call works in a terminal in which the variable is removed (`set CUDA_PATH=`)

## What to do

1. First set the variable to an existing folder, or remove it, in one terminal only, to see whether that helps.
2. Then change it where it is set: System Properties > Environment Variables, the activation script of the
   environment, the definition of the service or container. Open a new terminal afterwards: running programs
   keep the old value.

## What not to do

- Create an empty folder of that name: the error only moves to the first file that is looked for there.
- Add more and more folders to `PATH`: Python 3.8 and later do not search it for the dependencies of a module.

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
            en=f"`{gone.variable}` points to `{gone.folder}`, which does not exist",
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
                f"set `{gone.variable}` to a folder that exists, or remove the variable",
                f"把 `{gone.variable}` 改为实际存在的目录，或删除该变量",
            ),
        ),
    )


def _for_this_environment(gone: GoneFolder) -> Iterator[Remedy]:
    """Another value, or none; which of them helps is seen when they are tried."""
    name = gone.variable
    for value in folders_instead(gone):
        title = Message(
            en=f"set `{name}` to `{value}`, which exists, for this environment",
            zh=f"在此环境中把 `{name}` 设为实际存在的 `{value}`",
        )
        yield set_variable(name, value, title)
    title = Message(en=f"leave `{name}` unset in this environment", zh=f"在此环境中取消设置 `{name}`")
    yield set_variable(name, None, title)
