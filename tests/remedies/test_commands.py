"""Commands of pip out of the knowledge base are read as changes; whyload does the same as it says."""

from __future__ import annotations

import pytest

from whyload.base.message import Message
from whyload.knowledge.reader import data_tables
from whyload.remedies.change import Change, InstallDistributions, RemoveDistribution
from whyload.remedies.commands import changes_of, command_of, with_changes
from whyload.remedies.model import Remedy, Safety


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("python -m pip install mkl", InstallDistributions(requirements=("mkl",))),
        ('python -m pip install "mkl==2021.*" tbb', InstallDistributions(requirements=("mkl==2021.*", "tbb"))),
        (
            '"C:\\my env\\python.exe" -m pip install --force-reinstall --no-deps --no-cache-dir a==1',
            InstallDistributions(requirements=("a==1",), again=True, dependencies=False),
        ),
        ("python -m pip install --upgrade a", InstallDistributions(requirements=("a",), upgrade=True)),
        ("python -m pip uninstall -y a", RemoveDistribution(distribution="a")),
    ],
)
def test_a_command(command: str, change: Change) -> None:
    assert changes_of([command]) == (change,)


@pytest.mark.parametrize(
    "command",
    [
        "winget install --id Microsoft.VCRedist.2015+.x64 -e",
        "conda install mkl",
        "python -m pip install --index-url INDEX a",
        "python -m pip install",
        "python -m pip download a",
        "pip install a",
    ],
)
def test_what_is_not_understood_is_for_the_person(command: str) -> None:
    assert changes_of(["python -m pip install a", command]) == ()


def test_every_command_of_pip_in_the_data_is_understood() -> None:
    rows = [row for row in data_tables("remedies")["remedy"] if row["safety"] != "by-hand"]
    commands = [command for row in rows for command in row.get("commands", ()) if "-m pip" in command]
    assert commands
    for command in commands:
        assert changes_of([command]), command


def test_a_remedy_by_hand_stays_one() -> None:
    remedy = Remedy(id="x", title=Message(en="x", zh="x"), safety=Safety.BY_HAND, commands=("python -m pip install a",))
    assert with_changes(remedy).changes == ()


@pytest.mark.parametrize("pip", ["python -m pip", '"C:\\my env\\python.exe" -m pip'])
@pytest.mark.parametrize("requirement", ["a", "a==1.0", "a<2", "a==1.*", "a>=1,!=1.5", "a[cuda]"])
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("upgrade", [False, True])
@pytest.mark.parametrize("dependencies", [False, True])
def test_the_command_that_is_shown_makes_the_very_change(
    pip: str, requirement: str, again: bool, upgrade: bool, dependencies: bool
) -> None:
    change = InstallDistributions(
        requirements=(requirement, "b"), again=again, upgrade=upgrade, dependencies=dependencies
    )
    command = command_of(change, pip)
    assert command is not None
    assert changes_of([command]) == (change,)


def test_the_command_of_a_removal() -> None:
    command = command_of(RemoveDistribution(distribution="a"), "python -m pip")
    assert command == "python -m pip uninstall -y a"
