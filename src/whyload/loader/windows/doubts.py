"""Why an answer may be wrong: what the world does not tell, and what the vendor leaves open (loader.md, section 9)."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe import BadImageError, Image
from whyload.loader.model import StepKind, Verdict
from whyload.loader.windows.arguments import DEPENDENT_FLAGS, SAFE_CURRENT_DIRS
from whyload.loader.windows.candidates import LONG_PATH, Search
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.loader.windows.directories import SearchFolder
    from whyload.loader.windows.process import Process

_OF_A_PROGRAM, _OF_A_LIBRARY = 1, 2
"""Numbers of a manifest: Microsoft, "Using Side-by-side Assemblies as a Resource"."""
_SECTOR = 512
_ASSEMBLY = regular(rb"<dependentAssembly>.*?\bname\s*=\s*[\"']([^\"']+)", re.DOTALL | re.IGNORECASE)
_COMMON_CONTROLS = b"microsoft.windows.common-controls"
"""It has comctl32.dll alone, which System32 has too."""


def doubt_of(process: Process, found: Search, folders: tuple[SearchFolder, ...], name: str) -> Message | None:
    """The first reason to doubt the end of a search; None where there is none."""
    verdicts = {step.verdict for step in found.steps}
    if Verdict.UNKNOWN in verdicts:
        return Message(en=f"not every place searched for {name} is known", zh=f"查找 {name} 的位置并非全部已知")
    if Verdict.INCOMPATIBLE in verdicts:  # D2
        return Message(
            en="it is not established whether the search continues past a file that this Windows cannot run at all",
            zh="遇到本机 Windows 完全无法运行的文件时，搜索是否会继续，尚无定论",
        )
    if found.path is None:
        return _where_not_found(process, found, folders, name)
    if _order_matters(process, found, folders, name):  # D1
        return Message(
            en=f"{name} is in several added folders, and Microsoft does not specify their order",
            zh=f"多个已添加的目录中都有 {name}，而微软没有规定它们的先后",
        )
    return _too_long(process, found.path)


def _where_not_found(process: Process, found: Search, folders: tuple[SearchFolder, ...], name: str) -> Message | None:
    with_path = any(entry.rule == "R2.8" for entry in folders)
    if with_path and not process.path_known:
        return Message(en=f"PATH, which is searched for {name}, is not known", zh=f"查找 {name} 时会用到的 PATH 未知")
    if with_path and _present(process, process.unmatched_path_folders(), name):  # D8
        return Message(
            en="Windows was observed to ignore PATH entries with quotes or spaces around them, such as one that "
            f"holds {name}; Microsoft does not document this",
            zh=f"PATH 中有一个带引号或首尾空格的条目，{name} 就在它指向的目录里，而 Windows 不会用到这样的条目；这是"
            "实测结果，微软文档没有写明",
        )
    if process.packaged and folders and all(entry.rule != "R2.56" for entry in folders):  # D9
        return Message(
            en="what the search flags of a call mean in a packaged process is not documented",
            zh="在打包应用的进程中，搜索标志起什么作用，微软文档没有写明",
        )
    cut = process.images.open(found.steps[-1].path).damage if found.steps and found.steps[-1].path else None
    if isinstance(cut, BadImageError) and 0 < cut.missing < _SECTOR:  # D3
        return Message(
            en=f"{name} is cut short by less than one sector, which Windows may tolerate",
            zh=f"{name} 末尾缺少的数据不足一个扇区，Windows 可能会容忍",
        )
    return None


def _present(process: Process, folders: list[WinPath], name: str) -> bool:
    return any(process.files.presence(folder / name) is Presence.FILE for folder in folders)


def import_doubt(image: Image | None, importer: WinPath, name: str) -> Message | None:
    """Why an import that was not found may be found after all."""
    if not name.isascii():  # D17
        return Message(
            en=f"{importer.name} names a library in signs that each machine reads by its code page",
            zh=f"{importer.name} 的导入表中有非 ASCII 的库名，如何解读取决于本机的代码页",
        )
    config = image.load_config() if image is not None else None
    if config is not None and config.dependent_load_flags & DEPENDENT_FLAGS == SAFE_CURRENT_DIRS:  # D5
        return Message(
            en=f"{importer.name} restricts its imports with flag 0x2000 alone; the search list for that is not "
            "documented",
            zh=f"{importer.name} 只用标志 0x2000 限制自己的导入，微软文档没有说明它对应的搜索列表",
        )
    return assembly_doubt(image, importer, name)


def assembly_doubt(image: Image | None, importer: WinPath, name: str) -> Message | None:
    """R2.41 to R2.43: a manifest redirects names to side-by-side assemblies, which are not looked for here."""
    wanted = _assembly(image) if image is not None else ""
    if not wanted:
        return None
    return Message(
        en=f"{importer.name} needs the side-by-side assembly {wanted}; whether that contains {name} is not examined",
        zh=f"{importer.name} 需要并行程序集 {wanted}；其中是否有 {name} 未作检查",
    )


def unbound_doubt(image: Image, path: WinPath) -> Message | None:
    """R2.44: without the assembly that its manifest asks for a file does not load at all (error 14001)."""
    wanted = _assembly(image)
    if not wanted:
        return None
    return Message(
        en=f"{path.name} needs the side-by-side assembly {wanted}; whether that is installed is not examined",
        zh=f"{path.name} 需要并行程序集 {wanted}；它是否已安装未作检查",
    )


def _assembly(image: Image) -> str:
    """The first assembly that a file's manifest asks for, common controls left out; empty where it asks for none."""
    manifest = image.manifest(_OF_A_LIBRARY if image.is_dll else _OF_A_PROGRAM)
    text = manifest.replace(b"\0", b"") if manifest is not None else b""
    names = _ASSEMBLY.findall(text) if b"dependentassembly" in text.lower() else []
    return next((name.decode("ascii", "replace") for name in names if name.lower() != _COMMON_CONTROLS), "")


def _order_matters(process: Process, found: Search, folders: tuple[SearchFolder, ...], name: str) -> bool:
    if not found.steps or found.steps[-1].kind is not StepKind.USER_DIR:
        return False
    added = {entry.folder / name for entry in folders if entry.kind is StepKind.USER_DIR}
    return sum(process.files.presence(path) is Presence.FILE for path in added) > 1


def _too_long(process: Process, path: WinPath) -> Message | None:
    """R2.39: a long path opens only where the system allows it."""
    if len(path.text) < LONG_PATH or process.long_paths is not None:
        return None
    return Message(
        en=f"it is not known whether this Windows opens paths of {LONG_PATH} characters or more",
        zh=f"本机 Windows 能否打开 {LONG_PATH} 个字符及以上的路径未知",
    )
