"""The explanation under a traceback: it appears, and it changes nothing else. What is said is judged under Wine."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import whyload
from tests.observe.tool import install_tool
from tests.testbed.dll import Dll
from tests.testbed.pewriter import build
from tests.testbed.wine import WineMachine
from whyload.observe.observation import Outcome
from whyload.observe.reading import Ending, read_observation

ROOT = Path(whyload.__file__).parents[1]
STUB = """
import whyload.runtime.explaining as explaining
explaining.answer = lambda error, folders, watch: f"FOUND: {type(error).__name__} {watch.language}\\n"
"""
START = "import whyload; whyload.explain_imports()\n"


def run(code: str, *, stub: str = STUB, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{stub}\n{textwrap.dedent(code)}"
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=cwd, timeout=60, check=False
    )


def test_it_stands_under_the_traceback_and_the_exit_code_stays() -> None:
    done = run(START + "import there_is_no_such_module")
    assert done.returncode == 1
    assert done.stderr.index("ModuleNotFoundError: No module") < done.stderr.index("FOUND: ModuleNotFoundError None")
    assert done.stdout == ""


def test_the_language() -> None:
    assert (
        "FOUND: ModuleNotFoundError zh"
        in run("import whyload\nwhyload.explain_imports(language='zh')\nimport nothing_there").stderr
    )


@pytest.mark.parametrize(
    "failure",
    [
        "raise OSError('[WinError 126] x. Error loading \"C:\\\\\\\\a.dll\" or one of its dependencies.')",
        "try:\n    import nothing_there\nexcept ImportError as error:\n    raise RuntimeError('no backend') from error",
        "try:\n    import nothing_there\nexcept ImportError:\n    raise RuntimeError('no backend')",
        "raise ImportError('DLL load failed while importing _x', name='_x', path='C:\\\\\\\\a.pyd')",
    ],
)
def test_what_counts_as_a_failed_load(failure: str) -> None:
    assert "FOUND" in run(START + failure).stderr


@pytest.mark.parametrize(
    "failure",
    ["1 / 0", "open('not there.txt')", "raise SystemExit(3)", "raise KeyboardInterrupt", "raise ConnectionError('x')"],
)
def test_what_does_not(failure: str) -> None:
    done, plain = run(START + failure), run(failure)
    assert "FOUND" not in done.stderr
    assert done.returncode == plain.returncode


def test_an_import_that_is_caught_is_no_matter() -> None:
    done = run(START + "try:\n    import nothing_there\nexcept ImportError:\n    pass\nprint('fine')")
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")


def test_hooks_that_were_there_are_called() -> None:
    done = run("import sys\nsys.excepthook = lambda *a: print('mine')\n" + START + "import nothing_there")
    assert done.stdout == "mine\n"
    assert done.stderr.strip() == "FOUND: ModuleNotFoundError None"


def test_a_thread() -> None:
    done = run(
        START
        + "import threading\nt = threading.Thread(target=lambda: __import__('nothing_there'))\nt.start(); t.join()"
    )
    assert done.returncode == 0
    assert done.stderr.index("Exception in thread") < done.stderr.index("FOUND")


def test_ipython() -> None:
    code = """
    import sys, types
    class Shell:
        def showtraceback(self, exc_tuple=None, filename=None):
            print("shown", file=sys.stderr)
    shell = Shell()
    sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
    import whyload
    stop = whyload.explain_imports()
    try:
        import nothing_there
    except ImportError:
        shell.showtraceback()
    stop()
    try:
        import nothing_there
    except ImportError:
        shell.showtraceback()
    """
    assert run(code).stderr.split("\n") == ["shown", "", "FOUND: ModuleNotFoundError None", "shown", ""]


def test_taking_it_back() -> None:
    code = """
    import os, sys, threading
    def hooks():
        return sys.excepthook, threading.excepthook, getattr(os, "add_dll_directory", None)
    before = hooks()
    import whyload
    stop = whyload.explain_imports()
    assert hooks()[0] is not before[0]
    stop()
    assert hooks() == before
    """
    assert run(code).returncode == 0


@pytest.mark.parametrize(
    "broken",
    [
        "explaining.answer = lambda *a: 1 / 0",
        "def answer(*a):\n    raise KeyboardInterrupt\nexplaining.answer = answer",
        "def answer(*a):\n    raise SystemExit(9)\nexplaining.answer = answer",
        "explaining.answer = None",
        "explaining._interpreter = lambda: '/no/such/python'",
        "explaining._interpreter = lambda: None",
        "explaining._ANSWER = 'while True: pass'\nexplaining._Watch.timeout = property(lambda s: 1, lambda s, v: None)",
        "explaining._ANSWER = 'import os; os._exit(7)'",
    ],
)
def test_what_goes_wrong_in_explaining_does_not_show(broken: str) -> None:
    done = run(START + "import nothing_there", stub="import whyload.runtime.explaining as explaining\n" + broken)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("ModuleNotFoundError: No module named 'nothing_there'")


def test_until_a_failure_nothing_is_loaded() -> None:
    code = f"""
    import sys; sys.path.insert(0, {str(ROOT)!r})
    import threading
    before = set(sys.modules)
    import whyload
    whyload.explain_imports()
    found = [name for name in sys.modules if name not in before]
    import json
    print(json.dumps(found))
    """
    done = subprocess.run(
        [sys.executable, "-I", "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert set(json.loads(done.stdout)) - {"__future__"} == {"whyload", "whyload.runtime", "whyload.runtime.explaining"}


def test_the_record_is_an_observation(tmp_path: Path) -> None:
    code = f"""
    import whyload.runtime.explaining as explaining
    def answer(error, folders, watch):
        explaining.write_record({str(tmp_path / "r")!r}, error, ["C:\\\\added"])
        return ""
    explaining.answer = answer
    import os, sys
    os.environ["CUDA_PATH"] = "C:\\\\cuda"
    """
    run(textwrap.dedent(code) + START + "import nothing_there", stub="")
    observation = read_observation((tmp_path / "r").read_bytes(), Ending(exit_status=1))
    assert observation.outcome is Outcome.RAISED
    assert [error.name for error in observation.exceptions] == ["nothing_there"]
    assert observation.environment["CUDA_PATH"] == "C:\\cuda"
    assert observation.python is not None
    assert observation.python.version == tuple(sys.version_info[:3])
    assert [type(event).__name__ for event in observation.events] == ["DirectoryAdded"]


@pytest.mark.wine
def test_under_a_real_traceback() -> None:
    site = "C:/Python/Lib/site-packages"
    with WineMachine() as machine:
        install_tool(machine)
        machine.write(
            f"{site}/pkg/__init__.py", b"import os\nos.add_dll_directory(os.path.dirname(__file__))\nfrom . import _x\n"
        )
        machine.write(f"{site}/pkg/_x.pyd", build(Dll(name="_x.pyd", pyinit="_x", imports={"dep.dll": ["f"]})))
        machine.write(
            f"{site}/pkg/dep.dll", build(Dll(name="dep.dll", exports={"f": 1}, imports={"absent.dll": ["g"]}))
        )
        code = "import sys; sys.path.append('C:/whyload/Lib/site-packages')\n" + START + "import pkg"
        done = machine.run(["C:\\Python\\python.exe", "-X", "utf8", "-c", code], cwd="C:\\app")
        assert done.returncode == 1
        assert done.stderr.index("ImportError: DLL load failed") < done.stderr.index("error[missing-dependency]")
        assert "`absent.dll`" in done.stderr
        fine = machine.run(
            ["C:\\Python\\python.exe", "-c", code.replace("import pkg", "print(json := 1)")], cwd="C:\\app"
        )
        assert (fine.returncode, fine.stderr) == (0, "")
