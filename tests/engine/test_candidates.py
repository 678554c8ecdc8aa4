"""Which remedies are thought of, and in which order; what they do is judged elsewhere."""

from __future__ import annotations

from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.engine.candidates import candidates
from whyload.engine.simulate import packages_of
from whyload.engine.static import ask
from whyload.facts.requirements import requirements
from whyload.findings.report import Question, QuestionKind
from whyload.remedies.change import InstallDistributions, RemoveDistribution
from whyload.remedies.model import Remedy
from whyload.startup.paths import python_paths
from whyload.world.measured import Measured, NvidiaDriver
from whyload.world.model import World


def thought_of(machine: World, module: str) -> tuple[tuple[Remedy, ...], tuple[Remedy, ...]]:
    (finding, *_) = ask(machine, Question(kind=QuestionKind.IMPORT, modules=(module,))).errors
    packages = packages_of(machine, python_paths(machine))
    return candidates(finding, machine, packages, requirements(machine, packages, packages.folders))


def seeing(machine: World, paths: tuple[WinPath, ...]) -> World:
    """The machine with that `sys.path`, as a watched run has it."""
    return replace(machine, python=replace(machine.python, paths=paths))


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


PROVIDER = {"onnxruntime/__init__.py": "from . import _x\n"}
CUDA_12 = ("cublas64_12.dll", "cudart64_12.dll", "cudnn64_9.dll")
CUDA_11 = ("cublas64_11.dll", "cudart64_110.dll", "cudnn64_8.dll")


def onnxruntime(
    version: str, wants: tuple[str, ...], here: tuple[str, ...] = (), driver: NvidiaDriver | None = None
) -> list[Remedy]:
    """What is thought of first for onnxruntime-gpu that wants these libraries, on a machine that has those."""
    files = record("onnxruntime_gpu", version, {**PROVIDER, "onnxruntime/_x.pyd": extension(*wants)})
    there = {f"C:\\cuda\\{name}": Dll(name=name, exports={"f": 1}) for name in here}
    machine = replace(world({**files, **there}, path=["C:\\cuda"]), measured=Measured(nvidia=driver))
    return list(thought_of(machine, "onnxruntime")[0])


def wanted(remedies: list[Remedy]) -> list[tuple[str, ...]]:
    changes = [change for remedy in remedies for change in remedy.changes]
    return [change.requirements for change in changes if isinstance(change, InstallDistributions)]


def test_a_line_fits_only_where_cudnn_fits_too() -> None:
    """onnxruntime's table: CUDA 12 goes with cuDNN 9 on the index, CUDA 11 with cuDNN 8."""
    remedies = onnxruntime("1.17.1", CUDA_11, ("cublas64_12.dll", "cudnn64_8.dll"))
    assert not [names for names in wanted(remedies) if names[0].startswith("onnxruntime")]
    both = wanted(onnxruntime("1.17.1", CUDA_11, ("cublas64_12.dll", "cudnn64_9.dll")))[0][0]
    assert both.startswith("onnxruntime_gpu==1.")
    assert int(both.split(".")[1]) >= 19
    older = wanted(onnxruntime("1.22.0", CUDA_12, ("cublas64_11.dll", "cudnn64_8.dll")))[0]
    assert older == ("onnxruntime_gpu==1.18.*",)


def test_the_wheels_of_all_that_is_absent_in_one_installation_for_one_cuda() -> None:
    remedies = onnxruntime("1.19.2", CUDA_12)
    (names,) = wanted(remedies)
    assert set(names) == {"nvidia-cublas-cu12", "nvidia-cuda-runtime-cu12", "nvidia-cudnn-cu12==9.*"}
    folders = {change.target.rpartition("nvidia\\")[2] for change in remedies[0].changes if change.kind == "add-folder"}
    assert folders == {"cublas\\bin", "cuda_runtime\\bin", "cudnn\\bin"}
    (names,) = wanted(onnxruntime("1.17.1", CUDA_11))
    assert {name.partition("==")[0] for name in names} == {
        *("nvidia-cublas-cu11", "nvidia-cuda-runtime-cu11", "nvidia-cudnn-cu11")
    }


def test_cudnn_alone_is_that_of_the_cuda_that_the_file_wants() -> None:
    beside = {f"onnxruntime/{name}": Dll(name=name, exports={"f": 1}) for name in CUDA_11[:2]}
    files: Files = {**PROVIDER, "onnxruntime/_x.pyd": extension(*CUDA_11), **beside}
    near, _ = thought_of(world(record("something", "1.0", files)), "onnxruntime")
    assert wanted(list(near)) == [("nvidia-cudnn-cu11==8.9.*",)]


def test_from_1_21_on_onnxruntime_can_load_the_wheels_itself() -> None:
    ids = [remedy.id for remedy in onnxruntime("1.21.0", CUDA_12)]
    assert "preload-dlls" in ids
    assert "preload-dlls" not in [remedy.id for remedy in onnxruntime("1.20.1", CUDA_12)]


def test_nothing_is_proposed_for_a_cuda_beyond_the_driver() -> None:
    old = NvidiaDriver(version="471.11", cuda="11.4")
    remedies = onnxruntime("1.22.0", CUDA_12, driver=old)
    assert wanted(remedies) == [("onnxruntime_gpu==1.18.*",)]
    assert "the display driver runs" in remedies[0].title.en
    (driver,) = [remedy for remedy in remedies if remedy.id == "newer-driver"]
    assert (driver.can_be_applied, driver.rights) == (False, True)
    assert "525" in driver.title.en
    new = NvidiaDriver(version="560.76", cuda="12.6")
    assert "newer-driver" not in [remedy.id for remedy in onnxruntime("1.22.0", CUDA_12, driver=new)]


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


def test_a_distribution_that_stands_before_another_one_of_the_same_name() -> None:
    files: Files = {"queue/__init__.py": "x = 1\n"}
    front: Files = {
        "compat/lib/queue2/__init__.py": "from . import _x\n",
        "compat/lib/queue2/_x.pyd": extension("gone.dll"),
    }
    machine = {**record("compat", "0.1", front), **record("good", "26.2", {"queue2/__init__.py": ""})}
    paths = (WinPath(f"{SITE}\\compat\\lib"), WinPath(SITE))
    _, far = thought_of(seeing(world(machine), paths), "queue2")
    assert RemoveDistribution(distribution="compat") in [change for remedy in far for change in remedy.changes]
    alone = {**record("compat", "0.1", front), **record("good", "26.2", files)}
    _, far = thought_of(seeing(world(alone), paths), "queue2")
    assert RemoveDistribution(distribution="compat") not in [change for remedy in far for change in remedy.changes]


def test_what_lies_in_the_users_own_folder_is_for_the_person_to_remove() -> None:
    user = "C:\\Users\\me\\AppData\\Roaming\\Python\\Python311\\site-packages"
    files: Files = {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": extension("gone.dll")}
    theirs = {name.replace(SITE, user): data for name, data in record("pkg", "1.0", files).items()}
    both = {**theirs, **record("pkg", "2.0", {"pkg/__init__.py": ""})}
    paths = (WinPath(user), WinPath(SITE))
    near, far = thought_of(seeing(world(both), paths), "pkg")
    assert [(r.can_be_applied, r.commands) for r in (*near, *far)] == [
        (False, ("C:\\Python\\python.exe -m pip uninstall -y pkg",))
    ]
    near, far = thought_of(seeing(world(theirs), paths), "pkg")
    assert [c.rpartition(" -m ")[2] for r in (*near, *far) for c in r.commands] == [
        "pip uninstall -y pkg",
        "pip install pkg",
    ]


def test_all_that_is_required_and_absent_at_once() -> None:
    files: Files = {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": extension("gone.dll")}
    machine = record("pkg", "1.0", files)
    machine[f"{SITE}\\pkg-1.0.dist-info\\METADATA"] = "Name: pkg\nRequires-Dist: one>=2\nRequires-Dist: two\n"
    near, _ = thought_of(world(machine), "pkg")
    changes = [change for remedy in near for change in remedy.changes if isinstance(change, InstallDistributions)]
    assert [change.requirements for change in changes] == [("one>=2", "two"), ("one>=2",), ("two",)]
