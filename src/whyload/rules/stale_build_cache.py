r"""A cached build of an extension belongs to other sources, another environment, or to a build that was broken off.

`torch.utils.cpp_extension` keeps what it built in `torch_extensions`, by the name of the extension, the Python
and the CUDA version; Triton and others have caches of their own. After an upgrade of torch, another GPU, or a
build that was interrupted, the old files are taken again.

## How it looks

- `ImportError: .../torch_extensions/py38_cu118/fused_adam/fused_adam.so: cannot open shared object file: No
  such file or directory`
- `DLL load failed while importing bias_act_plugin: The specified module could not be
  found`, with a path in `torch_extensions`
- the process waits for ever: a `lock` file of a build that was broken off is still there
- `undefined symbol`, or error 127, in an extension that worked before torch was upgraded

## How to make sure

- the folder: `%LOCALAPPDATA%\torch_extensions\torch_extensions\Cache` on Windows, `~/.cache/torch_extensions`
  on Linux, or where `TORCH_EXTENSIONS_DIR` points; a folder of the extension with `build.ninja`, without a
  `.pyd` or `.so`, or with a `lock`, was broken off
- the times of the files are older than the installation of torch

## What to do

1. End programs that use the extension, remove the folder of that extension, start again.
2. If it fails again, what counts is the first error of the compiler (`build-failed`, `build-tool-missing`).
3. Several machines or environments with one home folder: give each its own `TORCH_EXTENSIONS_DIR`.
4. With compiled files in a clone of sources (`build/`, `*.so` beside the sources): remove them and install
   again.

## What not to do

- Remove the `lock` while another process is really building.
- Copy the built files from another machine.

## Sources

- PyTorch documentation: torch.utils.cpp_extension; torch/utils/file_baton.py
- QwenLM/Qwen3 issue 350
"""
