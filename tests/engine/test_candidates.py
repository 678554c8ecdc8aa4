"""Which remedies are thought of, and in which order; what they do is judged elsewhere."""

from __future__ import annotations

from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.engine.candidates import candidates
from whyload.engine.simulate import packages_of
from whyload.engine.static import ask
from whyload.facts.requirements import requirements
from whyload.findings.report import Question, QuestionKind
from whyload.remedies.change import InstallDistributions, RemoveDistribution
from whyload.remedies.model import Remedy
from whyload.startup.paths import python_paths
from whyload.world.model import World


def thought_of(machine: World, module: str) -> tuple[tuple[Remedy, ...], tuple[Remedy, ...]]:
    (finding, *_) = ask(machine, Question(kind=QuestionKind.IMPORT, modules=(module,))).errors
    packages = packages_of(machine, python_paths(machine))
    return candidates(finding, machine, packages, requirements(machine, packages, packages.folders))


def extension(*dlls: str) -> Dll:
    return Dll(name="_x.pyd", pyinit="_x", imports={dll: ["f"] for dll in dlls})


def test_the_release_line_that_is_built_for_the_cuda_that_is_there() -> None:
    files: Files = {"onnxruntime/__init__.py": "from . import _x\n", "onnxruntime/_x.pyd": extension("cublas64_11.dll")}
    cuda = Dll(name="cublas64_12.dll", exports={"f": 1})
    machine = world(
        {**record("onnxruntime_gpu", "1.17.1", files), "C:\\cuda\\cublas64_12.dll": cuda}, path=["C:\\cuda"]
    )
    near, _ = thought_of(machine, "onnxruntime")
    (change,) = near[0].changes
    assert isinstance(change, InstallDistributions)
    name, _, version = change.requirements[0].partition("==")
    assert (name, version[-2:]) == ("onnxruntime_gpu", ".*")
    assert "CUDA 12" in near[0].title.en
    minor = int(version.split(".")[1])
    assert minor >= 18, "onnxruntime's releases: CUDA 12 on the index from 1.18 on"


def test_damaged_files_first_then_the_release_then_another_one() -> None:
    files: Files = {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": extension("helper.dll")}
    files["pkg/helper.dll"] = Dll(name="helper.dll", exports={"f": 1})
    near, far = thought_of(world({**record("pkg", "1.2.3", files), f"{SITE}\\pkg\\helper.dll": b""}), "pkg")
    changes = [change for remedy in near for change in remedy.changes if isinstance(change, InstallDistributions)]
    assert [(c.only_damaged, c.again) for c in changes] == [(True, False), (False, True)]
    assert [remedy.changes[0].target for remedy in far] == ["pkg", "pkg<1.2.3", "pkg<1.2", "pkg<1"]


def test_a_build_of_an_index_of_its_own_is_not_replaced() -> None:
    files: Files = {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": extension("gone.dll")}
    near, far = thought_of(world(record("pkg", "1.0+cu121", files)), "pkg")
    assert not [remedy for remedy in (*near, *far) if remedy.changes]


def test_what_something_requires_is_not_removed() -> None:
    files: Files = {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": extension("helper.dll")}
    old = record("old", "0.1", {"../../helper.dll": b"no image"})
    machine = {**record("pkg", "1.0", files), **old, "C:\\Python\\helper.dll": b"no image"}
    removal = RemoveDistribution(distribution="old")
    _, far = thought_of(world(machine), "pkg")
    assert removal in [change for remedy in far for change in remedy.changes]
    machine[f"{SITE}\\pkg-1.0.dist-info\\METADATA"] = "Name: pkg\nRequires-Dist: old\n"
    _, far = thought_of(world(machine), "pkg")
    assert removal not in [change for remedy in far for change in remedy.changes]
