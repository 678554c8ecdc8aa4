r"""Only another major version of the needed cuDNN library is there.

The major version is part of the name, and neither can replace the other: a file built for cuDNN 9 needs
`cudnn64_9.dll`, and cuDNN 8 only has `cudnn64_8.dll`.

## How it looks

- onnxruntime-gpu 1.19 or later with cuDNN 8: `LoadLibrary failed with error 126 "" when trying to load
  "...\onnxruntime_providers_cuda.dll"`, `Require cuDNN 9.* and CUDA 12.*`
- `Could not locate cudnn_ops64_9.dll. Please make sure it is in your library path!`
- Linux: `libcudnn.so.8: cannot open shared object file`, with `libcudnn.so.9` beside it
- torch bundles one version, and another package needs the other

## How to make sure

- `where cudnn64_*.dll`; `python -c "import torch; print(torch.backends.cudnn.version())"`: 90100 is 9.1
- `whyload PACKAGE` names both

## What to do

1. Use releases that agree: torch 2.4 and later bundle cuDNN 9, torch 2.3 and earlier cuDNN 8; onnxruntime-gpu
   1.18 from the default index needs cuDNN 8, 1.19 and later need cuDNN 9; ctranslate2 4.5 and later need cuDNN
   9.
2. Or install the needed cuDNN as well: the file names differ, so both can be installed.

## What not to do

- Rename `cudnn64_8.dll` to `cudnn64_9.dll`, or symlink the `.so`.

## Sources

- NVIDIA: cuDNN Support Matrix
- ONNX Runtime documentation: CUDA Execution Provider; import tables of the published wheels
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import other_version
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """Another version of the wanted cuDNN library is around."""
    if absence.kind is not AbsenceKind.OTHER_VERSION or absence.other is None or absence.library is None:
        return None
    if absence.case.is_frozen:
        return None
    if absence.library.family is not Family.CUDNN:
        return None
    return other_version(absence, absence.other, "wrong-cudnn-version")
