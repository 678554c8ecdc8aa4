"""Which native files there are, and how Python comes to them."""

from __future__ import annotations

from tests.testbed.memory import SITE, Files, world
from whyload.engine.doctor.survey import Role, survey
from whyload.startup.paths import python_paths
from whyload.world.model import Layout, World


def found(made: World) -> dict[str, tuple[str, str, str]]:
    files = survey(made, python_paths(made)).files
    return {file.path.name: (file.role.value, file.module, file.package) for file in files}


def test_names_of_modules() -> None:
    names = [
        *("a/__init__.py", "a/_x.cp311-win_amd64.pyd", "a/sub/_y.pyd", "a/lib/z.dll", "single.PYD"),
        *("a/_o.cp310-win_amd64.pyd", "a/_l.cpython-311-x86_64-linux-gnu.so", "a/_x.cp310-win_amd64.pyd"),
        *("a/plain.so", "a/odd-name.pyd", "space/inner/__init__.py", "space/inner/_q.pyd", "a.libs/v.dll"),
    ]
    assert found(world({f"{SITE}\\{name}": b"" for name in names})) == {
        "_x.cp311-win_amd64.pyd": ("module", "a._x", "a"),
        "_y.pyd": ("module", "a.sub._y", "a"),
        "z.dll": ("library", "", "a"),
        "single.PYD": ("module", "single", "single"),
        "_o.cp310-win_amd64.pyd": ("unseen", "a._o", "a"),
        "_l.cpython-311-x86_64-linux-gnu.so": ("unseen", "a._l", "a"),
        "_q.pyd": ("module", "space.inner._q", "space.inner"),
        "v.dll": ("library", "", ""),
    }


def test_folders_of_the_path_within_one_another() -> None:
    names: Files = {f"{SITE}\\p.pth": "win32\n", f"{SITE}\\win32\\api.pyd": b"", f"{SITE}\\a\\b.pyd": b""}
    assert found(world(names)) == {"b.pyd": ("module", "a.b", "a.b"), "api.pyd": ("module", "api", "api")}


def test_the_interpreters_own() -> None:
    names: Files = {"C:\\Python\\DLLs\\_ssl.pyd": b"", "C:\\Python\\_own.pyd": b"", "C:\\work\\mine.pyd": b""}
    assert set(found(world(names))) == {"_ssl.pyd"}
    names["C:\\Python\\python311._pth"] = b"python311.zip\n.\n"
    assert set(found(world(names, layout=Layout.EMBED))) == {
        *("_own.pyd", "python311.dll", "python3.dll", "vcruntime140.dll")
    }


def test_tests_are_known_as_such() -> None:
    made = world({f"{SITE}\\a\\__init__.py": b"", f"{SITE}\\a\\tests\\x.pyd": b"", f"{SITE}\\a\\y.pyd": b""})
    files = survey(made, python_paths(made)).files
    assert {(file.path.name, file.is_test, file.role) for file in files} == {
        ("x.pyd", True, Role.MODULE),
        ("y.pyd", False, Role.MODULE),
    }
