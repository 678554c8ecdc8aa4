"""An extension that is compiled on first use did not compile.

`torch.utils.cpp_extension.load`, Triton, CuPy and others compile C++ or CUDA code when they are first called.
The compiler was found, but it rejected the code, or the linker did not find something.

## How it looks

- `RuntimeError: Error building extension 'name'`, with `ninja: build stopped: subcommand failed.` above it
- `error: command '...cl.exe' failed with exit code 2`, `subprocess.CalledProcessError: Command '['ninja',
  '-v']' returned non-zero exit status 1.`
- `fatal error C1083: Cannot open include file: 'Python.h'`,
  `LINK : fatal error LNK1104: cannot open file 'python310.lib'`
- `error: #error:  -- unsupported Microsoft Visual Studio version!`, `unsupported GNU version!`

The line that matters is the first one with `error`, far above the traceback; everything after it is a
consequence.

## How to make sure

- read the first `error` in the output; run with `verbose=True` to print all of it
- `nvcc --version` against `python -c "import torch; print(torch.version.cuda)"`: the major versions have to
  match
- `cl` (Windows) or `c++ --version`: the toolkit's release notes list the supported compilers

## What to do

1. Look for a published wheel of the package for this torch, CUDA and Python: then nothing has to be compiled.
2. If the compiler is too new for the toolkit: also install a version of the build tools that the toolkit
   supports.
3. The embeddable Python has no `include` and `libs` folders: use python.org's installer.
4. If paths contain spaces or non-ASCII characters, or are very long: move the environment and
   `TORCH_EXTENSIONS_DIR` to a short path.
5. Delete the old build after each change (see `stale-build-cache`).

## What not to do

- Keep using `-allow-unsupported-compiler`: the generated code may be wrong. It is good for a test only.
- Copy a `.pyd` that was built for another torch.

## Sources

- PyTorch documentation: torch.utils.cpp_extension
- NVIDIA: CUDA Installation Guide for Microsoft Windows (supported compilers)
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.builds import failed_build, first_error, missing_tool
from whyload.facts.ending import ReportedError
from whyload.findings.model import Finding
from whyload.findings.said import said
from whyload.remedies.choose import by_hand

_LONGEST = 300


def examine(error: ReportedError) -> Finding | None:
    """The builder said so; the first error of the compiler is shown."""
    output = error.ending.output
    match = failed_build(output)
    if match is None or missing_tool(output) is not None:
        return None
    name, line = match["name"], (first_error(output) or "")[:_LONGEST]
    notes = (Message(en=f"the compiler's first error: {line}", zh=f"编译器的第一个错误：{line}"),) if line else ()
    remedy = by_hand(
        "read-the-first-error",
        "look for a published wheel first; if there is none, start from the compiler's first error",
        "先看有没有现成的 wheel；没有的话，从编译器的第一个错误查起",
    )
    headline = Message(
        en=f"the extension `{name}` did not compile" if name else "an extension did not compile (`ninja`, compiler)",
        zh=f"扩展 `{name}` 未能编译" if name else "扩展未能编译（`ninja`、编译器）",
    )
    return said(error, "build-failed", headline, object_name=name, notes=notes, remedies=(remedy,))
