"""What an installed distribution requires and what is not there, where a program ended in that distribution's code.

Source: PyPA, "Core metadata specifications" (`Requires-Dist`) and "Recording installed projects"; setuptools
documentation, "Development Mode" (what an editable installation puts into `site-packages`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.facts.case import Case
from whyload.facts.ending import ReportedError
from whyload.facts.ownership import Owner
from whyload.facts.requirements import Requirement, requirements
from whyload.observe.failures import sought_module
from whyload.startup.standard import is_standard
from whyload.world.model import read_text

_FILE = regular(r'^ *File "([^"]+)", line \d+', re.M)
_WANT = frozenset({"ImportError", "ModuleNotFoundError", "PackageNotFoundError", "DistributionNotFound"})
"""What Python, `importlib.metadata` and `pkg_resources` raise where a distribution is not there."""
_MISFIT = _WANT | {"AttributeError", "RuntimeError", "NameError", "VersionConflict", "ContextualVersionConflict"}
"""What programs raise where another release is there than they were made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmetRequirement:
    """A distribution whose code the error came through, and what it requires in vain."""

    case: Case
    owner: Owner
    file: WinPath
    """The Python file, nearest to the error."""
    demand: Requirement
    absent: tuple[Requirement, ...]
    """All that it requires and that is not installed at all; empty where another release of `demand` is installed."""


def unmet_requirement(case: Case, error: ReportedError | None) -> UnmetRequirement | None:
    """Of the distributions on the way to the error the nearest one that lacks something."""
    exception, text = _raised(case, error)
    sought = sought_module(text)
    top = (sought or "").partition(".")[0]
    if exception not in _MISFIT or (
        top and (case.packages.providing(top) or is_standard(top, case.world.python.version))
    ):
        return None
    demands = requirements(case.world, case.packages, case.packages.folders)
    for file in _files(case, error):
        owner = case.packages.owner(file) or editable_owner(case, file)
        own = [d for d in demands if owner is not None and d.by == owner and not d.satisfied]
        if owner is None or not own:
            continue
        absent = tuple(d for d in own if d.installed is None) if exception in _WANT else ()
        others = [] if sought else [d for d in own if d.installed is not None]
        named = [d for d in absent if normalised(d.distribution) in (normalised(top), normalised(top.strip("_")))]
        for demand in (*named, *absent, *others):
            return UnmetRequirement(case=case, owner=owner, file=file, demand=demand, absent=absent)
    return None


def _raised(case: Case, error: ReportedError | None) -> tuple[str, str]:
    """The class of the last error, and its words."""
    if error is not None:
        return error.ending.text.partition(":")[0].rpartition(".")[2].strip(), error.ending.text
    failure = case.playback.failure
    if failure is None:
        return "", ""
    return failure.exception, (failure.raised.text if failure.raised else failure.text) or ""


def _files(case: Case, error: ReportedError | None) -> Iterator[WinPath]:
    """Python files that the error came through, the nearest first."""
    failure = case.playback.failure
    if failure is not None and failure.raised is not None and failure.raised.place is not None:
        place = failure.raised.place
        yield from (place.file,) if place.file is not None else ()
    said = _FILE.findall(error.ending.output) if error is not None else []
    yield from (WinPath(name) for name in reversed(said))


def editable_owner(case: Case, file: WinPath) -> Owner | None:
    """The distribution that is installed as editable and whose sources the file belongs to."""
    for folder in case.packages.folders:
        for name in case.world.files.listdir(folder):
            if not name.lower().endswith(".pth") and not name.startswith("__editable__"):
                continue
            owner = case.packages.owner(folder / name)
            if owner is not None and _names(read_text(case.world.files, folder / name) or "", _above(file)):
                return owner
    return None


def _above(file: WinPath) -> Iterator[WinPath]:
    """The folders that a file lies in, the drive itself left out."""
    folder = file.parent
    while folder.parent != folder:
        yield folder
        folder = folder.parent


def _names(text: str, folders: Iterable[WinPath]) -> bool:
    """Whether a `.pth` file, or the finder that setuptools writes, names one of the folders."""
    plain = text.replace("\\\\", "\\").replace("/", "\\").lower()
    return any(re.search(re.escape(folder.key) + r"(?!\\?[\w\- .])", plain) for folder in folders)
