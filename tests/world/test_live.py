"""The live world's parts, over a folder and a registry that stand in for Windows' (test_live_windows.py: real ones)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType, TracebackType

import pytest

from whyload.base.errors import UsageError
from whyload.base.machine import Machine
from whyload.base.message import message
from whyload.base.paths import WinPath
from whyload.world.interpreter import InterpreterFacts, Launch, interpreter_facts
from whyload.world.live import open_live_world
from whyload.world.live.files import LiveFiles
from whyload.world.live.machine import live_world
from whyload.world.live.registry import LiveRegistry
from whyload.world.model import Layout, Presence, World, WorldKind

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX folder stands for drive C: here")
SYSTEM = WinPath("C:\\Windows")


class MappedFiles(LiveFiles):
    """Drive C: is a folder of this system; names must be written as they are on disk."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root

    def real(self, path: WinPath) -> str:
        return str(self.root / path.text[3:].replace("\\", "/"))


@pytest.fixture
def files(tmp_path: Path) -> MappedFiles:
    for name in ("Python/python.exe", "Python/python312.dll", "Python/Lib/os.py", "App/Some.DLL"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"MZ" + bytes(98))
    return MappedFiles(tmp_path)


def test_presence(files: MappedFiles) -> None:
    assert files.presence(WinPath("C:\\App\\Some.DLL")) is Presence.FILE
    assert files.presence(WinPath("C:\\Python\\Lib")) is Presence.DIRECTORY
    assert files.presence(WinPath("C:\\App\\none.dll")) is Presence.ABSENT
    assert files.presence(WinPath("C:\\no\\such\\folder\\none.dll")) is Presence.ABSENT
    assert files.presence(WinPath("C:\\App\\Some.DLL\\below.dll")) is Presence.ABSENT
    assert files.presence(WinPath("none.dll")) is Presence.UNKNOWN


def test_names_as_they_are_on_disk(files: MappedFiles) -> None:
    assert files.actual(WinPath("C:\\App\\some.dll")).name == "Some.DLL"
    assert files.actual(WinPath("C:\\App\\none.dll")).name == "none.dll"
    assert files.listdir(WinPath("C:\\Python")) == ("Lib", "python.exe", "python312.dll")
    assert files.listdir(WinPath("C:\\nowhere")) == ()


def test_contents(files: MappedFiles) -> None:
    source = files.source(WinPath("C:\\App\\Some.DLL"))
    assert source is not None
    assert (source.size, source.read(0, 2), source.read(99, 10)) == (100, b"MZ", b"\0")
    assert files.source(WinPath("C:\\Python\\Lib")) is None
    assert files.source(WinPath("C:\\App\\none.dll")) is None
    assert files.size(WinPath("C:\\App\\none.dll")) is None


def test_one_file_by_two_names(files: MappedFiles) -> None:
    os.link(files.root / "App/Some.DLL", files.root / "App/other.dll")
    one, other = WinPath("C:\\App\\Some.DLL"), WinPath("C:\\App\\other.dll")
    assert files.identity(one) == files.identity(other)
    assert files.identity(one) != files.identity(WinPath("C:\\Python\\python.exe"))
    assert files.identity(WinPath("C:\\none")) == "c:\\none"


def test_what_cannot_be_opened_is_denied(files: MappedFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """R2.33: the search stops there."""

    def refuse(path: str, flags: int) -> int:
        raise PermissionError(13, "Access is denied", path)

    monkeypatch.setattr(os, "open", refuse)
    assert files.presence(WinPath("C:\\App\\Some.DLL")) is Presence.DENIED
    assert files.source(WinPath("C:\\App\\Some.DLL")) is None
    assert files.presence(WinPath("C:\\Python\\Lib\\os.py")) is Presence.FILE  # only libraries are tried


def test_a_folder_that_may_not_be_listed(files: MappedFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """WindowsApps: its files are there all the same."""

    def refuse(path: str) -> object:
        raise PermissionError(13, "Access is denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert files.listdir(WinPath("C:\\App")) == ()
    assert files.presence(WinPath("C:\\App\\Some.DLL")) is Presence.FILE
    assert files.presence(WinPath("C:\\App\\none.dll")) is Presence.ABSENT


def test_folders_are_remembered_until_told_otherwise(files: MappedFiles) -> None:
    late = WinPath("C:\\App\\late.dll")
    assert files.presence(late) is Presence.ABSENT
    (files.root / "App/late.dll").write_bytes(b"MZ")
    assert files.presence(late) is Presence.ABSENT
    files.forget()
    assert files.presence(late) is Presence.FILE


def test_long_paths_and_the_view_of_a_32_bit_process() -> None:
    """R2.37: such a process sees the real System32 as Sysnative only; R2.39: long paths need a prefix."""
    deep = WinPath("C:\\" + "d" * 250 + "\\x.dll")
    assert LiveFiles().real(deep) == "\\\\?\\" + deep.text
    assert LiveFiles().real(WinPath("\\\\server\\" + "d" * 250)).startswith("\\\\?\\UNC\\server\\")
    assert LiveFiles().real(WinPath("C:\\Windows\\System32\\x.dll")) == "C:\\Windows\\System32\\x.dll"
    view = LiveFiles(SYSTEM)
    assert view.real(WinPath("c:\\windows\\system32\\x.dll")) == "C:\\Windows\\Sysnative\\x.dll"
    assert view.real(WinPath("C:\\Windows\\System32")) == "C:\\Windows\\Sysnative"
    assert view.real(WinPath("C:\\Windows\\System32x\\x.dll")) == "C:\\Windows\\System32x\\x.dll"


class FakeKey:
    def __init__(self, values: Mapping[str, object], below: list[str]) -> None:
        self.values = list(values.items())
        self.below = below

    def __enter__(self) -> FakeKey:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        return None


class FakeRegistry(ModuleType):
    """Like winreg, over a dictionary."""

    HKEY_LOCAL_MACHINE = 1
    KEY_READ = 0x20019
    KEY_WOW64_64KEY = 0x100

    def __init__(self, keys: Mapping[str, Mapping[str, object] | Exception]) -> None:
        super().__init__("winreg")
        self.keys = keys
        self.opened: list[str] = []

    def OpenKey(self, hive: int, path: str, reserved: int, access: int) -> FakeKey:  # noqa: N802
        assert (hive, reserved, access) == (1, 0, 0x20119)
        self.opened.append(path)
        values = self.keys.get(path, FileNotFoundError(2, path))
        if isinstance(values, Exception):
            raise values
        below = {name[len(path) + 1 :].partition("\\")[0] for name in self.keys if name.startswith(f"{path}\\")}
        return FakeKey(values, list(below))

    def QueryInfoKey(self, key: FakeKey) -> tuple[int, int, int]:  # noqa: N802
        return len(key.below), len(key.values), 0

    def EnumKey(self, key: FakeKey, index: int) -> str:  # noqa: N802
        return key.below[index]

    def EnumValue(self, key: FakeKey, index: int) -> tuple[str, object, int]:  # noqa: N802
        return (*key.values[index], 1)


def test_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {"SYSTEM\\Key": {"Name": "value", "Number": 1}, "SYSTEM\\Key\\b\\x": {}, "SYSTEM\\Key\\A": {}}
    fake = FakeRegistry({**keys, "Closed": PermissionError(13, "no")})
    monkeypatch.setitem(sys.modules, "winreg", fake)
    registry = LiveRegistry()
    assert registry.values("HKLM\\SYSTEM\\Key") == {"Name": "value", "Number": 1}
    assert registry.values("hklm\\system\\key") == {"Name": "value", "Number": 1}
    assert registry.subkeys("HKLM\\SYSTEM\\Key") == ("A", "b")
    assert fake.opened == ["SYSTEM\\Key"]
    assert registry.values("HKEY_LOCAL_MACHINE\\None") == {}
    assert registry.subkeys("HKLM\\None") == ()
    assert registry.subkeys("HKLM\\Closed") is None
    assert registry.values("HKLM\\Closed") is None
    assert registry.values("HKXX\\Key") is None


class KnownKeys:
    """A registry over a dictionary."""

    def __init__(self, keys: Mapping[str, Mapping[str, object]] | None = None) -> None:
        self.keys = keys or {}

    def values(self, key: str) -> Mapping[str, object] | None:
        return self.keys.get(key.rpartition("\\")[2], {})

    def subkeys(self, key: str) -> tuple[str, ...] | None:
        return ()


FACTS = interpreter_facts(
    {
        "version": "3.12.1 (tags/v3.12.1:2305ca5) [MSC v.1937 64 bit (AMD64)]",
        "version_info": [3, 12, 1],
        "image": "C:\\Python\\python.exe",
        "prefix": "C:\\Python",
        "base_prefix": "C:\\Python",
        "sys_path": ["", "C:\\Python\\Lib", "relative"],
        "windows": [10, 0, 19045],
    }
)


def world(
    files: LiveFiles,
    facts: InterpreterFacts | None = FACTS,
    launch: Launch | None = None,
    keys: KnownKeys | None = None,
) -> World:
    start = launch or Launch(image="C:\\Python\\python.exe")
    return live_world(
        start, facts, {"Path": "C:\\x"}, cwd="C:\\App", files=files, registry=keys or KnownKeys(), windows=SYSTEM
    )


def test_a_world_from_what_the_interpreter_says(files: MappedFiles) -> None:
    seen = world(files)
    assert seen.kind is WorldKind.LIVE
    assert (str(seen.python.version), seen.python.machine, seen.python.layout) == ("3.12", Machine.AMD64, Layout.FULL)
    assert seen.python.paths == (WinPath("C:\\App"), WinPath("C:\\Python\\Lib"), WinPath("C:\\App\\relative"))
    assert (seen.process.application, seen.process.cwd) == (WinPath("C:\\Python\\python.exe"), WinPath("C:\\App"))
    assert seen.environment["PATH"] == "C:\\x"
    assert seen.unknown == ()


def test_another_interpreter_by_the_files_beside_it(files: MappedFiles) -> None:
    seen = world(files, None)
    assert (str(seen.python.version), seen.python.machine, seen.python.paths) == ("3.12", Machine.UNKNOWN, ())
    assert [message(what).en for what, _ in seen.unknown] == ["interpreter"]
    (files.root / "Python/python312.dll").unlink()
    files.forget()
    assert [message(what).en for what, _ in world(files, None).unknown] == ["interpreter", "Python version"]


def test_a_virtual_environment(files: MappedFiles) -> None:
    """R3.16: the process image is the base interpreter."""
    launch = Launch(image="C:\\Python\\python.exe", launcher="C:\\venv\\Scripts\\python.exe", venv="C:\\venv")
    seen = world(files, FACTS, launch)
    assert (seen.python.executable, seen.python.prefix) == (WinPath("C:\\Python\\python.exe"), WinPath("C:\\venv"))


@pytest.mark.parametrize(
    ("image", "beside", "layout"),
    [
        ("C:\\Python\\python.exe", "conda-meta/x.json", Layout.CONDA),
        ("C:\\Python\\python.exe", "python312._pth", Layout.EMBED),
        ("C:\\Python\\python3.12t.exe", "x", Layout.FULL),
        ("C:\\Python\\pythonw.exe", "x", Layout.FULL),
        ("C:\\Python\\MyApp.exe", "x", Layout.FROZEN),
        ("C:\\Python\\MyApp.exe", "_internal/x", Layout.PYINSTALLER),
        ("C:\\Program Files\\WindowsApps\\PythonSoftwareFoundation.Python.3.12\\python.exe", "x", Layout.STORE),
    ],
)
def test_layouts(files: MappedFiles, image: str, beside: str, layout: Layout) -> None:
    (files.root / "Python" / beside).parent.mkdir(exist_ok=True)
    (files.root / "Python" / beside).write_text("")
    assert world(files, None, Launch(image=image)).python.layout is layout


def test_the_system(files: MappedFiles) -> None:
    keys = KnownKeys(
        {
            "CurrentVersion": {"CurrentBuildNumber": "22631", "EditionID": "ProfessionalN"},
            "Environment": {"PROCESSOR_ARCHITECTURE": "ARM64"},
        }
    )
    system = world(files, keys=keys).system
    assert (system.build, system.edition, system.machine) == (22631, "ProfessionalN", Machine.ARM64)
    assert world(files).system.build == 19045  # the interpreter's word where the registry has none


def test_elsewhere_than_on_windows() -> None:
    with pytest.raises(UsageError, match="use --root or check"):
        open_live_world()
