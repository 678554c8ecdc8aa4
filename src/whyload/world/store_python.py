"""Python from the Microsoft Store, as far as files show it (loader.md R3.20).

Source: Microsoft, "Packaged apps: file system layout" and "App execution aliases"; CPython's PC/layout (appxmanifest).
"""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.base.versions import PythonVersion
from whyload.world.model import FileView, Presence

_PACKAGES = WinPath("C:\\Program Files\\WindowsApps")
_PACKAGE = regular(r"PythonSoftwareFoundation\.Python\.(\d+)\.(\d+)_(\d+(?:\.\d+)*)_\w+__qbz5n2kfra8p0", re.IGNORECASE)
_VERSION_IN_ALIAS = regular(r"python(?:softwarefoundation\.python\.)?(\d)\.(\d+)", re.IGNORECASE)

NO_PACKAGE = Message(
    en="an alias of the Microsoft Store: an empty file that starts the Python of a Store package, or opens the Store's"
    " page where none is installed; no such package is under the folder",
    zh="这是 Microsoft Store 的应用执行别名：一个用来启动商店版 Python 的空文件，未安装时则打开商店页面。"
    "该目录下没有这样的应用包",
)


def is_alias(executable: WinPath) -> bool:
    """Whether it lies in the folder of execution aliases, in which no program is a real file."""
    return "\\microsoft\\windowsapps\\" in executable.key


def store_pythons(files: FileView) -> tuple[WinPath, ...]:
    """The interpreters of the Store packages that are there, the newest last."""
    found: list[tuple[tuple[int, ...], WinPath]] = []
    for name in files.listdir(_PACKAGES):
        match = _PACKAGE.fullmatch(name)
        executable = _PACKAGES / name / "python.exe"
        if match and files.presence(executable) is Presence.FILE:
            release = tuple(map(int, match[3].split(".")))
            found.append(((int(match[1]), int(match[2]), *release), executable))
    return tuple(path for _, path in sorted(found, key=lambda item: item[0]))


def behind_alias(files: FileView, alias: WinPath, version: PythonVersion | None) -> WinPath | None:
    """The interpreter that an alias starts: of the version that it names or that is known, else the newest."""
    match = _VERSION_IN_ALIAS.search("\\".join((alias.parent.name, alias.name)))
    wanted = (int(match[1]), int(match[2])) if match else version[:2] if version else None
    fitting = [path for path in store_pythons(files) if wanted is None or _minor(path) == wanted]
    return fitting[-1] if fitting else None


def _minor(executable: WinPath) -> tuple[int, int]:
    match = _PACKAGE.fullmatch(executable.parent.name)
    assert match is not None
    return int(match[1]), int(match[2])
