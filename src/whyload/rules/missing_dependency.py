r"""A library that another one needs is missing, and no more specific cause applies.

Windows' message names the file that was requested, not the one that is missing; the chain shows which file
needs it. The missing file may be a dependency of a dependency.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.` (126)
- `FileNotFoundError: Could not find module 'C:\...\x.dll' (or one of its dependencies). Try using the full path
  with constructor syntax.`
- `OSError: cannot load library 'gobject-2.0-0': error 0x7e`
- `ImportError: failed to find libmagic.  Check your installation`
- `ModuleNotFoundError: No module named '_cffi_backend'` from a package that requires cffi: it was installed
  without its requirements (`--no-deps`, a copied folder)

## How to make sure

- `whyload PACKAGE` or `whyload tree FILE`: the name at the end of the chain
- check whether the file named in the message exists; if it does, one of its dependencies is missing
- `python -m pip check` lists requirements that are not met

## What to do

1. Find out what the library belongs to: the report says so if it is known; otherwise see the documentation of
   the package that needs it.
2. Install that software, or the package that contains it (pip, conda), for this Python's processor.
3. If it is in a separate folder: add that folder in the program (`os.add_dll_directory`).

## What not to do

- Download a DLL of that name from a site that collects DLLs: version, processor and origin are unknown.
- Put it into `System32`, or register it with `regsvr32`.

## Sources

- Microsoft: System Error Codes (126); Dynamic-link library search order
- docs/loader.md R2.46
"""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.facts.ending import ReportedError, Unexplained
from whyload.facts.subjects import Absence, AbsenceKind
from whyload.facts.unmet import UnmetRequirement
from whyload.findings.absence import absent
from whyload.findings.composition import owner_label, plain
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import said
from whyload.knowledge.libraries import Family, identify
from whyload.knowledge.messages import Said, find_sayings
from whyload.remedies.by_pip import with_pip
from whyload.remedies.change import InstallDistributions
from whyload.remedies.model import Remedy

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
    en="every Windows has this file: repair the damaged system with `sfc /scannow` in an administrator command prompt",
    zh="每个 Windows 都有这个文件：系统已损坏，请在管理员命令提示符中运行 `sfc /scannow` 修复",
)


def examine(subject: Absence | UnmetRequirement | Unexplained) -> Finding | None:
    """The library is nowhere, and no narrower cause is known; or a distribution that brings it is not installed."""
    if isinstance(subject, UnmetRequirement):
        return _required(subject)
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
        zh=f"{asks or '程序'} 找不到所需的库 `{name}`",
    )
    return said(error, CODE, headline, culprit=file, object_name=name, certainty=Certainty.LIKELY)


def _required(unmet: UnmetRequirement) -> Finding:
    """What a package's own metadata requires is not installed, or in another release."""
    label, demand, there = owner_label(unmet.owner), unmet.demand, unmet.demand.installed
    headline = Message(
        en=f"{label} requires {demand.text}, which is not installed",
        zh=f"{label} 需要 {demand.text}，但没有安装它",
    )
    if there is not None:
        headline = Message(
            en=f"{label} requires {demand.text}; {there.version} is installed",
            zh=f"{label} 需要 {demand.text}，而已安装的是 {there.version}",
        )
    found = plain(
        unmet.case,
        code=CODE,
        headline=headline,
        culprit=unmet.file,
        object_name=demand.distribution,
        certainty=Certainty.LIKELY,
        remedies=(_install(unmet),),
    )
    return replace(found, owner=unmet.owner)


def _install(unmet: UnmetRequirement) -> Remedy:
    wanted = tuple(demand.text for demand in unmet.absent) or (unmet.demand.text,)
    names, label = ", ".join(wanted), owner_label(unmet.owner)
    title = Message(en=f"install {names}, which {label} requires", zh=f"安装 {label} 所要求的 {names}")
    return with_pip(unmet.case.world, f"install-{unmet.demand.text}", title, InstallDistributions(requirements=wanted))
