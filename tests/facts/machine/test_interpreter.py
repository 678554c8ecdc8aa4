"""The interpreter: version, origin, virtual environment."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.facts.machine.machines import Keys, facts, machine
from tests.testbed.memory import Files
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.facts.machine.interpreter import InterpreterFacts
from whyload.world.model import Layout

CFG = "C:\\v\\pyvenv.cfg"


def interpreter(files: Files, keys: Keys | None = None, **how: Any) -> InterpreterFacts:
    return facts(machine(files, keys, **how)).interpreter


@pytest.mark.parametrize(
    ("resource", "version"),
    [((3, 11, 9150, 1013), "3.11.9"), ((3, 13, 122, 1013), "3.13.0rc2"), ((3, 14, 101, 1013), "3.14.0a1")],
)
def test_the_version_in_the_dll(resource: tuple[int, int, int, int], version: str) -> None:
    """CPython `PC/python_ver_rc.h`: the third field is 1000 * micro + 10 * level + serial."""
    dll = Dll(name="python311.dll", version=resource, exports={"Py_Main": 1})
    found = interpreter({"C:\\Python\\python311.dll": dll})
    assert (found.version, found.bits, found.debug) == (version, 64, False)
    assert found.read_from["version"] == "version resource of C:\\Python\\python311.dll"


def test_what_the_interpreter_said_itself() -> None:
    said = "3.11.9 (tags/v3.11.9:de54cf5, Apr  2 2024, 10:12:12) [MSC v.1938 64 bit (AMD64)]"
    made = machine({})
    found = facts(replace(made, python=replace(made.python, version_text=said))).interpreter
    assert (found.version, found.build) == ("3.11.9", said.partition(" ")[2])


def test_a_virtual_environment() -> None:
    text = "home = C:\\Python\nuv = 0.4.18\nversion_info = 3.11.9\ninclude-system-site-packages = true\n"
    found = interpreter({CFG: text}, venv="C:\\v")
    assert (found.venv, found.venv_made_by, found.sees_base_packages) == (WinPath("C:\\v"), "uv 0.4.18", True)
    assert (found.home_is_there, found.version) == (True, "3.11.9")
    gone = interpreter({CFG: "home = C:\\Gone\n"}, venv="C:\\v")
    assert (gone.venv_made_by, gone.home_is_there) == ("venv", False)


def test_who_brought_it() -> None:
    key = "HKLM\\SOFTWARE\\Python\\PythonCore\\3.11\\InstallPath"
    assert interpreter({}, {key: {"": "C:\\Python\\"}}).origin == "python.org"
    assert interpreter({}, {key: {"": "C:\\Other\\"}}).origin is None
    assert interpreter({}, layout=Layout.EMBED).origin == "python.org, embeddable"
    record = {"name": "python", "version": "3.11.9", "channel": "https://conda.anaconda.org/conda-forge/win-64"}
    conda: Files = {"C:\\Python\\conda-meta\\python-3.11.9-0.json": json.dumps(record)}
    assert interpreter(conda, layout=Layout.CONDA).origin == "conda (conda-forge)"
