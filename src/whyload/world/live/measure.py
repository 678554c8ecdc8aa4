"""Asks the running Windows what no file and no registry key says. Nothing here needs rights or changes anything.

Sources: Microsoft, IsProcessorFeaturePresent, GlobalMemoryStatusEx, GetDriveTypeW, NtQuerySystemInformation
(SystemCodeIntegrityInformation), GetUserDefaultUILanguage, `wevtutil`; NVIDIA, `nvidia-smi -q -x`.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Mapping, Sequence

from whyload.base.paths import WinPath
from whyload.base.typing import Any, TypeVar
from whyload.world.live.eventlog import WATCHED, parse_events
from whyload.world.live.nvidia import parse_nvidia
from whyload.world.measured import DriveKind, LogEvent, Measured, Memory, NvidiaDriver

_T = TypeVar("_T")
_FEATURES = {"sse3": 13, "ssse3": 36, "sse4.1": 37, "sse4.2": 38, "avx": 39, "avx2": 40, "avx512f": 41}
_FIRST_BUILD_WITH_AVX = 19041
"""Windows before this answers "no" for the numbers from 36 on (Microsoft, IsProcessorFeaturePresent)."""
_DRIVES = dict(enumerate(DriveKind))
_SECONDS = 15.0
_CODE_INTEGRITY = 103
_NO_WINDOW = 0x08000000


class _MemoryStatus(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint32), ("load", ctypes.c_uint32), ("values", ctypes.c_uint64 * 7))


class _CodeIntegrity(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint32), ("options", ctypes.c_uint32))


def measure(windows: WinPath, build: int | None, *, thorough: bool = False) -> Measured:
    """What this machine says of itself; with `thorough` also what other programs have to be asked for (seconds)."""
    reasons: dict[str, str] = {}
    api = _system_calls()
    found = Measured(
        processor_features=_tried("processor_features", lambda: _features(api, build), reasons),
        memory=_tried("memory", lambda: _memory(api), reasons),
        drives=_tried("drives", lambda: _drives(api), reasons),
        ui_language=_tried("ui_language", lambda: _language(api), reasons),
        code_integrity=_tried("code_integrity", lambda: _code_integrity(api), reasons),
        unmeasured=reasons,
    )
    return _asked(found, windows, reasons) if thorough else found


def _asked(found: Measured, windows: WinPath, reasons: dict[str, str]) -> Measured:
    from concurrent.futures import ThreadPoolExecutor

    from whyload.base.dataclass import replace

    with ThreadPoolExecutor(max_workers=len(WATCHED) + 1) as pool:
        driver = pool.submit(_tried, "nvidia", lambda: _nvidia(windows), reasons)
        logs = [
            pool.submit(_tried, "events", lambda log=log, query=query: _events(windows, log, query), reasons)
            for log, query in WATCHED.items()
        ]
    answers = [log.result() for log in logs]
    known = [events for events in answers if events is not None]
    newest = sorted((event for events in known for event in events), key=lambda event: event.time, reverse=True)
    return replace(found, nvidia=driver.result(), events=tuple(newest) if known else None)


def _tried(name: str, ask: Callable[[], _T | None], reasons: dict[str, str]) -> _T | None:
    """The answer, or None and the reason: an old Windows, or an imitation of it, lacks some of these calls."""
    try:
        return ask()
    except (OSError, AttributeError, ValueError, subprocess.SubprocessError) as error:
        reasons[name] = f"{type(error).__name__}: {error}"
        return None


def _system_calls() -> Any:
    return ctypes.windll  # type: ignore[attr-defined, unused-ignore]


def _features(api: Any, build: int | None) -> Mapping[str, bool] | None:
    usable = {name: bool(api.kernel32.IsProcessorFeaturePresent(number)) for name, number in _FEATURES.items()}
    if build is not None and build < _FIRST_BUILD_WITH_AVX and not usable["ssse3"]:
        return {"sse3": usable["sse3"]}
    return usable


def _memory(api: Any) -> Memory | None:
    status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
    if not api.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    physical, free, limit, commit_free = status.values[:4]
    return Memory(physical=physical, physical_free=free, commit_limit=limit, commit_free=commit_free)


def _drives(api: Any) -> Mapping[str, DriveKind] | None:
    letters = api.kernel32.GetLogicalDrives()
    names = [chr(ord("A") + bit) for bit in range(26) if letters >> bit & 1]
    return {name: _DRIVES.get(api.kernel32.GetDriveTypeW(f"{name}:\\"), DriveKind.UNKNOWN) for name in names}


def _language(api: Any) -> str | None:
    import locale

    name = locale.windows_locale.get(api.kernel32.GetUserDefaultUILanguage())
    return name.replace("_", "-") if name else None


def _code_integrity(api: Any) -> int | None:
    answer = _CodeIntegrity(length=ctypes.sizeof(_CodeIntegrity))
    status = api.ntdll.NtQuerySystemInformation(
        _CODE_INTEGRITY, ctypes.byref(answer), ctypes.sizeof(answer), ctypes.byref(ctypes.c_uint32())
    )
    return None if status else answer.options


def _nvidia(windows: WinPath) -> NvidiaDriver:
    try:
        text = _output([f"{windows}\\System32\\nvidia-smi.exe", "-q", "-x"])
    except FileNotFoundError:
        return NvidiaDriver()
    return parse_nvidia(text)


def _events(windows: WinPath, log: str, query: str) -> tuple[LogEvent, ...]:
    program = f"{windows}\\System32\\wevtutil.exe"
    return parse_events(_output([program, "qe", log, f"/q:{query}", "/f:xml", "/c:60", "/rd:true", "/uni:true"]), log)


def _output(command: Sequence[str]) -> str:
    """What a program of Windows prints. Raises OSError and SubprocessError where it cannot be asked."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=_SECONDS,
        check=True,
        creationflags=_NO_WINDOW,
    )
    return done.stdout.decode("utf-16" if b"\0" in done.stdout[:64] else "utf-8", "replace")
