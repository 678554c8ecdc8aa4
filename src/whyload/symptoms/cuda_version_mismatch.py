"""A text in which two versions of CUDA meet."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, library_remedies, missing, usual
from whyload.knowledge.gpu_builds import GpuBuild
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import NamedLibrary
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.graphics import (
    build_at_fault,
    built_and_bound,
    major,
    of_one_minor,
    other_cuda_around,
    toolkit_lacks,
    wanted_by_package,
)
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise
from whyload.remedies.model import Remedy

CODE = "cuda-version-mismatch"
_BUILD = regular(r"_cu(?:da)?(\d\d)\d(?=[_.])")
"""The CUDA that a library was built for, in its name: `libbitsandbytes_cuda116.dll`."""
_MADE_FOR = regular(r"(?i)\b(?:built|build|compiled|wheel|made) (?:for|with|against) cuda ?v?(\d{1,2}(?:\.\d)?)\b")
_TOLD_TOOLKIT = regular(r"(?im)^[ \t*-]{0,8}cuda(?: ?toolkit| version)?\s?[:=]\s?v?(\d{1,2}(?:\.\d)?)\b")
"""The toolkit, where a line of its own tells of it."""
_NEWEST_CUDA_OF_CUDNN = {5: 8, 6: 9, 7: 10, 8: 12}
"""By major version of cuDNN: the newest CUDA that it was made for (NVIDIA, cuDNN support matrix and archive)."""
_SERVICES = ("colab", "kaggle", "sagemaker", "paperspace", "nvcr.io")
_ASK = ("nvcc --version", 'python -c "import torch; print(torch.version.cuda)"')


def explain(clues: Clues) -> Candidate | None:
    """A check says so, one major is wanted where another is, or an extension was built with another toolkit."""
    said = clues.said(Said.CUDA_MISMATCH, Said.TORCH_MISMATCH)
    if said is not None:
        why = both(
            "the program itself reports that the CUDA versions of the extension and the framework do not match",
            "程序自己报告：扩展所用的 CUDA 版本与框架的不一致",
        )
        return Candidate(
            code=CODE, strength=Strength.DECISIVE, why=why, object=said.found, ask=_ASK, remedies=_same_toolkit(clues)
        )
    library = missing(clues, Family.CUDA)
    around = (other_cuda_around(clues, library) or _other_minor(clues, library.name)) if library is not None else None
    if library is not None and around is not None:
        why = both(
            f"`{library.name}` belongs to CUDA {_version_of(library)}, but the text mentions CUDA {around}",
            f"`{library.name}` 属于 CUDA {_version_of(library)}，而文中提到的是 CUDA {around}",
        )
        if toolkit_lacks(clues, library.name):
            why = both(
                f"CUDA {around}, which the text mentions, has another version of `{library.name}`",
                f"文中提到的 CUDA {around} 带的是 `{library.name}` 的另一个版本",
            )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=why,
            object=library.name,
            ask=("nvidia-smi", "python -m pip list"),
            remedies=library_remedies(clues, library),
        )
    return (
        _no_build(clues)
        or _cudnn_of_another_cuda(clues)
        or _built_otherwise(clues)
        or _of_another_cuda(clues)
        or _package_wants(clues)
        or _build_wants(clues)
        or _of_a_notebook_service(clues)
        or usual(clues, CODE, ask=_ASK)
    )


def _no_build(clues: Clues) -> Candidate | None:
    """The package looks for its library for torch's CUDA by name, and its release has none."""
    said = clues.said(Said.NO_BUILD_FOR_CUDA)
    if said is None or said.version is None:
        return None
    why = both(
        f"the installed release of the package has no `{said.library}`: it was not built for CUDA "
        f"{said.version[:-1]}.{said.version[-1]}, which torch uses",
        f"所装的版本里没有 `{said.library}`：它没有为 torch 所用的 CUDA {said.version[:-1]}.{said.version[-1]} 构建",
    )
    return Candidate(
        code=CODE, strength=Strength.SHOWN, why=why, object=said.library, ask=(_ASK[1], "python -m pip list")
    )


def _cudnn_of_another_cuda(clues: Clues) -> Candidate | None:
    """The wanted cuDNN was never made for the CUDA that is told of: the package is the build for an older one."""
    library, toolkit = missing(clues, Family.CUDNN), major(clues.cuda.get("toolkit"))
    newest = _NEWEST_CUDA_OF_CUDNN.get(library.major) if library is not None and library.major is not None else None
    if library is None or newest is None or toolkit is None or toolkit <= newest:
        return None
    why = both(
        f"`{library.name}` exists only up to CUDA {newest}, but the text mentions CUDA {toolkit}: the package was "
        "built for an older CUDA",
        f"CUDA {newest} 之后不再有 `{library.name}`，而文中提到的是 CUDA {toolkit}：所装的包是为较旧的 CUDA 构建的",
    )
    return Candidate(
        code=CODE, strength=Strength.SHOWN, why=why, object=library.name, ask=("nvidia-smi", "python -m pip list")
    )


def _version_of(library: NamedLibrary) -> str:
    return of_one_minor(library.name) or str(library.major)


def _other_minor(clues: Clues, name: str) -> str | None:
    """The CUDA that is told of, where it has the major version of the absent library and another minor one."""
    if toolkit_lacks(clues, name):
        return clues.cuda["toolkit"]
    wanted, around = of_one_minor(name), clues.cuda.get("toolkit") or clues.cuda.get("torch")
    if wanted is None or around is None or around == wanted:
        return None
    return around if major(around) == major(wanted) else None


def _built_otherwise(clues: Clues) -> Candidate | None:
    pair = built_and_bound(clues)
    if pair is None or not (
        is_not_found(clues)
        or clues.said(Said.BUILD_FAILED, Said.UNDEFINED_SYMBOL, Said.NATIVE_MODULE_MISSING)
        or clues.failed_with(127)
    ):
        return None
    if clues.packages[:1] == ("torch",) and not clues.has(Trait.BUILT_HERE):
        return None
    why = both(
        f"torch was built with CUDA {pair[1]}, but extensions are compiled with CUDA toolkit {pair[0]}",
        f"torch 是用 CUDA {pair[1]} 构建的，而编译扩展用的是 CUDA 工具包 {pair[0]}",
    )
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, ask=_ASK, remedies=_same_toolkit(clues))


def _of_another_cuda(clues: Clues) -> Candidate | None:
    """The library that does not load is by its name the build for another CUDA than those that are told of."""
    build = _BUILD.search(re.split(r"[\\/]", clues.file or "")[-1])
    around = {major(clues.cuda.get(name)) for name in ("toolkit", "torch")} - {None}
    if build is None or not around or int(build[1]) in around or not is_not_found(clues):
        return None
    other = ", ".join(str(version) for version in sorted(version for version in around if version is not None))
    why = both(
        f"the library is the build for CUDA {build[1]}, but the text mentions CUDA {other}",
        f"该库是为 CUDA {build[1]} 构建的，而文中提到的是 CUDA {other}",
    )
    return Candidate(
        code=CODE, strength=Strength.SHOWN, why=why, object=clues.file, ask=("nvcc --version", "python -m pip list")
    )


def _package_wants(clues: Clues) -> Candidate | None:
    """The provider of onnxruntime fails without a name, and its release is for another CUDA than the one told of."""
    wanted, toolkit = wanted_by_package(clues), major(clues.cuda.get("toolkit"))
    if wanted is None or toolkit is None or wanted[1] in (None, toolkit) or not wanted[0].startswith("onnxruntime"):
        return None
    if not (clues.said(Said.CUDA_NOT_LOADED, Said.LOADLIBRARY_FAILED, Said.FILE_OR_DEPENDENCY)):
        return None
    version = clues.versions.get(wanted[0])
    why = both(
        f"{wanted[0]} {version} is built for CUDA {wanted[1]}, but the text mentions CUDA {toolkit}",
        f"{wanted[0]} {version} 是为 CUDA {wanted[1]} 构建的，而文中提到的是 CUDA {toolkit}",
    )
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, ask=("nvcc --version", "python -m pip list"))


def _build_wants(clues: Clues) -> Candidate | None:
    """Something is not found, without a name, and the package was built for another toolkit than the one told of."""
    if clues.missing or not is_not_found(clues):
        return None
    build, toolkit = build_at_fault(clues), clues.cuda.get("toolkit")
    told = _MADE_FOR.search(clues.text)
    if told is not None and build is None:
        around = _TOLD_TOOLKIT.search(clues.text)
        build, toolkit = (
            GpuBuild(package=clues.distribution or "PACKAGE", cuda=told[1], cudnn=None),
            around and around[1],
        )
    if toolkit is None:
        return None
    if build is None or build.takes(toolkit):
        return None
    why = both(
        f"{build.package} was built for CUDA {build.cuda}, but the text mentions CUDA {toolkit}, whose libraries have "
        "other names",
        f"{build.package} 是为 CUDA {build.cuda} 构建的，而文中提到的是 CUDA {toolkit}，库文件名不同",
    )
    return Candidate(
        code=CODE, strength=Strength.SHOWN, why=why, object=build.package, ask=("nvcc --version", "python -m pip list")
    )


def _of_a_notebook_service(clues: Clues) -> Candidate | None:
    """Machines that are lent with a GPU have a toolkit: what is absent there is that of another version."""
    library = missing(clues, Family.CUDA)
    if library is None or not library.cuda_majors or not clues.mentions(*_SERVICES):
        return None
    why = both(
        f"`{library.name}` belongs to CUDA {_version_of(library)}, and such a service has one CUDA toolkit of its own, "
        "of another version",
        f"`{library.name}` 属于 CUDA {_version_of(library)}，而这类服务自带一套 CUDA 工具包，版本不同",
    )
    return Candidate(code=CODE, strength=Strength.KNOWN, why=why, object=library.name, ask=("ls -d /usr/local/cuda-*",))


def _same_toolkit(clues: Clues) -> tuple[Remedy, ...]:
    wanted = clues.cuda.get("torch")
    which = f" {wanted}" if wanted else ""
    return (
        advise(
            "matching-toolkit",
            f"install the CUDA toolkit{which} that torch was built with and set CUDA_HOME to it, or install the torch "
            "build for the toolkit you have; then delete the old build cache and rebuild",
            f"安装与 torch 构建时版本一致的 CUDA 工具包{which}，并让 CUDA_HOME 指向它，或改装与现有工具包一致的 torch；"
            "然后清除旧的构建缓存，重新编译",
        ),
    )
