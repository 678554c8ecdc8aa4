"""An extension was built for another version of torch.

torch's C++ interface is not stable between minor releases: functions are added and removed, and their mangled
names change. An extension works only with the release (and the CUDA variant) that it was compiled for.

## How it looks

- `ImportError: DLL load failed while importing _C: The specified procedure could not be found.`
- Linux: `undefined symbol: _ZN2at...`, `_ZN3c10...`, `_ZNK5torch...`
- `Couldn't load custom C++ ops. This can happen if your PyTorch and torchvision versions are incompatible`
  (torchvision)
- after an upgrade of torch, in torchvision, torchaudio, xformers, flash-attn, detectron2, mmcv, pytorch3d or
  torch-scatter

## How to make sure

- `python -m pip list | findstr torch` (Linux: `grep`): compare the versions and the part after `+`
- `whyload PACKAGE` names the function that is missing in torch

## What to do

1. Install both together from the same index: `python -m pip install torch==VERSION torchvision==VERSION
   --index-url ...`. The README files of torchvision and torchaudio list the releases that belong together.
2. Other extensions: install the wheel for this torch and CUDA that its documentation names (`+pt24cu121`,
   `cu121torch2.4`).
3. If you built it yourself: delete the old build and rebuild.

## What not to do

- Upgrade torch alone.
- Combine torch from conda with extensions from pip.

## Sources

- PyTorch documentation: Release Compatibility Matrix; torchvision README
- facebookresearch/detectron2 issue 3710
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.facts.subjects import MissingFunction
from whyload.findings.composition import owner_label
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.knowledge.torch_pairs import is_paired, release_for, torch_for
from whyload.remedies.choose import other_build, release_beside

if TYPE_CHECKING:
    from whyload.facts.ownership import Owner
    from whyload.remedies.model import Remedy
    from whyload.world.model import World


def examine(subject: MissingFunction) -> Finding | None:
    """The lacking file is torch's, the asking one is not."""
    owner = subject.library_owner
    if owner is None or not subject.of_torch or subject.has_narrower_cause:
        return None
    installed = Message(en=f"{owner_label(owner)} is installed", zh=f"当前安装的是 {owner_label(owner)}")
    asking = subject.importer_owner
    notes, remedies = _pair(asking, owner, subject.case.world) if asking else ((), ())
    return lacking(
        subject, "torch-abi-mismatch", culprit=subject.symbol.importer, notes=(*notes, installed), remedies=remedies
    )


def _pair(asking: Owner, torch: Owner, world: World) -> tuple[tuple[Message, ...], tuple[Remedy, ...]]:
    """What the asking package belongs to, and the release of it that belongs to this torch, where both are known."""
    own, wanted = torch_for(asking.distribution, asking.version), release_for(asking.distribution, torch.version)
    if own is None or wanted is None or is_paired(asking.distribution, asking.version, torch.version):
        return (), (other_build(asking.distribution, world),)
    said = Message(
        en=f"{owner_label(asking)} is built for torch {own}", zh=f"{owner_label(asking)} 是为 torch {own} 构建的"
    )
    return (said,), (release_beside(asking.distribution, wanted, torch.distribution, torch.version, world),)
