"""A text in which a compiler, ninja or the CUDA toolkit is not found."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform
from whyload.remedies.anywhere import advise, word
from whyload.remedies.model import Remedy, Safety


def explain(clues: Clues) -> Candidate | None:
    """A program that the build needs is said to be absent."""
    said = clues.said(Said.BUILD_TOOL_MISSING)
    if said is None:
        return None
    tool = (said.library or "cl.exe").rpartition("/")[2]
    return Candidate(
        code="build-tool-missing",
        strength=Strength.SHOWN,
        why=both(f"the build needs `{tool}`, which was not found", f"编译需要 `{tool}`，但没有找到它"),
        object=tool,
        ask=(f"{'which' if clues.platform is Platform.LINUX else 'where'} {word(tool, 'TOOL')}",),
        remedies=_remedies(tool),
    )


def _remedies(tool: str) -> tuple[Remedy, ...]:
    if tool.startswith("ninja"):
        return (
            advise("install-ninja", "install ninja", "安装 ninja", "python -m pip install ninja", safety=Safety.SAFE),
        )
    if tool.startswith("nvcc"):
        return (
            advise(
                "install-cuda-toolkit",
                "install the CUDA toolkit that torch is built for, and set CUDA_HOME to it",
                "安装与 torch 构建版本一致的 CUDA 工具包，并设置 CUDA_HOME",
            ),
        )
    if tool.startswith(("cl", "link")):
        return (
            advise(
                "install-build-tools",
                "install the C++ workload of the Visual Studio Build Tools, and start from its command prompt",
                "安装 Visual Studio 生成工具的 C++ 工作负载，并从其命令提示符启动",
                "winget install --id Microsoft.VisualStudio.2022.BuildTools -e",
            ),
        )
    return (
        advise(
            "install-compiler",
            "install the compiler and the headers of Python",
            "安装编译器和 Python 头文件",
            "apt-get install build-essential python3-dev",
        ),
    )
