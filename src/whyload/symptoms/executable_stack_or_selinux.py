"""A text in which the system forbids a memory mapping that a library asks for."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, is_by_policy, is_of_a_service
from whyload.remedies.anywhere import advise, word

_FORBIDDEN = ("permission denied", "operation not permitted")
_STRICT = ("hardened", "selinux", "grsec", "apparmor", "enforcing")
"""Systems that forbid mappings on top of what the rights of files forbid."""


def explain(clues: Clues) -> Candidate | None:
    """The loader could not enable an executable stack, change the protection of memory, or map for execution."""
    said, mapped, denied = clues.said(Said.EXECUTABLE_STACK), clues.said(Said.MAP_FAILED), clues.said(Said.DENIED)
    if said is not None:
        strength, file = Strength.DECISIVE, said.file
    elif mapped is not None and (mapped.found or "").lower() in _FORBIDDEN:
        strength, file = Strength.SHOWN if is_by_policy(clues) else Strength.KNOWN, mapped.file
    elif mapped is not None and "memory" not in (mapped.found or ""):
        strength, file = Strength.KNOWN if clues.mentions(*_STRICT) else Strength.POSSIBLE, mapped.file
    elif denied is not None and is_of_a_service(clues):
        strength, file = Strength.KNOWN, denied.file
    else:
        return None
    return Candidate(
        code="executable-stack-or-selinux",
        strength=strength,
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
