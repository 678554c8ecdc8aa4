"""What a text says of CUDA and cuDNN: which versions are around, which one a library or a package wants."""

from __future__ import annotations

import re

from whyload.knowledge.libraries import Family
from whyload.knowledge.releases import release_of
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.observe.text.clues import Clues


def major(version: str | None) -> int | None:
    """The first number of a version."""
    match = re.match(r"(\d+)", version or "")
    return int(match[1]) if match else None


def other_cuda_around(clues: Clues, wanted: NamedLibrary) -> int | None:
    """The CUDA major that the text has instead of the one that the library belongs to."""
    need = wanted.major
    if need is None:
        return None
    around = [major(clues.cuda.get("toolkit")), *_packaged(clues), *_named(clues, Family.CUDA), _of_torch(clues)]
    found = [version for version in around if version is not None]
    return found[0] if found and need not in found else None


def other_cudnn_around(clues: Clues, wanted: NamedLibrary) -> int | None:
    """The cuDNN major that the text has instead of the wanted one."""
    need = wanted.major
    around = [major(clues.cuda.get("cudnn")), *_named(clues, Family.CUDNN)]
    around += [major(version) for name, version in clues.versions.items() if name.startswith("nvidia-cudnn")]
    found = [version for version in around if version is not None]
    return found[0] if need is not None and found and need not in found else None


def _of_torch(clues: Clues) -> int | None:
    """The CUDA major that torch brings along."""
    return major(clues.cuda.get("torch"))


def _packaged(clues: Clues) -> list[int | None]:
    """CUDA majors that NVIDIA's own packages in the text stand for."""
    names = [re.search(r"-cu(\d\d)$", name) for name in clues.versions if name.startswith("nvidia-")]
    return [int(match[1]) for match in names if match]


def _named(clues: Clues, family: Family) -> list[int | None]:
    """Majors of libraries of a family that are named and not said to be absent."""
    absent = {name.lower() for name in clues.missing}
    named = (name_library(name) for name in clues.libraries if name.lower() not in absent)
    return [library.major for library in named if library.family is family]


def wanted_by_package(clues: Clues) -> tuple[str, int | None, int | None] | None:
    """(package, CUDA major, cuDNN major) that the release of a package in the text is built for."""
    for package in ("onnxruntime-gpu", "onnxruntime", "torch", "tensorflow"):
        version = clues.versions.get(package)
        release = release_of("onnxruntime-gpu" if package == "onnxruntime" else package, version) if version else None
        if release is not None and release.cuda_major is not None:
            return package, release.cuda_major, release.cudnn_major
    return None


def built_and_bound(clues: Clues) -> tuple[str, str] | None:
    """(toolkit, CUDA of torch) where both are told and their majors differ."""
    toolkit, torch = clues.cuda.get("toolkit"), clues.cuda.get("torch")
    if toolkit and torch and major(toolkit) != major(torch):
        return toolkit, torch
    return None
