"""A text in which the system forbids a memory mapping that a library asks for."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise, word


def explain(clues: Clues) -> Candidate | None:
    """The loader could not enable an executable stack, change the protection of memory, or map for execution."""
    said = clues.said(Said.EXECUTABLE_STACK)
    mapped = clues.said(Said.MAP_FAILED)
    if said is None and (
        mapped is None
        or ("not permitted" not in (mapped.found or "").lower() and "denied" not in (mapped.found or "").lower())
    ):
        return None
    file = said.file if said else mapped.file if mapped else None
    return Candidate(
        code="executable-stack-or-selinux",
        strength=Strength.DECISIVE if said else Strength.KNOWN,
        why=both(
            "the system forbids the memory mapping that the library requires (an executable stack, SELinux, a folder "
            "mounted noexec)",
            "系统禁止该库要求的内存映射（可执行栈、SELinux，或以 noexec 挂载的目录）",
        ),
        object=file,
        ask=("getenforce", f"readelf -lW {word(file)} | grep GNU_STACK", "findmnt -T /tmp"),
        remedies=(
            advise(
                "clear-execstack",
                "clear the executable-stack flag, or install a release of the package without it",
                "清除可执行栈标记，或安装没有该标记的版本",
                f"patchelf --clear-execstack {word(file)}",
            ),
        ),
    )
