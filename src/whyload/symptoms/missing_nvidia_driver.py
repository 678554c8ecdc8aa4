"""A text that names a library of the display driver as absent, or says that there is no driver."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.graphics import has_no_driver_to_be_old
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise

CODE = "missing-nvidia-driver"

_INSTALL = advise(
    "install-driver",
    "install the display driver from NVIDIA, or use the CPU build of the package",
    "安装 NVIDIA 显卡驱动，或改用该包的 CPU 版本",
)
_LIBRARY = regular(r"(?i)\b(?:nvcuda|nvml|nvcuvid|nvencodeapi(?:64)?)\.dll")


def explain(clues: Clues) -> Candidate | None:
    """A library that only the driver installs is named, or a program found no driver."""
    library = missing(clues, Family.NVIDIA_DRIVER)
    if library is not None:
        ask = (
            ("nvidia-smi", "docker run --gpus all nvidia/cuda:12.4.1-base-ubuntu22.04 nvidia-smi")
            if clues.has(Trait.CONTAINER)
            else ("nvidia-smi",)
        )
        return stated_missing(clues, CODE, library, ask=ask)
    if clues.said(Said.NO_DRIVER):
        return Candidate(
            code=CODE,
            strength=Strength.STATED,
            why=both("the program found no NVIDIA driver", "程序没有找到 NVIDIA 驱动"),
            ask=("nvidia-smi",),
            remedies=(_INSTALL,),
        )
    if has_no_driver_to_be_old(clues):
        return Candidate(
            code=CODE,
            strength=Strength.DECISIVE,
            why=both(
                "CUDA finds no driver that it can use, and the text tells of no NVIDIA GPU: where there is none, CUDA "
                "calls the driver insufficient as well",
                "CUDA 没有找到可用的驱动，而文中并没有 NVIDIA 显卡：没有 NVIDIA 驱动时，CUDA 也会提示驱动版本不足",
            ),
            ask=("nvidia-smi",),
            remedies=(_INSTALL,),
        )
    often = usual(clues, CODE, ask=("nvidia-smi",))
    return _told_absent(clues, often) or often


def _told_absent(clues: Clues, often: Candidate | None) -> Candidate | None:
    """An anonymous failure where a library of the driver is needed, on a machine that has no driver."""
    if not clues.has(Trait.NO_DRIVER) or not is_not_found(clues) or clues.missing:
        return None
    name = _LIBRARY.search(clues.text)
    if name is None and often is None:
        return None
    return Candidate(
        code=CODE,
        strength=Strength.SHOWN,
        why=both(
            "the module needs a library of the NVIDIA driver, and the machine has no such driver",
            "该模块需要 NVIDIA 驱动中的库，而这台机器没有该驱动",
        ),
        object=name[0] if name else "nvcuda.dll",
        ask=("nvidia-smi",),
        remedies=(_INSTALL,),
    )
