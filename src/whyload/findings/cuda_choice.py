"""What to do where CUDA libraries are absent: NVIDIA's wheels of the wanted major, as far as the driver runs it.

Sources: contents of NVIDIA's wheels (data/cuda.toml); ONNX Runtime documentation, "CUDA Execution Provider"
(`preload_dlls`, from 1.21 on); onnxruntime/__init__.py.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from whyload.base.dataclass import replace
from whyload.base.machine import Machine
from whyload.base.message import Message
from whyload.base.record import normalised
from whyload.facts.cuda_here import CudaHere, cuda_here
from whyload.facts.ownership import Owner
from whyload.facts.packages import Packages
from whyload.facts.subjects import Absence
from whyload.knowledge import cuda
from whyload.knowledge.cuda import CudaPackage
from whyload.knowledge.libraries import Family
from whyload.knowledge.releases import release_of, releases
from whyload.remedies.by_pip import with_pip
from whyload.remedies.change import InstallDistributions
from whyload.remedies.choose import by_hand, for_library, newer_driver, put_in_view
from whyload.remedies.model import Remedy, Safety
from whyload.world.model import World

_FAMILIES = (Family.CUDA, Family.CUDNN)
_FIRST_PRELOAD = (1, 21)


def builds_for_driver(world: World, packages: Packages, driver_cuda: str | None) -> Iterator[Remedy]:
    """The build of torch, of the release that is installed or of one before it, for the newest CUDA that a driver runs.

    Builds for CUDA are not on the package index but on PyTorch's own, one index for each CUDA.
    """
    owner = packages.distribution("torch")
    runs = re.match(r"(\d+)\.(\d+)", driver_cuda or "")
    if owner is None or runs is None:
        return
    limit, own = (int(runs[1]), int(runs[2])), release_of("torch", owner.version)
    lines = [line for line in reversed(releases("torch")) if world.python.version in line.pythons]
    for line in (line for line in lines if own is None or _pair(line.minor) <= _pair(own.minor)):
        fitting = [build for build in line.cuda_builds if _runs(limit, cuda.toolkit_of_build(build))]
        if fitting:
            build = max(fitting, key=lambda item: (cuda.toolkit_of_build(item) <= limit, cuda.toolkit_of_build(item)))
            same = own is not None and line.minor == own.minor
            wanted = f"torch=={owner.version.partition('+')[0] if same else line.versions[-1]}+{build}"
            yield by_hand(
                "older-cuda-build",
                f"or install {wanted} from PyTorch's wheel index {build}: that CUDA runs on this driver",
                f"或从 PyTorch 的 {build} 索引安装 {wanted}：当前驱动支持该 CUDA",
                f"python -m pip install {wanted} --index-url INDEX",
            )
            return


def _runs(limit: cuda.Toolkit, toolkit: cuda.Toolkit) -> bool:
    """From CUDA 11 on a driver runs every minor of its major (NVIDIA, CUDA Compatibility)."""
    return toolkit <= limit or 11 <= toolkit[0] == limit[0]


def _pair(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")[:2]))


def is_of_cuda(absence: Absence) -> bool:
    """A library of the toolkit or of cuDNN."""
    return absence.library is not None and absence.library.family in _FAMILIES


def cuda_remedies(absence: Absence) -> tuple[Remedy, ...]:
    """The wheels that carry what is absent, with their folders; what only a person can do comes last."""
    assert absence.library is not None
    world = absence.case.world
    owner = absence.case.packages.owner(absence.importer) if absence.importer else None
    known = for_library(absence.library, world, (owner.distribution, owner.version) if owner else None)
    hand = tuple(remedy for remedy in known if remedy.safety is Safety.BY_HAND)
    major = _wanted_major(absence, owner)
    if major is None:
        return known
    here = cuda_here(world, absence.case.packages)
    if here.runs(major) is False:
        return (newer_driver(here.driver, here.driver_cuda, major),)
    wheels = _wheels(absence, major)
    return (*wheels, *_preloading(owner), *hand) if wheels else known


def _wanted_major(absence: Absence, owner: Owner | None) -> int | None:
    """The CUDA major that the importing file is built for: its names tell it, else what is known of its release."""
    names = [node.name for node in absence.load.tree.root.walk() if node.importer == absence.importer]
    told = Counter(major for name in (*absence.names, *names) if (major := cuda.cuda_major(name)) is not None)
    if told:
        return told.most_common(1)[0][0]
    release = release_of(owner.distribution, owner.version) if owner else None
    if release is not None and release.cuda_major is not None:
        return release.cuda_major
    here: CudaHere = cuda_here(absence.case.world, absence.case.packages)
    return max(here.cuda, default=None)


def _wheels(absence: Absence, major: int) -> tuple[Remedy, ...]:
    """One installation of all that the file lacks; none where a name is in no wheel of that major."""
    world = absence.case.world
    names = absence.names if absence.importer is not None else (absence.name,)
    libraries = [library for name in names if (library := cuda.library(name)) is not None]
    packages = [library.package_for(major) or _only(library.packages) for library in libraries]
    found = tuple(dict.fromkeys(package for package in packages if package is not None))
    if not found or None in packages or world.python.machine is not Machine.AMD64:
        return ()
    wanted = tuple(package.requirement for package in found)
    site = world.python.prefix / "Lib\\site-packages"
    folders = dict.fromkeys(site / package.folder for package in found)
    views = [put_in_view(absence.load.event.flags, folder) for folder in folders]
    title = Message(
        en=f"install {', '.join(wanted)}, and let the loader look in their folders below `{site}\\nvidia`",
        zh=f"安装 {', '.join(wanted)}，并让加载器搜索其位于 `{site}\\nvidia` 下的目录",
    )
    changes = (InstallDistributions(requirements=wanted), *(change for view in views for change in view.changes))
    remedy = with_pip(world, "install-cuda-packages", title, *changes)
    commands = (*remedy.commands, *(command for view in views for command in view.commands))
    asked = max((view.safety for view in views), key=list(Safety).index)
    return (replace(remedy, safety=asked, commands=commands),)


def _only(packages: tuple[CudaPackage, ...]) -> CudaPackage | None:
    return packages[0] if len(packages) == 1 else None


def _preloading(owner: Owner | None) -> Iterator[Remedy]:
    """Onnxruntime finds NVIDIA's wheels by itself where it is asked to."""
    numbers = re.match(r"(\d+)\.(\d+)", owner.version) if owner else None
    if owner is None or numbers is None or normalised(owner.distribution) != "onnxruntime-gpu":
        return
    if (int(numbers[1]), int(numbers[2])) >= _FIRST_PRELOAD:
        yield by_hand(
            "preload-dlls",
            "or install them and call `onnxruntime.preload_dlls()` before the first session: it finds the wheels",
            "或者安装之后，在创建第一个会话之前调用 `onnxruntime.preload_dlls()`：它会直接从这些 wheel 中加载库",
            "import onnxruntime; onnxruntime.preload_dlls()",
        )
