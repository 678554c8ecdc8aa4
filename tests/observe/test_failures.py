"""Which library an observation points to; the texts are CPython's and packages' (loader.md R3.3, R3.23, R4.8)."""

from __future__ import annotations

import pytest

from whyload.base.paths import WinPath
from whyload.observe.events import Event, LibraryLoad, ModuleStarted, Place, Via
from whyload.observe.failures import Presence, failed_loads, fatal_loads, is_crash
from whyload.observe.observation import ExceptionInfo, Frame, Link, Observation, Outcome

SITE = "C:\\Python\\Lib\\site-packages"
BASE = (WinPath("C:\\Python\\python.exe"), WinPath("C:\\Python\\python311.dll"))
LINE = Place(file=WinPath("C:\\app\\main.py"), line=5)


def load(name: str, via: Via = Via.CTYPES, flags: int = 0x1100, place: Place | None = None) -> LibraryLoad:
    return LibraryLoad(name=name, via=via, flags=flags, place=place)


def seen(
    *events: Event,
    errors: tuple[ExceptionInfo, ...] = (),
    loaded: tuple[WinPath, ...] | None = BASE,
    outcome: Outcome = Outcome.RAISED,
    exit_status: int = 1,
    fault: str = "",
    stderr: str = "",
) -> Observation:
    return Observation(
        outcome=outcome,
        exit_status=exit_status,
        events=events,
        exceptions=errors,
        loaded=loaded,
        fault=fault,
        stderr=stderr,
    )


def names(loads: tuple[LibraryLoad, ...]) -> list[str]:
    return [item.name for item in loads]


@pytest.mark.parametrize(
    ("text", "name", "flags"),
    [
        (
            f"Could not find module '{SITE}\\a\\b.dll' (or one of its dependencies). Try using",
            f"{SITE}\\a\\b.dll",
            0x1100,
        ),
        ("Could not find module 'libmagic.dll' (or one of its dependencies). Try", "libmagic.dll", 0x1000),
        (
            '[WinError 126] 找不到指定的模块。 Error loading "C:\\t\\fbgemm.dll" or one of its dependencies.',
            "C:\\t\\fbgemm.dll",
            0x1100,
        ),
        ('[WinError 126] Le module spécifié est introuvable. Error loading "c10.dll" or one of its', "c10.dll", 0x1000),
        ('LoadLibrary failed with error 126 "" when trying to load "C:\\ort\\p_cuda.dll"', "C:\\ort\\p_cuda.dll", 0x8),
        (
            'Error loading "C:\\ort\\p_cuda.dll" which depends on "cublas64_12.dll" which is missing. (Error 126: "x")',
            "C:\\ort\\p_cuda.dll",
            0x8,
        ),
        ("Error loading libgfortran-abc.dll; 找不到指定的模块。", "libgfortran-abc.dll", 0x8),
        # R5.4, R5.5
        (
            "Failed to load dynlib/dll 'C:\\app\\x.dll'. Most likely this dynlib/dll was not found",
            "C:\\app\\x.dll",
            0x1100,
        ),
        ("Failed to load Python DLL 'C:\\app\\python311.dll'.\nLoadLibrary: x", "C:\\app\\python311.dll", 0x8),
        ("cannot load library 'libgobject-2.0-0': error 0x7e.  Additionally, ctypes.util", "libgobject-2.0-0", 0x1000),
    ],
)
def test_a_text_names_the_library_in_any_language(text: str, name: str, flags: int) -> None:
    (found,) = fatal_loads(seen(errors=(ExceptionInfo(type="OSError", text=text),)))
    assert (found.name, found.flags) == (name, flags)


def test_what_was_asked_for_is_preferred_to_what_the_text_says() -> None:
    """The event has the flags and the place; the text may hold the base name only."""
    asked = load("C:\\app\\x.dll", flags=0x8, place=LINE)
    error = ExceptionInfo(type="OSError", text='[WinError 126] ... Error loading "x.dll" or one of its dependencies.')
    assert fatal_loads(seen(load("C:\\app\\y.dll"), asked, errors=(error,))) == (asked,)


def test_the_path_of_an_import_error() -> None:
    """R3.3; numpy and others raise an ImportError of their own from the real one."""
    module = load(f"{SITE}\\numpy\\_core\\_u.pyd", Via.IMPORT)
    outer = ExceptionInfo(type="ImportError", text="IMPORTANT: PLEASE READ THIS")
    inner = ExceptionInfo(type="ImportError", text="DLL load failed", path=module.name, name="_u", link=Link.CAUSE)
    assert fatal_loads(seen(module, errors=(outer, inner))) == (module,)


def test_cannot_import_name_is_no_failed_load() -> None:
    error = ExceptionInfo(type="ImportError", text="cannot import name 'f' from 'm'", path=f"{SITE}\\m.pyd", name="m")
    loaded = (*BASE, WinPath(f"{SITE}\\m.pyd"))
    assert failed_loads(seen(load(f"{SITE}\\m.pyd", Via.IMPORT), errors=(error,), loaded=loaded)) == ()


def test_the_path_of_a_source_module_is_no_library() -> None:
    error = ExceptionInfo(type="ImportError", text="broken", path=f"{SITE}\\m.py", name="m")
    assert fatal_loads(seen(errors=(error,))) == ()


def test_another_versions_python_dll() -> None:
    """R3.4: the error carries neither name nor path."""
    text = "Module use of python39.dll conflicts with this version of Python."
    old = load(f"{SITE}\\old.pyd", Via.IMPORT)
    assert fatal_loads(seen(old, load("x.dll"), errors=(ExceptionInfo(type="ImportError", text=text),))) == (old,)


def test_an_error_of_ctypes_without_a_name_goes_by_its_place() -> None:
    """R3.23: other errors than 126 carry no name."""
    frames = (
        Frame(place=LINE, function="<module>", module="__main__"),
        Frame(
            place=Place(file=WinPath("C:\\Python\\Lib\\ctypes\\__init__.py"), line=376),
            function="__init__",
            module="ctypes",
        ),
    )
    error = ExceptionInfo(type="OSError", text="[WinError 193] %1", winerror=193, frames=frames)
    here, later = load("C:\\app\\bad.dll", place=LINE), load("C:\\app\\other.dll", place=Place(file=None, line=9))
    assert fatal_loads(seen(here, later, errors=(error,))) == (here,)


def test_torch_tries_in_two_ways() -> None:
    frame = Frame(
        place=LINE,
        function="_load_dll_libraries",
        module="torch",
        calls=("LoadLibraryExW", "LoadLibraryW"),
        numbers=(126, 0x1100, 0x1100),
        libraries=("vcruntime140.dll", f"{SITE}\\torch\\lib\\shm.dll"),
    )
    error = ExceptionInfo(
        type="OSError", text='Error loading "shm.dll" or one of its dependencies.', winerror=127, frames=(frame,)
    )
    found = fatal_loads(seen(errors=(error,)))
    assert [(item.name, item.flags) for item in found] == [
        (f"{SITE}\\torch\\lib\\shm.dll", 0x1100),
        (f"{SITE}\\torch\\lib\\shm.dll", 0),
    ]


def test_a_direct_load_without_flags_among_the_constants() -> None:
    frame = Frame(place=LINE, function="f", module="m", calls=("LoadLibraryExW",), libraries=("C:\\app\\x.dll",))
    error = ExceptionInfo(type="OSError", text="[WinError 126] ...", winerror=126, frames=(frame,))
    assert [(item.name, item.flags) for item in fatal_loads(seen(errors=(error,)))] == [("C:\\app\\x.dll", 0)]


def test_of_two_failures_the_outer_one_ended_the_run_and_hidden_ones_come_last() -> None:
    def error(name: str, link: Link) -> ExceptionInfo:
        return ExceptionInfo(
            type="OSError", text=f"Could not find module '{name}' (or one of its dependencies).", link=link
        )

    chain = (error("outer.dll", Link.RAISED), error("hidden.dll", Link.SUPPRESSED), error("cause.dll", Link.CAUSE))
    assert names(fatal_loads(seen(errors=chain))) == ["outer.dll", "cause.dll", "hidden.dll"]


def test_what_is_missing_afterwards_comes_after_what_is_named() -> None:
    events = (
        load("C:\\app\\here.dll"),
        load("C:\\app\\optional.dll"),
        ModuleStarted(module="m", file=None),
        load("msvcp140", flags=0x1000),
        load("C:\\app\\named.dll"),
    )
    error = ExceptionInfo(type="OSError", text='Error loading "C:\\app\\named.dll" or one of its dependencies.')
    loaded = (*BASE, WinPath("c:\\APP\\HERE.dll"), WinPath("C:\\Windows\\System32\\MSVCP140.dll"))
    observation = seen(*events, errors=(error,), loaded=loaded)
    assert names(failed_loads(observation)) == ["C:\\app\\named.dll", "C:\\app\\optional.dll"]
    assert names(fatal_loads(observation)) == ["C:\\app\\named.dll"]


def test_a_degraded_run_tells_in_its_output() -> None:
    text = (
        '2024 [E:onnxruntime] LoadLibrary failed with error 126 "" when trying to load "C:\\ort\\p_cuda.dll" fallback'
    )
    observation = seen(outcome=Outcome.FINISHED, exit_status=0, stderr=text)
    assert fatal_loads(observation) == ()
    assert [(item.name, item.flags) for item in failed_loads(observation)] == [("C:\\ort\\p_cuda.dll", 0x8)]


def test_nothing_is_concluded_from_unknown_modules() -> None:
    assert failed_loads(seen(load("C:\\app\\x.dll"), loaded=None, outcome=Outcome.TIMED_OUT)) == ()


CURRENT = "Windows fatal exception: access violation\n\nCurrent thread 0x1 (most recent call first):\n"
IN_IMPORT = (
    CURRENT + '  File "<frozen importlib._bootstrap_external>", line 1 in create_module\n  File "x.py", line 2 in f\n'
)
IN_CTYPES = CURRENT + '  File "C:\\Python\\Lib\\ctypes\\__init__.py", line 376 in __init__\n'
ELSEWHERE = CURRENT + '  File "C:\\app\\main.py", line 3 in f\n'


@pytest.mark.parametrize(
    ("fault", "status", "last_is_load", "expected"),
    [
        (IN_IMPORT, 0xC0000005, True, ["C:\\app\\x.pyd"]),
        (IN_CTYPES, 3, False, ["C:\\app\\x.pyd"]),
        (ELSEWHERE, 0xC0000005, True, []),
        ("", 0xC0000005, True, ["C:\\app\\x.pyd"]),
        ("", 0xC0000005, False, []),
        ("", 3, True, []),
    ],
)
def test_the_load_under_way_when_the_process_died(
    fault: str, status: int, last_is_load: bool, expected: list[str]
) -> None:
    events: tuple[Event, ...] = (load("C:\\app\\x.pyd", Via.IMPORT),)
    if not last_is_load:
        events += (ModuleStarted(module="m", file=None),)
    died = seen(*events, loaded=None, outcome=Outcome.DIED, exit_status=status, fault=fault)
    assert names(fatal_loads(died)) == expected


@pytest.mark.parametrize(("status", "crash"), [(0xC0000135, True), (-11, True), (0, False), (3, False), (None, False)])
def test_statuses_that_no_program_chooses(status: int | None, crash: bool) -> None:
    """R2.55: exit codes that are an NTSTATUS."""
    assert is_crash(status) is crash


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("C:\\a\\x.dll", True),
        ("c:/A/X.DLL", True),
        ("C:\\a\\x", True),
        ("C:\\b\\x.dll", False),
        ("x.dll", True),
        ("X", True),
        ("sub\\x.dll", True),
        ("noext", True),
        ("noext.", True),
        ("other.dll", False),
    ],
)
def test_names_among_loaded_modules(name: str, there: bool) -> None:
    """R2.3 (a name without a dot gets `.dll`), R2.18 (a bare name matches by base name, a path as it stands)."""
    assert Presence([WinPath("C:\\a\\x.dll"), WinPath("C:\\a\\noext")]).has(name) is there
