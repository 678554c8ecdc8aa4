"""Remedies are chosen by trying them: what helps is planned, what does not is refused and said."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, Content, Files, record, world
from tests.testbed.pewriter import Dll, build
from whyload.base.errors import NetworkError, UsageError
from whyload.base.paths import WinPath
from whyload.engine.plan import Plan, Planner, verified_without_network
from whyload.engine.static import ask
from whyload.findings.report import Question, QuestionKind
from whyload.remedies.change import AddFolder, InstallDistributions, RemoveDistribution
from whyload.remedies.model import Safety, Verified
from whyload.world.model import Layout, RunRequest, World
from whyload.world.wheel import Wheel, open_wheel

EXTENSION = Dll(name="_x.pyd", pyinit="_x", imports={"helper.dll": ["f"]})
HELPER = Dll(name="helper.dll", exports={"f": 1})
PACKAGE: Files = {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": EXTENSION}


def wheel(folder: Path, name: str, version: str, files: Mapping[str, Content]) -> Wheel:
    """A wheel on disk with those files."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in files.items():
            archive.writestr(member, build(content) if isinstance(content, Dll) else content)
        archive.writestr(f"{name}-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\n")
        archive.writestr(f"{name}-{version}.dist-info/RECORD", "".join(f"{m},sha256=x,1\n" for m in files))
    return open_wheel(path)


class Index:
    """Stands for pip: wheels by the requirement that asks for them."""

    def __init__(self, *wheels: Wheel) -> None:
        self._wheels = wheels
        self.asked: list[str] = []

    def __call__(self, _world: World, change: InstallDistributions) -> tuple[Wheel, ...]:
        self.asked += change.requirements
        found = []
        for text in change.requirements:
            name, _, version = text.partition("==")
            fitting = [w for w in self._wheels if w.distribution == name and version in ("", w.version)]
            if not fitting or any(mark in text for mark in "<>"):
                raise UsageError(f"no release fits {text}")
            found.append(fitting[0])
        return tuple(found)


def requiring(distribution: str, version: str, files: Files, needs: str) -> Files:
    made = record(distribution, version, files)
    made[f"{SITE}\\{distribution}-{version}.dist-info\\METADATA"] += f"Requires-Dist: {needs}\n"  # type: ignore[operator]
    return made


def plan(machine: World, supply: object, module: str = "pkg") -> Plan:
    question = Question(kind=QuestionKind.IMPORT, modules=(module,))
    planner = Planner(lambda other: ask(other, question), supply)  # type: ignore[arg-type]
    return planner.plan(machine, ask(machine, question))


def test_what_the_package_itself_requires_comes_first(tmp_path: Path) -> None:
    machine = world(requiring("pkg", "1.0", PACKAGE, "helper"))
    found = plan(machine, Index(wheel(tmp_path, "helper", "2.0", {"pkg/helper.dll": HELPER})))
    assert found.complete
    assert [step.remedy.changes for step in found.steps] == [(InstallDistributions(requirements=("helper",)),)]
    assert found.steps[0].remedy.verified is Verified.SIMULATED


def test_the_folder_of_what_was_brought_is_added_where_it_is_not_searched(tmp_path: Path) -> None:
    machine = world(requiring("pkg", "1.0", PACKAGE, "helper"))
    found = plan(machine, Index(wheel(tmp_path, "helper", "2.0", {"helper/bin/helper.dll": HELPER})))
    assert found.complete
    changes = [change for step in found.steps for change in step.remedy.changes]
    assert changes == [
        InstallDistributions(requirements=("helper",)),
        AddFolder(folder=WinPath(f"{SITE}\\helper\\bin")),
    ]


def test_only_the_damaged_file_is_put_back(tmp_path: Path) -> None:
    files: Files = {**PACKAGE, "pkg/helper.dll": HELPER}
    machine = world({**record("pkg", "1.0", files), f"{SITE}\\pkg\\helper.dll": b""})
    found = plan(machine, Index(wheel(tmp_path, "pkg", "1.0", files)))
    assert found.complete
    (change,) = found.steps[0].remedy.changes
    assert isinstance(change, InstallDistributions)
    assert change.only_damaged


def test_a_wheel_of_another_origin_is_installed_whole(tmp_path: Path) -> None:
    files: Files = {**PACKAGE, "pkg/helper.dll": HELPER}
    installed = record("pkg", "1.0", files)
    name = f"{SITE}\\pkg-1.0.dist-info\\RECORD"
    installed[name] = str(installed[name]).replace("sha256=x", "sha256=other")
    machine = world({**installed, f"{SITE}\\pkg\\helper.dll": b""})
    found = plan(machine, Index(wheel(tmp_path, "pkg", "1.0", files)))
    (change,) = found.steps[0].remedy.changes
    assert change == InstallDistributions(requirements=("pkg==1.0",), again=True, dependencies=False)
    assert any("another wheel" in refused.why for refused in found.refused)


def test_two_faults_behind_one_another_are_two_steps(tmp_path: Path) -> None:
    second = Dll(name="_x.pyd", pyinit="_x", imports={"second.dll": ["f"]})
    other: Files = {"other/__init__.py": "from . import _x\n", "other/_x.pyd": second}
    other["other/second.dll"] = Dll(name="second.dll", exports={"f": 1})
    first: Files = {"pkg/__init__.py": "from . import _x\nimport other\n", "pkg/_x.pyd": EXTENSION}
    first["pkg/helper.dll"] = HELPER
    machine = world(
        {
            **record("pkg", "1.0", first),
            **record("other", "3.0", other),
            f"{SITE}\\pkg\\helper.dll": b"",
            f"{SITE}\\other\\second.dll": b"",
        }
    )
    index = Index(wheel(tmp_path, "pkg", "1.0", first), wheel(tmp_path, "other", "3.0", other))
    found = plan(machine, index)
    assert found.complete
    assert [step.finding.owner.distribution for step in found.steps if step.finding.owner] == ["pkg", "other"]


def test_a_release_that_does_not_help_is_refused_and_another_taken(tmp_path: Path) -> None:
    machine = world(record("pkg", "2.0", PACKAGE))
    same = wheel(tmp_path, "pkg", "2.0", PACKAGE)

    def supply(_world: World, change: InstallDistributions) -> tuple[Wheel, ...]:
        if change.requirements == ("pkg<2.0",):
            return (wheel(tmp_path, "pkg", "1.0", {"pkg/__init__.py": "x = 1\n"}),)
        return (same,)

    found = plan(machine, supply)
    assert found.complete
    assert [step.remedy.changes[0].target for step in found.steps] == ["pkg<2.0"]
    assert any("leaves the fault" in refused.why for refused in found.refused)


def test_a_distribution_that_overwrote_another_goes(tmp_path: Path) -> None:
    good: Files = {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": Dll(name="_x.pyd", pyinit="_x")}
    machine = world({**record("pkg", "1.0", good), **record("squatter", "0.1", {"pkg/_x.pyd": EXTENSION})})
    found = plan(machine, Index(wheel(tmp_path, "pkg", "1.0", good)))
    assert found.complete
    changes = [change for step in found.steps for change in step.remedy.changes]
    assert any(isinstance(change, InstallDistributions) for change in changes)


def test_the_distribution_that_brought_the_wrong_copy_is_removed_where_nothing_requires_it() -> None:
    failing = Dll(name="helper.dll", exports={"f": 1}, dllmain=DllMain.FALSE)
    files: Files = {
        "pkg/__init__.py": f"import os\nos.add_dll_directory(r'{SITE}\\pkg.libs')\nfrom . import _x\n",
        "pkg/_x.pyd": EXTENSION,
        "pkg.libs/helper.dll": HELPER,
    }
    machine = world(
        {
            **record("pkg", "1.0", files),
            **record("old", "0.1", {"../../helper.dll": failing}),
            "C:\\Python\\helper.dll": failing,
        }
    )
    found = plan(machine, Index())
    assert found.complete
    assert found.steps[-1].remedy.changes == (RemoveDistribution(distribution="old"),)
    assert found.steps[-1].remedy.safety is Safety.ASKS_FIRST


def test_without_a_network_it_is_said_what_to_carry_over() -> None:
    def unreachable(_world: World, _change: InstallDistributions) -> tuple[Wheel, ...]:
        raise NetworkError("no route")

    found = plan(world(requiring("pkg", "1.0", PACKAGE, "helper")), unreachable)
    assert not found.steps
    (carried,) = [item.remedy for item in found.by_hand if item.remedy.id == "carry-over"]
    assert "pip download --only-binary=:all: --platform win_amd64 --python-version 3.11" in carried.commands[0]


def test_conda_packages_are_left_to_conda() -> None:
    files = {**record("pkg", "1.0", PACKAGE), f"{SITE}\\pkg-1.0.dist-info\\INSTALLER": "conda\n"}
    index = Index()
    assert not plan(world(files, layout=Layout.CONDA), index).steps
    assert index.asked == []


def on_path(**options: object) -> World:
    files: Files = {**record("pkg", "1.0", PACKAGE), "C:\\sdk\\helper.dll": HELPER}
    return world(files, path=["C:\\sdk"], **options)  # type: ignore[arg-type]


def test_a_folder_is_tried_in_every_report() -> None:
    machine, question = on_path(), Question(kind=QuestionKind.IMPORT, modules=("pkg",))
    report = verified_without_network(machine, ask(machine, question), lambda other: ask(other, question))
    (remedy,) = report.findings[0].remedies
    assert remedy.verified is Verified.SIMULATED
    assert remedy.changes == (AddFolder(folder=WinPath("C:\\sdk")),)


def test_where_no_path_file_is_read_the_folder_is_for_the_person_to_add() -> None:
    files: Files = {**record("pkg", "1.0", PACKAGE), "C:\\sdk\\helper.dll": HELPER}
    files["C:\\Python\\python311._pth"] = "python311.zip\n.\nLib\\site-packages\n"
    machine = world(files, path=["C:\\sdk"], layout=Layout.EMBED)
    question = Question(kind=QuestionKind.IMPORT, modules=("pkg",))
    report = verified_without_network(machine, ask(machine, question), lambda other: ask(other, question))
    (remedy,) = report.findings[0].remedies
    assert (remedy.safety, remedy.verified, remedy.changes) == (Safety.BY_HAND, Verified.NO, ())


def test_a_file_of_the_users_own_is_renamed_in_the_simulation_only() -> None:
    files: Files = {**record("pkg", "1.0", {"pkg/__init__.py": "x = 1\n"}), "C:\\work\\pkg\\readme.txt": ""}
    files["C:\\work\\pkg\\__init__.py"] = "from . import nothing\n"
    machine = world(files)
    question = Question(kind=QuestionKind.IMPORT, modules=("pkg",))
    report = ask(machine, question)
    assert [finding.code for finding in report.errors] == ["name-shadowing"]
    tried = verified_without_network(machine, report, lambda other: ask(other, question))
    remedies = [r for f in tried.errors if f.code == "name-shadowing" for r in f.remedies]
    assert [(r.safety, r.verified) for r in remedies] == [(Safety.BY_HAND, Verified.SIMULATED)]
    assert not plan(machine, Index()).steps


def test_a_program_that_would_have_to_be_renamed_itself_cannot_be_tried() -> None:
    script = WinPath("C:\\work\\torch.py")
    files: Files = {
        **{name.replace("/", "\\"): data for name, data in record("torch", "2.4.1", {"torch/__init__.py": ""}).items()},
        script.text: "import torch\ntorch.zeros(3)\n",
    }
    machine = world(files, run=RunRequest(script=script))
    question = Question(kind=QuestionKind.RUN, script=script.text)
    report = verified_without_network(machine, ask(machine, question), lambda other: ask(other, question))
    finding = report.findings[0]
    assert (finding.code, [remedy.verified for remedy in finding.remedies]) == ("name-shadowing", [Verified.NO])
