"""Not an executable image at all: an error page, a text, an archive, a pointer file of large-file storage.

Something that is not a DLL was saved under a DLL's name. A clone of a repository without its large files, or
a download that a proxy answered with a page, are the usual ways to such a file.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import UnusableFile
from whyload.findings.model import Finding
from whyload.findings.unusable import unusable
from whyload.formats.pe import Kind
from whyload.loader.model import FaultKind

_OTHER_THINGS = {
    Kind.TEXT_HTML: ("a web page", "网页"),
    Kind.LFS_POINTER: ("a pointer file of Git LFS", "Git LFS 指针文件"),
    Kind.ZIP: ("a zip archive", "zip 压缩包"),
    Kind.TEXT: ("a text", "文本文件"),
    Kind.GZIP: ("a gzip archive", "gzip 压缩包"),
    Kind.ARCHIVE: ("a static or import library", "静态库或导入库"),
    Kind.DOS: ("a DOS program", "DOS 程序"),
    Kind.NE: ("a 16-bit Windows file", "16 位 Windows 文件"),
    Kind.LE: ("a device driver of Windows 9x", "Windows 9x 设备驱动"),
    Kind.LX: ("a file for OS/2", "OS/2 文件"),
}
_OTHER_CAUSES = (Kind.EMPTY, Kind.ZEROS, Kind.PE, Kind.ELF, Kind.MACH_O)


def examine(file: UnusableFile) -> Finding | None:
    """The content is something else altogether, and no record says that the file was another once."""
    if file.fault.kind is not FaultKind.DAMAGED or file.altered or file.content in _OTHER_CAUSES:
        return None
    if file.content is Kind.UNKNOWN and file.entry is not None:
        return None  # an installed file that is damaged
    en, zh = _OTHER_THINGS.get(file.content, ("some other data", "其他数据"))
    label = file.case.label(file.path)
    return unusable(
        file, "not-a-library-file", Message(en=f"`{label}` is not a DLL but {en}", zh=f"`{label}` 不是 DLL，而是{zh}")
    )
