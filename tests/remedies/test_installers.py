"""A remedy in the words of the environment's own installer."""

from __future__ import annotations

import pytest

from tests.testbed.memory import Files, world
from whyload.remedies.choose import for_defect, reinstall
from whyload.remedies.installers import as_said_there, lock_hint

VENV = "C:\\work\\.venv"
UV: Files = {f"{VENV}\\pyvenv.cfg": "home = C:\\Python\nuv = 0.4.18\nversion_info = 3.11.9\n"}


def test_uv_has_words_of_its_own() -> None:
    machine = world(UV, venv=VENV)
    (command,) = as_said_there(reinstall("pkg", "1.0", machine), machine).commands
    python = f"{VENV}\\Scripts\\python.exe"
    assert command == f"uv pip install --python {python} --reinstall --no-deps --no-cache pkg==1.0"


def test_an_environment_of_pip_is_left_alone() -> None:
    machine = world({f"{VENV}\\pyvenv.cfg": "home = C:\\Python\n"}, venv=VENV)
    assert " -m pip install" in as_said_there(reinstall("pkg", "1.0", machine), machine).commands[0]


@pytest.mark.parametrize(
    ("lock", "command"), [("poetry.lock", "poetry add"), ("pdm.lock", "pdm add"), ("uv.lock", "uv add")]
)
def test_a_lock_would_take_another_release_back(lock: str, command: str) -> None:
    machine = world({f"C:\\work\\{lock}": ""}, venv=VENV)
    (remedy,) = for_defect("torch", "2.4.0", "libomp140.x86_64.dll", machine)
    hint = lock_hint(remedy, machine)
    assert hint is not None
    assert f"{command} 'torch==2.4.1'" in hint.en


def test_the_same_release_needs_no_word_on_a_lock() -> None:
    machine = world({"C:\\work\\poetry.lock": ""}, venv=VENV)
    assert lock_hint(reinstall("pkg", "1.0", machine), machine) is None
    (remedy,) = for_defect("torch", "2.4.0", "libomp140.x86_64.dll", world({}))
    assert lock_hint(remedy, world({})) is None
