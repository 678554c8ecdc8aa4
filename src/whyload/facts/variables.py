"""Environment variables that name a folder which is gone, where the program obeys them.

Source: CPython, `os.add_dll_directory`, `os.listdir`: `[WinError 2]` or `[WinError 3]`, then the folder as `repr`
writes it.
"""

from __future__ import annotations

import re

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.facts.case import Case
    from whyload.loader.windows.playback import Failure
    from whyload.observe.events import Place, Raised

_NOT_THERE = regular(r"\[WinError [23]\].*?: '((?:[^'\\]|\\.)*)'", re.DOTALL)
_NOT_ONE_FOLDER = frozenset({"PATH", "PATHEXT", "PYTHONPATH", "PSMODULEPATH"})
_OF_WINDOWS = frozenset(
    {"ALLUSERSPROFILE", "APPDATA", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)", "COMMONPROGRAMW6432", "HOMEPATH"}
    | {"LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "PUBLIC", "SYSTEMROOT"}
    | {"TEMP", "TMP", "USERPROFILE", "WINDIR"}
)
"""Windows sets these itself: what lies below them is not named by them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneFolder:
    """A folder below the value of a variable, which the program asked for and which is not there."""

    case: Case
    variable: str
    value: str
    folder: WinPath
    place: Place | None


def gone_folder(case: Case, text: str | None = None) -> GoneFolder | None:
    """The folder that the error of the run (or `text`) names, where a variable named it."""
    raised = _raised(case.playback.failure)
    found = _of_text(case, raised.text, raised.place) if raised is not None else None
    return found or (_of_text(case, text, None) if text else None)


def folders_instead(gone: GoneFolder) -> tuple[str, ...]:
    """Values of the variable with which the folder would be there: of like variables, then of folders beside it.

    Those of the same major version come first, of the others the newest.
    """
    named = WinPath(gone.value.strip('"'))
    below = gone.folder.relative_to(named) if gone.folder.is_below(named) else ""
    letters = re.match(r"[A-Za-z]*", named.name)
    prefix = letters[0].lower() if letters else ""
    files = gone.case.world.files
    like = [value for name, value in gone.case.process.environment.items() if _is_like(name, gone.variable)]
    beside = [named.parent / name for name in files.listdir(named.parent) if prefix and name.lower().startswith(prefix)]
    found = [*(WinPath(value.strip('"')) for value in like if value), *beside]
    there = [path for path in found if path.is_absolute and files.presence(path / below) is Presence.DIRECTORY]
    wanted = _numbers(named)[:1]
    return tuple(
        path.text
        for path in sorted(dict.fromkeys(there), key=lambda p: (_numbers(p)[:1] == wanted, _numbers(p)), reverse=True)
    )


def _is_like(name: str, other: str) -> bool:
    """`CUDA_PATH_V12_4` and `CUDA_PATH`, whichever of the two is asked for."""
    one, two = name.upper(), other.upper()
    return one != two and "_V" in one + two and one.partition("_V")[0] == two.partition("_V")[0]


def _numbers(path: WinPath) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d{1,6}", path.name)))


def _raised(failure: Failure | None) -> Raised | None:
    """The error itself, or the one that it was made of; not one that was caught and lived without."""
    while failure is not None and failure.raised is None and failure.load is None:
        failure = failure.during
    return failure.raised if failure is not None else None


def _of_text(case: Case, text: str, place: Place | None) -> GoneFolder | None:
    for match in _NOT_THERE.finditer(text):
        folder = WinPath(match[1].replace("\\\\", "\\").replace("\\'", "'"))
        if not folder.is_absolute or case.world.files.presence(folder) is not Presence.ABSENT:
            continue
        naming = [
            (variable, value)
            for variable, value in case.process.environment.items()
            if variable.upper() not in _NOT_ONE_FOLDER | _OF_WINDOWS and value and _names(value, folder)
        ]
        if naming:
            variable, value = max(naming, key=lambda item: len(item[1]))  # the one that says most of the folder
            return GoneFolder(case=case, variable=variable, value=value, folder=folder, place=place)
    return None


def _names(value: str, folder: WinPath) -> bool:
    named = WinPath(value.strip('"'))
    return named.is_absolute and named.parent != named and (folder == named or folder.is_below(named))


def gone_toolkit(case: Case) -> tuple[str, WinPath] | None:
    """The variable of the CUDA toolkit and the folder that it names, where that is not there."""
    for variable, value in case.process.environment.items():
        if variable.upper().startswith("CUDA_PATH") and value:
            folder = WinPath(value.strip('"'))
            if folder.is_absolute and case.world.files.presence(folder) is Presence.ABSENT:
                return variable, folder
    return None
