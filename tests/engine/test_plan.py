"""Remedies are chosen by trying them: what helps is planned, what does not is refused and said."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, Content, Files, record, world
from tests.testbed.pewriter import Dll, build
from whyload.base.dataclass import replace
from whyload.base.errors import NetworkError, UsageError
from whyload.base.message import message
from whyload.base.paths import WinPath
from whyload.engine.plan import Plan, Planner, verified
from whyload.engine.static import ask
from whyload.findings.report import Question, QuestionKind
from whyload.remedies.change import (
    AddFolder,
    ClearBuildCache,
    InstallDistributions,
    RemoveDistribution,
    RemoveLeftover,
    SetVariable,
)
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
    assert any("another wheel" in message(refused.why).en for refused in found.refused)


ADDING = (
    "import os\nos.add_dll_directory(os.path.join(os.path.dirname(__file__), '..', 'pkg.libs'))\nfrom . import _x\n"
)
WHOLE = Dll(name="_x.pyd", pyinit="_x")


def test_a_library_that_nobody_recorded_goes_where_another_then_serves() -> None:
    files: Files = {"pkg/__init__.py": ADDING, "pkg/_x.pyd": EXTENSION, "pkg.libs/helper.dll": HELPER}
    stray = f"{SITE}\\pkg\\helper.dll"
    found = plan(world({**record("pkg", "1.0", files), stray: Dll(name="helper.dll", exports={"other": 1})}), Index())
    assert [step.remedy.changes for step in found.steps] == [(RemoveLeftover(path=WinPath(stray)),)]
    assert found.steps[0].remedy.safety is Safety.ASKS_FIRST
    assert found.steps[0].remedy.verified is Verified.SIMULATED


def test_an_extension_of_an_earlier_release_goes_where_the_new_one_lies_beside_it() -> None:
    stale = f"{SITE}\\pkg\\_x.cp311-win_amd64.pyd"
    files = record("pkg", "1.0", {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": WHOLE})
    found = plan(world({**files, stale: EXTENSION}), Index())
    assert [step.remedy.changes for step in found.steps] == [(RemoveLeftover(path=WinPath(stale)),)]


def test_a_package_without_a_record_goes_where_it_hides_an_installed_one() -> None:
    venv = "C:\\work\\venv"
    hiding = f"{venv}\\Lib\\site-packages\\pkg"
    files: Files = {
        **record("pkg", "1.0", {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": WHOLE}),
        f"{venv}\\pyvenv.cfg": "home = C:\\Python\ninclude-system-site-packages = true\n",
        f"{hiding}\\__init__.py": "from . import _x\n",
        f"{hiding}\\_x.pyd": EXTENSION,
    }
    found = plan(world(files, venv=venv), Index())
    assert [step.remedy.changes for step in found.steps] == [(RemoveLeftover(path=WinPath(hiding)),)]


def test_code_of_the_users_own_is_not_removed_where_nothing_takes_its_place() -> None:
    files: Files = {f"{SITE}\\pkg\\__init__.py": "from . import _x\n", f"{SITE}\\pkg\\_x.pyd": EXTENSION}
    assert plan(world(files), Index()).steps == []


def test_an_installation_that_was_cut_off_is_completed(tmp_path: Path) -> None:
    files: Files = {
        f"{SITE}\\pkg\\__init__.py": "from . import _x\n",
        f"{SITE}\\pkg\\_x.pyd": EXTENSION,
        f"{SITE}\\~kg\\helper.dll": HELPER,
        f"{SITE}\\~kg-1.0.dist-info\\METADATA": "Name: pkg\nVersion: 1.0\n",
    }
    whole = wheel(tmp_path, "pkg", "1.0", {**PACKAGE, "pkg/helper.dll": HELPER})
    found = plan(world(files), Index(whole))
    assert found.complete
    kinds = [(change.kind, change.target.rpartition("\\")[2]) for change in found.steps[0].remedy.changes]
    removed = ["pkg", "~kg", "~kg-1.0.dist-info"]
    assert kinds == [*(("remove-leftover", name) for name in removed), ("install", "pkg==1.0")]


@pytest.mark.parametrize("paths", [(), ("C:\\work", "C:\\old", "C:\\own", "C:\\Python\\Lib", SITE)])
def test_a_folder_of_pythonpath_with_modules_for_another_python_is_taken_out(paths: tuple[str, ...]) -> None:
    files: Files = {
        **record("pkg", "1.0", {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": WHOLE}),
        "C:\\old\\pkg\\__init__.py": "from . import _x\n",
        "C:\\old\\pkg\\_x.cp39-win_amd64.pyd": EXTENSION,
    }
    machine = world(files, environment={"PYTHONPATH": "C:\\old;C:\\own"})
    machine = replace(machine, python=replace(machine.python, paths=tuple(map(WinPath, paths))))
    found = plan(machine, Index())
    assert [step.remedy.changes for step in found.steps] == [(SetVariable(name="PYTHONPATH", value="C:\\own"),)]
    assert found.complete


NEEDS_CUDA = "import os\nos.add_dll_directory(os.path.join(os.environ['CUDA_PATH'], 'bin'))\nfrom . import _x\n"
ASKS_CUDA = (
    "import os\nif 'CUDA_PATH' in os.environ:\n    os.add_dll_directory(os.environ['CUDA_PATH'])\nfrom . import _x\n"
)


def test_a_variable_that_leads_to_nothing_is_set_to_the_toolkit_that_is_there() -> None:
    files: Files = {**record("pkg", "1.0", {"pkg/__init__.py": NEEDS_CUDA, "pkg/_x.pyd": EXTENSION})}
    files |= {"C:\\CUDA\\v12.4\\bin\\helper.dll": HELPER, "C:\\CUDA\\v12.6\\bin\\other.dll": HELPER}
    values = {"CUDA_PATH": "C:\\CUDA\\v12.1", "CUDA_PATH_V12_4": "C:\\CUDA\\v12.4"}
    found = plan(world(files, environment=values), Index())
    assert found.complete
    assert found.steps[0].remedy.changes == (SetVariable(name="CUDA_PATH", value="C:\\CUDA\\v12.4"),)


def test_a_variable_that_leads_to_nothing_is_unset_where_the_program_lives_without_it() -> None:
    files = record("pkg", "1.0", {"pkg/__init__.py": ASKS_CUDA, "pkg/_x.pyd": WHOLE})
    found = plan(world(files, environment={"CUDA_PATH": "C:\\CUDA\\v12.1"}), Index())
    assert [step.remedy.changes for step in found.steps] == [(SetVariable(name="CUDA_PATH", value=None),)]
    needing = record("pkg", "1.0", {"pkg/__init__.py": NEEDS_CUDA, "pkg/_x.pyd": WHOLE})
    assert plan(world(needing, environment={"CUDA_PATH": "C:\\CUDA\\v12.1"}), Index()).steps == []


def test_what_was_compiled_on_first_use_for_another_python_is_moved_aside() -> None:
    built = "C:\\Users\\me\\.triton\\cache\\ABC\\helper.pyd"
    code = f"import sys\nsys.path.insert(0, {built.rpartition(chr(92))[0]!r})\nimport helper\n"
    other = Dll(name="helper.pyd", pyinit="helper", imports={"python39.dll": ["Py_Main"]})
    found = plan(world({**record("pkg", "1.0", {"pkg/__init__.py": code}), built: other}), Index())
    assert found.steps[0].remedy.changes == (ClearBuildCache(path=WinPath(built).parent),)
    assert found.steps[0].remedy.verified is Verified.NO


def test_a_copy_elsewhere_on_the_path_is_not_the_environments_to_replace(tmp_path: Path) -> None:
    foreign: Files = {
        "C:\\old\\pkg\\__init__.py": "from . import _x\n",
        "C:\\old\\pkg\\_x.pyd": EXTENSION,
        "C:\\old\\pkg-1.0.dist-info\\RECORD": "pkg/__init__.py,sha256=x,1\npkg/_x.pyd,sha256=x,1\n",
        "C:\\old\\pkg-1.0.dist-info\\METADATA": "Name: pkg\nVersion: 1.0\n",
    }
    better = wheel(tmp_path, "pkg", "1.0", {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": WHOLE})
    found = plan(world(foreign, environment={"PYTHONPATH": "C:\\old"}), Index(better))
    assert all(change.kind != "install" for step in found.steps for change in step.remedy.changes)


def test_no_step_takes_back_what_an_earlier_one_brought(tmp_path: Path) -> None:
    """Every release of `pkg` lacks a library of its own: none of them is a cure for another."""
    releases = [
        wheel(
            tmp_path,
            "pkg",
            version,
            {**PACKAGE, "pkg/_x.pyd": Dll(name="_x.pyd", pyinit="_x", imports={f"of{version}.dll": ["f"]})},
        )
        for version in ("1.0", "2.0", "3.0")
    ]

    def supply(_world: World, change: InstallDistributions) -> tuple[Wheel, ...]:
        if change.upgrade:
            return (releases[2],)
        if "<" in change.requirements[0]:
            return (releases[0],)
        raise UsageError("nothing else")

    found = plan(world(record("pkg", "2.0", PACKAGE)), supply)
    brought = [change.target for step in found.steps for change in step.remedy.changes]
    assert len(brought) <= 1, brought


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
    assert any("the fault remains" in message(refused.why).en for refused in found.refused)


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
    report = verified(machine, ask(machine, question), lambda other: ask(other, question))
    (remedy,) = report.findings[0].remedies
    assert remedy.verified is Verified.SIMULATED
    assert remedy.changes == (AddFolder(folder=WinPath("C:\\sdk")),)


def test_where_no_path_file_is_read_the_folder_is_for_the_person_to_add() -> None:
    files: Files = {**record("pkg", "1.0", PACKAGE), "C:\\sdk\\helper.dll": HELPER}
    files["C:\\Python\\python311._pth"] = "python311.zip\n.\nLib\\site-packages\n"
    machine = world(files, path=["C:\\sdk"], layout=Layout.EMBED)
    question = Question(kind=QuestionKind.IMPORT, modules=("pkg",))
    report = verified(machine, ask(machine, question), lambda other: ask(other, question))
    (remedy,) = report.findings[0].remedies
    assert (remedy.safety, remedy.verified, remedy.changes) == (Safety.BY_HAND, Verified.NO, ())


def test_a_file_of_the_users_own_is_renamed_in_the_simulation_only() -> None:
    files: Files = {**record("pkg", "1.0", {"pkg/__init__.py": "x = 1\n"}), "C:\\work\\pkg\\readme.txt": ""}
    files["C:\\work\\pkg\\__init__.py"] = "from . import nothing\n"
    machine = world(files)
    question = Question(kind=QuestionKind.IMPORT, modules=("pkg",))
    report = ask(machine, question)
    assert [finding.code for finding in report.errors] == ["name-shadowing"]
    tried = verified(machine, report, lambda other: ask(other, question))
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
    report = verified(machine, ask(machine, question), lambda other: ask(other, question))
    finding = report.findings[0]
    assert (finding.code, [remedy.verified for remedy in finding.remedies]) == ("name-shadowing", [Verified.NO])


def test_the_same_cause_in_another_distribution_is_another_fault(tmp_path: Path) -> None:
    """A whole site-packages of another Python, copied: `python-version-mismatch` names no object."""
    fitting: dict[str, Files] = {}
    machine: Files = {}
    for name in ("one", "two", "three"):
        init = {f"{name}/__init__.py": f"from . import _{name}\n"}
        fitting[name] = {**init, f"{name}/_{name}.cp311-win_amd64.pyd": Dll(name="_x.pyd", pyinit=f"_{name}")}
        old = Dll(name="_x.pyd", pyinit=f"_{name}")
        machine |= record(name, "1.0", {**init, f"{name}/_{name}.cp310-win_amd64.pyd": old})
    machine["C:\\work\\all.py"] = "import one, two, three\n"
    wheels = [wheel(tmp_path, name, "1.0", files) for name, files in fitting.items()]
    found = plan(world(machine), Index(*wheels), "all")
    assert found.complete
    assert [change.target for step in found.steps for change in step.remedy.changes] == [
        "one==1.0",
        "two==1.0",
        "three==1.0",
    ]
