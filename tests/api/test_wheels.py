"""Which wheels a change brings: pip is asked once, held by what is installed, freed only where nothing fits then."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import pytest

from tests.testbed.memory import SITE, Files, record, world
from whyload.api.wheels import WheelSupply
from whyload.base.errors import NetworkError
from whyload.remedies.change import InstallDistributions
from whyload.remedies.resolver import Chosen, NoReleaseError, Pip
from whyload.world.model import World


class Pretended:
    """Stands for pip; `answers` by the requirements that it is asked for."""

    def __init__(self, scratch: Path, answers: dict[str, object]) -> None:
        self.scratch = scratch
        self.answers = answers
        self.calls: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self.downloads: list[str] = []

    def resolve(
        self, requirements: Iterable[str], constraints: Iterable[str], *, dependencies: bool, again: bool
    ) -> tuple[Chosen, ...]:
        asked, held = tuple(requirements), tuple(sorted(constraints))
        self.calls.append((asked, held))
        answer = self.answers[" ".join(asked)]
        if isinstance(answer, Exception):
            raise answer
        return tuple(Chosen(distribution=p.split("==")[0], version=p.split("==")[1]) for p in cast(list[str], answer))

    def download(self, chosen: Iterable[Chosen]) -> tuple[Path, ...]:
        folder, paths = self.scratch, []
        for item in chosen:
            self.downloads.append(item.pin)
            if isinstance(self.answers.get(item.pin), Exception):
                raise cast(Exception, self.answers[item.pin])
            path = folder / f"{item.distribution}-{item.version}-py3-none-any.whl"
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr(f"{item.distribution}-{item.version}.dist-info/METADATA", "Metadata-Version: 2.1\n")
            paths.append(path)
        return tuple(paths)


def machine(needs: str = "") -> World:
    files: Files = {**record("alpha", "1.0", {"alpha.py": ""}), **record("beta", "3.0", {"beta.py": ""})}
    files[f"{SITE}\\beta-3.0.dist-info\\METADATA"] = f"Metadata-Version: 2.1\nName: beta\n{needs}"
    return world(files)


def supply(tmp_path: Path, answers: dict[str, object]) -> tuple[WheelSupply, Pretended]:
    pip = Pretended(tmp_path, answers)
    return WheelSupply(cast(Pip, pip), lambda text: None), pip


def names(wheels: Iterable[object]) -> list[str]:
    return [f"{wheel.distribution}=={wheel.version}" for wheel in wheels]  # type: ignore[attr-defined]


def test_what_is_installed_is_held_and_its_demands_count(tmp_path: Path) -> None:
    bring, pip = supply(tmp_path, {"gamma<5": ["gamma==4.2"]})
    change = InstallDistributions(requirements=("gamma",))
    assert names(bring(machine("Requires-Dist: gamma<5\n"), change)) == ["gamma==4.2"]
    assert pip.calls == [(("gamma<5",), ("alpha==1.0", "beta==3.0"))]
    bring(machine("Requires-Dist: gamma<5\n"), change)
    assert len(pip.calls) == len(pip.downloads) == 1


def test_only_where_nothing_fits_may_others_move(tmp_path: Path) -> None:
    answers: dict[str, object] = {
        "alpha==1.0": ["alpha==1.0"],
        "alpha>1.0,==1.0": NoReleaseError("conflict"),
        "alpha>1.0": ["alpha==2.0", "beta==4.0"],
    }
    bring, pip = supply(tmp_path, answers)
    change = InstallDistributions(requirements=("alpha",), upgrade=True)
    assert names(bring(machine("Requires-Dist: alpha==1.0\n"), change)) == ["alpha==2.0", "beta==4.0"]
    assert pip.calls[2] == (("alpha>1.0",), ())


def test_a_stranger_of_the_same_name_is_not_taken(tmp_path: Path) -> None:
    bring, pip = supply(tmp_path, {"alpha==1.0": NoReleaseError("only 7.0"), "alpha<1.0": ["alpha==0.5"]})
    with pytest.raises(NoReleaseError, match="another project"):
        bring(machine(), InstallDistributions(requirements=("alpha<1.0",)))
    with pytest.raises(NoReleaseError, match="another project"):
        bring(machine(), InstallDistributions(requirements=("alpha",), upgrade=True))
    assert pip.downloads == []
    assert len(pip.calls) == 1


def test_what_is_there_in_that_release_is_not_brought(tmp_path: Path) -> None:
    bring, _ = supply(tmp_path, {"alpha": ["alpha==1.0", "beta==3.0"]})
    assert names(bring(machine(), InstallDistributions(requirements=("alpha",), again=True))) == ["alpha==1.0"]


def test_an_exact_release_alone_needs_no_resolver(tmp_path: Path) -> None:
    bring, pip = supply(tmp_path, {})
    change = InstallDistributions(requirements=("alpha==1.0",), again=True, dependencies=False)
    assert names(bring(machine(), change)) == ["alpha==1.0"]
    assert pip.calls == []


def test_a_name_that_the_index_does_not_have_is_asked_for_once(tmp_path: Path) -> None:
    bring, pip = supply(tmp_path, {"alpha==1.0": NoReleaseError("none", unknown=True)})
    for change in (
        InstallDistributions(requirements=("alpha==1.0",), only_damaged=True, dependencies=False),
        InstallDistributions(requirements=("alpha==1.0",), again=True, dependencies=False),
        InstallDistributions(requirements=("alpha",), upgrade=True),
    ):
        with pytest.raises(NoReleaseError):
            bring(machine(), change)
    assert pip.downloads == ["alpha==1.0"]
    assert pip.calls == []


def test_without_a_network_it_is_tried_once(tmp_path: Path) -> None:
    bring, pip = supply(tmp_path, {"gamma": NetworkError("no route"), "delta": ["delta==1"]})
    for name in ("gamma", "delta"):
        with pytest.raises(NetworkError):
            bring(machine(), InstallDistributions(requirements=(name,)))
    assert len(pip.calls) == 1
