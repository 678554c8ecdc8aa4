"""What installations that were cut off leave; the names are those that pip's AdjacentTempDirectory gives."""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, Files, record, world
from whyload.base.paths import WinPath
from whyload.engine.simulate import packages_of
from whyload.facts.leftovers import Remains, remains_around
from whyload.startup.paths import python_paths

METADATA = "Metadata-Version: 2.1\nName: numpy\nVersion: 1.26.4\n"
FILE = "numpy\\core\\_x.pyd"


def remains(files: Files, path: str = FILE) -> Remains | None:
    machine = world({f"{SITE}\\{path}": "", **files})
    packages = packages_of(machine, python_paths(machine))
    return remains_around(machine.files, packages, WinPath(f"{SITE}\\{path}"), (WinPath(SITE),))


def names(found: Remains | None) -> set[str]:
    assert found is not None
    return {path.name for path in found.paths}


def test_a_record_without_a_list_of_files() -> None:
    found = remains({f"{SITE}\\numpy-1.26.4.dist-info\\METADATA": METADATA})
    assert names(found) == {"numpy", "numpy-1.26.4.dist-info"}
    assert found is not None
    assert (found.distribution, found.version) == ("numpy", "1.26.4")


@pytest.mark.parametrize("renamed", ["~umpy", "~-mpy", "~.%py"])
def test_what_pip_had_renamed(renamed: str) -> None:
    set_aside: Files = {
        f"{SITE}\\{renamed}\\core\\_y.pyd": "",
        f"{SITE}\\{renamed}-1.26.4.dist-info\\METADATA": METADATA,
    }
    found = remains({**set_aside, f"{SITE}\\~cipy\\x.pyd": "", f"{SITE}\\~umpydoc\\x.pyd": ""})
    assert names(found) == {"numpy", renamed, f"{renamed}-1.26.4.dist-info"}
    assert found is not None
    assert (found.distribution, found.version) == ("numpy", "1.26.4")


def test_a_folder_that_nothing_is_known_of() -> None:
    found = remains({})
    assert found == Remains(top=WinPath(f"{SITE}\\numpy"), paths=(WinPath(f"{SITE}\\numpy"),))


def test_a_folder_of_which_anything_is_recorded_is_no_remains() -> None:
    assert remains(record("numpy", "2.1.0", {"numpy/__init__.py": ""})) is None
    assert remains(record("numpy-extra", "1", {"numpy/extra.py": ""})) is None


def test_a_file_elsewhere_is_no_remains() -> None:
    machine = world({"C:\\app\\numpy\\_x.pyd": ""})
    packages = packages_of(machine, python_paths(machine))
    path = WinPath("C:\\app\\numpy\\_x.pyd")
    assert remains_around(machine.files, packages, path, (WinPath(SITE),)) is None
