"""The world file: docs/contract.md, section 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whyload.base.errors import UsageError
from whyload.base.message import message
from whyload.base.paths import WinPath
from whyload.world.folder import open_folder_world
from whyload.world.measured import DriveKind, Measured
from whyload.world.model import Layout, Presence, World


def opened(tmp_path: Path, values: Any, name: str = "world.json") -> World:
    (tmp_path / "C").mkdir(exist_ok=True)
    file = tmp_path / name
    file.write_text(values if isinstance(values, str) else json.dumps(values), encoding="utf-8")
    return open_folder_world(tmp_path / "C", file)


def test_every_key(tmp_path: Path) -> None:
    world = opened(
        tmp_path,
        {
            "python": "C:/Python/python.exe",
            "python_version": "3.12",
            "layout": "conda",
            "venv": "C:/v",
            "cwd": "C:/app",
            "env": {"PATH": "C:\\tools", "CUDA_PATH": "C:\\cuda", "GONE": None},
            "default_path": "C:\\Windows\\system32",
            "os": {"build": 22631, "edition": "Professional"},
            "registry": {"HKLM\\SOFTWARE\\X": {"Version": "1"}},
            "profile": "windows-11-23h2",
            "run": {"code": "import torch", "flags": ["-I"]},
            "traceback": "OSError",
            "process": {
                "application": "C:/App/app.exe",
                "added_dll_directories": ["C:/a", "C:/b"],
                "set_dll_directory": "C:/s",
                "preload": [{"file": "C:/a/x.dll", "flags": "0x8"}],
            },
            "something else": 1,
        },
    )
    assert (str(world.python.version), world.python.layout, str(world.python.venv)) == ("3.12", Layout.CONDA, "C:\\v")
    assert world.environment["PATH"] == "C:\\tools;C:\\Windows\\system32"
    assert "GONE" not in world.environment
    assert (world.system.build, world.system.edition, world.system.profile) == (
        22631,
        "Professional",
        "windows-11-23h2",
    )
    assert world.registry.values("HKLM\\SOFTWARE\\X") == {"Version": "1"}
    assert world.run is not None
    assert (world.run.code, world.run.flags) == ("import torch", ("-I",))
    assert world.process.application == WinPath("C:\\App\\app.exe")
    assert [str(path) for path in world.process.added_dll_directories] == ["C:\\a", "C:\\b"]
    assert (world.process.preload[0].file, world.process.preload[0].flags) == ("C:/a/x.dll", 8)
    assert world.files.presence(WinPath("C:\\Windows\\System32\\dxgi.dll")) is Presence.FILE


@pytest.mark.parametrize("nothing", [None, ""])
def test_absent_null_and_empty_all_mean_unknown(tmp_path: Path, nothing: str | None) -> None:
    keys = ("python", "python_version", "layout", "venv", "cwd", "env", "os", "registry", "profile", "run", "process")
    world = opened(tmp_path, dict.fromkeys(keys, nothing))
    what = {message(entry[0]).en for entry in world.unknown}
    assert {"interpreter", "Python version", "current folder", "PATH", "system DLLs"} <= what
    assert world.run is None


def test_toml_as_well(tmp_path: Path) -> None:
    world = opened(tmp_path, 'python_version = "3.10"\n[env]\nPATH = "C:\\\\x"\n', "world.toml")
    assert (str(world.python.version), world.environment["PATH"]) == ("3.10", "C:\\x")


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"python": 3}, "python"),
        ({"python": "relative/python.exe"}, "python"),
        ({"python_version": "three"}, "python_version"),
        ({"layout": "anaconda"}, "layout"),
        ({"env": ["PATH"]}, "env"),
        ({"env": {"PATH": 1}}, "PATH"),
        ({"os": {"build": "new"}}, "build"),
        ({"profile": "windows-99"}, "windows-99"),
        ({"process": {"preload": ["x.dll"]}}, r"preload\[0\]"),
        ({"process": {"preload": [{"file": "x.dll", "flags": "many"}]}}, "flags"),
        ({"process": {"added_dll_directories": ["a"]}}, r"added_dll_directories\[0\]"),
        ("[1, 2]", "one object"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_key_is_named(tmp_path: Path, values: Any, place: str) -> None:
    with pytest.raises(UsageError, match=place):
        opened(tmp_path, values)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the world file"):
        open_folder_world(tmp_path, tmp_path / "gone.json")
    (tmp_path / "x.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(UsageError, match="UTF-8"):
        open_folder_world(tmp_path, tmp_path / "x.json")


def test_the_interpreter_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "Users" / "Ann" / "AppData" / "Local" / "Programs" / "Python" / "Python312"
    folder.mkdir(parents=True)
    (folder / "python.exe").write_bytes(b"")
    (folder / "python312.dll").write_bytes(b"")
    world = open_folder_world(tmp_path)
    assert world.python.executable.text.endswith("Python312\\python.exe")
    assert str(world.python.version) == "3.12"


def test_a_whole_windows_is_the_whole_truth(tmp_path: Path) -> None:
    system32 = tmp_path / "windows" / "system32"
    system32.mkdir(parents=True)
    (system32 / "KERNEL32.dll").write_bytes(b"")
    files = open_folder_world(tmp_path).files
    assert files.presence(WinPath("C:\\Windows\\System32\\dxgi.dll")) is Presence.ABSENT


def test_without_windows_the_unlisted_is_unknown(tmp_path: Path) -> None:
    files = open_folder_world(tmp_path).files
    assert files.presence(WinPath("C:\\Windows\\System32\\dxgi.dll")) is Presence.FILE
    assert files.presence(WinPath("C:\\Windows\\System32\\msvcp140.dll")) is Presence.UNKNOWN


@pytest.mark.parametrize(
    ("file", "layout"),
    [("python311._pth", Layout.EMBED), ("conda-meta/history", Layout.CONDA), ("python311.dll", Layout.FULL)],
)
def test_the_layout_is_guessed(tmp_path: Path, file: str, layout: Layout) -> None:
    """R3.28 for conda."""
    for name in ("python.exe", file):
        path = tmp_path / "Python" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    assert open_folder_world(tmp_path).python.layout is layout


def test_a_program_of_another_name_is_a_frozen_one_r5_1(tmp_path: Path) -> None:
    program = tmp_path / "App" / "app.exe"
    program.parent.mkdir()
    program.write_bytes(b"")
    assert opened(tmp_path, {"python": "C:/App/app.exe"}).python.layout is Layout.FROZEN


def test_what_the_machine_said_of_itself(tmp_path: Path) -> None:
    values = {"measured": {"processor_features": {"avx2": False}, "drives": {"Z": "network"}, "memory": None}}
    seen = opened(tmp_path, values)
    assert seen.measured == Measured(processor_features={"avx2": False}, drives={"Z": DriveKind.NETWORK})
    with pytest.raises(UsageError, match=r"measured\.drives\.Z: 'far' is no DriveKind"):
        opened(tmp_path, {"measured": {"drives": {"Z": "far"}}})


def test_an_interpreter_that_is_not_under_the_folder_has_its_own_files(tmp_path: Path) -> None:
    """Contract, section 2: `python` need not exist under DIR. It ran, so its library was there."""
    world = opened(tmp_path, {"python": "C:/Tools/Py/python.exe", "python_version": "3.12"})
    assert world.files.presence(WinPath("C:\\Tools\\Py\\python312.dll")) is Presence.FILE
    assert world.files.presence(WinPath("C:\\Tools\\Py\\python311.dll")) is Presence.ABSENT
    assert "interpreter" in {message(what).en for what, _ in world.unknown}


@pytest.mark.parametrize("there", ["python.exe", "python312.dll"])
def test_of_an_interpreter_that_is_there_nothing_is_assumed(tmp_path: Path, there: str) -> None:
    folder = tmp_path / "C" / "Py"
    folder.mkdir(parents=True)
    (folder / there).write_bytes(b"")
    world = opened(tmp_path, {"python": "C:/Py/python.exe", "python_version": "3.12"})
    assert world.files.presence(WinPath("C:\\Py\\vcruntime140.dll")) is Presence.ABSENT
    assert world.files.presence(WinPath("C:\\Py\\python3.dll")) is Presence.ABSENT


ALIAS = "C:/Users/me/AppData/Local/Microsoft/WindowsApps"
STORE = "Program Files/WindowsApps/PythonSoftwareFoundation.Python.{}_x64__qbz5n2kfra8p0"


def of_the_store(tmp_path: Path, *packages: str) -> None:
    for package in packages:
        folder = tmp_path / "C" / STORE.format(package)
        folder.mkdir(parents=True)
        minor = package.split("_")[0].replace(".", "")
        for name in ("python.exe", f"python{minor}.dll"):
            (folder / name).write_bytes(b"MZ")


@pytest.mark.parametrize(
    ("alias", "version", "expected"),
    [
        ("python.exe", None, "3.12_3.12.2800.0"),
        ("python3.exe", "3.11", "3.11_3.11.2544.0"),
        ("python3.11.exe", None, "3.11_3.11.2544.0"),
        ("PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0/python.exe", None, "3.11_3.11.2544.0"),
    ],
)
def test_the_python_behind_an_alias_of_the_store_r3_20(
    tmp_path: Path, alias: str, version: str | None, expected: str
) -> None:
    of_the_store(tmp_path, "3.9_3.9.3568.0", "3.11_3.11.2544.0", "3.11_3.11.496.0", "3.12_3.12.2800.0")
    python = opened(tmp_path, {"python": f"{ALIAS}/{alias}", "python_version": version}).python
    assert (python.layout, python.executable) == (
        Layout.STORE,
        WinPath("C:/" + STORE.format(expected)) / "python.exe",
    )
    assert str(python.version) == expected.split("_")[0]


def test_an_alias_of_the_store_with_no_package_behind_it(tmp_path: Path) -> None:
    of_the_store(tmp_path, "3.9_3.9.3568.0")
    world = opened(tmp_path, {"python": f"{ALIAS}/python3.13.exe"})
    assert world.python.layout is Layout.STORE
    assert any("alias of the Microsoft Store" in message(why).en for _, why in world.unknown)


def test_the_store_has_the_only_python(tmp_path: Path) -> None:
    of_the_store(tmp_path, "3.11_3.11.2544.0")
    assert opened(tmp_path, {}).python.layout is Layout.STORE
