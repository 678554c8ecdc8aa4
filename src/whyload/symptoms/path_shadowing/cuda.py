"""A copy of NVIDIA's libraries that a variable or the system puts before the one that is meant."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Found, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said, Saying
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues

_CUDA_SYMBOL = regular(r"^(?:__)?nvJitLink|^cu(?:blas|sparse|dnn|fft|solver)[A-Z_]|^nccl[A-Z]|^cudnn", re.IGNORECASE)
_LIBRARY_PATH_OF_CUDA = regular(
    r"(?i)LD_LIBRARY_PATH\W{1,4}[^\n]{0,400}?(/[^\s:;'\"]{0,200}?(?:cuda|hpc_sdk|nvidia)[^\s:;'\"]{0,200})"
)


def other_cuda(clues: Clues) -> Found | None:
    for saying in clues.all_said(Said.UNDEFINED_SYMBOL):
        if saying.symbol and (_CUDA_SYMBOL.search(saying.symbol) or _is_cuda(saying)):
            why = both(
                f"`{saying.symbol}` is a function of a CUDA library, but another version of that library was found "
                "first (through LD_LIBRARY_PATH, or in a system installation)",
                f"`{saying.symbol}` 是 CUDA 库的函数，而先找到的是该库的另一个版本（通过 LD_LIBRARY_PATH，或系统中安装"
                "的）",
            )
            return Strength.SHOWN, why, saying.library or _cuda_library(saying)
    symbol = next((saying for saying in clues.all_said(Said.ENTRY_POINT_MISSING) if saying.number == 127), None)
    if symbol is not None:
        why = both(
            f"the library that is loaded lacks `{symbol.symbol}`: another version of it is found first",
            f"实际加载的库中没有 `{symbol.symbol}`：先找到的是另一个版本",
        )
        return Strength.SHOWN, why, symbol.library
    return None


def cuda_of_the_library_path(clues: Clues) -> Found | None:
    """jax, which comes with its own CUDA, did not get along with what it loaded, and a variable leads to another."""
    saying, path = clues.said(Said.CUDA_NOT_LOADED), _LIBRARY_PATH_OF_CUDA.search(clues.text)
    if saying is None or path is None or not clues.concerns("jax"):
        return None
    why = both(
        f"`LD_LIBRARY_PATH` leads to another CUDA (`{path[1]}`), whose libraries are found before those of the wheels",
        f"`LD_LIBRARY_PATH` 指向另一套 CUDA（`{path[1]}`），它的库先于 wheel 自带的库被找到",
    )
    return Strength.SHOWN, why, saying.library


def _is_cuda(saying: Saying) -> bool:
    """The library that lacks the function, or the one that wants it of another, is one of NVIDIA's."""
    named = (name_library(name) for name in (saying.file, saying.library, saying.version) if name and "lib" in name)
    return any(library.family in (Family.CUDA, Family.CUDNN) for library in named)


def _cuda_library(saying: Saying) -> str | None:
    match = re.match(
        r"(?:__)?(nvJitLink|cublas|cusparse|cudnn|cufft|cusolver|nccl)", saying.symbol or "", re.IGNORECASE
    )
    return f"lib{match[1]}.so" if match else None
