"""From a pasted text to its clues."""

from __future__ import annotations

import re
import sys

from whyload.base.dataclass import replace
from whyload.base.regular import regular
from whyload.knowledge.loader_words import in_english
from whyload.knowledge.messages import Said, Saying, find_sayings
from whyload.knowledge.suspects import find_suspects, package_of, packages_by_name
from whyload.observe.text.builds import Here, find_misfit, names_of_files, without_files
from whyload.observe.text.cleaning import clean
from whyload.observe.text.clues import Clues, Platform, TextFrame, Trait, WindowsError, folded_text
from whyload.observe.text.contrasts import read_contrasts
from whyload.observe.text.decoding import decode
from whyload.observe.text.environment import Environment, read_environment
from whyload.observe.text.remarks import read_remarks
from whyload.observe.text.sentences import read_errors, read_statuses
from whyload.observe.text.situation import situation_of
from whyload.observe.text.stack import read_frames
from whyload.observe.text.traits import plain_keys, read_traits
from whyload.observe.text.unrelated import related

_LIBRARY = regular(r"(?<![\w.+-])[\w.+@-]{1,100}\.(?:dll|pyd|dylib|so(?:\.\d{1,4}){0,4})(?![\w.])", re.IGNORECASE)
_WINERROR = regular(r"\[WinError \d|\bWindowsError: \[")
_STARTER = regular(
    r'File "[^"\n]{0,400}(?:subprocess|popen_spawn_win32)\.py"|[^\n]*\s+at [^\n]{1,300}subprocess\.py:\d'
)
_OF_PROGRAMS = frozenset({193, 216})
_FRAMEWORKS = frozenset({"torch", "numpy"})
"""What other packages are built for, and what is told of for their sake; the data knows all modules of theirs."""
_OF_ANYBODY = frozenset({"c", "ext", "core", "native", "lib", "cext", "rust"})
"""Modules without a name of their own."""
_PROMPT = regular(r"\s{0,8}(?:>>> |In ?\[\d)")
"""Of what was typed, the last import is the one that failed."""
_INSTALLED_FILE = regular(r"(?:site|dist)-packages[\\/]{1,2}\w[\w.-]{0,60}(?=[\\/])")
_WINDOWS_ONLY = frozenset({126, 127, 182, 193, 1114, 1455, 4551, 14001})


def read_clues(data: bytes | str) -> Clues:
    """Everything that a text tells. Takes bytes in any encoding; the time is bounded by the length alone."""
    text = in_english(clean(decode(data) if isinstance(data, bytes) else data))
    frames = read_frames(text)
    sayings = related(find_sayings(text), text, frames)
    errors = _with_numbers(read_errors(text), sayings)
    files = names_of_files(text)
    told, speaker = without_files(text, files), _speaker(text, sayings, errors)
    environment = read_environment(told, speaker)
    if environment.platform is None:
        environment = read_environment(text, speaker)
    traits = _traits(told, environment)
    clues = Clues(
        text=text,
        sayings=sayings,
        errors=tuple(error for error in _of_windows(errors, environment) if not _is_of_a_program(text, error)),
        statuses=read_statuses(text),
        platform=environment.platform,
        system=environment.system,
        python=environment.python,
        versions=environment.versions,
        remarks=environment.remarks,
        frames=frames,
        packages=_packages(text, sayings, frames, environment),
        libraries=tuple(dict.fromkeys(match[0] for match in _LIBRARY.finditer(text))),
        cuda=environment.cuda,
        traits=traits,
        misfit=find_misfit(
            files, Here(python=environment.python, platform=environment.platform, traits=traits, text=told)
        ),
    )
    return replace(clues, suspects=find_suspects(situation_of(clues)))


def _with_numbers(errors: tuple[WindowsError, ...], sayings: tuple[Saying, ...]) -> tuple[WindowsError, ...]:
    """Also the numbers that programs tell together with the library that they could not load."""
    told = {error.code for error in errors}
    numbers = [(one.number, one.place) for one in sayings if one.kind is Said.LOADLIBRARY_FAILED and one.number]
    return (*errors, *(WindowsError(code=code, place=at) for code, at in numbers if code not in told))


def _speaker(text: str, sayings: tuple[Saying, ...], errors: tuple[WindowsError, ...]) -> str | None:
    """Whose loader speaks, where that is plain."""
    said = next((saying.platform for saying in reversed(sayings) if saying.platform), None)
    if said is None and (
        any(error.code in _WINDOWS_ONLY and error.language for error in errors)
        or _WINERROR.search(text)
        or read_statuses(text)
    ):
        return Platform.WINDOWS.value
    return said


def _of_windows(errors: tuple[WindowsError, ...], environment: Environment) -> tuple[WindowsError, ...]:
    """Numbers mean something else on other systems (127: command not found)."""
    if environment.platform in (Platform.LINUX, Platform.MACOS):
        return tuple(error for error in errors if error.language is not None)
    return errors


def _is_of_a_program(text: str, error: WindowsError) -> bool:
    """Whether a program was to be started, by `subprocess`, that is none: no library is asked for then."""
    if error.code not in _OF_PROGRAMS:
        return False
    frame = text.rfind('File "', max(error.place - 2000, 0), error.place)
    return bool((frame >= 0 and _STARTER.match(text, frame)) or _STARTER.match(text, error.place))


def _traits(text: str, environment: Environment) -> frozenset[Trait]:
    told = plain_keys(text)
    traits = read_traits(folded_text(told)) | read_contrasts(told.lower()) | read_remarks(told.lower())
    python = environment.python
    if python is not None and python.free_threaded:
        traits |= {Trait.FREE_THREADED}
    return traits


_MADE = regular(r"(?i)\b(?:built|build|compiled|from source|sources|wheel|setup\.py)\b|源码|编译")
"""A remark on how a package was made: people tell it of the one that fails."""


def _packages(
    text: str, sayings: tuple[Saying, ...], frames: tuple[TextFrame, ...], environment: Environment
) -> tuple[str, ...]:
    """Packages, nearest to the failure first: of its module and files, of the stack; else those that are named."""
    names: list[str | None] = []
    for saying in reversed(sayings):
        names += [
            package_of(value) for value in (saying.module, saying.file, saying.needed_by, saying.library) if value
        ]
    for frame in reversed(frames):
        names.append(package_of(frame.file))
        names += [package_of(name) for name in _imported(frame.source or "")]
    lines = text.splitlines()
    names += [package_of(name) for line in reversed(lines) if _PROMPT.match(line) for name in _imported(line)]
    names += [package_of(name) for line in lines for name in _imported(line)]
    if not any(names):
        modules = [saying.module or "" for saying in reversed(sayings)]
        modules += [name for line in reversed(lines) for name in _imported(line)]
        names += map(_package_by_its_part, modules)
    near = tuple(dict.fromkeys(name for name in (*names, *_below_site_packages(text)) if name))
    made = (name for name, remark in environment.remarks.items() if _MADE.search(remark) and name not in _FRAMEWORKS)
    told = (*environment.versions, *environment.remarks)
    named = (
        *(package_of(name) or name for name in made),
        *filter(None, map(package_of, told)),
        *(name for name in told if package_of(name) is None),
    )
    found = near or _told_of(named, sayings) or tuple(dict.fromkeys(packages_by_name(text)))
    return (*found, *(f"{name}-gpu" for name in found if f"{name}-gpu" in text))  # two wheels of one import name


def _told_of(named: tuple[str, ...], sayings: tuple[Saying, ...]) -> tuple[str, ...]:
    """The packages of the environment; where the module that fails is none of a framework's, not the frameworks."""
    failed = next((one.module for one in reversed(sayings) if one.kind is Said.IMPORT_FAILED and one.module), None)
    if failed is None or failed.strip("_").lower() in _OF_ANYBODY or not _FRAMEWORKS.intersection(named):
        return tuple(dict.fromkeys(named))
    stem = re.sub(r"[-_.]+", "-", failed.partition(".")[0].strip("_").lower())
    others = [name for name in named if name not in _FRAMEWORKS]
    return tuple(dict.fromkeys(others)) or (stem,)


def _below_site_packages(text: str) -> tuple[str, ...]:
    """Packages whose files are named anywhere, the last one first."""
    found = (package_of(match[0]) for match in _INSTALLED_FILE.finditer(text))
    return tuple(dict.fromkeys(reversed([name for name in found if name is not None])))


def _package_by_its_part(module: str) -> str | None:
    """The package of a dotted module that is by its name its compiled part, where the data does not know it."""
    match = re.match(r"([A-Za-z]\w*)\.(?:\w+\.)*(?:_\w+|\w+_(?:cuda|ext|C|cpp))$", module)
    return re.sub(r"[-_.]+", "-", match[1].lower()) if match and match[1] not in sys.stdlib_module_names else None


def _imported(line: str) -> tuple[str, ...]:
    match = re.match(r"[\s>.\d:\[\]In-]{0,16}(?:from\s+([\w.]+)\s+import\b|import\s+([\w.]+))", line[:200])
    return (match[1] or match[2],) if match else ()
