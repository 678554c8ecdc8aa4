"""A text in which packages of pip and of conda meet in one environment."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.observe.text.clues import OF_A_CURE, Clues, Trait
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise

CODE = "conda-pip-mix"
_MIXED = regular(
    r"(?:conda[^\n]{0,120}\b(?:pip|pypi)\b[^\n]{0,60}\b(?:and|mix|also|over|then|both)|(?:mix|"
    r"both)[^\n]{0,60}\bconda\b[^\n]{0,30}\bpip|mix[^\n]{0,40}\bpip\b[^\n]{0,30}\bconda|"
    r"pip[^\n]{0,40}\b(?:in|into|inside|over|on top of)\b[^\n]{0,40}conda|"
    r"\b(?:pip|pypi)\b[^\n:]{0,40}\b(?:rest|others?|remaining|packages|dependencies)\b[^\n:]{0,40}\bconda\b|"
    r"conda[^\n]{0,12}(?:环境|中|里)[^\n]{0,8}(?:用|使用|又用)? ?pip|pip[^\n]{0,20}和[^\n]{0,8}conda)",
    re.IGNORECASE,
)

_TWICE = regular(
    r"(?i)\bpip\b[^\n;]{0,40}\b(?:over|on top of|replac\w+|overw\w+)\b[^\n;]{0,24}\bconda|"
    r"\bconda\b[^\n;]{0,60}\b(?:replaced|overwritten|shadowed) by\b[^\n;]{0,24}\bpip\b|"
    r"\b(?:both|twice|two copies|also|as well|and)\b[^\n;]{0,60}\bconda(?:-forge)?\b[^\n;]{0,40}\b(?:and|also) "
    r"[^\n;]{0,40}\bpip\b|"
    r"\b(\w[\w-]{2,30}) (?:of|from|by|via) conda(?:-forge)?,? (?:and|also)\b[^\n;]{0,24}\b\1[\w-]{0,12}[^\n;]{0,12}"
    r"\bpip\b|"
    r"\b(\w[\w-]{2,30}) (?:of|from|by|via) pip,? (?:and|also)\b[^\n;]{0,24}\b\2[\w-]{0,12}[^\n;]{0,12}\bconda\b"
)
"""One package by both, or one in the place of the other: more than pip in an environment of conda, which is common."""

_SPLIT = frozenset([
    "numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "scikit-image", "pillow", "lxml", "pyzmq", "h5py",
    "netcdf4", "tables", "pyqt5", "pyside2", "shapely", "gdal", "fiona", "pyogrio", "rasterio", "pyproj", "cartopy",
    "rtree", "pyarrow", "cryptography", "cffi", "psycopg2",
])  # fmt: skip
"""Packages whose libraries are packages of their own in conda (conda-forge's feedstocks list them)."""

_BY_CONDA = regular(r"\bconda(?:-forge)?\b|\bdefaults?\b|\bpkgs/main\b", re.IGNORECASE)
_BY_PIP = regular(r"\bpypi(?:_0)?\b|\bpip\b", re.IGNORECASE)


def explain(clues: Clues) -> Candidate | None:
    """The text tells of both, and the failure is one that it gives."""
    package = clues.distribution or "PACKAGE"
    ask = (f"conda list {package}", f"python -m pip show -f {package}")
    remedies = (
        advise(
            "one-installer",
            f"uninstall both copies of {package}, and install it with conda only",
            f"把 conda 和 pip 安装的 {package} 都卸载，然后只用 conda 安装",
            f"conda install -c conda-forge {package}",
        ),
    )
    failed = is_not_found(clues) or clues.failed_with(127) or bool(clues.sayings)
    if (
        clues.has(Trait.CONDA)
        and failed
        and (_told_in_a_remark(clues) or _MIXED.search(clues.text) or _TWICE.search(clues.text))
    ):
        why = both(
            "conda manages the environment, but the package came from pip: their libraries do not match",
            "环境由 conda 管理，而该包来自 pip：两者的库不匹配",
        )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN if _TWICE.search(clues.text) else Strength.KNOWN,
            why=why,
            object=clues.distribution,
            ask=ask,
            remedies=remedies,
            order=(-1, 0),  # the text tells it, before what is known of the package
        )
    by_pip = _of_one_stack_by_both(clues)
    if by_pip is not None and failed:
        why = both(
            f"of packages that share libraries, conda brought some and pip others ({by_pip})",
            f"共用同一批库的几个包，有的来自 conda，有的来自 pip（{by_pip}）",
        )
        strength = Strength.KNOWN if clues.has(*OF_A_CURE) else Strength.SHOWN
        return Candidate(code=CODE, strength=strength, why=why, object=by_pip, ask=ask, remedies=remedies)
    said = usual(clues, CODE, ask=ask, remedies=remedies)
    if clues.has(Trait.CONDA) and is_not_found(clues) and not clues.missing and _is_from_pip(clues, package):
        why = both(
            f"conda manages the environment, but {package} came from pip: it does not match the libraries that "
            "conda's other packages load",
            f"环境由 conda 管理，而 {package} 是用 pip 安装的：与 conda 其他包加载的库不匹配",
        )
        return Candidate(code=CODE, strength=Strength.KNOWN, why=why, object=package, ask=ask, remedies=remedies)
    return said


def _told_in_a_remark(clues: Clues) -> bool:
    """Both are told of in one sentence, and nothing is said of a library that was found and does not start."""
    return clues.has(Trait.PIP_IN_CONDA) and (is_not_found(clues) or clues.failed_with(127))


def _is_from_pip(clues: Clues, package: str) -> bool:
    """The package that fails is one whose libraries conda brings as packages of their own, and pip installed it."""
    return package in _SPLIT and re.search(r"\bpip\b", clues.remarks.get(package, "")) is not None


def _of_one_stack_by_both(clues: Clues) -> str | None:
    """The first package from pip, where others whose libraries conda splits off came from conda."""
    told = {name: remark for name, remark in clues.remarks.items() if name in _SPLIT}
    by_pip = [name for name, remark in told.items() if _BY_PIP.search(remark) and not _BY_CONDA.search(remark)]
    by_conda = [name for name, remark in told.items() if _BY_CONDA.search(remark) and not _BY_PIP.search(remark)]
    return by_pip[0] if by_pip and by_conda else None
