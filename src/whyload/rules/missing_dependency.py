r"""A dependent library is absent, and none of the families with a cause of their own covers it.

The message of Windows names the file that was asked for, not the one that is absent: the chain shows who wants
it. The absent one may be needed by a library that is needed by a library.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.` (126)
- `FileNotFoundError: Could not find module 'C:\...\x.dll' (or one of its dependencies). Try using the full path
  with constructor syntax.`
- `OSError: cannot load library 'gobject-2.0-0': error 0x7e`
- `ImportError: failed to find libmagic.  Check your installation`

## How to make sure

- `whyload PACKAGE` or `whyload tree FILE`: the name at the end of the chain
- is the file that the message names there at all? If it is, something below it is absent

## What to do

1. Find out what the library belongs to: the report says it where it is known; else look at the documentation of
   the package that needs it.
2. Install that program, or the package that contains it (pip, conda), for the processor of this Python.
3. If it lies in a folder of its own: add the folder in the program (`os.add_dll_directory`).

## What not to do

- Download a DLL of that name from a site that collects DLLs: version, processor and origin are unknown.
- Put it into `System32`, or register it with `regsvr32`.

## Sources

- Microsoft: System Error Codes (126); Dynamic-link library search order
- docs/loader.md R2.46
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.ending import ReportedError, Unexplained
from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import absent
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import said
from whyload.knowledge.libraries import Family, identify
from whyload.knowledge.messages import Said, find_sayings

CODE = "missing-dependency"

_OWN_CAUSE = (
    Family.OPENMP,
    Family.VC_RUNTIME,
    Family.DEBUG_RUNTIME,
    Family.CUDA,
    Family.CUDNN,
    Family.NVIDIA_DRIVER,
    Family.WINDOWS_FEATURE,
    Family.WINDOWS,
    Family.API_SET,
)

_DAMAGED_WINDOWS = Message(
    en="every edition of Windows has this file: `sfc /scannow` in an administrator's prompt repairs a damaged system",
    zh="每个版本的 Windows 都有这个文件：系统文件已损坏，可在管理员命令提示符中运行 `sfc /scannow` 修复",
)


def examine(subject: Absence | Unexplained) -> Finding | None:
    """The library is nowhere, and no narrower cause is known."""
    if isinstance(subject, Unexplained):
        return _said(subject.error)
    if subject.kind not in (AbsenceKind.PLAIN, AbsenceKind.OTHER_VERSION) or subject.case.is_frozen:
        return None
    if subject.is_unfinished_build or subject.is_sought_at_conda:
        return None
    if subject.library is not None and subject.library.family in _OWN_CAUSE and not subject.is_in_every_windows:
        return None
    return absent(subject, CODE, notes=(_DAMAGED_WINDOWS,) if subject.is_in_every_windows else ())


def _said(error: ReportedError) -> Finding | None:
    """The program itself says which library it looked for and did not find."""
    named = [saying for saying in find_sayings(error.ending.text) if saying.kind is Said.LIBRARY_MISSING]
    name = named[-1].library if named else None
    library = (identify(name) or identify(f"{name}.dll")) if name else None
    if name is None or error.case.is_frozen or (library is not None and library.family in _OWN_CAUSE):
        return None
    file = error.ending.raised_in
    asks = f"`{error.case.label(file)}`" if file is not None else ""
    headline = Message(
        en=f"{asks or 'the program'} looked for the library `{name}` and did not find it",
        zh=f"{asks or '程序'} 要找的库 `{name}` 没有找到",
    )
    return said(error, CODE, headline, culprit=file, object_name=name, certainty=Certainty.LIKELY)
