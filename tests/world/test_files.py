"""Views over described files."""

from __future__ import annotations

from tests.testbed.memory import MemoryFiles
from whyload.base.paths import WinPath
from whyload.world.files import KnownRegistry, LayeredFiles, NamedFiles, UnknownBelow
from whyload.world.model import Environment, Presence

SYSTEM32 = WinPath("C:\\Windows\\System32")


def test_files_known_by_name_exist_without_contents() -> None:
    files = NamedFiles({SYSTEM32: ["Dxgi.dll"]})
    path = SYSTEM32 / "DXGI.DLL"
    assert files.presence(path) is Presence.FILE
    assert files.actual(path).name == "Dxgi.dll"
    assert (files.source(path), files.size(path)) == (None, None)
    assert files.presence(WinPath("C:\\Windows")) is Presence.DIRECTORY
    assert files.listdir(WinPath("C:\\Windows")) == ("System32",)


def test_the_first_layer_that_has_something_decides() -> None:
    files = LayeredFiles(
        [MemoryFiles({"C:\\Windows\\System32\\a.dll": b"a"}), NamedFiles({SYSTEM32: ["a.dll", "b.dll"]})]
    )
    source = files.source(SYSTEM32 / "a.dll")
    assert source is not None
    assert source.read(0, 1) == b"a"
    assert files.source(SYSTEM32 / "b.dll") is None
    assert files.presence(SYSTEM32 / "b.dll") is Presence.FILE
    assert files.listdir(SYSTEM32) == ("a.dll", "b.dll")
    assert files.presence(SYSTEM32 / "c.dll") is Presence.ABSENT


def test_unknown_is_not_absent() -> None:
    files = LayeredFiles([NamedFiles({SYSTEM32: ["a.dll"]}), UnknownBelow(SYSTEM32)])
    assert files.presence(SYSTEM32 / "a.dll") is Presence.FILE
    assert files.presence(SYSTEM32 / "b.dll") is Presence.UNKNOWN
    assert files.presence(WinPath("C:\\Windows\\b.dll")) is Presence.ABSENT


def test_only_some_names_may_be_unknown() -> None:
    files = UnknownBelow(SYSTEM32, frozenset({"maybe.dll"}))
    assert files.presence(SYSTEM32 / "MAYBE.dll") is Presence.UNKNOWN
    assert files.presence(SYSTEM32 / "no.dll") is Presence.ABSENT


def test_registry_keys_compare_without_case() -> None:
    registry = KnownRegistry({"HKLM/SOFTWARE/X": {"Version": "v14"}})
    assert registry.values("hklm\\software\\x") == {"Version": "v14"}
    assert registry.values("HKLM\\Other") is None


def test_environment_variables_compare_without_case() -> None:
    environment = Environment({"Path": "a"})
    assert environment["PATH"] == "a"
    changed = environment.with_value("path", "b").with_value("X", "1")
    assert (changed["PATH"], changed["x"], environment["PATH"]) == ("b", "1", "a")
    assert "PATH" not in changed.with_value("PATH", None)


def test_keys_below_a_described_key() -> None:
    registry = KnownRegistry({"HKLM/SOFTWARE/Vendor/v12.4/x": {}, "HKLM\\Software\\Vendor\\v11.8": {"a": 1}})
    assert registry.subkeys("hklm\\software\\vendor") == ("v11.8", "v12.4")
    assert registry.subkeys("HKLM\\SOFTWARE\\Vendor\\v11.8") == ()
    assert registry.subkeys("HKLM\\SOFTWARE\\Other") is None
