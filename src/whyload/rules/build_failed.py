"""An extension that is compiled on first use did not compile.

`torch.utils.cpp_extension.load`, Triton, CuPy and others compile C++ or CUDA code when they are first called.
The compiler was found and refused the code, or the linker did not find something.

## How it looks

- `RuntimeError: Error building extension 'name'`, with `ninja: build stopped: subcommand failed.` above it
- `error: command '...cl.exe' failed with exit code 2`, `subprocess.CalledProcessError: Command '['ninja',
  '-v']' returned non-zero exit status 1.`
- `fatal error C1083: Cannot open include file: 'Python.h'`,
  `LINK : fatal error LNK1104: cannot open file 'python310.lib'`
- `error: #error:  -- unsupported Microsoft Visual Studio version!`, `unsupported GNU version!`

The line that counts is the first one with `error`, far above the traceback; all that follows is consequence.

## How to make sure

- read the first `error` in the output; run with `verbose=True` to have it printed
- `nvcc --version` against `python -c "import torch; print(torch.version.cuda)"`: the first number has to be the
  same
- `cl` (Windows) or `c++ --version`: the toolkit's release notes say which compilers it accepts

## What to do

1. Take a published wheel of the package for this torch, CUDA and Python, if there is one: nothing has to be
   compiled.
2. Compiler too new for the toolkit: install the version of the build tools that the toolkit accepts beside it.
3. Embeddable Python has no `include` and `libs`: use python.org's installer.
4. Folders with blanks, non-ASCII letters or very long names: put environment and `TORCH_EXTENSIONS_DIR` into a
   short path.
5. After each change remove the old build (`stale-build-cache`).

## What not to do

- `-allow-unsupported-compiler` as more than a trial: the code may be wrong.
- Copy a `.pyd` that somebody else built for another torch.

## Sources

- PyTorch documentation: torch.utils.cpp_extension
- NVIDIA: CUDA Installation Guide for Microsoft Windows (supported compilers)
"""
