"""An extension was built for another torch.

torch keeps no stable C++ interface between minor releases: functions come, go and change their mangled names.
An extension wants exactly the release (and the CUDA variant) that it was compiled against.

## How it looks

- `ImportError: DLL load failed while importing _C: The specified procedure could not be found.`
- Linux: `undefined symbol: _ZN2at...`, `_ZN3c10...`, `_ZNK5torch...`
- `Couldn't load custom C++ ops. This can happen if your PyTorch and torchvision versions are incompatible`
  (torchvision)
- torchvision, torchaudio, xformers, flash-attn, detectron2, mmcv, pytorch3d, torch-scatter, after torch was
  upgraded

## How to make sure

- `python -m pip list | findstr torch` (Linux: `grep`): the versions and the part behind `+`
- `whyload PACKAGE` names the function that torch lacks

## What to do

1. Install both together, from one index: `python -m pip install torch==VERSION torchvision==VERSION --index-url
   ...`. The releases that belong together stand in the README of torchvision and torchaudio.
2. Other extensions: the wheel for this torch and this CUDA, as its documentation says (`+pt24cu121`,
   `cu121torch2.4`).
3. What you built yourself: remove the build, and build again.

## What not to do

- Upgrade torch alone.
- Mix conda's torch with extensions of pip.

## Sources

- PyTorch documentation: Release Compatibility Matrix; torchvision README
- facebookresearch/detectron2 issue 3710
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import MissingFunction
from whyload.findings.composition import owner_label
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.remedies.choose import other_build


def examine(subject: MissingFunction) -> Finding | None:
    """The lacking file is torch's, the asking one is not."""
    owner = subject.library_owner
    if owner is None or not subject.of_torch or subject.has_narrower_cause:
        return None
    note = Message(en=f"installed is {owner_label(owner)}", zh=f"已安装的是 {owner_label(owner)}")
    asking = subject.importer_owner
    remedies = (other_build(asking.distribution, subject.case.world),) if asking else ()
    return lacking(subject, "torch-abi-mismatch", culprit=subject.symbol.importer, notes=(note,), remedies=remedies)
