"""What builders of extensions say when they fail.

Sources: torch/utils/cpp_extension.py, setuptools, ninja, dnnlib's custom_ops.py, Triton: their own texts.
"""

from __future__ import annotations

import re

from whyload.base.regular import regular

_TOOLS = (
    ("ninja", regular(r"Ninja is required to load C\+\+ extensions")),
    ("nvcc", regular(r"CUDA_HOME environment variable is not set|nvcc: command not found|'nvcc' is not recognized")),
    (
        "cl.exe",
        regular(
            r"Error checking compiler version for cl\b|Microsoft Visual C\+\+ \d+\.\d+ or greater is required"
            r"|'cl' is not recognized as|Could not find MSVC/GCC/CLANG installation"
            r"|Cannot find a working compiler|command 'cl\.exe' failed: (?:No such file|None)"
        ),
    ),
)
_FAILED = regular(
    r"Error building extension '(?P<name>[\w.-]+)'"
    r"|ninja: build stopped: subcommand failed|error: command '[^']*' failed with exit (?:code|status) \d+"
    r"|CalledProcessError: Command '\['ninja'|Failed to compile\. cc_cmd:"
)
_FIRST_ERROR = regular(r"fatal error|error [A-Z]+\d+|: error|#error|include file '[^']*' not found")


def missing_tool(output: str) -> str | None:
    """The tool that a builder says it did not find."""
    return next((name for name, pattern in _TOOLS if pattern.search(output)), None)


def failed_build(output: str) -> re.Match[str] | None:
    """The words in which a builder gives up; the group `name` is the extension where they name it."""
    found = list(_FAILED.finditer(output))
    return next((match for match in found if match["name"]), found[0] if found else None)


def first_error(output: str) -> str | None:
    """The compiler's first line with an error; all that follows is consequence."""
    return next((line.strip() for line in output.splitlines() if _FIRST_ERROR.search(line)), None)
