"""What `whyload fix` made an environment keep: DLL folders, folders of PATH, and variables."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.paths import WinPath
from whyload.world.model import FileView, Presence, read_text
from whyload.world.settings import MODULE_FILE, PATH_FILE, read_settings


class SettingKind(Enum):
    """What is set."""

    DLL_FOLDER = "dll-folder"
    PATH = "path"
    VARIABLE = "variable"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSetting:
    """One of them."""

    kind: SettingKind
    value: str
    """The folder, or `NAME=value` (`NAME` alone where it is unset)."""
    is_there: bool | None = None
    """Of a folder: whether it still exists; where it does not, the setting does nothing."""
    file: WinPath
    """The module that sets it."""


def kept_settings(files: FileView, folders: tuple[WinPath, ...]) -> tuple[KeptSetting, ...]:
    """The settings in these folders of `sys.path`, where the line that imports them is there too."""
    return tuple(setting for folder in folders for setting in _in_folder(files, folder))


def _in_folder(files: FileView, folder: WinPath) -> Iterator[KeptSetting]:
    module = folder / MODULE_FILE
    text = read_text(files, module) if files.presence(folder / PATH_FILE) is Presence.FILE else None
    settings = read_settings(text or "")
    for kind, names in ((SettingKind.DLL_FOLDER, settings.folders), (SettingKind.PATH, settings.path)):
        for name in names:
            there = files.presence(WinPath(name)) is Presence.DIRECTORY
            yield KeptSetting(kind=kind, value=name, is_there=there, file=module)
    for name, value in settings.variables:
        yield KeptSetting(kind=SettingKind.VARIABLE, value=name if value is None else f"{name}={value}", file=module)
