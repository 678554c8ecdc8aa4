"""A text of an extension that did not compile."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, is_torch_extension

CODE = "build-failed"
_ERROR = regular(
    r"^.{0,200}?(?:fatal error|error)(?: [A-Z]{1,4}\d{3,5})?: .{1,200}|^.{0,200}unsupported (?:GNU|"
    r"Microsoft)[^\n]{0,200}",
    re.MULTILINE | re.IGNORECASE,
)

_NEVER_BUILT = regular(r"ninja[`'\"]{1,3}, ?[`'\"]{1,3}--version")
"""Of torch/utils/cpp_extension.py, whose `_run_ninja_build` runs `ninja -v`; widespread advice replaces it by this."""


def explain(clues: Clues) -> Candidate | None:
    """A compiler, ninja or pip says so; where a tool is absent, that is the narrower cause."""
    said = clues.said(Said.BUILD_FAILED)
    if said is None and _NEVER_BUILT.search(clues.text) and clues.said(Said.IMPORT_FAILED, Said.LIBRARY_MISSING):
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=both(
                "torch was modified to ask ninja for its version instead of building (`ninja -v` changed to "
                "`ninja --version`): nothing is compiled, so there is no extension to load",
                "torch 的源码被改成只查询 ninja 的版本（`ninja -v` 改成了 `ninja --version`），不再编译：没有编译出任"
                "何扩展可供加载",
            ),
            object=clues.module,
            ask=("ninja --version", "where cl", "nvcc --version"),
        )
    if said is None:
        return usual(clues, CODE) or _never_made(clues) or _never_finished(clues)
    tool = clues.said(Said.BUILD_TOOL_MISSING, Said.CUDA_MISMATCH)
    error = _ERROR.search(clues.text)
    line = " ".join(error[0].split())[:160] if error else said.text
    return Candidate(
        code=CODE,
        strength=Strength.KNOWN if tool is not None else Strength.STATED,
        why=both(f"the build ended with an error: `{line}`", f"编译出错，未能完成：`{line}`"),
        object=said.module,
        ask=(
            both(
                "what is the first line with `error` in the output of the compiler?",
                "编译器输出中第一条含 `error` 的行是什么？",
            ),
            "nvcc --version",
            "where cl",
        ),
    )


def _never_finished(clues: Clues) -> Candidate | None:
    """What torch compiles at first use is not in its folder: an earlier build may have failed before it was written."""
    absent = clues.said(Said.LIBRARY_MISSING)
    file = (absent.library or absent.file or "") if absent is not None else ""
    if "torch_extensions" not in file:
        return None
    return Candidate(
        code=CODE,
        strength=Strength.POSSIBLE,
        order=(-1, 0),
        why=both(
            f"`{file}` is written by the compiler: if no earlier build ended, it was never there",
            f"`{file}` 由编译器生成：如果此前没有一次编译成功，它就从未存在过",
        ),
        object=file.rpartition("/")[2],
        ask=(
            both(
                "what is the first line with `error` in the output of the compiler?",
                "编译器输出中第一条含 `error` 的行是什么？",
            ),
            "nvcc --version",
        ),
    )


def _never_made(clues: Clues) -> Candidate | None:
    """The compiled part of a package that extends torch is absent: it was installed without being compiled."""
    absent = clues.said(Said.NATIVE_MODULE_MISSING)
    module = ".".join(part for part in (absent.file, absent.module) if part) if absent is not None else None
    if module is None or not is_torch_extension(module if "." in module else f"?.{module}"):
        return None
    label = module.lstrip("?.")
    return Candidate(
        code=CODE,
        strength=Strength.KNOWN,
        why=both(
            f"`{label}` is compiled when the package is installed, but it was skipped: usually no CUDA toolkit or "
            "compiler was found",
            f"`{label}` 应在安装该包时编译，而它被跳过了：多半是没有找到 CUDA 工具包或编译器",
        ),
        object=label,
        ask=('python -c "from torch.utils.cpp_extension import CUDA_HOME; print(CUDA_HOME)"', "nvcc --version"),
    )
