"""A text that says that an extension does not fit the installed NumPy."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said, Saying
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise, safety_of_installing
from whyload.remedies.model import Remedy, Safety

_SINCE = {"numpy.core._multiarray_umath": (1, 16), "numpy._core._multiarray_umath": (2, 0)}
"""The releases of NumPy that brought these modules: what was built with them asks for them by name."""


def explain(clues: Clues) -> Candidate | None:
    """NumPy or Cython says so. `multiarray failed to import` alone can have another reason."""
    newer = _part_of_a_newer(clues)
    said = clues.all_said(Said.NUMPY_ABI)
    if not said and newer is None:
        return None
    alone = newer is None and all("failed to import" in saying.text for saying in said)
    package = next((name for name in clues.packages if name != "numpy"), None)
    return Candidate(
        code="numpy-abi-mismatch",
        strength=Strength.STATED if alone else Strength.SHOWN,
        why=newer
        or both(
            "a module was built for a version of NumPy other than the installed one",
            "某个模块构建时所用的 NumPy 版本与已安装的不同",
        ),
        object=package,
        ask=(
            'python -c "import numpy; print(numpy.__version__, numpy.__file__)"',
            f"python -m pip show {package or 'PACKAGE'}",
        ),
        remedies=_NEWER_NUMPY
        if newer is not None or _is_behind(said) or _has_older_sizes(clues)
        else _for_the_package(package),
    )


def _is_behind(said: tuple[Saying, ...]) -> bool:
    """The module was built for a newer interface than the installed NumPy has: both are told in hexadecimal."""
    told = next(
        ((one.number or one.version, one.found) for one in said if one.found and (one.number or one.version)), None
    )
    if told is None:
        return False
    built, there = (one if isinstance(one, int) else int(one or "0", 16) for one in told)
    return built > there


_SIZES = regular(
    r"numpy\.(dtype|ndarray) size changed, may indicate binary incompatibility\. "
    r"Expected (\d{2,3}) from C header, got (\d{2,3})"
)


def _has_older_sizes(clues: Clues) -> bool:
    """Whether the sizes of NumPy's structures are those of an older release than the one that the module was built for.

    `ndarray` grew with 1.20, and the public part of `dtype` became smaller with 2.0 (numpy.org, release notes).
    """
    match = _SIZES.search(clues.text)
    if match is None:
        return False
    built, there = int(match[2]), int(match[3])
    return built > there if match[1] == "ndarray" else built < there


_NEWER_NUMPY = (
    advise(
        "newer-numpy",
        "upgrade NumPy",
        "升级 NumPy",
        "python -m pip install --upgrade numpy",
        safety=Safety.ASKS_FIRST,
    ),
)


def _for_the_package(package: str | None) -> tuple[Remedy, ...]:
    return (
        advise(
            "upgrade-package",
            f"upgrade {package or 'the package'} to a release built for the installed NumPy",
            f"把{f' {package} ' if package else '该包'}升级到与已安装的 NumPy 兼容的版本",
            f"python -m pip install --upgrade {package or 'PACKAGE'}",
            safety=safety_of_installing(package or "PACKAGE"),
        ),
        advise(
            "older-numpy",
            "or stay with NumPy 1",
            "或者继续使用 NumPy 1",
            'python -m pip install "numpy<2"',
            safety=Safety.SAFE,
        ),
    )


def _part_of_a_newer(clues: Clues) -> Message | None:
    lacking = clues.said(Said.NATIVE_MODULE_MISSING)
    since = _SINCE.get(lacking.module or "") if lacking is not None else None
    installed = re.match(r"(\d{1,3})\.(\d{1,3})", clues.version("numpy") or "")
    if lacking is None or since is None or installed is None or (int(installed[1]), int(installed[2])) >= since:
        return None
    return both(
        f"`{lacking.module}` exists only since NumPy {since[0]}.{since[1]}, but NumPy {installed[0]} is installed: a "
        "module was built for the newer one",
        f"`{lacking.module}` 从 NumPy {since[0]}.{since[1]} 起才有，而已安装的是 NumPy {installed[0]}：某个模块是为更"
        "新版本的 NumPy 构建的",
    )
