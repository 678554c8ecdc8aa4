"""Which Python a DLL name or a module's file name belongs to."""

from __future__ import annotations

import re

from whyload.world.model import PythonInstallation

_DLL = re.compile(r"python(?P<digits>\d{2,3})(?P<t>t?)(?P<d>_d)?\.dll", re.IGNORECASE)
_TAG = re.compile(r"\.cp(?P<digits>\d{2,3})(?P<t>t?)-(?P<platform>\w+)\.pyd", re.IGNORECASE)


def other_abi(python: PythonInstallation, dll: str) -> bool:
    """Same version, other build: the DLL of a debug or free-threaded Python, or a stable-ABI DLL of such a one."""
    match = _DLL.fullmatch(dll)
    if match is None:
        return True
    return match["digits"] == f"{python.version.major}{python.version.minor}"


def tag_of(file: str) -> tuple[str, bool, str] | None:
    """(version digits, free-threaded, platform) of a tagged module file; None where it has no tag."""
    match = _TAG.search(file)
    return (match["digits"], bool(match["t"]), match["platform"].lower()) if match else None
