"""A text in which a compiler, ninja or the CUDA toolkit is not found."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform
from whyload.remedies.anywhere import advise, word
from whyload.remedies.model import Remedy, Safety

_PART = regular(
    r"\b(Python\.h|cuda\w*\.h|cu(?:blas|sparse|solver|fft|rand|dnn)\w*\.h|crt/host_defines\.h|nv\w{1,30}\.h|"
    r"(?:crtdefs|corecrt|basetsd|vcruntime|windows|stdio|stdlib|stddef|limits|assert|io|ctype|math)\.h)\b"
    r"[^\n]{0,60}(?:no such file|not found|cannot open)|"
    r"cannot open include file: '([\w./]+\.h)'|cannot find -l((?:cuda|cudart|python[\d.]*|cublas|stdc\+\+)\w*)|"
    r"cannot open (?:input )?file '((?:cuda|cudart|cublas|python\d+t?|kernel32|msvcprt|libcmt)\.lib)'",
    re.IGNORECASE,
)
"""Headers and link libraries that come with a toolkit: Python's own, CUDA, the C library of the compiler."""


def explain(clues: Clues) -> Candidate | None:
    """A program that the build needs is said to be absent, or a part of a toolkit is."""
    said = clues.said(Said.BUILD_TOOL_MISSING)
    if said is None:
        return _part_missing(clues)
    tool = (said.library or "cl.exe").rpartition("/")[2]
    return Candidate(
        code="build-tool-missing",
        strength=Strength.SHOWN,
        why=both(f"the build needs `{tool}`, which was not found", f"编译需要 `{tool}`，但没有找到"),
        object=tool,
        ask=(f"{'which' if clues.platform is Platform.LINUX else 'where'} {word(tool, 'TOOL')}",),
        remedies=_remedies(tool),
    )


def _part_missing(clues: Clues) -> Candidate | None:
    """The build failed for a header or link library of a toolkit: its development part may not be installed."""
    part = _PART.search(clues.text) if clues.said(Said.BUILD_FAILED) else None
    if part is None:
        return None
    name = next(group for group in part.groups() if group)
    finder = "find / -name" if clues.platform in (Platform.LINUX, Platform.MACOS) else "where /R C:\\"
    return Candidate(
        code="build-tool-missing",
        strength=Strength.KNOWN,
        why=both(
            f"the compiler did not find `{name}`, which comes with the development files of Python, CUDA or the "
            "compiler",
            f"编译器找不到 `{name}`，它来自 Python、CUDA 或编译器的开发文件",
        ),
        object=name,
        ask=(f"{finder} {word(name.rpartition('/')[2])}",),
        remedies=_remedies("nvcc" if re.match("cu|crt/|nv", name, re.IGNORECASE) else "cc"),
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
                "install the CUDA toolkit version that torch was built with, and set CUDA_HOME to it",
                "安装与 torch 构建时版本一致的 CUDA 工具包，并让 CUDA_HOME 指向它",
            ),
        )
    if tool.startswith(("cl", "link")):
        return (
            advise(
                "install-build-tools",
                "install the C++ workload of the Visual Studio Build Tools, and start Python from its command prompt",
                "安装 Visual Studio 生成工具的 C++ 工作负载，并从它的命令提示符启动 Python",
                "winget install --id Microsoft.VisualStudio.2022.BuildTools -e",
            ),
        )
    return (
        advise(
            "install-compiler",
            "install the compiler and the Python headers",
            "安装编译器和 Python 头文件",
            "apt-get install build-essential python3-dev",
        ),
    )
