"""The C++ library of the system, of a compiler or of a program, where the file that needs it comes with its own."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Found, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.situation import lacks_libstdcxx

_SYSTEM_LIBRARY = regular(r"^/(?:usr/(?:local/)?)?lib")


def other_libstdcxx(clues: Clues) -> Found | None:
    """The process has the system's libstdc++, and what needs a newer one lies in an environment that brings its own."""
    for saying in clues.all_said(Said.SYMBOL_VERSION):
        library, needed_by = saying.library or "", saying.needed_by or ""
        if "stdc++" not in library or "/" not in library:
            continue
        elsewhere = _has_it_elsewhere(clues, saying.version or "GLIBCXX") or _is_resolved_elsewhere(clues, library)
        if elsewhere or _is_foreign(library, needed_by, clues):
            why = both(
                f"`{library}` is loaded, but the file that needs `{saying.version}` comes from elsewhere: its own "
                "libstdc++ was not the one loaded first",
                f"加载的是 `{library}`，而需要 `{saying.version}` 的文件来自另一处：先加载的不是与它配套的 libstdc++",
            )
            return Strength.SHOWN, why, "libstdc++.so.6"
    return _older_of_conda(clues) or _driver_of_mesa(clues)


def _driver_of_mesa(clues: Clues) -> Found | None:
    """Mesa's drivers need the system's libstdc++; in a process of conda they are refused, and looked for further on.

    Source: conda-forge/ctng-compilers-feedstock issue 95: LIBGL_DEBUG=verbose tells of the refusal, the error not.
    """
    driver = next((name for name in clues.missing if name.endswith("_dri.so")), None)
    if driver is None or not clues.has(Trait.CONDA):
        return None
    why = both(
        f"Mesa's `{driver}` needs a newer libstdc++ than conda's, which the process has loaded: it is refused where it "
        "is, and then looked for in vain elsewhere",
        f"Mesa 的 `{driver}` 需要比 conda 自带的更新的 libstdc++，而进程加载的是 conda 的：它在原处被拒绝，"
        "随后在别处也找不到",
    )
    return Strength.SHOWN, why, "libstdc++.so.6"


def _older_of_conda(clues: Clues) -> Found | None:
    """Conda's own libstdc++ is loaded into every process of its Python, whatever compiler built the extension."""
    symbol = lacks_libstdcxx(clues)
    if symbol is None or not clues.has(Trait.CONDA):
        return None
    why = both(
        f"`{symbol}` is a function of the C++ library, which a newer compiler calls: conda's own libstdc++ is loaded, "
        "and it is older than that of the compiler",
        f"`{symbol}` 是较新的编译器才会调用的 C++ 标准库函数：实际加载的是 conda 自带的 libstdc++，比编译器的旧",
    )
    return Strength.SHOWN, why, "libstdc++.so.6"


_DENIED = regular(r"(?i)\b(?:not|no|only|up to|until|without|lacks?|missing|needs?|required?|older)\b|n't\b")


def _has_it_elsewhere(clues: Clues, version: str) -> bool:
    """Apart from the messages, a line names the version that is not found, as `strings` lists it of another copy."""
    lines = (line for line in clues.text.splitlines() if re.search(rf"{re.escape(version)}(?![\d.])", line))
    return any(not _DENIED.search(line) for line in lines)


def _is_resolved_elsewhere(clues: Clues, library: str) -> bool:
    """`ldd` of the file leads to another libstdc++ than the one that the process has."""
    resolved = re.findall(r"libstdc\+\+\.so\.6 => ([^\s(]+)", clues.text)
    return any(one not in ("not", library) for one in resolved)


_CONDA_PREFIX = regular(r"(?P<prefix>[^'\":,()]*?(?:/envs/[^/]+|conda\d*|forge\d*|mamba\d*|/r-reticulate))(?=/)")


def _conda_prefix(path: str) -> str | None:
    """The folder of the conda environment that a path lies in: of `envs`, or of the installation itself."""
    inner = re.match(r"[^'\":,()]*?/envs/[^/]+(?=/)", path)
    found = inner or _CONDA_PREFIX.match(path)
    return found[0] if found is not None else None


def _is_foreign(library: str, needed_by: str, clues: Clues) -> bool:
    """Whether the file that needs it has a libstdc++ of its own, in its conda environment, or the program of a host."""
    own = _conda_prefix(needed_by)
    if own is not None:
        return own != _conda_prefix(library)
    told = clues.has(Trait.TWO_COPIES, Trait.ALONE_WORKS)
    return told or _conda_prefix(library) is not None or not _SYSTEM_LIBRARY.match(library)
