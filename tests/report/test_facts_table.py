"""The facts as rows: what a person reads, in both languages."""

from __future__ import annotations

from tests.facts.machine.machines import Keys, facts, machine
from tests.testbed.memory import SYSTEM32, Files, record
from tests.testbed.pewriter import Dll
from whyload.report.facts_table import table
from whyload.world.measured import DriveKind, Gpu, Measured, Memory, NvidiaDriver
from whyload.world.model import World

CURRENT = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"


def rows(made: World, language: str = "en") -> dict[str, list[str]]:
    return {label.text(language): [value.text(language) for value in values] for label, values in table(facts(made))}


def known() -> World:
    files: Files = {f"{SYSTEM32}\\msvcp140.dll": Dll(name="msvcp140.dll", version=(14, 44, 0, 0))}
    files |= record("old", "1.0", {"old/msvcp140.dll": Dll(name="msvcp140.dll", version=(14, 26, 0, 0))})
    keys: Keys = {CURRENT: {"ProductName": "Windows 11 Pro", "DisplayVersion": "23H2", "UBR": 1}}
    gib = 1 << 30
    measured = Measured(
        processor_features={"avx": True, "avx2": False, "sse4.2": True},
        memory=Memory(physical=16 * gib, physical_free=gib, commit_limit=18 * gib, commit_free=gib),
        drives={"C": DriveKind.FIXED},
        nvidia=NvidiaDriver(version="560.94", cuda="12.6", gpus=(Gpu(name="RTX 3060", memory=12288),)),
        events=(),
    )
    return machine(files, keys, measured, path=["C:\\gone"], environment={"CUDA_PATH": "C:\\nowhere"})


def test_what_is_known() -> None:
    found = rows(known())
    assert found["Windows"][:2] == ["Windows 11 Pro 23H2", "build 22631.1"]
    assert found["packages"] == ["1 distribution (pip 1)"]
    assert found["C++ runtime"] == ["14.44.0.0 in System32", "1 file elsewhere, the oldest 14.26.0.0 (old 1.0)"]
    assert found["CUDA"] == [
        "driver 560.94 (CUDA 12.6)",
        "RTX 3060 12288 MiB",
        "CUDA_PATH points to a folder that does not exist: C:\\nowhere",
    ]
    assert found["PATH"] == ["2 entries", "`C:\\gone` not there"]
    assert found["hardware"] == ["without AVX2", "16.0 GiB of memory, commit limit 18.0 GiB, 1.0 GiB of it free"]


def test_in_chinese() -> None:
    found = rows(known(), "zh")
    assert found["软件包"] == ["1 个（pip 1）"]
    assert found["PATH"] == ["2 项", "`C:\\gone` 不存在"]
    assert found["硬件"] == ["不支持 AVX2", "内存 16.0 GiB，提交限制 18.0 GiB，剩余 1.0 GiB"]


def test_what_is_not_known() -> None:
    found = rows(machine())
    assert (found["hardware"], found["security"]) == (["not known"], ["not known"])
    assert found["CUDA"] == ["no NVIDIA driver"]
    assert found["OpenMP"] == ["none"]


def test_packages_of_which_nobody_says_who_installed_them() -> None:
    site = "C:\\Python\\Lib\\site-packages"
    found = rows(machine({f"{site}\\a-1.0.dist-info\\METADATA": b"Name: a\nVersion: 1.0\n"}))
    assert found["packages"][0] == "1 distribution"


def test_what_windows_has_of_its_own_is_no_runtime() -> None:
    assert rows(machine({f"{SYSTEM32}\\msvcp110_win.dll": b""}))["C++ runtime"] == ["none in System32"]
