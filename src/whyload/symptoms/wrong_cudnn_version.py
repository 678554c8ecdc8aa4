"""A text in which two versions of cuDNN meet."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, library_remedies, missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.releases import release_of
from whyload.knowledge.shared_objects import NamedLibrary
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.graphics import build_at_fault, major, other_cudnn_around, wanted_by_package
from whyload.observe.text.situation import is_not_found

CODE = "wrong-cudnn-version"
_OF_CUDNN = regular(r"cudnn[A-Z]\w")
_FOR_CUDA = regular(r"(?i)cudnn[^\n+]{0,40}(?:\+|_|-)cuda(\d{2})\b|\bcudnn-[^\n]{0,40}?_cuda(\d{2})-")
"""NVIDIA's packages for Debian and its archives: `libcudnn8 8.8.0.121-1+cuda12.0`, `cudnn-8.9.7.29_cuda12-archive`."""
_PROGRAM = regular(r"(?i)\[cuda(\d{2})[\w.-]*\]|\+cuda(\d{2})\.cudnn\d|\+cu(\d{2})\d\b")
"""What jax and torch are built for, by the name of the extra or the version of the wheel."""
_ASK = ("python -m pip list", "where cudnn64_9.dll cudnn64_8.dll")


def explain(clues: Clues) -> Candidate | None:
    """A check says so, or a library of one major is wanted where another is."""
    said = clues.said(Said.CUDNN_MISMATCH)
    if said is not None:
        there, built_for = ((text or "").rstrip(" .,") for text in (said.found, said.version))  # a sentence's end
        why = both(
            f"cuDNN {there} is loaded, but the program was built for {built_for}",
            f"加载的是 cuDNN {there}，而程序是为 {built_for} 构建的",
        )
        return Candidate(code=CODE, strength=Strength.DECISIVE, why=why, object="cudnn", ask=_ASK)
    lacking = _lacks_a_function(clues)
    if lacking is not None:
        return lacking
    bound = _for_another_cuda(clues)
    if bound is not None:
        return bound
    library = missing(clues, Family.CUDNN)
    around = other_cudnn_around(clues, library) if library is not None else None
    if library is not None and around is not None:
        why = both(
            f"`{library.name}` belongs to cuDNN {library.major}, but the text mentions cuDNN {around}",
            f"`{library.name}` 属于 cuDNN {library.major}，而文中提到的是 cuDNN {around}",
        )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=why,
            object=library.name,
            ask=_ASK,
            remedies=library_remedies(clues, library),
        )
    wanted, have = wanted_by_package(clues), major(clues.cuda.get("cudnn"))
    failed = clues.said(Said.CUDA_NOT_LOADED, Said.LOADLIBRARY_FAILED, Said.FILE_OR_DEPENDENCY)
    if (
        wanted is not None
        and have is not None
        and wanted[2] not in (None, have)
        and failed
        and wanted[0].startswith("onnxruntime")
    ):
        why = both(
            f"{wanted[0]} {clues.versions[wanted[0]]} is built for cuDNN {wanted[2]}, but the text mentions cuDNN "
            f"{have}",
            f"{wanted[0]} {clues.versions[wanted[0]]} 是为 cuDNN {wanted[2]} 构建的，而文中提到的是 cuDNN {have}",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object="cudnn", ask=_ASK, order=(0, 1))
    return _of_torch(clues) or _of_the_build(clues) or usual(clues, CODE, ask=_ASK) or _may_have_another(clues, library)


def _may_have_another(clues: Clues, library: NamedLibrary | None) -> Candidate | None:
    """What takes cuDNN from the machine is built for one major of it, and another one may be there."""
    if library is None or library.major is None or clues.concerns("torch") or clues.has(Trait.ABSENT):
        return None
    why = both(
        f"the program was built for cuDNN {library.major}, and the machine may have another major version",
        f"程序是为 cuDNN {library.major} 构建的，而本机装的可能是另一个主版本",
    )
    return Candidate(code=CODE, strength=Strength.POSSIBLE, why=why, object=library.name, ask=_ASK, order=(0, 1))


def _lacks_a_function(clues: Clues) -> Candidate | None:
    """A package asks cuDNN for a function that it has not, and the text tells which cuDNN there is: the only one."""
    saying = next((one for one in clues.all_said(Said.UNDEFINED_SYMBOL) if _OF_CUDNN.match(one.symbol or "")), None)
    have = clues.cuda.get("cudnn")
    if saying is None or have is None or "/libcudnn" in (saying.file or ""):
        return None
    if clues.has(Trait.TWO_COPIES) or clues.mentions("ld_library_path"):
        return None
    why = both(
        f"`{saying.symbol}` is a function of another cuDNN than {have}, which the text mentions",
        f"`{saying.symbol}` 属于另一个版本的 cuDNN，而文中提到的是 cuDNN {have}",
    )
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object="libcudnn.so", ask=_ASK, order=(-1, 0))


def _for_another_cuda(clues: Clues) -> Candidate | None:
    """A library of CUDA is absent that only a cuDNN for that CUDA asks for: the program was built for another."""
    library, cudnn, program = missing(clues, Family.CUDA), _FOR_CUDA.search(clues.text), _PROGRAM.search(clues.text)
    if library is None or cudnn is None or program is None:
        return None
    made, built = (next(group for group in match.groups() if group) for match in (cudnn, program))
    if built == made or int(made) not in library.cuda_majors:
        return None
    why = both(
        f"the cuDNN that is installed is made for CUDA {made} and asks for `{library.name}`, but the program is "
        f"built for CUDA {built}",
        f"安装的 cuDNN 是面向 CUDA {made} 的，需要 `{library.name}`，而程序是为 CUDA {built} 构建的",
    )
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object="libcudnn.so", ask=_ASK, order=(-1, 0))


def _of_the_build(clues: Clues) -> Candidate | None:
    """Something is not found, without a name; the toolkit is the right one, and cuDNN of another major is told of."""
    toolkit, have = clues.cuda.get("toolkit"), major(clues.cuda.get("cudnn"))
    if toolkit is None or have is None or clues.missing or not is_not_found(clues):
        return None
    build = build_at_fault(clues)
    if build is None or build.cudnn in (None, have) or not build.takes(toolkit):
        return None
    why = both(
        f"{build.package} was built for cuDNN {build.cudnn}, but the text mentions cuDNN {have}",
        f"{build.package} 是为 cuDNN {build.cudnn} 构建的，而文中提到的是 cuDNN {have}",
    )
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object="cudnn", ask=_ASK)


def _of_torch(clues: Clues) -> Candidate | None:
    """onnxruntime takes the cuDNN that torch loaded before it, and that is of another major than the wanted one."""
    version = clues.versions.get("torch")
    release = release_of("torch", version) if version else None
    failed = clues.said(Said.CUDA_NOT_LOADED, Said.LOADLIBRARY_FAILED)
    if release is None or release.cudnn_major is None or failed is None or not clues.concerns("onnxruntime"):
        return None
    wanted = wanted_by_package(clues)
    need = wanted[2] if wanted is not None and wanted[0].startswith("onnxruntime") else major(clues.cuda.get("cudnn"))
    if need in (None, release.cudnn_major):
        return None
    why = both(
        f"torch {version} loads cuDNN {release.cudnn_major} into the process, but the provider needs cuDNN {need}",
        f"torch {version} 在进程中加载的是 cuDNN {release.cudnn_major}，而该提供程序需要 cuDNN {need}",
    )
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object="cudnn", ask=_ASK)
