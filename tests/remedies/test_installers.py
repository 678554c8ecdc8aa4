"""A remedy in the words of the environment's own installer."""

from __future__ import annotations

import pytest

from tests.testbed.memory import Files, world
from whyload.facts.ownership import Owner
from whyload.remedies.choose import for_defect, reinstall
from whyload.remedies.installers import as_said_there, lock_hint
from whyload.world.model import Layout

PKG = Owner(distribution="pkg", version="1.0")
VENV = "C:\\work\\.venv"
UV: Files = {f"{VENV}\\pyvenv.cfg": "home = C:\\Python\nuv = 0.4.18\nversion_info = 3.11.9\n"}


def test_uv_has_words_of_its_own() -> None:
    machine = world(UV, venv=VENV)
    (command,) = as_said_there(reinstall(PKG, machine), machine).commands
    python = f"{VENV}\\Scripts\\python.exe"
    assert command == f"uv pip install --python {python} --reinstall --no-deps --no-cache pkg==1.0"


def test_an_environment_of_pip_is_left_alone() -> None:
    machine = world({f"{VENV}\\pyvenv.cfg": "home = C:\\Python\n"}, venv=VENV)
    assert " -m pip install" in as_said_there(reinstall(PKG, machine), machine).commands[0]


@pytest.mark.parametrize(
    ("lock", "command"), [("poetry.lock", "poetry add"), ("pdm.lock", "pdm add"), ("uv.lock", "uv add")]
)
def test_a_lock_would_take_another_release_back(lock: str, command: str) -> None:
    machine = world({f"C:\\work\\{lock}": ""}, venv=VENV)
    (remedy,) = for_defect("torch", "2.4.0", "libomp140.x86_64.dll", machine)
    hint = lock_hint(remedy, machine)
    assert hint is not None
    assert f"`{command} torch==2.4.1`" in hint.en


def test_the_lock_of_a_project_stands_at_its_root() -> None:
    machine = world({"C:\\work\\Pipfile.lock": ""}, cwd="C:\\work\\src\\app", venv="C:\\envs\\one")
    (remedy,) = for_defect("torch", "2.4.0", "libomp140.x86_64.dll", machine)
    hint = lock_hint(remedy, machine)
    assert hint is not None
    assert "C:\\work\\Pipfile.lock" in hint.en
    assert "`pipenv install torch==2.4.1`" in hint.en


def test_conda_is_told_the_environment_the_channel_and_the_version() -> None:
    owner = Owner(distribution="numpy", version="1.26.4", installer="conda", channel="conda-forge")
    machine = world({}, layout=Layout.CONDA)
    (command,) = as_said_there(reinstall(owner, machine), machine).commands
    assert command == "conda install -p C:\\Python --force-reinstall -c conda-forge numpy=1.26.4"


def test_the_same_release_needs_no_word_on_a_lock() -> None:
    machine = world({"C:\\work\\poetry.lock": ""}, venv=VENV)
    assert lock_hint(reinstall(PKG, machine), machine) is None
    (remedy,) = for_defect("torch", "2.4.0", "libomp140.x86_64.dll", world({}))
    assert lock_hint(remedy, world({})) is None
