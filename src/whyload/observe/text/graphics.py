"""What a text says of CUDA and cuDNN: which versions are around, which one a library or a package wants."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.knowledge.gpu_builds import GpuBuild, gpu_build
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.releases import release_of
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.knowledge.suspects import package_of
from whyload.observe.text.clues import Clues, Platform, Trait


def major(version: str | None) -> int | None:
    """The first number of a version."""
    match = re.match(r"(\d+)", version or "")
    return int(match[1]) if match else None


def of_one_minor(name: str) -> str | None:
    """The version of CUDA, where a library belongs to one minor version by its name, as they did before CUDA 11."""
    match = _OF_ONE_MINOR.fullmatch(name)
    if match is None:
        return None
    first, second = (group for group in match.groups() if group)
    return f"{first}.{second}" if int(first) < 11 else None


def toolkit_lacks(clues: Clues, name: str) -> bool:
    """Whether the toolkit that is told of has no library of that name, though others of its major have."""
    toolkit = clues.cuda.get("toolkit") or ""
    return any(library.fullmatch(name) and without.fullmatch(toolkit) for library, without in _LACKING)


def other_cuda_around(clues: Clues, wanted: NamedLibrary) -> int | None:
    """The CUDA major that the text has instead of the one that the library belongs to."""
    if not wanted.cuda_majors:
        return None
    around = [major(clues.cuda.get("toolkit")), *_packaged(clues), *_named(clues, Family.CUDA), _of_torch(clues)]
    found = [version for version in around if version is not None]
    return found[0] if found and not set(wanted.cuda_majors) & set(found) else None


def other_cudnn_around(clues: Clues, wanted: NamedLibrary) -> int | None:
    """The cuDNN major that the text has instead of the wanted one."""
    need = wanted.major
    around = [major(clues.cuda.get("cudnn")), *_named(clues, Family.CUDNN)]
    around += [major(version) for name, version in clues.versions.items() if name.startswith("nvidia-cudnn")]
    around.append(_cudnn_of_torch(clues))
    around += [int(match[1]) for match in _BARE_MAJOR.finditer(clues.text)]
    found = [version for version in around if version is not None]
    return found[0] if need is not None and found and need not in found else None


_BARE_MAJOR = regular(
    r"(?i)(?:不能用|用不了|装了|装的是|\b(?:use|have|with|instead of|rather than|no es|statt)) ?(?:cudnn ?)?v?([6-9])"
    r"(?=[?？,，.。;；!)] *(?:$|\n|[^\d\s])|$)"
)
"""The version that the user has, where only that number is told beside the library of another one."""


def _of_torch(clues: Clues) -> int | None:
    """The CUDA major that torch brings along."""
    return major(clues.cuda.get("torch"))


def _cudnn_of_torch(clues: Clues) -> int | None:
    """The cuDNN major that a build of torch for CUDA brings along: on Linux the usual build, elsewhere a told one."""
    version = clues.versions.get("torch")
    brings = "torch" in clues.cuda or clues.platform is Platform.LINUX
    release = release_of("torch", version) if version and brings and "+cpu" not in version else None
    return release.cudnn_major if release is not None else None


def _packaged(clues: Clues) -> list[int | None]:
    """CUDA majors that NVIDIA's own packages in the text stand for."""
    names = [re.search(r"-cu(\d\d)$", name) for name in clues.versions if name.startswith("nvidia-")]
    told = (match for match in _PACKAGES.finditer(clues.text) if not _GONE.search(match[0]))
    return [int(match[1]) for match in (*names, *told) if match]


def _named(clues: Clues, family: Family) -> list[int | None]:
    """Majors of libraries of a family that are named and not said to be absent, by that name or a shorter one."""
    absent = [name.lower() for name in clues.missing]
    there = (name for name in clues.libraries if not any(one.startswith(name.lower()) for one in absent))
    named = (name_library(name) for name in there)
    return [library.major for library in named if library.family is family]


_OF_ONE_MINOR = regular(
    r"(?i)(?:cudart|cupti)64_(\d{1,2})(\d)\.dll|lib(?:cudart|cupti|cublas|cufft|curand|cusparse|cusolver)\.so\.(\d{1,2})\.(\d)"
)
"""`cudart64_101.dll` and `libcudart.so.10.1` are those of CUDA 10.1 and of no other."""
_TAGGED = regular(r"\b[a-z][a-z-]{2,20}-cu(?:da)?\d{2,3}\b")
"""A distribution that is called after its CUDA: `spconv-cu102`."""
_LACKING = (
    (regular(r"(?i)libcusolver\.so\.10|cusolver64_10\.dll"), regular(r"11\.[1-9]")),
    (regular(r"(?i)libcusolver\.so\.11|cusolver64_11\.dll"), regular(r"11\.0")),
)
"""cuSOLVER counts itself: that of CUDA 11.0 is still 10."""
_WHEEL = {
    **dict.fromkeys(("cublas", "cufft", "curand", "cusolver", "cusparse", "cudnn", "nvjitlink", "nccl"), ""),
    "cudart": "cuda-runtime",
    "nvrtc": "cuda-nvrtc",
    "cupti": "cuda-cupti",
    "nvtoolsext": "nvtx",
}
"""Library by the beginning of its name; what its package is called where that is something else."""
_PACKAGES = regular(r"(?m)^packages: [^\n]*?\bnvidia-[a-z-]{2,30}-cu(\d\d)\b[^\n]*")
"""NVIDIA's own packages in a list that stands in one line."""
_GONE = regular(r"(?i)\b(?:not|un-?installed|removed|missing|absent|deleted|without|no longer)\b|未|没|卸载")
_NONE = (
    r"(?im)^[ \t*-]{{0,8}}(?:nvidia )?{0}(?:[ _](?:toolkit|runtime|version|libraries))?:\s{{0,3}}"
    r"(?:none\b|no\b|not (?:installed|present|found|available)|absent|missing|never installed|"
    r"uninstalled|removed|gone\b|deleted|n/a|未安装|没有|无)|"
    r"\b(?:no|without(?: the| an?)?|lacks) (?:nvidia )?{0}(?: toolkit| runtime)? "
    r"(?:installed|on (?:the|this) (?:machine|pc|computer))|"
    r"\b{0}(?: toolkit| runtime)? (?:is |was )?(?:not|never) installed|没有?安装 ?{0}|未安装 ?{0}"
)
"""Words that say that something is not there."""
_NO_NVIDIA = regular(
    r"(?i)\b(?:no|not an?|without an?|has no|lacks an?) (?:nvidia|dedicated|discrete|cuda[- ]capable) "
    r"(?:gpu|card|graphics|video|device)|没有?(?:英伟达|nvidia|独立)显卡|无独显|没有独显"
)
_OTHER_GPU = regular(
    r"(?i)\bradeon\b|\bamd (?:gpu|graphics|rx)\b|\bintel(?:\(r\))? (?:integrated|gpu|arc|(?:u?hd|iris)(?:\(r\))? )|"
    r"\biris(?:\(r\))? xe\b|\b(?:integrated|onboard) (?:intel |amd )?(?:gpu|graphics)|核显|集成显卡|集显"
)
_NVIDIA_GPU = regular(
    r"(?i)\b(?:geforce|[rg]tx ?\d|gt ?\d{3,4}m?|quadro|tesla|titan|nvidia-smi|[avhl]100|jetson)\b|独显"
)
_INSTALLED = r"(?i)\b(?:install|installed|have|has|有|装了|安装了?)\b[^\n]{0,80}?"


def is_told_to_be_absent(clues: Clues, what: str) -> bool:
    """Whether the text says that there is no `cuda` or no `cudnn` on the machine."""
    return re.search(_NONE.format(what), clues.text) is not None


def wheel_around(clues: Clues, wanted: NamedLibrary) -> str | None:
    """NVIDIA's package with the wanted library, or its folder, where the text says that it is there."""
    stem = re.match(r"(?:lib)?([a-z]+)", wanted.name.lower())
    own = next((own for own in _WHEEL if stem is not None and stem[1].startswith(own)), None)
    if own is None:
        return None
    name = _WHEEL[own] or own
    return _installed_wheel(clues, wanted, name) or _folder_of_wheel(clues, name)


def _installed_wheel(clues: Clues, wanted: NamedLibrary, name: str) -> str | None:
    """The package in a list, or in the words of who installed it, where its major is the wanted one."""
    package = rf"nvidia-{name}(?:-cu(\d\d))?"
    told = re.search(_INSTALLED + rf"\b({package})\b", clues.text) or re.search(
        rf"\b({package})\b[^\n,;]{{0,16}}(?<!not )(?<!un)\binstalled\b", clues.text
    )
    remarks = (name for name, remark in clues.remarks.items() if not _GONE.search(remark))
    for listed in (*clues.versions, *remarks, *([told[1].lower()] if told is not None else [])):
        match = re.fullmatch(package, listed)
        if match is None or (match[1] and wanted.cuda_majors and int(match[1]) not in wanted.cuda_majors):
            continue
        if name != "cudnn" or major(clues.versions.get(listed)) in (None, wanted.major):
            return listed
    return None


def _folder_of_wheel(clues: Clues, name: str) -> str | None:
    """Its folder `nvidia/cudnn/lib`, apart from what loaders say and from the variable that makes it searched."""
    inner = rf"nvidia[\\/]{name.replace('-', '_')}[\\/](?:lib|bin)"
    said = [(saying.place, saying.place + len(saying.text)) for saying in clues.sayings]
    named = re.finditer(rf"(?im)^(?![^\n]*LD_LIBRARY_PATH)[^\n]{{0,300}}?[\\/]({inner})\b", clues.text)
    return next((match[1] for match in named if not any(a <= match.start(1) <= b for a, b in said)), None)


def is_brought_by_torch(clues: Clues, wanted: NamedLibrary) -> bool:
    """Whether torch has the wanted library among its own, and another package asks for it."""
    asking = [package_of(value) for saying in clues.sayings for value in (saying.file, saying.needed_by) if value]
    asking += [frame.package for frame in clues.frames[-1:]]
    if "torch" in asking or not set(clues.packages) - {"torch"}:
        return False
    if wanted.family is Family.CUDA:
        minor = of_one_minor(wanted.name)
        return _of_torch(clues) in wanted.cuda_majors and minor in (None, clues.cuda.get("torch"))
    version = clues.versions.get("torch")
    release = release_of("torch", version) if version and "torch" in clues.cuda else None
    return wanted.family is Family.CUDNN and release is not None and release.cudnn_major == wanted.major is not None


def wanted_by_package(clues: Clues) -> tuple[str, int | None, int | None] | None:
    """(package, CUDA major, cuDNN major) that the release of a package in the text is built for."""
    for package in ("onnxruntime-gpu", "onnxruntime", "torch", "tensorflow"):
        version = clues.versions.get(package)
        release = release_of("onnxruntime-gpu" if package == "onnxruntime" else package, version) if version else None
        if release is not None and release.cuda_major is not None:
            named = _FOR_CUDA.search(clues.text) if package.startswith("onnxruntime") else None
            return package, int(named[1]) if named else release.cuda_major, release.cudnn_major
    return None


_FOR_CUDA = regular(r"(?i)\bonnxruntime-[\w-]{0,24}cuda-?(1[1-9])\b")
"""Archives, wheels and the feed for another CUDA than the one that the release is mostly built for."""


def is_without_nvidia(clues: Clues) -> bool:
    """Whether the text says that no GPU of NVIDIA or no driver is there, or tells of another maker's GPU only."""
    if clues.has(Trait.NO_DRIVER) or _NO_NVIDIA.search(clues.text):
        return True
    return _OTHER_GPU.search(clues.text) is not None and _NVIDIA_GPU.search(clues.text) is None


def has_no_driver_to_be_old(clues: Clues) -> bool:
    """CUDA's error 35, which it gives for an old driver and for none at all, on a machine without NVIDIA's GPU."""
    told = clues.said(Said.DRIVER_TOO_OLD) is not None and clues.mentions("driver version is insufficient")
    return told and is_without_nvidia(clues)


def build_at_fault(clues: Clues) -> GpuBuild | None:
    """What the package that fails was built with, where it takes CUDA from the machine."""
    tagged = (word for remark in clues.remarks.values() for word in _TAGGED.findall(remark))
    names = (*clues.versions, *clues.remarks, *tagged)
    builds = (
        gpu_build(name, clues.versions.get(name)) for name in names if clues.concerns(name, package_of(name) or name)
    )
    return next((build for build in builds if build is not None), None)


def built_and_bound(clues: Clues) -> tuple[str, str] | None:
    """(toolkit, CUDA of torch) where both are told and their majors differ."""
    toolkit, torch = clues.cuda.get("toolkit"), clues.cuda.get("torch")
    if toolkit and torch and major(toolkit) != major(torch):
        return toolkit, torch
    return None
