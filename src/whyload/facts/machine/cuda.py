"""CUDA on a machine: toolkits, the driver and its GPUs, cuDNN, TensorRT, and what pip brought.

Sources: NVIDIA, "CUDA Installation Guide for Windows" (`CUDA_PATH*`, folders, version.json), "CUDA Toolkit Release
Notes" (least drivers); the display driver's number is the last five digits of its files' version; `nvidia-smi -q -x`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.base.versions import FileVersion
from whyload.facts.machine.copies import LibraryCopy, copies
from whyload.facts.machine.sources import Sources
from whyload.facts.packages import Packages
from whyload.knowledge.libraries import Family, identify
from whyload.loader.images import ImageStore
from whyload.world.measured import Gpu
from whyload.world.model import Presence, World, read_text

_TOOLKITS = WinPath("C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA")
_VARIABLES = regular(r"CUDA_(PATH|HOME)(_V\d+_\d+)?|CUDNN_PATH|TENSORRT_\w+|TORCH_CUDA_ARCH_LIST", re.IGNORECASE)
_TENSORRT = regular(r"nvinfer\w*\.dll|nvonnxparser\w*\.dll", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolkit:
    """One installed toolkit."""

    folder: WinPath
    version: str | None
    found_by: str
    """The variable that names it, or `folder`."""
    has_libraries: bool
    """cudart is in `bin` (or in `bin\\x64`, since CUDA 13)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaVariable:
    """A variable that packages and builds obey; `is_there` is None for what is no folder."""

    name: str
    value: str
    is_there: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaWheel:
    """A distribution of NVIDIA's libraries, and the folder with its DLLs."""

    name: str
    version: str
    folder: WinPath | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaFacts:
    """None: not known; `unknown` says why."""

    driver: str | None = None
    driver_cuda: str | None = None
    """The newest CUDA that the driver runs."""
    gpus: tuple[Gpu, ...] | None = None
    toolkits: tuple[Toolkit, ...] = ()
    variables: tuple[CudaVariable, ...] = ()
    cudnn: tuple[LibraryCopy, ...] = ()
    tensorrt: tuple[LibraryCopy, ...] = ()
    wheels: tuple[CudaWheel, ...] = ()
    read_from: Mapping[str, str] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)


def cuda_facts(world: World, images: ImageStore, packages: Packages, natives: Iterable[WinPath]) -> CudaFacts:
    """What is known. `natives` are the native files of the environment."""
    notes, natives = Sources(), tuple(natives)
    toolkits = tuple(_toolkits(world))
    folders = [toolkit.folder / part for toolkit in toolkits for part in ("bin", "bin\\x64")]
    asked = world.measured.nvidia
    why = "nvidia-smi is not there" if asked is not None else "nvidia-smi was not asked"
    why = world.measured.unmeasured.get("nvidia", why)
    return CudaFacts(
        driver=_driver(world, images, notes),
        driver_cuda=notes.take("driver_cuda", asked.cuda if asked else None, "nvidia-smi", why),
        gpus=notes.take("gpus", asked.gpus if asked else None, "nvidia-smi", why),
        toolkits=toolkits,
        variables=tuple(_variables(world)),
        cudnn=copies(world, images, packages, natives, _is_cudnn, folders),
        tensorrt=copies(world, images, packages, natives, _is_tensorrt, folders),
        wheels=tuple(_wheels(packages)),
        read_from=notes.read_from,
        unknown=notes.unknown,
    )


def driver_number(version: FileVersion) -> str | None:
    """`537.58` for the file version 31.0.15.3758: the last five digits; None where there are too few."""
    digits = f"{version.build}{version.revision:04d}"[-5:]
    return f"{int(digits[:3])}.{digits[3:]}" if version.build >= 10 else None


def _driver(world: World, images: ImageStore, notes: Sources) -> str | None:
    asked = world.measured.nvidia
    if asked is not None and asked.version is not None:
        return notes.take("driver", asked.version, "nvidia-smi")
    path = world.system.system32 / "nvcuda.dll"
    image = images.open(path).image
    version = image.file_version() if image is not None else None
    found = world.files.presence(path)
    why = "no NVIDIA driver: nvcuda.dll is not in System32" if found is Presence.ABSENT else "its version is not known"
    return notes.take("driver", driver_number(version) if version else None, f"version resource of {path}", why)


def _toolkits(world: World) -> Iterable[Toolkit]:
    seen: set[WinPath] = set()
    named = [(name, value) for name, value in sorted(world.environment.items()) if _is_toolkit_variable(name)]
    listed = [("folder", str(_TOOLKITS / name)) for name in world.files.listdir(_TOOLKITS) if name.lower()[:1] == "v"]
    for found_by, value in (*named, *listed):
        folder = WinPath(value.strip().strip('"'))
        if folder in seen or world.files.presence(folder) is not Presence.DIRECTORY:
            continue
        seen.add(folder)
        runtimes = [name for part in ("bin", "bin\\x64") for name in world.files.listdir(folder / part)]
        yield Toolkit(
            folder=folder,
            version=_version(world, folder),
            found_by=found_by,
            has_libraries=any(name.lower().startswith("cudart64_") for name in runtimes),
        )


def _is_toolkit_variable(name: str) -> bool:
    return re.fullmatch(r"CUDA_(PATH|HOME)(_V\d+_\d+)?", name, re.IGNORECASE) is not None


def _version(world: World, folder: WinPath) -> str | None:
    try:
        stated = json.loads(read_text(world.files, folder / "version.json", 1 << 20) or "")
    except ValueError:
        stated = None
    cuda = stated.get("cuda") if isinstance(stated, dict) else None
    if isinstance(cuda, dict) and isinstance(cuda.get("version"), str):
        return str(cuda["version"])
    old = re.search(r"CUDA Version (\d[\d.]*)", read_text(world.files, folder / "version.txt", 10_000) or "")
    named = re.fullmatch(r"v(\d+\.\d+)", folder.name, re.IGNORECASE)
    return old[1] if old else named[1] if named else None


def _variables(world: World) -> Iterable[CudaVariable]:
    for name, value in sorted(world.environment.items()):
        if _VARIABLES.fullmatch(name):
            folder = WinPath(value.strip().strip('"'))
            found = world.files.presence(folder) if folder.is_absolute else Presence.UNKNOWN
            there = None if found is Presence.UNKNOWN else found is Presence.DIRECTORY
            yield CudaVariable(name=name, value=value, is_there=there)


def _is_cudnn(name: str) -> bool:
    known = identify(name)
    return known is not None and known.family is Family.CUDNN


def _is_tensorrt(name: str) -> bool:
    return _TENSORRT.fullmatch(name) is not None


def _wheels(packages: Packages) -> Iterable[CudaWheel]:
    for owner, entries in packages.by_owner().items():
        name = normalised(owner.distribution)
        if name.startswith(("nvidia-", "tensorrt")):
            folder = next((entry.path.parent for entry in entries if entry.path.suffix == ".dll"), None)
            yield CudaWheel(name=owner.distribution, version=owner.version, folder=folder)
