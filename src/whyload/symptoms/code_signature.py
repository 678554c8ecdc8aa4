"""A text in which macOS refuses a library for its signature."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise, word


def explain(clues: Clues) -> Candidate | None:
    """dyld or the system names the signature."""
    said = clues.said(Said.CODE_SIGNATURE)
    if said is None:
        return None
    file = next((saying.file for saying in reversed(clues.all_said(Said.CODE_SIGNATURE)) if saying.file), None)
    return Candidate(
        code="code-signature",
        strength=Strength.DECISIVE,
        why=both("macOS refuses the library because of its code signature", "macOS 因代码签名拒绝加载该库"),
        object=file,
        ask=(f"codesign -dv {word(file)}",),
        remedies=(
            advise(
                "sign-anew",
                "sign the file again on this machine, or remove its quarantine attribute",
                "在本机重新给该文件签名，或移除隔离标记",
                f"codesign --force --sign - {word(file)}",
                f"xattr -d com.apple.quarantine {word(file)}",
            ),
        ),
    )
