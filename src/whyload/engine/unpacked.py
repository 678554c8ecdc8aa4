"""Programs packed into one file: the folder that such a program unpacked to, where one was left behind.

Source: loader.md section 5 (PyInstaller: `_MEI` and digits; Nuitka's default is `{TEMP}/onefile_{PID}_{TIME}`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.world.model import World

_FOLDER = regular(r"_MEI\w+|onefile_\d+_\d+(?:_\d+)?", re.IGNORECASE)
_PYTHON_DLL = regular(r"python3\d+t?\.dll", re.IGNORECASE)


def unpacked_folders(world: World) -> tuple[WinPath, ...]:
    """Folders of that kind with a Python in them, below TEMP or, where that is not known, below the users' own."""
    found = []
    for place in dict.fromkeys(_temporary_folders(world)):
        for name in sorted(world.files.listdir(place)):
            folder = place / name
            if _FOLDER.fullmatch(name) and any(map(_PYTHON_DLL.fullmatch, world.files.listdir(folder))):
                found.append(folder)
    return tuple(found)


def _temporary_folders(world: World) -> Iterator[WinPath]:
    given = [world.environment.get(name) for name in ("TEMP", "TMP")]
    yield from (WinPath(text) for text in given if text)
    if not any(given):
        users = WinPath("C:\\Users")
        yield from (users / user / "AppData\\Local\\Temp" for user in world.files.listdir(users))
