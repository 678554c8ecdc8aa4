"""A text of an extension that was built for another torch."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, TextFrame, is_torch_extension
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise
from whyload.remedies.model import Remedy

CODE = "torch-abi-mismatch"
_TORCH_SYMBOL = regular(
    r"_?_ZN?K?V?(?:TV|TI|St)?\w{0,40}?(?:N3c10|N2at|N5torch|3c10\d|2at\d|5torch\d|6caffe2)|@at@@|@c10@@|@torch@@|THP\w+|aoti_torch|_Z\w{0,10}THC"
)
_ASK = ('python -c "import torch; print(torch.__version__, torch.version.cuda)"',)
_PART_OF_ONE_BUILD = regular(r"(?:lib)?(?:torch|c10)_(?:hip|xpu|cuda_cpp|cuda_cu)\b", re.IGNORECASE)
"""Libraries that only some builds of torch have: for ROCm, for XPU, of the releases 1.8 to 1.13 for CUDA."""
_BUILT_FOR = regular(r"(?:built|compiled|made)[^\n]{0,30}?\b(?:torch|pytorch)[ =:v]{0,3}(\d+\.\d+)", re.IGNORECASE)


def explain(clues: Clues) -> Candidate | None:
    """A function of torch is absent, the package compared versions, or the text tells what it was built for."""
    symbol = next(
        (
            saying.symbol
            for saying in clues.all_said(Said.UNDEFINED_SYMBOL, Said.ENTRY_POINT_MISSING)
            if saying.symbol and _TORCH_SYMBOL.search(saying.symbol)
        ),
        None,
    )
    if symbol is not None:
        why = both(
            "the missing function belongs to torch: the extension was built for another version of torch",
            "找不到的是 torch 的函数：该扩展是为另一个版本的 torch 构建的",
        )
        return _candidate(clues, Strength.SHOWN, why, symbol)
    if clues.said(Said.TORCH_ABI) is not None:
        why = both(
            "the package itself says that its native part does not match this torch",
            "该包自己提示其原生部分与当前 torch 不符",
        )
        return _candidate(clues, Strength.SHOWN, why, None)
    part = next((name for name in clues.missing if _PART_OF_ONE_BUILD.match(name)), None)
    if part is not None:
        why = both(
            f"only some builds of torch have `{part}`: the extension was built for one of those",
            f"只有部分 torch 构建带有 `{part}`：该扩展是为那样的构建编译的",
        )
        return _candidate(clues, Strength.SHOWN, why, part)
    if clues.failed_with(127) and any(_is_torchs_loader(frame) for frame in clues.frames):
        why = both(
            "torch loads an extension of another package and a function is missing: the extension was built for "
            "another version of torch",
            "torch 在加载另一个包的扩展时找不到函数：该扩展是为另一个版本的 torch 构建的",
        )
        return _candidate(clues, Strength.SHOWN, why, None)
    built, have = _BUILT_FOR.search(clues.text), clues.versions.get("torch")
    failed = clues.failed_with(127) or clues.said(Said.UNDEFINED_SYMBOL)
    if built is not None and have and not have.startswith(built[1]) and failed:
        why = both(
            f"it was built for torch {built[1]}, but torch {have} is installed",
            f"它是为 torch {built[1]} 构建的，而安装的是 torch {have}",
        )
        return _candidate(clues, Strength.SHOWN, why, None)
    often = usual(clues, CODE, ask=_ASK, remedies=_rebuild(clues))
    if often is None and _is_extension(clues) and (is_not_found(clues) or clues.failed_with(127)):
        why = both(
            "judging by its name, it is a torch extension, which works with one release and one CUDA build of torch "
            "only",
            "从名称看这是 torch 的扩展，这类扩展只适用于 torch 的某一个版本和某一种 CUDA 构建",
        )
        return _candidate(clues, Strength.KNOWN if clues.failed_with(127) else Strength.USUAL, why, None)
    return often


def _is_extension(clues: Clues) -> bool:
    """By its name, which messages tell without that of its package: `importing _C` by a frame of another package."""
    package = clues.packages[0] if clues.packages else None
    return is_torch_extension(clues.module) or (clues.module == "_C" and package is not None and package != "torch")


def _is_torchs_loader(frame: TextFrame) -> bool:
    """`torch.ops.load_library`, with which extensions of other packages are loaded."""
    return frame.function == "load_library" and re.search(r"torch[\\/]_ops\.py$", frame.file) is not None


def _candidate(clues: Clues, strength: Strength, why: Message, symbol: str | None) -> Candidate:
    return Candidate(code=CODE, strength=strength, why=why, object=symbol, ask=_ASK, remedies=_rebuild(clues))


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
