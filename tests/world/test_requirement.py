"""Requirements for another machine. pip is replaced by a small index in memory; markers: PEP 508."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from whyload.api.checks import CheckOptions, check
from whyload.base.errors import NetworkError, UsageError
from whyload.base.message import Text, message
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.findings.report import Verdict
from whyload.knowledge.systems import parse_profile
from whyload.world.clean_machine import Target, requirement_world
from whyload.world.model import Presence
from whyload.world.requirement import add_dependencies, fetch
from whyload.world.wheel import Wheel, open_wheel

INDEX: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("torch", "2.4.0"): (
        'triton; platform_system == "Linux"',
        "sympy",
        'colorama; sys_platform == "win32"',
        'extra-thing; extra == "opt"',
    ),
    ("sympy", "1.13"): ("mpmath<1.4,>=1.1",),
    ("mpmath", "1.3"): (),
    ("mpmath", "1.5"): (),
    ("colorama", "0.4"): (),
    ("extra-thing", "1.0"): (),
    ("boost", "1.2"): ("array<2", "frame"),
    ("frame", "3.0"): ("array>=2.1",),
    ("frame", "2.2"): ("array>=1.9,<3", "zone"),
    ("frame", "2.1"): ("array",),
    ("zone", "1.0"): ("array>=2.0",),
    ("array", "1.9"): (),
    ("array", "2.1"): (),
    ("stuck", "1.0"): ("array<2", "zone"),
    ("lonely", "1.0"): ("array<1",),
}


def _wheel(folder: Path, name: str, version: str, needs: tuple[str, ...]) -> Path:
    path = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {need}" for need in needs), "", "text"]
        archive.writestr(f"{name}-{version}.dist-info/METADATA", "\n".join(lines))
        archive.writestr(f"{name}/__init__.py", "")
    return path


class Pip:
    """Answers `pip download` from the index above."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.stderr = ""

    def __call__(self, command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        self.calls.append(command)
        wanted = Requirement(command[-1])
        found = [version for name, version in INDEX if name == wanted.name and wanted.specifier.contains(version)]
        if not found or self.stderr:
            there = ", ".join(version for name, version in INDEX if name == wanted.name) or "none"
            error = self.stderr or (
                f"ERROR: Could not find a version that satisfies the requirement {wanted} (from versions: {there})\n"
                "ERROR: No matching distribution found for x"
            )
            return subprocess.CompletedProcess(command, 1, b"", error.encode())
        version = max(found)
        _wheel(Path(command[command.index("--dest") + 1]), wanted.name, version, INDEX[wanted.name, version])
        return subprocess.CompletedProcess(command, 0, b"", b"")


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Pip]:
    fake = Pip()
    monkeypatch.setenv("WHYLOAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(subprocess, "run", fake)
    yield fake


def target(profile: str = "windows-11-23h2+vcredist") -> Target:
    return Target(python=PythonVersion(3, 11), profile=parse_profile(profile))


def names(wheels: tuple[Wheel, ...]) -> list[str]:
    return [f"{wheel.distribution} {wheel.version}" for wheel in wheels]


def test_dependencies_follow_the_targets_markers(pip: Pip) -> None:
    got = names(fetch("torch==2.4.0", target(), lambda text: None))
    assert got == ["torch 2.4.0", "sympy 1.13", "colorama 0.4", "mpmath 1.3"]


def test_extras_are_followed_when_asked_for(pip: Pip) -> None:
    assert "extra_thing 1.0" in names(fetch("torch[opt]==2.4.0", target(), lambda text: None))


def test_dependencies_may_be_left_out(pip: Pip) -> None:
    assert names(fetch("torch==2.4.0", target(), lambda text: None, dependencies=False)) == ["torch 2.4.0"]


def test_pip_is_asked_for_the_target(pip: Pip) -> None:
    fetch("mpmath", target(), lambda text: None)
    command = pip.calls[0]
    assert command[command.index("--platform") + 1] == "win_amd64"
    assert command[command.index("--python-version") + 1] == "3.11"
    assert "--only-binary=:all:" in command


def test_an_older_release_of_what_asks_for_too_much(pip: Pip) -> None:
    """The newest frame wants array 2; the one before does as well, through zone."""
    got = names(fetch("boost", target(), lambda text: None))
    assert got == ["boost 1.2", "array 1.9", "frame 2.1"]


def test_what_was_found_out_is_known_without_the_network(pip: Pip) -> None:
    found = names(fetch("boost", target(), lambda text: None))
    calls = len(pip.calls)
    assert names(fetch("boost", target(), lambda text: None, network=False)) == found
    assert len(pip.calls) == calls


@pytest.mark.parametrize(
    ("requirement", "said"),
    [("stuck", r"array<2,>=2\.0: no wheel .*\(there are: 1\.9, 2\.1\)"), ("lonely", r"array<1: no wheel .*1\.9, 2\.1")],
)
def test_what_cannot_be_had_together(requirement: str, said: str, pip: Pip) -> None:
    with pytest.raises(UsageError, match=said):
        fetch(requirement, target(), lambda text: None)
    assert len(pip.calls) < 8


def test_the_wheel_at_hand_is_the_only_one(pip: Pip, tmp_path: Path) -> None:
    wheel = open_wheel(_wheel(tmp_path, "boost", "1.2", ("array<2", "frame")))
    assert names(add_dependencies(wheel, target(), lambda text: None)) == ["boost 1.2", "array 1.9", "frame 2.1"]


def test_what_was_downloaded_is_not_asked_for_again(pip: Pip) -> None:
    told: list[Text] = []
    fetch("torch==2.4.0", target(), told.append)
    calls = len(pip.calls)
    fetch("torch==2.4.0", target(), told.append)
    assert len(pip.calls) == calls
    assert message(told[0]).en.startswith("downloading torch==2.4.0")


def test_errors_are_one_line(pip: Pip) -> None:
    with pytest.raises(UsageError, match=r"no wheel for Python 3\.11 on win_amd64"):
        fetch("torch==9.9", target(), lambda text: None)
    with pytest.raises(UsageError, match="not a requirement"):
        fetch("a b c", target(), lambda text: None)
    pip.stderr = "WARNING: Retrying after connection broken by 'NewConnectionError'\nERROR: x"
    with pytest.raises(NetworkError, match="cannot be reached"):
        fetch("sympy", target(), lambda text: None)
    pip.stderr = "/usr/bin/python: No module named pip"
    with pytest.raises(UsageError, match="pip is not installed"):
        fetch("sympy", target(), lambda text: None)


def test_a_wheel_at_hand_gets_its_dependencies(pip: Pip, tmp_path: Path) -> None:
    wheel = open_wheel(_wheel(tmp_path, "mine", "0.1", ("mpmath",)))
    assert names(add_dependencies(wheel, target(), lambda text: None)) == ["mine 0.1", "mpmath 1.5"]


def test_a_wheel_for_another_system_is_refused(pip: Pip, tmp_path: Path) -> None:
    path = _wheel(tmp_path, "mine", "0.1", ()).rename(tmp_path / "mine-0.1-cp311-cp311-manylinux_2_17_x86_64.whl")
    with pytest.raises(UsageError, match=r"not for Python 3\.11 on win_amd64 but for cp311-cp311-manylinux"):
        add_dependencies(open_wheel(path), target(), lambda text: None)


def test_a_wheel_for_another_python_is_refused(pip: Pip, tmp_path: Path) -> None:
    path = _wheel(tmp_path, "mine", "0.1", ()).rename(tmp_path / "mine-0.1-cp310-cp310-win_amd64.whl")
    with pytest.raises(UsageError, match=r"not for Python 3\.11 on win_amd64 but for cp310-cp310-win_amd64"):
        add_dependencies(open_wheel(path), target(), lambda text: None)


@pytest.mark.parametrize("tags", ["cp38-abi3-win32.win_amd64", "py2.py3-none-any", "cp311-none-win_amd64"])
def test_a_wheel_with_a_fitting_tag_among_several_is_taken(tags: str, pip: Pip, tmp_path: Path) -> None:
    """PEP 425: a compressed tag set stands for every combination; an abi3 wheel suits every later Python 3."""
    path = _wheel(tmp_path, "mine", "0.1", ()).rename(tmp_path / f"mine-0.1-{tags}.whl")
    assert names(add_dependencies(open_wheel(path), target(), lambda text: None)) == ["mine 0.1"]


def test_a_marker_that_cannot_be_evaluated(pip: Pip, tmp_path: Path) -> None:
    path = _wheel(tmp_path, "mine", "0.1", ('sympy; sys_platform ~= "x"',))
    with pytest.raises(UsageError, match="cannot be evaluated"):
        add_dependencies(open_wheel(path), target(), lambda text: None)


def test_the_machine_is_clean(pip: Pip) -> None:
    world = requirement_world(fetch("mpmath", target(), lambda text: None), target())
    system32 = WinPath("C:\\Windows\\System32")
    assert world.files.presence(system32 / "msvcp140.dll") is Presence.FILE
    assert world.files.presence(system32 / "libomp140.x86_64.dll") is Presence.ABSENT
    assert world.files.presence(WinPath("C:\\Python\\vcruntime140_1.dll")) is Presence.FILE
    without = requirement_world(fetch("mpmath", target(), lambda text: None), target("windows-11"))
    assert without.files.presence(system32 / "msvcp140.dll") is Presence.ABSENT


def test_a_toolkit_of_the_profile(pip: Pip) -> None:
    world = requirement_world(fetch("mpmath", target(), lambda text: None), target("windows-10+cuda=12.4"))
    folder = WinPath(world.environment["CUDA_PATH"]) / "bin"
    assert world.environment["CUDA_PATH_V12_4"] == world.environment["CUDA_PATH"]
    assert str(folder) in world.environment["PATH"]
    assert world.files.presence(folder / "cudart64_12.dll") is Presence.FILE


def test_without_the_cache_nothing_is_looked_for_and_nothing_stays(
    pip: Pip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fetch("mpmath", target(), lambda text: None)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    report = check("mpmath", CheckOptions(python="3.11", cache=False), lambda text: None)
    assert (report.verdict, len(pip.calls)) == (Verdict.LOADS, 2)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before
    check("mpmath", CheckOptions(python="3.11"), lambda text: None)
    assert len(pip.calls) == 2


_AT_ONCE = """
import subprocess, sys, time
from tests.world.test_requirement import Pip, names, target
from whyload.world.requirement import fetch

class Slow(Pip):
    def __call__(self, command, **more):
        done = super().__call__(command, **more)
        time.sleep(0.05)
        return done

subprocess.run = Slow()
print(names(fetch("torch==2.4.0", target(), lambda text: None)))
"""


def test_several_processes_share_the_cache(tmp_path: Path) -> None:
    environment = {**os.environ, "WHYLOAD_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _AT_ONCE]
    started = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = {process.communicate()[0].strip() for process in started}
    assert answers == {"['torch 2.4.0', 'sympy 1.13', 'colorama 0.4', 'mpmath 1.3']"}
    files = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert [name for name in files if "." in name and not name.endswith(".whl")] == []
    assert len([name for name in files if name.endswith(".whl")]) == 4
