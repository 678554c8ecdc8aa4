"""The probe in the CPythons of this machine: what the user's program sees, and that nothing of what happens is lost.

The extension modules and libraries here are the host's; Windows' own side is in test_windows.py.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.observe.interpreters import interpreters
from whyload.base.message import message
from whyload.base.paths import WinPath
from whyload.observe.events import Attempt, EnvironmentChanged, LibraryLoad, ModuleStarted, Place, Via
from whyload.observe.failures import fatal_loads, loads_of
from whyload.observe.observation import (
    LoadHow,
    Observation,
    Outcome,
    RunQuestion,
    ask_code,
    ask_imports,
    ask_load,
    ask_module,
    ask_script,
)
from whyload.observe.run import ask_interpreter, observe
from whyload.world.interpreter import Launch, find_launch

pytestmark = pytest.mark.skipif(os.name == "nt", reason="uses the host's libraries; Windows has its own tests")
TIMEOUT = 120.0
PROBE = Path(sys.modules["whyload.observe.run"].__file__ or "").with_name("probe.py")


@pytest.fixture(params=list(interpreters()))
def target(request: pytest.FixtureRequest) -> Launch:
    """Each CPython in turn."""
    return find_launch(interpreters()[request.param])


def version_of(target: Launch) -> tuple[int, int]:
    major, minor = next(v for v, exe in interpreters().items() if exe == target.image).split(".")
    return int(major), int(minor)


def ask(question: RunQuestion, target: Launch, timeout: float = TIMEOUT) -> Observation:
    return observe(question, target, timeout=timeout)


def test_the_probe_is_python_3_7() -> None:
    ast.parse(PROBE.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_probe_imports_only_what_an_interpreter_has_already() -> None:
    """A module of the user's folder may shadow any other one (`json.py`, `traceback.py`)."""
    tree = ast.parse(PROBE.read_text(encoding="utf-8"))
    outside = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [alias.name for node in outside for alias in node.names]
    assert names == ["annotations", "os", "sys"]


# ------------------------------------------------------------------------------------------- what the program sees


def test_code_sees_an_ordinary_main(target: Launch) -> None:
    code = "import sys; print(sys.argv, repr(sys.path[0]), __name__, sys.modules['__main__'].__dict__ is globals())"
    seen = ask(ask_code(code, ("a", "b c")), target)
    assert (seen.outcome, seen.exit_status) == (Outcome.FINISHED, 0)
    assert seen.stdout.strip() == "['-c', 'a', 'b c'] '' __main__ True"
    assert "__file__" not in ask(ask_code("print(sorted(globals()))"), target).stdout


def test_a_script_sees_its_folder_and_its_arguments(target: Launch, tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("value = 'beside the script'")
    script = tmp_path / "main.py"
    script.write_text(
        "# -*- coding: latin-1 -*-\nimport sys, neighbour\nprint(sys.argv[1:], neighbour.value, __file__)"
    )
    seen = ask(ask_script(str(script), ("x",)), target)
    assert seen.stdout.strip() == f"['x'] beside the script {script}"
    assert seen.sys_path[0] == str(tmp_path.resolve())


def test_a_module_is_run_as_main(target: Launch, tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text("import sys; print(__name__, __package__, sys.argv[1:])")
    seen = ask(ask_module("pack", ("x",), cwd=str(tmp_path)), target)
    assert seen.stdout.strip() == "__main__ pack ['x']"


def test_a_folder_is_run_as_python_runs_it(target: Launch, tmp_path: Path) -> None:
    (tmp_path / "__main__.py").write_text("import other; print(__name__, other.value)")
    (tmp_path / "other.py").write_text("value = 7")
    assert ask(ask_script(str(tmp_path)), target).stdout.strip() == "__main__ 7"


def test_modules_of_the_users_folder_shadow_the_standard_library(target: Launch, tmp_path: Path) -> None:
    """The probe must not have imported the real ones before (nor import the false ones afterwards)."""
    for name in ("json", "traceback", "ctypes", "linecache", "subprocess"):
        (tmp_path / f"{name}.py").write_text(f"print('the false {name}')\nraise ImportError('false {name}')")
    seen = ask(ask_imports("traceback", "ctypes", cwd=str(tmp_path)), target)
    assert seen.stdout.splitlines()[0] == "the false traceback"  # 3.13's own excepthook imports it once more
    assert "ctypes" not in seen.stdout
    assert [error.text for error in seen.exceptions] == ["false traceback"]
    assert seen.loaded is not None


def test_isolated_mode_gets_no_folder(target: Launch, tmp_path: Path) -> None:
    seen = ask(ask_code("import sys; print(sys.path[:1])", options=("-I",), cwd=str(tmp_path)), target)
    plain = ask(ask_code("import sys; print(sys.path[:1])", cwd=str(tmp_path)), target)
    assert plain.stdout.strip() == "['']"
    assert seen.stdout.strip() != "['']"
    assert str(tmp_path) not in seen.stdout


def test_modules_are_imported_in_order_and_odd_names_too(target: Launch, tmp_path: Path) -> None:
    for name in ("first", "second", "odd-name"):
        (tmp_path / f"{name}.py").write_text(f"print({name!r})")
    seen = ask(ask_imports("first", "second", "odd-name", cwd=str(tmp_path)), target)
    assert seen.stdout.split() == ["first", "second", "odd-name"]


# ---------------------------------------------------------------------------------------------------- what happened


def test_events_come_in_order_with_files_and_places(target: Launch, tmp_path: Path) -> None:
    (tmp_path / "outer.py").write_text("x = 1\nimport inner\nimport _sqlite3\n")
    (tmp_path / "inner.py").write_text("import ctypes\nctypes.CDLL('libc.so.6')\n")
    seen = ask(ask_imports("outer", cwd=str(tmp_path)), target)
    own = [
        (event.module, event.file, event.place)
        for event in seen.events
        if isinstance(event, ModuleStarted) and event.module in ("outer", "inner")
    ]
    outer, inner = WinPath(str(tmp_path / "outer.py")), WinPath(str(tmp_path / "inner.py"))
    assert own == [("outer", outer, Place(file=None, line=1)), ("inner", inner, Place(file=outer, line=2))]
    loads = [load for load in loads_of(seen.events) if load.module == "_sqlite3" or load.via is Via.CTYPES]
    assert [(load.name.rpartition("/")[2].partition(".")[0], load.via, load.place) for load in loads] == [
        ("libc", Via.CTYPES, Place(file=inner, line=2)),
        ("_sqlite3", Via.IMPORT, Place(file=outer, line=3)),
    ]


def test_extension_modules_carry_the_flags_of_their_python(target: Launch) -> None:
    """R3.1: 0x1100 since 3.8, 0x8 before; the flags are what that version would pass on Windows."""
    seen = ask(ask_imports("_sqlite3"), target)
    flags = {load.flags for load in loads_of(seen.events) if load.module == "_sqlite3"}
    assert flags == ({0x1100} if version_of(target) >= (3, 8) else {0x8})


def test_changes_of_the_environment_are_events(target: Launch) -> None:
    seen = ask(
        ask_code("import os\nos.environ['PATH'] = '/changed'\nos.environ['MY_SECRET'] = 'x'\ndel os.environ['PATH']"),
        target,
    )
    changes = [event for event in seen.events if isinstance(event, EnvironmentChanged)]
    if version_of(target) >= (3, 8):
        assert changes == [
            EnvironmentChanged(name="PATH", value="/changed"),
            EnvironmentChanged(name="PATH", value=None),
        ]
    else:
        assert any("3.7" in message(why).en for _, why in seen.notes)
    assert "PATH" in seen.initial_environment
    assert "PATH" not in seen.environment
    assert "MY_SECRET" not in seen.environment


def test_what_site_does_comes_first(target: Launch, tmp_path: Path) -> None:
    """`.pth` lines and sitecustomize run before any question; they are watched in a process of their own."""
    if version_of(target) < (3, 8):
        pytest.skip("Python 3.7 has no audit events")
    (tmp_path / "sitecustomize.py").write_text("import os\nos.environ['CUDA_PATH'] = '/early'\n")
    code = "import os\nos.environ['CUDA_PATH'] += '/late'"
    seen = observe(ask_code(code), target, timeout=TIMEOUT, environment={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert "sitecustomize" in seen.early_modules
    changes = [event.value for event in seen.events if isinstance(event, EnvironmentChanged)]
    assert changes == ["/early", "/early/late"]


def test_programs_that_are_started_are_named(target: Launch) -> None:
    if version_of(target) < (3, 8):
        pytest.skip("Python 3.7 has no audit events")
    seen = ask(ask_code("import subprocess; subprocess.run(['/bin/true', 'x'])"), target)
    assert seen.processes == ("/bin/true",)


def test_a_forked_child_does_not_write(target: Launch) -> None:
    code = "import os\npid = os.fork()\nimport wave\nif pid: os.waitpid(pid, 0)\nelse: os._exit(0)"
    seen = ask(ask_code(code), target)
    assert [e.module for e in seen.events if isinstance(e, ModuleStarted) and e.module == "wave"] == ["wave"]


def test_a_survived_load_is_an_attempt_and_the_last_one_is_not(target: Launch) -> None:
    code = """import ctypes
for name in "libnot-there.so", "/nowhere/x.so":
    try:
        ctypes.CDLL(name)
    except OSError as error:
        last = error
ctypes.CDLL("libfatal.so")
"""
    seen = ask(ask_code(code), target)
    attempts = [event.body[0] for event in seen.events if isinstance(event, Attempt)]
    assert [load.name for load in attempts if isinstance(load, LibraryLoad)] == ["libnot-there.so", "/nowhere/x.so"]
    assert [load.name for load in fatal_loads(seen)] == ["libfatal.so"]
    assert isinstance(seen.events[-1], LibraryLoad)


def test_loaded_modules_and_the_baseline(target: Launch) -> None:
    seen = ask(ask_imports("_sqlite3"), target)
    assert seen.loaded is not None
    assert seen.baseline is not None
    assert any("_sqlite3" in path.name for path in seen.loaded)
    assert not any("_sqlite3" in path.name for path in seen.baseline)


def test_what_the_interpreter_says_of_itself(target: Launch) -> None:
    facts = ask_interpreter(target).python
    assert facts is not None
    assert facts.version[:2] == version_of(target)
    assert facts.bits == 64
    assert Path(facts.image).resolve() == Path(target.image).resolve()
    assert facts.sys_path[0] == ""
    assert not any("whyload-" in entry for entry in facts.sys_path)


# ------------------------------------------------------------------------------------------------------- exceptions


def test_the_chain_keeps_causes_contexts_and_what_is_hidden(target: Launch) -> None:
    code = """def inner():
    raise ImportError("inner", name="n", path="/p/x.so")
def middle():
    try:
        inner()
    except ImportError as error:
        raise RuntimeError("middle") from error
try:
    middle()
except RuntimeError:
    try:
        1 / 0
    except ZeroDivisionError:
        raise OSError(5, "outer", "f.dll") from None
"""
    chain = ask(ask_code(code), target).exceptions
    assert [(error.type, error.link.value) for error in chain] == [
        ("OSError", "raised"),
        ("ZeroDivisionError", "suppressed"),
        ("RuntimeError", "context"),
        ("ImportError", "cause"),
    ]
    assert (chain[0].errno, chain[0].filename) == (5, "f.dll")
    assert (chain[3].name, chain[3].path) == ("n", "/p/x.so")
    frames = [(frame.place.line, frame.function, frame.source) for frame in chain[3].frames]
    assert frames == [(5, "middle", "inner()"), (2, "inner", 'raise ImportError("inner", name="n", path="/p/x.so")')]


def test_exceptions_that_misbehave_are_still_told(target: Launch) -> None:
    code = """class Odd(Exception):
    def __str__(self): raise ValueError
    @property
    def path(self): raise KeyError
first, second = Odd(), Odd()
first.__cause__, second.__cause__ = second, first
raise first
"""
    seen = ask(ask_code(code), target)
    assert [(error.type, error.text) for error in seen.exceptions] == [("Odd", ""), ("Odd", "")]


def test_members_of_a_group_follow_it(target: Launch) -> None:
    if version_of(target) < (3, 11):
        pytest.skip("exception groups came with 3.11")
    seen = ask(ask_code("raise ExceptionGroup('g', [ImportError('a'), OSError('b')])"), target)
    assert [(error.text, error.link.value) for error in seen.exceptions[1:]] == [("a", "member"), ("b", "member")]


def test_the_traceback_is_printed_as_python_prints_it(target: Launch) -> None:
    seen = ask(
        ask_code("import sys\nsys.excepthook = lambda *a: print('hook', a[0].__name__)\nraise KeyError(1)"), target
    )
    assert (seen.stdout.strip(), seen.exit_status) == ("hook KeyError", 1)
    plain = ask(ask_code("raise KeyError(1)"), target).stderr
    assert plain.splitlines()[0].startswith("Traceback")
    assert "probe.py" not in plain


@pytest.mark.parametrize(
    ("code", "status", "outcome", "good"),
    [
        ("raise SystemExit", 0, Outcome.EXITED, True),
        ("raise SystemExit(7)", 7, Outcome.EXITED, False),
        ("raise SystemExit('no')", 1, Outcome.EXITED, False),
        ("import os; os._exit(0)", 0, Outcome.DIED, False),
        ("import os; os._exit(9)", 9, Outcome.DIED, False),
    ],
)
def test_ways_to_exit(code: str, status: int, outcome: Outcome, good: bool) -> None:
    seen = ask(ask_code(code), find_launch())
    assert (seen.exit_status, seen.outcome, seen.succeeded) == (status, outcome, good)


# --------------------------------------------------------------------------------------------- crashes, hangs, noise


def test_a_crash_keeps_all_that_came_before(target: Launch) -> None:
    seen = ask(ask_code("import wave, ctypes, os\nos.abort()"), target)
    assert (seen.outcome, seen.exit_status) == (Outcome.DIED, -6)
    assert any(isinstance(event, ModuleStarted) and event.module == "wave" for event in seen.events)
    assert "Abort" in seen.fault
    assert "probe.py" not in seen.fault
    assert fatal_loads(seen) == ()


def test_a_crash_in_native_code(target: Launch) -> None:
    seen = ask(ask_code("import ctypes; ctypes.string_at(0)"), target)
    assert (seen.outcome, seen.exit_status) == (Outcome.DIED, -11)
    assert "string_at" in seen.fault


def test_a_hang_is_ended_and_says_where() -> None:
    code = "import time\ndef stuck():\n    time.sleep(600)\nstuck()"
    seen = ask(ask_code(code), find_launch(), timeout=3.0)
    assert (seen.outcome, seen.exit_status, seen.timed_out) == (Outcome.TIMED_OUT, None, True)
    assert "stuck" in seen.fault


def test_endless_output_does_not_fill_memory(target: Launch) -> None:
    code = "import sys\nfor i in range(200000): sys.stdout.write('line %d\\n' % i)\nsys.stderr.write('e' * 3000000)"
    seen = ask(ask_code(code), target)
    assert seen.stdout.endswith("line 199999\n")
    assert max(len(seen.stdout), len(seen.stderr)) <= 64 << 10
    assert {message(what).en for what, why in seen.notes if "bytes are kept" in message(why).en} == {
        "output",
        "error output",
    }


def test_all_files_closed_by_the_program(target: Launch) -> None:
    seen = ask(ask_code("import os\nos.closerange(3, 256)\nimport wave"), target)
    assert seen.outcome is Outcome.FINISHED
    assert any(isinstance(event, ModuleStarted) and event.module == "wave" for event in seen.events)


# ---------------------------------------------------------------------------------------------------- one library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[str]:
    """A file that is no library."""
    file = tmp_path / "broken.so"
    file.write_bytes(b"no library")
    yield str(file)


@pytest.mark.parametrize("how", [LoadHow.CTYPES, LoadHow.IMPORT])
def test_one_library_is_asked_for(target: Launch, library: str, how: LoadHow) -> None:
    seen = ask(ask_load(library, how), target)
    assert seen.outcome is Outcome.RAISED
    (load,) = fatal_loads(seen)
    assert (load.name, load.via) == (library, Via.CTYPES if how is LoadHow.CTYPES else Via.IMPORT)
    assert load.module == ("broken" if how is LoadHow.IMPORT else None)
