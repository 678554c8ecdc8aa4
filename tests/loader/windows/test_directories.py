"""Search lists: the table of loader.md 2.4 (Microsoft, "Dynamic-link library search order")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.testbed.memory import world
from whyload.base.paths import WinPath
from whyload.loader.windows.directories import search_list
from whyload.loader.windows.process import Process
from whyload.world.files import KnownRegistry
from whyload.world.model import World

TOP = WinPath("C:\\top")


def process(machine: World | None = None) -> Process:
    made = Process(
        machine or world({}, path=["C:\\p1", '"C:\\quoted"', " C:\\blank", "", "rel"], added=["C:\\a1", "C:\\a2"])
    )
    return made


def kinds(made: Process, flags: int, top: WinPath | None = TOP) -> list[str]:
    return [entry.kind.value for entry in search_list(made, flags, top)]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (0x1100, ["TOP_DIR", "APP_DIR", "USER_DIR", "USER_DIR", "SYSTEM32"]),
        (0x1000, ["APP_DIR", "USER_DIR", "USER_DIR", "SYSTEM32"]),
        (0x100, ["TOP_DIR"]),
        (0x800, ["SYSTEM32"]),
        (0x200, ["APP_DIR"]),
        (0x400, ["USER_DIR", "USER_DIR"]),
        (0x0, ["APP_DIR", "SYSTEM32", "SYSTEM16", "WINDOWS", "CWD", "PATH", "PATH", "PATH"]),
        (0x8, ["TOP_DIR", "SYSTEM32", "SYSTEM16", "WINDOWS", "CWD", "PATH", "PATH", "PATH"]),
    ],
)
def test_order_by_flags(flags: int, expected: list[str]) -> None:
    assert kinds(process(), flags) == expected


def test_the_folder_added_last_is_searched_first_r2_21() -> None:
    folders = [str(entry.folder) for entry in search_list(process(), 0x400, None)]
    assert folders == ["C:\\a2", "C:\\a1"]


def test_quoted_and_padded_elements_never_match_r2_28() -> None:
    folders = [str(entry.folder) for entry in search_list(process(), 0, None) if entry.kind.value == "PATH"]
    assert folders == ["C:\\p1", "C:\\work\\rel", "C:\\Windows\\System32"]


def test_set_dll_directory_takes_the_current_folder_out() -> None:
    made = process()
    made.set_directory = "C:\\sdd"
    assert kinds(made, 0)[:2] == ["APP_DIR", "SDD"]
    assert "CWD" not in kinds(made, 0)
    assert kinds(made, 0x1000) == ["APP_DIR", "USER_DIR", "USER_DIR", "SDD", "SYSTEM32"]
    made.set_directory = ""
    assert "CWD" not in kinds(made, 0)
    assert "SDD" not in kinds(made, 0)


def test_unsafe_search_puts_the_current_folder_second() -> None:
    key = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager"
    machine = replace(world({}), registry=KnownRegistry({key: {"SafeDllSearchMode": 0}}))
    assert kinds(process(machine), 0)[:3] == ["APP_DIR", "CWD", "SYSTEM32"]


def test_default_directories_replace_the_standard_list_r2_26() -> None:
    made = process()
    made.default_directories = 0x1000
    assert kinds(made, 0) == kinds(made, 0x1000)
    assert kinds(made, 0x8) == kinds(made, 0x1000)
    assert kinds(made, 0x800) == ["SYSTEM32"]
