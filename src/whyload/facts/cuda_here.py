"""Which CUDA and which cuDNN are on a machine, and which its display driver can run.

Sources: NVIDIA, CUDA Compatibility (a driver runs its own CUDA major in any minor, and all before it) and the tables of
the toolkits' release notes (data/cuda_drivers.toml).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.facts.packages import Packages
from whyload.knowledge.cuda import driver_of_major
from whyload.knowledge.libraries import Family, identify
from whyload.loader.images import ImageStore
from whyload.world.model import Presence, World

_TOOLKIT = regular(r"CUDA_(PATH|HOME)(_V\d+_\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaHere:
    """None: not known."""

    driver: str | None
    """As NVIDIA writes it, `552.22`."""
    driver_cuda: str | None
    """The newest CUDA that it runs, `12.4`."""
    cuda: frozenset[int]
    """Majors of which the runtime or cuBLAS is there, where a load can be led to it."""
    cudnn: frozenset[int]

    def runs(self, major: int) -> bool | None:
        """Whether the driver runs programs of a CUDA major; None where that is not known."""
        if self.driver_cuda is not None:
            return major <= int(self.driver_cuda.partition(".")[0])
        lowest = driver_of_major(major)
        if self.driver is None or lowest is None:
            return None
        return tuple(map(int, self.driver.split("."))) >= lowest.driver


def cuda_here(world: World, packages: Packages) -> CudaHere:
    """What `nvidia-smi` said, else the driver's own library; names of files in PATH, toolkits and NVIDIA's wheels."""
    asked = world.measured.nvidia
    known = [library for name in _names(world, packages) if (library := identify(name)) is not None]
    runtimes = ("cudart", "cublas")
    cuda = {k.major for k in known if k.family is Family.CUDA and k.stem.startswith(runtimes) and k.major is not None}
    return CudaHere(
        driver=_numbers(asked.version if asked and asked.version else _driver_file(world)),
        driver_cuda=_numbers(asked.cuda if asked else None),
        cuda=frozenset(cuda),
        cudnn=frozenset(k.major for k in known if k.family is Family.CUDNN and k.major is not None),
    )


def _numbers(text: str | None) -> str | None:
    return text if text is not None and re.fullmatch(r"\d{1,6}(?:\.\d{1,6}){0,3}", text) else None


def _driver_file(world: World) -> str | None:
    from whyload.facts.machine.cuda import driver_number

    path = world.system.system32 / "nvcuda.dll"
    if world.files.presence(path) is not Presence.FILE:
        return None
    image = ImageStore(world.files).open(path).image
    version = image.file_version() if image is not None else None
    return driver_number(version) if version else None


def _names(world: World, packages: Packages) -> Iterator[str]:
    for folder in _folders(world):
        yield from world.files.listdir(folder)
    for owner in packages.owners():
        if normalised(owner.distribution).startswith("nvidia-"):
            entries = packages.natives_of(owner)
            yield from (e.path.name for e in entries if world.files.presence(e.path) is Presence.FILE)


def _folders(world: World) -> Iterator[WinPath]:
    for text in world.environment.get("PATH", "").split(";"):
        folder = WinPath(text.strip().strip('"'))
        if folder.is_absolute and not folder.is_below(world.system.windir):
            yield folder
    for name, value in world.environment.items():
        root = WinPath(value.strip().strip('"'))
        if _TOOLKIT.fullmatch(name) and root.is_absolute:
            yield from (root / "bin", root / "bin\\x64")
