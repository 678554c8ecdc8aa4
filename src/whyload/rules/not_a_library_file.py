r"""The file is not an executable image at all.

The file may be a server's error page, a Git LFS pointer file (three lines of text), or other text under a
library's name. Windows reports error 193, as it does for a wrong processor.

## How it looks

- `OSError: [WinError 193] %1 is not a valid Win32 application`
- Linux: `invalid ELF header`, `file too short`; macOS: `not a mach-o file`
- the file is far too small, or an editor shows readable text

## How to make sure

- its first bytes: `MZ` for Windows, `\x7fELF` for Linux; `version https://git-lfs.github.com/spec/v1` is a
  pointer file, `<!DOCTYPE` a web page
- Linux: `libc.so` and some other `.so` files of development packages are linker scripts; programs have to load
  `libc.so.6`

## What to do

1. Git LFS: `git lfs install`, `git lfs pull` in the clone.
2. Download it again, and check what the server returns; install a package instead of a single file.
3. If a package installed the file: reinstall the package with `--force-reinstall`.

## What not to do

- Search for the same DLL elsewhere on the internet.
- Install runtimes: it is the file's content that is wrong.

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
    Kind.TEXT_HTML: ("a web page", "而是网页"),
    Kind.LFS_POINTER: ("a Git LFS pointer file", "而是 Git LFS 指针文件"),
    Kind.ZIP: ("a zip archive", "而是 zip 压缩包"),
    Kind.TEXT: ("a text file", "而是文本文件"),
    Kind.GZIP: ("a gzip archive", "而是 gzip 压缩包"),
    Kind.ARCHIVE: ("a static or import library", "而是静态库或导入库"),
    Kind.DOS: ("a DOS program", "而是 DOS 程序"),
    Kind.NE: ("a 16-bit Windows file", "而是 16 位 Windows 文件"),
    Kind.LE: ("a Windows 9x device driver", "而是 Windows 9x 设备驱动"),
    Kind.LX: ("an OS/2 file", "而是 OS/2 文件"),
}
_OTHER_CAUSES = (Kind.EMPTY, Kind.ZEROS, Kind.PE, Kind.ELF, Kind.MACH_O)


def examine(file: UnusableFile) -> Finding | None:
    """The content is something else altogether, and no record says that the file was another once."""
    if file.fault.kind is not FaultKind.DAMAGED or file.altered or file.content in _OTHER_CAUSES:
        return None
    if file.content is Kind.UNKNOWN and file.entry is not None:
        return None  # an installed file that is damaged
    en, zh = _OTHER_THINGS.get(file.content, ("some other data", "而是其他数据"))
    label = file.case.label(file.path)
    return unusable(
        file, "not-a-library-file", Message(en=f"`{label}` is not a DLL but {en}", zh=f"`{label}` 不是 DLL，{zh}")
    )
