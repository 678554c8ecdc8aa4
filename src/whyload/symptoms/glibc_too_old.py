"""A text in which the C library of the system is older than a binary needs."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise


def explain(clues: Clues) -> Candidate | None:
    """The loader names a version of GLIBC."""
    said = next(
        (
            saying
            for saying in reversed(clues.all_said(Said.SYMBOL_VERSION))
            if (saying.version or "").startswith(("GLIBC_", "FBSD_"))
        ),
        None,
    )
    if said is None or clues.has(Trait.MUSL):
        return None
    return Candidate(
        code="glibc-too-old",
        strength=Strength.DECISIVE,
        why=both(
            f"a binary needs `{said.version}`, and the system's C library is older",
            f"二进制文件需要 `{said.version}`，而系统的 C 库比它旧",
        ),
        object=said.version,
        ask=("ldd --version",),
        remedies=(
            advise(
                "older-wheel",
                "install a release of the package for an older manylinux, or use a newer distribution (a container is "
                "enough)",
                "安装面向较旧 manylinux 的版本，或换用较新的发行版（用容器也可以）",
                "python -m pip install --only-binary=:all: PACKAGE",
            ),
        ),
    )
