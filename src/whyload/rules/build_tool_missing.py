r"""The compiler, ninja or the CUDA toolkit that is needed to compile an extension on first use is absent.

torch from pip bundles the CUDA libraries for running code, not the toolkit for compiling it (`nvcc`). Visual
Studio Code is not a compiler, and Visual Studio without the C++ workload does not include one.

## How it looks

- `RuntimeError: Ninja is required to load C++ extensions`
- `UserWarning: Error checking compiler version for cl: [WinError 2] The system cannot find the file specified`
- `error: Microsoft Visual C++ 14.0 or greater is required. Get it with "Microsoft C++ Build Tools"`
- `OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.`
- `RuntimeError: Could not find MSVC/GCC/CLANG installation on this computer.`
- `'cl' is not recognized as an internal or external command`, `nvcc: command not found`,
  `error: command 'gcc' failed: No such file or directory`

## How to make sure

- `where cl`, `where nvcc`, `where ninja` (Linux: `which c++ nvcc ninja`) in the shell that starts Python
- `"%ProgramFiles(x86)%\Microsoft Visual Studio\Installer\vswhere.exe" -products * -requires
  Microsoft.VisualStudio.Component.VC.Tools.x86.x64` lists the installations that include a compiler

## What to do

1. Look for a published wheel first: then nothing has to be compiled.
2. Windows: install Build Tools for Visual Studio with the workload "Desktop development with C++", then start
   Python from the "x64 Native Tools Command Prompt". Linux: `apt install build-essential`, `python3-dev`.
3. `python -m pip install ninja`.
4. For CUDA code: install the toolkit version that `torch.version.cuda` names, and set `CUDA_HOME`/`CUDA_PATH`
   to it.

## What not to do

- Only add `cl.exe` to `PATH`: it also needs the variables that the command prompt sets (`INCLUDE`, `LIB`).
- Install the redistributable: it is for running programs, not for building them.

## Sources

- PyTorch documentation: torch.utils.cpp_extension
- Microsoft: Use the Microsoft C++ toolset from the command line; vswhere
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.builds import missing_tool
from whyload.facts.ending import ReportedError
from whyload.findings.model import Finding
from whyload.findings.said import said
from whyload.remedies.choose import by_hand

_GET = {
    "ninja": Message(en="run `python -m pip install ninja`", zh="运行 `python -m pip install ninja`"),
    "nvcc": Message(
        en="install the CUDA toolkit version that `torch.version.cuda` names",
        zh="安装与 `torch.version.cuda` 同版本的 CUDA 工具包",
    ),
    "cl.exe": Message(
        en="install Build Tools for Visual Studio with the C++ workload",
        zh="安装带 C++ 工作负载的 Visual Studio 生成工具",
    ),
}


def examine(error: ReportedError) -> Finding | None:
    """The builder said which tool it did not find."""
    tool = missing_tool(error.ending.output)
    if tool is None:
        return None
    title = _GET[tool]
    remedy = by_hand(
        "install-build-tool",
        f"{title.en}; look for a published wheel first",
        f"先看有没有现成的 wheel；没有的话，{title.zh}",
    )
    headline = Message(
        en=f"`{tool}` is needed to compile an extension and was not found", zh=f"编译扩展需要 `{tool}`，但没有找到"
    )
    return said(error, "build-tool-missing", headline, object_name=tool, remedies=(remedy,))
