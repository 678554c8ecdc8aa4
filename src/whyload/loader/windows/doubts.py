"""Why an answer may be wrong: what the world does not tell, and what the vendor leaves open (loader.md, section 9)."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.formats.pe import Image
from whyload.loader.model import StepKind, Verdict
from whyload.loader.windows.candidates import LONG_PATH, Search
from whyload.loader.windows.directories import SearchFolder
from whyload.loader.windows.process import Process
from whyload.world.model import Presence

_OF_A_PROGRAM, _OF_A_LIBRARY = 1, 2
"""Numbers of a manifest: Microsoft, "Using Side-by-side Assemblies as a Resource"."""
_ASSEMBLY = re.compile(rb"<dependentAssembly>.*?\bname\s*=\s*[\"']([^\"']+)", re.DOTALL | re.IGNORECASE)
_COMMON_CONTROLS = b"microsoft.windows.common-controls"
"""It has comctl32.dll alone, which System32 has too."""


def doubt_of(process: Process, found: Search, folders: tuple[SearchFolder, ...], name: str) -> Message | None:
    """The first reason to doubt the end of a search; None where there is none."""
    verdicts = {step.verdict for step in found.steps}
    if Verdict.UNKNOWN in verdicts:
        return Message(en=f"not every place searched for {name} is known", zh=f"查找 {name} 的位置并非全部已知")
    if Verdict.INCOMPATIBLE in verdicts:  # D2
        return Message(
            en="whether the search goes on past a file that this Windows cannot run at all is not established",
            zh="遇到本机 Windows 完全无法运行的文件时，搜索是否会继续，尚无定论",
        )
    if found.path is None:
        searched = any(entry.kind is StepKind.CWD for entry in folders) and not process.path_known
        unknown = Message(
            en=f"PATH, which is searched for {name}, is not known", zh=f"查找 {name} 时会用到的 PATH 未知"
        )
        return unknown if searched else None
    if _order_matters(process, found, folders, name):  # D1
        return Message(
            en=f"{name} lies in several added folders, and Microsoft does not specify their order",
            zh=f"多个已添加的文件夹中都有 {name}，而微软没有规定它们的先后",
        )
    return _too_long(process, found.path)


def assembly_doubt(image: Image | None, importer: WinPath, name: str) -> Message | None:
    """R2.41 to R2.44: a manifest redirects names to side-by-side assemblies, which are not looked for here."""
    manifest = image.manifest(_OF_A_LIBRARY if image.is_dll else _OF_A_PROGRAM) if image is not None else None
    names = _ASSEMBLY.findall(manifest.replace(b"\0", b"")) if manifest is not None else []
    wanted = [text.decode("ascii", "replace") for text in names if text.lower() != _COMMON_CONTROLS]
    if not wanted:
        return None
    return Message(
        en=f"{importer.name} wants the side-by-side assembly {wanted[0]}; whether {name} is in it is not analysed",
        zh=f"{importer.name} 要求并行程序集 {wanted[0]}；其中是否有 {name} 未作分析",
    )


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
        en=f"whether this Windows opens paths of {LONG_PATH} characters and more is not known",
        zh=f"本机 Windows 能否打开 {LONG_PATH} 个字符及以上的路径未知",
    )
