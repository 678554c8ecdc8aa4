"""Which Python a DLL name or a module's file name belongs to (PEP 425 tags, PEP 3149 file names)."""

from __future__ import annotations

import re

from whyload.base.dataclass import dataclass
from whyload.base.machine import PLATFORM_TAGS, Machine
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.composition import plain
from whyload.findings.model import Certainty, Finding
from whyload.remedies.choose import other_build

if TYPE_CHECKING:
    from whyload.facts.unavailable import UnfitModule
    from whyload.world.model import PythonInstallation

_DLL = regular(r"python(?P<digits>\d{2,3})(?P<t>t?)(?P<d>_d)?\.dll", re.IGNORECASE)
_TAG = regular(r"(?P<d>_d)?\.cp(?P<digits>\d{2,3})(?P<t>t?)-(?P<platform>\w+)\.pyd", re.IGNORECASE)
_FOREIGN = regular(r"\.(?:abi3t?|pypy\d+[^.]*|graalpy\d+[^.]*)\.pyd$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildTag:
    """The tag in `_x.cp313t-win_amd64.pyd`."""

    digits: str
    free_threaded: bool
    debug: bool
    platform: str


def other_abi(python: PythonInstallation, dll: str) -> bool:
    """Same version, other build: the DLL of a debug or free-threaded Python, or a stable-ABI DLL of such a one."""
    match = _DLL.fullmatch(dll)
    if match is None:
        return True
    return match["digits"] == f"{python.version.major}{python.version.minor}"


def tag_of(file: str) -> BuildTag | None:
    """The tag of a module's file name; None where it has none."""
    match = _TAG.search(file)
    if match is None:
        return None
    return BuildTag(
        digits=match["digits"],
        free_threaded=bool(match["t"]),
        debug=bool(match["d"]),
        platform=match["platform"].lower(),
    )


def other_machine(module: UnfitModule) -> Machine | None:
    """The processor that the file's tag names, where the tag is of this Python version and of another processor."""
    tag = tag_of(module.file.name)
    python = module.case.world.python.version
    if tag is None or tag.digits != f"{python.major}{python.minor}":
        return None
    machine = PLATFORM_TAGS.get(tag.platform)
    return None if machine is module.case.process.machine else machine


def other_implementation(file: str) -> bool:
    """A tag that no CPython on Windows takes: `.abi3.pyd`, PyPy's, GraalPy's (R3.9)."""
    return _FOREIGN.search(file) is not None


def unfit(module: UnfitModule, code: str) -> Finding:
    """The finding for a module whose only file is for another Python."""
    case = module.case
    version = case.world.python.version
    remedies = (other_build(module.owner.distribution, case.world),) if module.owner else ()
    return plain(
        case,
        code=code,
        headline=Message(
            en=f"`{case.label(module.file)}` is not for this Python ({version}), which therefore ignores it",
            zh=f"`{case.label(module.file)}` 不适用于当前 Python（{version}），因此会被忽略",
        ),
        culprit=module.file,
        object_name=None,
        certainty=Certainty.PROVED,
        notes=(
            Message(
                en=f"no other file provides the module `{module.module}`", zh=f"没有别的文件提供模块 `{module.module}`"
            ),
        ),
        remedies=remedies,
    )


__all__ = ["BuildTag", "other_abi", "other_implementation", "other_machine", "tag_of", "unfit"]
