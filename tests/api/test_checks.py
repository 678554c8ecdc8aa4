"""`check` tries another release as it read the target: the wheels are those of a folder that pip is given."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.testbed.pewriter import Dll, build
from whyload.api.checks import CheckOptions, check
from whyload.base.errors import NetworkError
from whyload.findings.report import Report
from whyload.remedies.model import Verified

NEEDY = Dll(name="_C.pyd", pyinit="_C", imports={"libomp140.x86_64.dll": ["omp_get_num_threads"]})
WHOLE = Dll(name="_C.pyd", pyinit="_C")
"""torch 2.4.0 imports a library that nobody brings, torch 2.4.1 does not (their import tables)."""


def put(folder: Path, version: str, extension: Dll) -> Path:
    path = folder / f"torch-{version}-cp311-cp311-win_amd64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        info = f"torch-{version}.dist-info"
        archive.writestr("torch/__init__.py", "from torch._C import *\n")
        archive.writestr("torch/_C.pyd", build(extension))
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-cp311-win_amd64\n")
        archive.writestr(f"{info}/RECORD", "torch/__init__.py,,1\ntorch/_C.pyd,,1\n")
    return path


@pytest.fixture(autouse=True)
def _the_release_in_question(index: Path) -> None:
    put(index, "2.4.0", NEEDY)


def asked(target: str, *, network: bool = True, dependencies: bool = True) -> Report:
    options = CheckOptions(profile="windows-11+vcredist", python="3.11", network=network, dependencies=dependencies)
    return check(target, options, lambda text: None)


def upgrade(report: Report) -> list[Verified]:
    remedies = [remedy for finding in report.errors for remedy in finding.remedies]
    return [remedy.verified for remedy in remedies if remedy.id == "upgrade-torch"]


@pytest.mark.parametrize("as_file", [False, True])
def test_a_release_that_helps_is_tried(index: Path, as_file: bool) -> None:
    put(index, "2.4.1", WHOLE)
    target = str(index / "torch-2.4.0-cp311-cp311-win_amd64.whl") if as_file else "torch==2.4.0"
    report = asked(target)
    assert [finding.object for finding in report.errors] == ["libomp140.x86_64.dll"]
    assert upgrade(report) == [Verified.SIMULATED]


def test_one_that_does_not_help_is_not_proposed(index: Path) -> None:
    put(index, "2.4.1", NEEDY)
    assert upgrade(asked("torch==2.4.0")) == []


def test_where_the_index_has_none_it_is_not_proposed(index: Path) -> None:
    assert upgrade(asked("torch==2.4.0")) == []


def test_what_may_not_be_fetched_is_not_tried(index: Path, tmp_path: Path) -> None:
    put(index, "2.4.1", WHOLE)
    with pytest.raises(NetworkError, match="not to be asked"):
        asked("torch==2.4.0", network=False)
    asked("torch==2.4.0")
    assert upgrade(asked("torch==2.4.0", network=False)) == [Verified.NO]
    assert upgrade(asked(str(index / "torch-2.4.0-cp311-cp311-win_amd64.whl"), dependencies=False)) == [Verified.NO]
