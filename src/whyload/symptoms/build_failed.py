"""A text of an extension that did not compile."""

from __future__ import annotations

import re

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues

CODE = "build-failed"
_ERROR = re.compile(
    r"^.{0,200}?(?:fatal error|error)(?: [A-Z]{1,4}\d{3,5})?: .{1,200}|^.{0,200}unsupported (?:GNU|"
    r"Microsoft)[^\n]{0,200}",
    re.MULTILINE | re.IGNORECASE,
)


def explain(clues: Clues) -> Candidate | None:
    """A compiler, ninja or pip says so; where a tool is absent, that is the narrower cause."""
    said = clues.said(Said.BUILD_FAILED)
    if said is None:
        return usual(clues, CODE)
    tool = clues.said(Said.BUILD_TOOL_MISSING, Said.CUDA_MISMATCH)
    error = _ERROR.search(clues.text)
    line = " ".join(error[0].split())[:160] if error else said.text
    return Candidate(
        code=CODE,
        strength=Strength.KNOWN if tool is not None else Strength.STATED,
        why=both(f"the build ended with an error: `{line}`", f"编译以错误结束：`{line}`"),
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
