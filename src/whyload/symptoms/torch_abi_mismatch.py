"""A text of an extension that was built for another torch."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.knowledge.suspects import package_of
from whyload.knowledge.torch_pairs import is_paired, paired_packages, torch_for
from whyload.observe.text.clues import Clues, TextFrame, Trait, is_torch_extension
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise
from whyload.remedies.model import Remedy

CODE = "torch-abi-mismatch"
_TORCH_SYMBOL = regular(
    r"(?i:_?_ZN?K?V?(?:TV|TI|St)?\w{0,40}?(?:N3c10|N4c10d|N2at|N5torch|3c10\d|4c10d\d|2at\d|5torch\d|6caffe2))|@at@@|@c10@@|@torch@@|"
    r"THP\w+|^_?(?:aoti_)?torch_[a-z]|_Z\w{0,10}THC"
)
_ASK = ('python -c "import torch; print(torch.__version__, torch.version.cuda)"',)
_PART_OF_ONE_BUILD = regular(r"(?:lib)?(?:torch|c10)_(?:hip|xpu|cuda_cpp|cuda_cu)\b", re.IGNORECASE)
"""Libraries that only some builds of torch have: for ROCm, for XPU, of the releases 1.8 to 1.13 for CUDA."""
_OF_TORCH = regular(r"(?:lib)?(?:torch|c10)\w{0,12}\.(?:so|dll)$", re.IGNORECASE)
_CUDA_PART = regular(r"(?:lib)?(?:torch|c10)_cuda\.(?:so|dll)$", re.IGNORECASE)
_EXTENSIONS = (
    "torch-scatter", "torch-sparse", "torch-cluster", "torch-spline-conv", "pyg-lib", "xformers", "flash-attn",
    "detectron2", "mmcv", "pytorch3d", "auto-gptq", "exllamav2", "causal-conv1d", "mamba-ssm", "sageattention",
)  # fmt: skip
"""Packages that take CUDA's libraries from torch, besides those whose releases are paired with its own."""
_CPU_BUILD = regular(r"\b(?:py)?torch\b[^\n,;]{0,30}\b(cpu)(?:[- ]only)?(?: (?:build|version|wheel))?\b", re.IGNORECASE)
_WITHOUT_CUDA = regular(r"\+((?:cpu|rocm|xpu)[\d.]*)")
_BUILT_FOR = regular(
    r"(?:built|compiled|made|wheel)[^\n]{0,30}?\b(?:torch|"
    r"pytorch)[ =:v]{0,3}(\d+\.\d+)",
    re.IGNORECASE,
)
_IN_VERSION = regular(r"\+(?:cu\d{2,3})?(?:torch|pt)(\d)\.?(\d{1,2})(?!\d)")
"""What a wheel was built for, in its version: `2.2.0+cu130torch2.10.0`, `2.1.1+pt20cu117`."""
_TORCH_CHANGED = regular(
    r"\b(?:built|compiled|made|wheel) [^\n]{0,30}\bbefore\b[^\n]{0,20}\b(?:py)?torch\b|"
    r"\b(?:py)?torch\b[^\n]{0,40}\b(?:upgraded|updated|downgraded|reinstalled|replaced|was \d)|"
    r"^[ \t*-]{0,8}(?:py)?torch: ?v?\d[\w.+-]{1,20}[ (,;]{1,3}v?\d[\w.+-]{0,20} (?:still )?(?:works?|worked|(?:was|is) "
    r"(?:fine|ok)|loads|loaded)\b|\b(?:works|worked|fine) (?:with|on|under|until) (?:py)?torch v?\d",
    re.IGNORECASE | re.MULTILINE,
)


def explain(clues: Clues) -> Candidate | None:
    """A function of torch is absent, the package compared versions, or the text tells what it was built for."""
    found = (
        _function_of_torch(clues)
        or _said_by_the_package(clues)
        or _part_of_one_build(clues)
        or _cuda_of_torch(clues)
        or _loaded_by_torch(clues)
        or _built_for_another(clues)
        or _not_its_torch(clues)
    )
    if found is not None:
        return _candidate(clues, found)
    often = usual(clues, CODE, ask=_ASK, remedies=_rebuild(clues))
    by_name = _named_like_an_extension(clues) if often is None else None
    return _candidate(clues, by_name) if by_name is not None else often


def _function_of_torch(clues: Clues) -> Found | None:
    sayings = clues.all_said(Said.UNDEFINED_SYMBOL, Said.ENTRY_POINT_MISSING)
    symbol = next((one.symbol for one in sayings if one.symbol and _TORCH_SYMBOL.search(one.symbol)), None)
    if symbol is None:
        return None
    why = both(
        "the missing function belongs to torch: the extension was built for another version of torch",
        "找不到的是 torch 的函数：该扩展是为另一个版本的 torch 构建的",
    )
    return Strength.SHOWN, why, symbol


def _said_by_the_package(clues: Clues) -> Found | None:
    if clues.said(Said.TORCH_ABI) is None:
        return None
    why = both(
        "the package itself says that its native part does not match this torch",
        "该包自己提示其原生部分与当前 torch 不符",
    )
    frozen = clues.has(Trait.FROZEN) and not clues.failed_with(127)  # of a file that is absent it says the same
    return Strength.KNOWN if frozen else Strength.SHOWN, why, None


def _part_of_one_build(clues: Clues) -> Found | None:
    part = next((name for name in clues.missing if _PART_OF_ONE_BUILD.match(name)), None)
    if part is None:
        return None
    why = both(
        f"only some builds of torch have `{part}`: the extension was built for one of those",
        f"只有部分 torch 构建带有 `{part}`：该扩展是为那样的构建编译的",
    )
    return Strength.SHOWN, why, part


def _cuda_of_torch(clues: Clues) -> Found | None:
    """The CUDA part of torch is asked for, or by its extension a library of CUDA: torch is a build without CUDA."""
    of_cuda = any(clues.concerns(name) or name in clues.versions for name in (*paired_packages(), *_EXTENSIONS))
    part = next(
        (
            name
            for name in clues.missing
            if _CUDA_PART.match(name) or (of_cuda and name_library(name).family is Family.CUDA)
        ),
        None,
    )
    build = _WITHOUT_CUDA.search(clues.versions.get("torch") or "") or _CPU_BUILD.search(clues.text)
    if part is None or build is None:
        return None
    why = both(
        f"`{part}` comes with builds of torch for CUDA, and this torch is the build `{build[1]}`: the extension was "
        "built for another",
        f"`{part}` 随 CUDA 版的 torch 提供，而这里的 torch 是 `{build[1]}` 构建：该扩展是为另一种构建编译的",
    )
    return Strength.SHOWN, why, part


def _loaded_by_torch(clues: Clues) -> Found | None:
    if not clues.failed_with(127) or not any(_is_torchs_loader(frame) for frame in clues.frames):
        return None
    why = both(
        "torch loads an extension of another package and a function is missing: the extension was built for "
        "another version of torch",
        "torch 在加载另一个包的扩展时找不到函数：该扩展是为另一个版本的 torch 构建的",
    )
    return Strength.SHOWN, why, None


def _built_for_another(clues: Clues) -> Found | None:
    built, have = _BUILT_FOR.search(clues.text), clues.versions.get("torch")
    failed = clues.failed_with(127) or clues.said(Said.UNDEFINED_SYMBOL) is not None
    lacking = clues.missing[-1] if clues.missing else None
    own = lacking is not None and clues.distribution == package_of(lacking) not in (None, "torch")
    failed = failed or (is_not_found(clues) and (lacking is None or own or _OF_TORCH.match(lacking) is not None))
    another = clues.distribution != "torch" or "custom_nodes" in clues.text
    if failed and another and _TORCH_CHANGED.search(clues.text):
        why = both(
            "it was built before torch was changed: it fits the earlier version only",
            "它是在更换 torch 版本之前构建的，只适用于原来的版本",
        )
        return Strength.SHOWN, why, None
    tag = _IN_VERSION.search(clues.text)
    failed = failed or (another and tag is not None and clues.failed_with(1114))
    release = built[1] if built is not None else f"{tag[1]}.{tag[2]}" if tag is not None else None
    if release is None or not have or re.match(rf"{re.escape(release)}(?!\d)", have) or not failed:
        return None
    why = both(
        f"it was built for torch {release}, but torch {have} is installed",
        f"它是为 torch {release} 构建的，而安装的是 torch {have}",
    )
    return Strength.SHOWN, why, None


def _not_its_torch(clues: Clues) -> Found | None:
    """Both versions are told, and by the package's own table they do not belong together."""
    have = clues.versions.get("torch")
    failed = clues.failed_with(127) or clues.said(Said.UNDEFINED_SYMBOL, Said.TORCH_ABI) is not None
    if have is None or not (failed or is_not_found(clues)) or clues.has(Trait.FROZEN):
        return None
    for package in paired_packages():
        version = clues.versions.get(package)
        if version is None or not clues.concerns(package) or is_paired(package, version, have) is not False:
            continue
        why = both(
            f"{package} {version} is built for torch {torch_for(package, version)}, but torch {have} is installed",
            f"{package} {version} 是为 torch {torch_for(package, version)} 构建的，而安装的是 torch {have}",
        )
        return Strength.SHOWN, why, package
    return None


def _named_like_an_extension(clues: Clues) -> Found | None:
    no_function = clues.failed_with(127)
    if not (is_not_found(clues) or no_function):
        return None
    if not _is_extension(clues):
        return _beside_torch(clues) if no_function else None
    why = both(
        "judging by its name, it is a torch extension, which works with one release and one CUDA build of torch only",
        "从名称看这是 torch 的扩展，这类扩展只适用于 torch 的某一个版本和某一种 CUDA 构建",
    )
    return Strength.KNOWN if no_function else Strength.USUAL, why, None


def _beside_torch(clues: Clues) -> Found | None:
    """A module of no package that is known lacks a function, and the only thing that the text tells of is torch."""
    if "torch" not in clues.versions or clues.module is None or package_of(clues.module) is not None:
        return None
    if clues.packages == ("torch",) or clues.packages[1:]:
        return None
    why = both(
        f"`{clues.module}` is used with torch {clues.versions['torch']}: an extension of torch works with one "
        "release of it only",
        f"`{clues.module}` 与 torch {clues.versions['torch']} 一起使用：扩展只适用于 torch 的某一个版本",
    )
    return Strength.KNOWN, why, None


def _is_extension(clues: Clues) -> bool:
    """By its name, which messages tell without that of its package: `importing _C` by a frame of another package."""
    package = clues.distribution
    return is_torch_extension(clues.module) or (clues.module == "_C" and package is not None and package != "torch")


def _is_torchs_loader(frame: TextFrame) -> bool:
    """`torch.ops.load_library`, with which extensions of other packages are loaded."""
    return frame.function == "load_library" and re.search(r"torch[\\/]_ops\.py$", frame.file) is not None


def _candidate(clues: Clues, found: Found) -> Candidate:
    strength, why, name = found
    order = (-1, 0) if strength is Strength.SHOWN else (0, 0)  # what it was built for is told in so many words
    return Candidate(
        code=CODE, strength=strength, why=why, object=name, ask=_ASK, remedies=_rebuild(clues), order=order
    )


def _rebuild(clues: Clues) -> tuple[Remedy, ...]:
    package = next((name for name in clues.packages if name != "torch"), "PACKAGE")
    return (
        advise(
            "matching-build",
            f"install the build of {package} for the installed torch, or delete the old build and rebuild it",
            f"安装与当前 torch 匹配的 {package}，或删除旧的构建结果后重新编译",
            f"python -m pip install --force-reinstall --no-cache-dir {package}",
        ),
    )
