r"""The file is not an executable image at all.

A download can leave an error page of a web server, a pointer file of Git LFS (a text of three lines), or a text
under the name of a library. Windows reports error 193 as it does for a wrong processor.

## How it looks

- `OSError: [WinError 193] %1 is not a valid Win32 application`
- Linux: `invalid ELF header`, `file too short`; macOS: `not a mach-o file`
- the file is far too small, or its text can be read in an editor

## How to make sure

- its first bytes: `MZ` for Windows, `\x7fELF` for Linux; `version https://git-lfs.github.com/spec/v1` is a
  pointer file, `<!DOCTYPE` a web page
- Linux: `libc.so` and some other `.so` files of development packages are scripts for the linker; programs have
  to ask for `libc.so.6`

## What to do

1. Git LFS: `git lfs install`, `git lfs pull` in the clone.
2. Download again, and look at what the server answers; install a package instead of a single file.
3. A file that a package installed: install it again by force.

## What not to do

- Search for the same DLL elsewhere on the net.
- Install runtimes: the content of the file is wrong.

## Sources

- Git LFS specification (pointer file); Microsoft: PE Format
- docs/loader.md R2.32
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
