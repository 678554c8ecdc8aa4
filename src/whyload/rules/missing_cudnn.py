r"""A cuDNN library, or one that cuDNN itself needs, is missing.

cuDNN is not part of the CUDA toolkit. The number in the name is its major version: a file built for cuDNN 9
does not load with cuDNN 8. cuDNN 8 for Windows also needs `zlibwapi.dll`, which it does not include.

## How it looks

- `Could not locate cudnn_ops_infer64_8.dll. Please make sure it is in your library path!`
- `Could not load library cudnn_cnn_infer64_8.dll. Error code 126`: often the file is there, and `zlibwapi.dll`
  is not
- `Could not locate zlibwapi.dll. Please make sure it is in your library path!`
- onnxruntime: `LoadLibrary failed with error 126` for `onnxruntime_providers_cuda.dll`
- Linux: `Could not load library libcudnn_ops_infer.so.8`, `libcudnn.so.9: cannot open shared object file`

## How to make sure

- `where cudnn*64_*.dll zlibwapi.dll`
- `python -m pip show nvidia-cudnn-cu12`
- `whyload PACKAGE` says which name is missing and which file needs it

## What to do

1. With pip: `python -m pip install nvidia-cudnn-cu12` in the needed major version (for cuDNN 8
   `"nvidia-cudnn-cu12==8.*"`), and have the program add its `bin` folder; torch bundles its own cuDNN.
2. Or use NVIDIA's installer for Windows; in the archive, the DLLs are in the `bin` folder.
3. `zlibwapi.dll`: get it as NVIDIA's installation guide for cuDNN 8 describes, or better, use a release based
   on cuDNN 9, which does not need it.

## What not to do

- Rename `cudnn64_9.dll` to `cudnn64_8.dll`.
- Unpack the archive with its folder structure into the toolkit: the DLLs end up in `bin\bin` or another
  subfolder.

## Sources

- NVIDIA: cuDNN Installation Guide, Windows (8 and 9)
- ONNX Runtime documentation: CUDA Execution Provider (table of versions)
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to cuDNN."""
    if not absence.family(Family.CUDNN) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-cudnn")
