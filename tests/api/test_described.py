"""Remedies for machines that are only described: pip brings the wheels of a folder for the Python that is meant."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.testbed.memory import SITE, Files, record, world
from whyload.api.described import IndexForTarget, target_of, wheels_for
from whyload.base.dataclass import replace
from whyload.base.errors import NetworkError
from whyload.base.machine import Machine
from whyload.base.versions import PythonVersion
from whyload.remedies.change import InstallDistributions
from whyload.remedies.resolver import NoReleaseError
from whyload.world.model import SystemInfo, World


def put(folder: Path, name: str, version: str, tag: str = "py3-none-any", needs: str = "") -> None:
    with zipfile.ZipFile(folder / f"{name}-{version}-{tag}.whl", "w") as archive:
        info = f"{name}-{version}.dist-info"
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        archive.writestr(f"{name}/__init__.py", "")
        archive.writestr(f"{info}/METADATA", head + (f"Requires-Dist: {needs}\n" if needs else ""))
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        archive.writestr(f"{info}/RECORD", f"{name}/__init__.py,,0\n")


def machine() -> World:
    files: Files = {
        **record("alpha", "1.0", {"alpha/__init__.py": ""}),
        **record("beta", "3.0", {"beta/__init__.py": ""}),
    }
    return world(files)


def brought(change: InstallDistributions) -> list[str]:
    supply = wheels_for(machine(), lambda text: None)
    try:
        return [f"{wheel.distribution}=={wheel.version}" for wheel in supply(machine(), change)]
    finally:
        supply.close()


def test_what_is_installed_meets_a_demand_and_is_not_brought(index: Path) -> None:
    put(index, "gamma", "1.0", needs="beta>=2")
    put(index, "gamma", "2.0", tag="cp39-cp39-win_amd64")
    put(index, "beta", "9.0")
    assert brought(InstallDistributions(requirements=("gamma",))) == ["gamma==1.0"]


def test_the_wheel_for_the_python_that_is_meant(index: Path) -> None:
    put(index, "gamma", "1.0", tag="cp311-cp311-win_amd64")
    put(index, "gamma", "1.1", tag="cp312-cp312-win_amd64")
    put(index, "gamma", "1.2", tag="cp311-cp311-manylinux_2_17_x86_64")
    assert brought(InstallDistributions(requirements=("gamma",))) == ["gamma==1.0"]


def test_what_has_to_move_moves_only_where_nothing_else_fits(index: Path) -> None:
    put(index, "gamma", "1.0", needs="beta<2")
    put(index, "beta", "1.5")
    assert sorted(brought(InstallDistributions(requirements=("gamma",)))) == ["beta==1.5", "gamma==1.0"]


def test_what_has_no_wheel_is_no_release(index: Path) -> None:
    with pytest.raises(NoReleaseError, match="no wheel for Python"):
        brought(InstallDistributions(requirements=("gamma",)))


def test_without_a_network_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    asked = IndexForTarget(target_of(machine()), {}, lambda text: None, tmp_path / "cache")
    with pytest.raises(NetworkError):
        asked.resolve(["gamma"], [], dependencies=True, again=False)


def test_the_machine_that_is_meant() -> None:
    described = replace(world({}, python=PythonVersion(3, 12)), system=SystemInfo(build=22631, profile="windows-10"))
    target = target_of(described)
    assert (str(target.python), target.platform, target.profile.system) == ("3.12", "win_amd64", "windows-10")
    small = replace(described, python=replace(described.python, machine=Machine.I386))
    assert target_of(small).platform == "win32"
    assert SITE.startswith(str(described.python.base_prefix))
