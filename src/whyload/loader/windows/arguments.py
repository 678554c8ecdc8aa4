"""The name and the flags of a load call (loader.md 2.1; Microsoft, "LoadLibraryExW")."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath

ALTERED_SEARCH_PATH = 0x8
SEARCH_DLL_LOAD_DIR = 0x100
SEARCH_APPLICATION_DIR = 0x200
SEARCH_USER_DIRS = 0x400
SEARCH_SYSTEM32 = 0x800
SEARCH_DEFAULT_DIRS = 0x1000
SEARCH_FLAGS = 0x1F00
SAFE_CURRENT_DIRS = 0x2000
DEPENDENT_FLAGS = 0x7B00
"""Bits of DependentLoadFlags that count (R2.24)."""
DONT_RESOLVE = 0x1
AS_DATA = 0x62
"""DATAFILE, DATAFILE_EXCLUSIVE and IMAGE_RESOURCE: a mapping without imports."""


def extension_flags(version: tuple[int, int]) -> int:
    """R3.1: how CPython of that version loads an extension module by its full path."""
    return SEARCH_DEFAULT_DIRS | SEARCH_DLL_LOAD_DIR if version >= (3, 8) else ALTERED_SEARCH_PATH


class NameKind(Enum):
    """How a name is looked for."""

    FULL = "full path"
    RELATIVE = "relative path"
    BARE = "bare name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """A name after normalisation; `refused` says why the call ends with error 87."""

    text: str
    kind: NameKind
    path: WinPath | None = None
    refused: Text = ""


def with_extension(name: str) -> str:
    """R2.3: `.dll` where the last component has no dot; one trailing dot suppresses that and is dropped."""
    last = name.replace("/", "\\").rpartition("\\")[2]
    if last.endswith("."):
        return name[:-1]
    return name if "." in last else f"{name}.dll"


def normalise(name: str, flags: int, cwd: WinPath) -> Argument:
    """R2.1 to R2.5: the name that is looked for, and how."""
    name = name.rstrip(" ")  # R2.2
    has_path = any(mark in name for mark in "\\/:")  # R2.4
    full = has_path and (WinPath(name).is_absolute or name[:1] in "\\/")
    refused = _refusal(name, flags, full)
    if not name:
        return Argument(text=name, kind=NameKind.BARE, refused=refused)
    text = with_extension(name)
    if not has_path:
        return Argument(text=text, kind=NameKind.BARE, refused=refused)
    if full or ":" in text:  # R2.5: `\dir\x.dll` and `X:x.dll` resolve against the current drive and folder
        return Argument(text=text, kind=NameKind.FULL, path=_resolve(text, cwd), refused=refused)
    return Argument(text=text, kind=NameKind.RELATIVE, refused=refused)


def _refusal(name: str, flags: int, full: bool) -> Text:
    if not name:
        return Message(en="the name is empty", zh="名称为空")
    if flags & ~0xFFFF:
        return Message(en="a flag above 0xFFFF", zh="标志超出 0xFFFF")
    if flags & ALTERED_SEARCH_PATH and flags & SEARCH_FLAGS:
        return Message(
            en="LOAD_WITH_ALTERED_SEARCH_PATH together with LOAD_LIBRARY_SEARCH flags",
            zh="LOAD_WITH_ALTERED_SEARCH_PATH 不能与 LOAD_LIBRARY_SEARCH 标志同时使用",
        )
    if flags & SEARCH_DLL_LOAD_DIR and not full:
        return Message(
            en="LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR needs a full path", zh="LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR 需要完整路径"
        )
    return ""


def _resolve(text: str, cwd: WinPath) -> WinPath:
    path = WinPath(text)
    if path.is_absolute:
        return path
    if text[:1] in "\\/":
        return WinPath(cwd.text[:2] + path.text)
    drive, _, rest = path.text.partition(":")
    return cwd / rest if cwd.text[:1].lower() == drive.lower() else WinPath(f"{drive}:\\{rest}")
