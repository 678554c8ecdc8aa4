"""An extension was built for another torch.

torch keeps no stable C++ interface between minor releases: functions come, go and change their mangled names.
An extension wants exactly the release (and the CUDA variant) that it was compiled against.
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
