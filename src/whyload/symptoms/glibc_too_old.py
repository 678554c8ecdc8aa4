"""A text in which the C library of the system is older than a binary needs."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait
from whyload.remedies.anywhere import advise

_SINCE = {
    "2.28": ("fcntl64", "statx"),
    "2.30": ("gettid", "pthread_cond_clockwait", "pthread_mutex_clocklock"),
    "2.32": ("__libc_single_threaded", "pthread_getattr_default_np"),
    "2.33": ("mallinfo2", "fstat64", "stat64", "lstat64", "mknod"),
    "2.34": ("__libc_start_call_main", "closefrom"),
    "2.35": ("_dl_find_object", "epoll_pwait2"),
    "2.36": ("arc4random", "arc4random_buf", "arc4random_uniform", "pidfd_open"),
    "2.38": ("strlcpy", "strlcat", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull",
             "__isoc23_sscanf", "__isoc23_fscanf"),
}  # fmt: skip
"""Functions of glibc by the release that brought them: the NEWS of glibc."""
_OWN = ("/nix/store", "/gnu/store", "linuxbrew")
"""Where package managers keep a glibc of their own beside that of the system."""


def explain(clues: Clues) -> Candidate | None:
    """The loader names a version of GLIBC; or a function that newer releases of it have."""
    said = next(
        (
            saying
            for saying in reversed(clues.all_said(Said.SYMBOL_VERSION))
            if (saying.version or "").startswith(("GLIBC_", "FBSD_"))
        ),
        None,
    )
    needed = said.version if said is not None else _of_newer_glibc(clues)
    if needed is None or clues.has(Trait.MUSL):
        return None
    return Candidate(
        code="glibc-too-old",
        strength=Strength.SHOWN if said is None else Strength.STATED if clues.mentions(*_OWN) else Strength.DECISIVE,
        why=both(
            f"a binary needs `{needed}`, and the system's C library is older",
            f"二进制文件需要 `{needed}`，而系统的 C 库比它旧",
        ),
        object=needed,
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


def _of_newer_glibc(clues: Clues) -> str | None:
    """The release of glibc that has the function which is not found."""
    symbols = {saying.symbol for saying in clues.all_said(Said.UNDEFINED_SYMBOL)}
    linux = clues.platform is Platform.LINUX
    return next((f"GLIBC_{since}" for since, names in _SINCE.items() if linux and symbols.intersection(names)), None)
