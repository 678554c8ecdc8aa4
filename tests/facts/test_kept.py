"""What an environment was made to keep is read from the module that whyload wrote."""

from __future__ import annotations

from tests.testbed.memory import SITE, Files, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.facts.kept import kept_settings
from whyload.world.settings import MODULE_FILE, PATH_FILE, PATH_LINE, Settings

MODULE = Settings().with_folder("C:\\sdk").with_folder("C:\\gone").with_path("C:\\sdk").with_variable("X", "1").source()


def kept(files: Files) -> list[tuple[str, str, bool | None]]:
    machine = world({"C:\\sdk\\a.dll": Dll(name="a.dll"), **files})
    return [(s.kind.value, s.value, s.is_there) for s in kept_settings(machine.files, (WinPath(SITE),))]


def test_settings_are_listed_with_what_became_of_their_folders() -> None:
    found = kept({f"{SITE}\\{MODULE_FILE}": MODULE, f"{SITE}\\{PATH_FILE}": PATH_LINE})
    assert found == [
        ("dll-folder", "C:\\sdk", True),
        ("dll-folder", "C:\\gone", False),
        ("path", "C:\\sdk", True),
        ("variable", "X=1", None),
    ]


def test_a_module_that_nothing_imports_sets_nothing() -> None:
    assert kept({f"{SITE}\\{MODULE_FILE}": MODULE}) == []


def test_a_module_of_somebody_else_is_not_read() -> None:
    assert kept({f"{SITE}\\{MODULE_FILE}": "import os; FOLDERS = os", f"{SITE}\\{PATH_FILE}": PATH_LINE}) == []
