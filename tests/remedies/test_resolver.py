"""pip of an environment, with a real virtual environment and wheels of our own: what it chooses, brings and installs;
and that a whole session writes nowhere else and asks no network.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

from whyload.base.errors import NetworkError, UsageError
from whyload.remedies.resolver import Chosen, NoReleaseError, Pip, ask_places, find_pip
from whyload.world.interpreter import find_launch
from whyload.world.places import EnvironmentPlaces

ROOT = Path(__file__).resolve().parents[2]


def make_wheel(folder: Path, name: str, version: str, needs: str = "") -> None:
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/__init__.py", f"version = {version!r}\n")
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        archive.writestr(f"{info}/METADATA", metadata + (f"Requires-Dist: {needs}\n" if needs else ""))
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/entry_points.txt", f"[console_scripts]\n{name} = {name}:main\n")
        archive.writestr(
            f"{info}/RECORD", f"{name}/__init__.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n"
        )


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("env") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return folder


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "index"
    folder.mkdir()
    for version in ("1.0", "2.0"):
        make_wheel(folder, "alpha", version)
    make_wheel(folder, "beta", "1.0", "alpha>=2")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "elsewhere"))
    return folder


def python_of(environment: Path) -> str:
    return str(environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests: what Python compiles of pip is kept there."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture
def pip(environment: Path, index: Path, scratch: Path) -> Pip:
    launch = find_launch(python_of(environment))
    return find_pip(launch, ask_places(launch), scratch)


def test_places_are_those_of_the_environment(environment: Path) -> None:
    places = ask_places(find_launch(python_of(environment)))
    assert places.prefix == environment
    assert places.site.name == "site-packages"
    assert places.site.is_relative_to(environment)
    assert places.pip is None
    assert not places.managed
    assert places.roots[0] == places.site


def test_what_fits_is_chosen_and_constraints_hold(pip: Pip) -> None:
    assert not pip.own
    free = pip.resolve(["alpha"], [], dependencies=True, again=False)
    assert free == (Chosen(distribution="alpha", version="2.0"),)
    held = pip.resolve(["alpha"], ["alpha==1.0"], dependencies=True, again=False)
    assert held == (Chosen(distribution="alpha", version="1.0"),)
    with pytest.raises(NoReleaseError, match="conflict"):
        pip.resolve(["beta"], ["alpha==1.0"], dependencies=True, again=False)
    both = pip.resolve(["beta"], [], dependencies=True, again=False)
    assert {item.pin for item in both} == {"beta==1.0", "alpha==2.0"}


def test_a_name_that_the_index_does_not_have_is_told_from_a_version(pip: Pip) -> None:
    with pytest.raises(NoReleaseError) as nothing:
        pip.resolve(["gamma"], [], dependencies=True, again=False)
    assert nothing.value.unknown
    with pytest.raises(NoReleaseError) as version:
        pip.resolve(["alpha>2.0"], [], dependencies=True, again=False)
    assert not version.value.unknown


def test_wheels_are_brought_and_installed(pip: Pip, environment: Path, tmp_path: Path) -> None:
    (wheel,) = pip.download([Chosen(distribution="alpha", version="1.0")])
    folder = wheel.parent
    assert wheel.name == "alpha-1.0-py3-none-any.whl"
    pip.install(folder, ["alpha==1.0"])
    places = ask_places(find_launch(python_of(environment)))
    assert (places.site / "alpha" / "__init__.py").exists()
    assert not list(places.site.glob("alpha-1.0.dist-info/direct_url.json"))
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("retries", ["0", "1"])
def test_an_index_that_cannot_be_reached_is_no_missing_release(pip: Pip, retries: str) -> None:
    variables = {n: v for n, v in pip.environment.items() if n not in ("PIP_NO_INDEX", "PIP_FIND_LINKS")}
    variables |= {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": retries}
    alone = Pip(command=pip.command, environment=variables, own=pip.own, scratch=pip.scratch)
    with pytest.raises(NetworkError, match="cannot be reached"):
        alone.resolve(["gamma"], [], dependencies=True, again=False)


def test_the_variable_that_keeps_an_interpreter_from_starting_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CPython cannot find its own library below a `PYTHONHOME` that is another Python's."""
    monkeypatch.setenv("PYTHONHOME", str(tmp_path))
    with pytest.raises(UsageError, match=f"PYTHONHOME is set to {tmp_path}: unset it"):
        ask_places(find_launch(sys.executable))


def test_an_interpreter_that_does_not_run_is_said(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(UsageError, match="broken"):
        ask_places(find_launch(str(program)))


_WATCHED = """
import json, os, sys
from pathlib import Path
writes, calls = [], []
def watch(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        writes.append(os.fspath(args[0]))
    elif event in ("os.remove", "os.rmdir", "os.mkdir") and args[-1] != -1:
        pass  # below a folder that is being removed
    elif event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "shutil.rmtree"):
        writes.append(os.fspath(args[0])); writes.extend(a for a in args[1:2] if isinstance(a, str))
    elif event.startswith("socket.") and event not in ("socket.gethostname", "socket.__new__"):
        calls.append(event)
sys.addaudithook(watch)
from whyload.remedies.resolver import Chosen, ask_places, find_pip
from whyload.world.apply.state import EnvironmentState
from whyload.world.apply.transaction import Step, Transaction
from whyload.world.apply.undo import open_sessions, undo_run
from whyload.world.interpreter import find_launch
launch = find_launch(sys.argv[1])
places = ask_places(launch)
state = EnvironmentState(places.prefix)
with state.locked():
    pip = find_pip(launch, places, state.scratch())
    chosen = pip.resolve(["beta"], [], dependencies=True, again=False)
    folder = pip.download(chosen)[0].parent
    work = Transaction(state.new_session(), places)
    work.begin("beta")
    brings = [places.site / c.distribution for c in chosen]
    brings = (*brings, *(places.site / f"{c.distribution}-{c.version}.dist-info" for c in chosen))
    work.take(Step(title="x", brings=brings, run=lambda: pip.install(folder, [c.pin for c in chosen])))
    work.take(Step(title="leftover", remove=(places.site / "left.dll",)))
    work.take(Step(title="settings", write=((places.site / "_whyload.pth", b""),)))
    cached = Path(sys.argv[2])
    work.take(Step(title="cache", clear=(cached,)))
    assert not cached.exists()
    work.finish()
    assert (places.site / "beta" / "__init__.py").exists()
    undo_run(open_sessions(state), places.site)
    state.clear_scratch()
print(json.dumps([sorted(set(map(str, writes))), calls]))
"""


def _tree(*folders: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_a_session_writes_nowhere_else_and_asks_no_network(
    environment: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, temporary, here = tmp_path / "home", tmp_path / "tmp", tmp_path / "here"
    for folder in (home, temporary, here):
        folder.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("PATH", "")  # pip would ask a Rust compiler for its version, which may write
    monkeypatch.delenv("WHYLOAD_STATE", raising=False)
    cached = tmp_path / "torch_extensions" / "fused"
    cached.mkdir(parents=True)
    (cached / "fused.pyd").write_text("built for another", encoding="ascii")
    left = ask_places(find_launch(python_of(environment))).site / "left.dll"
    left.write_text("what nobody recorded", encoding="ascii")
    before = _tree(environment, index, here, cached.parent)
    ended = subprocess.run(
        [sys.executable, "-B", "-c", textwrap.dedent(_WATCHED), python_of(environment), str(cached)],
        capture_output=True,
        text=True,
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    writes, calls = json.loads(ended.stdout.splitlines()[-1])
    allowed = (
        str(environment),
        str(home / "state"),
        str(temporary),
        os.devnull,
        str(cached),
    )  # the plan names that one
    assert [path for path in writes if not path.startswith(allowed)] == []
    assert calls == []
    assert _tree(environment, index, here, cached.parent) == before
    left.unlink()
    assert {path.name for path in home.iterdir()} == {"state"}
    assert list(temporary.iterdir()) == []


def test_the_scheme_has_every_folder_of_wheels(environment: Path) -> None:
    places: EnvironmentPlaces = ask_places(find_launch(python_of(environment)))
    assert set(places.schemes) == {"purelib", "platlib", "scripts", "data", "headers"}
