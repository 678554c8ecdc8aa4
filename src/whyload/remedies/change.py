"""What a remedy changes, as values: played on an overlay, or applied for real and taken back.

A requirement is written as pip reads it (PyPA, "Dependency specifiers").
"""

from __future__ import annotations

import re

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.message import Message
from whyload.base.record import normalised
from whyload.base.typing import TYPE_CHECKING
from whyload.remedies.safety import Safety

if TYPE_CHECKING:
    from whyload.base.paths import WinPath


class Need(Enum):
    """What a change asks of the machine."""

    NETWORK = "network"
    RIGHTS = "rights"
    SPACE = "space"


_NOTHING: frozenset[Need] = frozenset()
_FILES_BACK = Message(
    en="`whyload undo` restores every file byte for byte",
    zh="所有文件都会备份，`whyload undo` 可逐字节恢复",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallDistributions:
    """Have these releases in the environment; what is there in another release gives way."""

    kind = "install"
    requirements: tuple[str, ...]
    again: bool = False
    """Also where that very release is installed already: its files are damaged."""
    only_damaged: bool = False
    """Of that very release, only the files that are gone or not what they were; the others stay."""
    upgrade: bool = False
    """A later release than the one that is installed."""
    dependencies: bool = True
    """False leaves every other distribution alone."""
    safety: Safety = Safety.SAFE
    needs = frozenset({Need.NETWORK, Need.SPACE})
    way_back = _FILES_BACK

    @property
    def names(self) -> tuple[str, ...]:
        """The distributions that are asked for, normalised."""
        return tuple(normalised(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in self.requirements)

    @property
    def text(self) -> Message:
        """What is done."""
        names = ", ".join(self.requirements)
        verb = ("install", "安装")
        if self.only_damaged:
            return Message(en=f"restore the damaged files of {names}", zh=f"还原 {names} 中损坏的文件")
        if self.again or self.upgrade:
            verb = ("reinstall", "重新安装") if self.again else ("upgrade", "升级")
        return Message(en=f"{verb[0]} {names}", zh=f"{verb[1]} {names}")

    @property
    def target(self) -> str:
        """What it is done to."""
        return " ".join(self.requirements)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDistribution:
    """Take a distribution with all its recorded files out of the environment."""

    kind = "remove"
    distribution: str
    safety: Safety = Safety.ASKS_FIRST
    needs = _NOTHING
    way_back = _FILES_BACK

    @property
    def text(self) -> Message:
        """What is done."""
        return Message(en=f"remove {self.distribution}", zh=f"卸载 {self.distribution}")

    @property
    def target(self) -> str:
        """What it is done to."""
        return self.distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class _OnPath:
    """What is done to one file or folder."""

    path: WinPath

    @property
    def target(self) -> str:
        """What it is done to."""
        return self.path.text


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveLeftover(_OnPath):
    """Take out a file or folder of the environment that no distribution owns."""

    kind = "remove-leftover"
    safety: Safety = Safety.ASKS_FIRST
    needs = _NOTHING
    way_back = _FILES_BACK

    @property
    def text(self) -> Message:
        """What is done."""
        return Message(en=f"remove `{self.path}`", zh=f"移除 `{self.path}`")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearBuildCache(_OnPath):
    """Move a file or folder of a build cache aside, so that it is built anew; it may lie outside of the environment."""

    kind = "clear-build-cache"
    safety: Safety = Safety.ASKS_FIRST
    needs = _NOTHING
    way_back = Message(
        en="it is only renamed; `whyload undo` restores it and replaces what was built since",
        zh="只改名；`whyload undo` 会恢复它，并替换之后新编译的内容",
    )

    @property
    def text(self) -> Message:
        """What is done."""
        return Message(en=f"move the cached build `{self.path}` aside", zh=f"把缓存的编译结果 `{self.path}` 移开")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameFile(_OnPath):
    """Give a file or folder another name in its folder. Only shown and simulated where it is the user's own."""

    kind = "rename"
    name: str
    safety: Safety = Safety.BY_HAND
    needs = _NOTHING
    way_back = Message(en="rename it back", zh="改回原名")

    @property
    def text(self) -> Message:
        """What is done."""
        return Message(en=f"rename `{self.path}` to `{self.name}`", zh=f"把 `{self.path}` 重命名为 `{self.name}`")


class _Kept:
    """What whyload's own start-up module carries from then on."""

    __slots__ = ()
    needs = _NOTHING
    way_back = Message(
        en="`whyload undo` removes the setting from this environment",
        zh="`whyload undo` 会从此环境中移除该设置",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfFolder(_Kept):
    """A folder that is searched."""

    folder: WinPath

    @property
    def target(self) -> str:
        """What it is done to."""
        return self.folder.text


@dataclass(frozen=True, slots=True, kw_only=True)
class AddFolder(_OfFolder):
    """Let the loader look in a folder whenever this environment's Python starts, as `os.add_dll_directory` does."""

    kind = "add-folder"
    safety: Safety = Safety.SAFE

    @property
    def text(self) -> Message:
        """What is done."""
        return Message(
            en=f"add `{self.folder}` to the DLL folders of this environment",
            zh=f"把 `{self.folder}` 加入此环境的 DLL 目录",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOnPath(_OfFolder):
    """Put a folder at the head of `PATH` whenever this environment's Python starts, for loads that search it."""

    kind = "put-on-path"
    safety: Safety = Safety.ASKS_FIRST

    @property
    def text(self) -> Message:
        """What is done."""
        return Message(
            en=f"put `{self.folder}` first on PATH for this environment's Python",
            zh=f"在此环境的 Python 中把 `{self.folder}` 放到 PATH 最前面",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetVariable(_Kept):
    """Set a variable (None: unset it) whenever this environment's Python starts."""

    kind = "set-variable"
    name: str
    value: str | None
    safety: Safety = Safety.ASKS_FIRST

    @property
    def text(self) -> Message:
        """What is done."""
        if self.value is None:
            return Message(en=f"unset {self.name} in this environment", zh=f"在此环境中取消变量 {self.name}")
        return Message(
            en=f"set {self.name} to `{self.value}` in this environment",
            zh=f"在此环境中把 {self.name} 设为 `{self.value}`",
        )

    @property
    def target(self) -> str:
        """What it is done to."""
        return self.name


Setting = AddFolder | PutOnPath | SetVariable
"""Changes that whyload's own start-up module carries."""
Change = InstallDistributions | RemoveDistribution | RemoveLeftover | ClearBuildCache | RenameFile | Setting
KINDS = (
    *(InstallDistributions, RemoveDistribution, RemoveLeftover, ClearBuildCache, RenameFile),
    *(AddFolder, PutOnPath, SetVariable),
)
