"""The C++ library of the system, of a compiler or of a program, where the file that needs it comes with its own."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Found, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait

_SYSTEM_LIBRARY = regular(r"^/(?:usr/(?:local/)?)?lib")


def other_libstdcxx(clues: Clues) -> Found | None:
    """The process has the system's libstdc++, and what needs a newer one lies in an environment that brings its own."""
    for saying in clues.all_said(Said.SYMBOL_VERSION):
        library, needed_by = saying.library or "", saying.needed_by or ""
        if "stdc++" not in library or "/" not in library:
            continue
        if _is_foreign(library, needed_by, clues) or _has_it_elsewhere(clues, saying.version or "GLIBCXX"):
            why = both(
                f"`{library}` is loaded, but the file that needs `{saying.version}` comes from elsewhere: its own "
                "libstdc++ was not the one loaded first",
                f"加载的是 `{library}`，而需要 `{saying.version}` 的文件来自另一处：先加载的不是与它配套的 libstdc++",
            )
            return Strength.SHOWN, why, "libstdc++.so.6"
    return None


_DENIED = regular(r"(?i)\b(?:not|no|only|up to|until|without|lacks?|missing|needs?|required?|older)\b|n't\b")


def _has_it_elsewhere(clues: Clues, version: str) -> bool:
    """Apart from the messages, a line names the version that is not found, as `strings` lists it of another copy."""
    lines = (line for line in clues.text.splitlines() if re.search(rf"{re.escape(version)}(?![\d.])", line))
    return any(not _DENIED.search(line) for line in lines)


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
