"""Extension modules that a text names by their file, and what the names tell of their builds.

Python looks for a module under the tags of its own build alone; a file of another one is there and is not seen.

Source: PEP 3149 and PEP 425; CPython, `configure.ac` (`PLATFORM_TRIPLET`, `SOABI`) and `PC/pyconfig.h`; PyPy's
extension tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.regular import regular
from whyload.base.versions import PythonVersion
from whyload.observe.text.clues import Misfit, Platform, Trait, Unlike

_FILE = regular(
    r"(?<![\w.-])(?P<stem>\w{1,80}?)(?P<debug>_d)?\.(?P<kind>cpython-|cp|pypy|graalpy)(?P<major>[23])(?P<minor>\d{1,2})"
    r"(?P<flags>[a-z]{0,3})(?:-pp\d+)?(?:-(?P<system>[\w-]{2,40}))?\.(?P<ending>so|pyd)(?![\w.])"
)
_WANTED = regular(r"(?:No module named|cannot import name) b?['\"]?(?:[\w.]{0,100}\.)?(\w{1,60})")
_INTEL, _ARM_TAG = regular(r"x86_64|amd64"), regular(r"aarch64|arm64|(?<!\w)arm")
_32_BITS = regular(r"i[3-6]86|win32")
_IS_INTEL = regular(r"(?i)x86[_-]64|\bamd64\b|\bx64\b|\bintel\b(?! compiler)")
_IS_64 = regular(r"(?i)\b64[- ]?bits?\b")


class _Machine(Enum):
    INTEL, ARM, INTEL_32 = "x86-64", "ARM64", "x86"


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What a text says of the Python that runs, apart from the names of such files."""

    python: PythonVersion | None
    platform: Platform | None
    traits: frozenset[Trait]
    text: str


def names_of_files(text: str) -> tuple[re.Match[str], ...]:
    """The files of modules that the text says are not seen."""
    wanted = {match[1] for match in _WANTED.finditer(text)}
    return tuple(match for match in _FILE.finditer(text) if match["stem"] in wanted) if wanted else ()


def without_files(text: str, files: tuple[re.Match[str], ...]) -> str:
    """The text without these names: what they tell is not said of the machine."""
    for file in reversed(files):
        text = f"{text[: file.start()]}{file['stem']}{text[file.end() :]}"
    return text


def find_misfit(files: tuple[re.Match[str], ...], here: Here) -> Misfit | None:
    """The first of these files that is of another build than the Python that runs, and in what."""
    found = (Misfit(file=file[0], unlike=unlike) for file in files for unlike in _unlike(file, here))
    return next(found, None)


def _unlike(file: re.Match[str], here: Here) -> Iterator[Unlike]:
    system = file["system"] or ""
    made_for = _system_of(file)
    if made_for is not None and here.platform is not None and made_for is not here.platform:
        yield Unlike.SYSTEM
    if made_for is Platform.LINUX and system and ("musl" in system) != (Trait.MUSL in here.traits):
        yield Unlike.LIBC
    if here.python is not None and (int(file["major"]), int(file["minor"])) != here.python[:2]:
        yield Unlike.VERSION
    if _is_of_another_kind(file, here):
        yield Unlike.KIND
    runs, made = _machine_here(here), _machine_of(system)
    if runs is not None and made is not None and runs is not made:
        yield Unlike.PROCESSOR if _Machine.ARM in (runs, made) else Unlike.BITS


def _system_of(file: re.Match[str]) -> Platform | None:
    if file["ending"] == "pyd":
        return Platform.WINDOWS
    system = file["system"] or ""
    return Platform.MACOS if "darwin" in system else Platform.LINUX if "linux" in system else None


def _is_of_another_kind(file: re.Match[str], here: Here) -> bool:
    """PyPy's among CPython's, free-threaded, debug; a debug Python takes release builds, except on Windows."""
    pypy, debug_python = not file["kind"].startswith("cp"), Trait.DEBUG_PYTHON in here.traits
    if pypy or Trait.PYPY in here.traits:
        return pypy != (Trait.PYPY in here.traits)
    debug = file["debug"] is not None or "d" in file["flags"]
    if debug != debug_python and (debug or file["ending"] == "pyd"):
        return True
    threaded = Trait.FREE_THREADED in here.traits or (here.python is not None and here.python.free_threaded)
    return here.python is not None and ("t" in file["flags"]) != threaded


def _machine_of(system: str) -> _Machine | None:
    if _INTEL.search(system):
        return _Machine.INTEL
    if _32_BITS.search(system):
        return _Machine.INTEL_32
    return _Machine.ARM if _ARM_TAG.search(system) else None


def _machine_here(here: Here) -> _Machine | None:
    """The processor that the text tells of; None where it tells of none, or of two."""
    arm, intel = Trait.ARM in here.traits, _IS_INTEL.search(here.text) is not None
    if arm or intel:
        return None if arm and intel else _Machine.ARM if arm else _Machine.INTEL
    if _IS_64.search(here.text):
        return _Machine.INTEL
    return _Machine.INTEL_32 if Trait.OTHER_BITS in here.traits else None
