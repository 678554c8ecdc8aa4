"""A text that says that the display driver is too old for the CUDA version in use."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.observe.text.graphics import has_no_driver_to_be_old
from whyload.remedies.anywhere import advise


def explain(clues: Clues) -> Candidate | None:
    """CUDA itself says so."""
    if clues.said(Said.DRIVER_TOO_OLD) is None:
        return None
    return Candidate(
        code="driver-too-old",
        strength=Strength.KNOWN if has_no_driver_to_be_old(clues) else Strength.DECISIVE,
        why=both(
            "CUDA says that the display driver does not support the CUDA version in use",
            "CUDA 提示显卡驱动不支持正在使用的 CUDA 版本",
        ),
        ask=("nvidia-smi",),
        remedies=(
            advise(
                "update-driver",
                "update the display driver from NVIDIA, or install a build of the package for an older CUDA",
                "从 NVIDIA 更新显卡驱动，或安装该包面向较低 CUDA 版本的构建",
            ),
        ),
    )
