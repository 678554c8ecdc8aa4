"""Reads how a run ended out of its own words.

Source: CPython's words around an error (loader.md R3.3, R3.23); Windows' sentences in knowledge/errors.py.
"""

from __future__ import annotations

import re

from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.facts.case import Case
from whyload.facts.ending import Ending, ReportedError
from whyload.knowledge.errors import match_error_texts, status_numbers
from whyload.loader.windows.playback import PlayedLoad
from whyload.observe.events import Via
from whyload.observe.failures import is_crash, loads_of
from whyload.observe.observation import Observation, Outcome

_ERROR_LINE = regular(
    r"^(?:\w+\.)*(?P<type>[A-Z]\w*(?:Error|Exception)(?:_\w+)?|KeyboardInterrupt|SystemExit)(?::|$)", re.M
)
_WINERROR = regular(r"\bWinError (\d+)|\bfailed with error (?:code )?(\d+)|\berror 0x([0-9a-fA-F]{1,4})\b")
_FILE = regular(
    r'Error loading "([^"]+)"|Could not find module \'(.+?)\'|cannot load library \'(.+?)\'|trying to load "(.+?)"'
)
_MODULE = regular(r"DLL load failed(?: with error code \d+)? while importing (\w+)")
_FATAL = regular(r"^OMP: Error #\d+|^Fatal Python error:|^Windows fatal exception:", re.M)
"""After these words the process ends without an exception."""
_ACCESS_VIOLATION = regular(r"^Windows fatal exception: access violation", re.M)
_LONGEST = 200_000
_LOADING_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "OSError", "FileNotFoundError"})


def ending_of_text(text: str) -> Ending:
    """From a traceback, or whatever else a world's description has."""
    text = text[-_LONGEST:]
    errors = list(_ERROR_LINE.finditer(text))
    last = text[errors[-1].start() :] if errors else text
    status = _ntstatus(text)
    raised = bool(errors) or status is not None or _FATAL.search(text) is not None
    winerror = (_winerror(last) or _number(text)) if raised else None
    is_error_of_loading = any(error["type"] in _LOADING_ERRORS for error in errors)
    return Ending(
        text=last.strip(),
        output=text,
        raised=raised,
        winerror=winerror,
        is_about_loading=is_error_of_loading or winerror is not None or status is not None,
        ntstatus=status,
        file=_last(_FILE, text),
        module=_last(_MODULE, text),
    )


def ending_of_run(observation: Observation) -> Ending | None:
    """From a run that was watched; None where it came to a good end."""
    if observation.succeeded:
        return None
    said = [f"{error.type}: {error.text}" for error in observation.exceptions]
    written = "\n".join((observation.stderr, observation.stdout, *reversed(said)))[-_LONGEST:]
    chain = "\n".join(reversed(said))
    numbers = [error.winerror for error in observation.exceptions if error.winerror]
    libraries = [error.path for error in observation.exceptions if error.path]
    status = observation.exit_status
    died = observation.outcome is Outcome.DIED and is_crash(status)
    return Ending(
        text=said[0] if said else _fatal_words(written),
        output=written,
        raised=bool(said) or died or (observation.outcome is Outcome.DIED and _FATAL.search(written) is not None),
        winerror=numbers[0] if numbers else _winerror(chain),
        ntstatus=status if died else None,
        file=libraries[0] if libraries else _last(_FILE, chain) or _imported_there(observation),
        module=_last(_MODULE, chain),
        is_about_loading=(is_crash(status) and observation.outcome is Outcome.DIED)
        or any(error.type in _LOADING_ERRORS for error in observation.exceptions),
    )


def _imported_there(observation: Observation) -> str | None:
    """The extension module that was loaded by the very line at which an error came up: its own start-up raised."""
    places = {error.frames[-1].place for error in observation.exceptions if error.frames}
    loads = [load for load in loads_of(observation.events) if load.via is Via.IMPORT and load.place in places]
    return loads[-1].name if loads else None


def _fatal_words(written: str) -> str:
    """What a process said before it ended without an exception."""
    match = _FATAL.search(written)
    return written[match.start() :].strip() if match is not None else ""


def _winerror(text: str) -> int | None:
    number = _number(text)
    if number is not None:
        return number
    sentences = match_error_texts(text)
    return sentences[-1].error.code if sentences else None


def _number(text: str) -> int | None:
    numbers = [int(match[3], 16) if match[3] else int(match[1] or match[2]) for match in _WINERROR.finditer(text)]
    return numbers[-1] if numbers else None


def _ntstatus(text: str) -> int | None:
    codes = status_numbers(text)
    return codes[0] if codes else 0xC0000005 if _ACCESS_VIOLATION.search(text) else None


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found = [next((group for group in match.groups() if group), "") for match in pattern.finditer(text)]
    return found[-1] if found else None


def reported_error(case: Case, ending: Ending) -> ReportedError:
    """The error with the library that it is about."""
    load = _load(case, ending)
    return ReportedError(case=case, ending=ending, load=load, file=_file(case, ending, load))


def _load(case: Case, ending: Ending) -> PlayedLoad | None:
    for load in reversed(case.playback.loads):
        path = WinPath(load.event.name)
        if ending.file is not None and path.name.lower() == WinPath(ending.file).name.lower():
            return load
        if ending.module is not None and (load.event.module or "").rpartition(".")[2] == ending.module:
            return load
    if case.observed and ending.ntstatus is not None and case.playback.loads:
        return case.playback.loads[-1]  # what was under way when the process died
    failure = case.playback.failure
    return failure.cause if failure else None


def _file(case: Case, ending: Ending, load: PlayedLoad | None) -> WinPath | None:
    if load is not None:
        return load.tree.root.path or WinPath(load.event.name)
    if ending.file is None:
        return None
    said = WinPath(ending.file.replace("\\\\", "\\"))
    recorded = [entry.path for entry in case.packages.named(said.name)]
    return said if said in recorded or not recorded else recorded[0]
