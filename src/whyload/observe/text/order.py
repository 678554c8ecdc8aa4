"""In which order modules are imported: what is cured by importing another package first.

The same words also tell of what fails after the other package, so a word of failure beside them turns the
meaning round.
"""

from __future__ import annotations

import re

from whyload.base.regular import regular

_FAILS_UNTIL = regular(
    r"(?i)(?<!no )(?<!any )(?<!an )\b(?:fails?|failed|crash\w*|errors?|breaks?|broken|only if|only when)\b"
    r"[^.;,\n]{0,30}$"
)
_FAILS_THEN = regular(r"(?i)[^.;,\n]{0,30}\b(?:fails?|failed|crash\w*|(?<!no )errors?|breaks?)\b")
_WITH_RUNTIME = (
    r"(?:sklearn|scikit-learn|pandas|matplotlib|contourpy|pyzmq|zmq|pyarrow|shapely|PyQt[56](?:\.\w+)?|"
    r"PySide[26](?:\.\w+)?)"
)
"""Packages whose wheels carry `msvcp140.dll`, some of them `vcomp140.dll`, under their own names."""


_AFTER_TORCH = regular(
    r"(?i)\b(?:before (?:importing )?(?:py)?torch\b|import(?:ing)? (?:py)?torch (?:first|before|helps)\b|"
    r"torch (?:is|was|has been) imported (?:first|before)\b)"
)
_AFTER_A_RUNTIME = regular(
    rf"(?i)\bimport(?:ing)? {_WITH_RUNTIME} (?:first|before(?:hand)?|earlier|helps|cures|fixes|solves)\b|"
    rf"\b(?:works|loads|succeeds|imports)\b[^.;,\n]{{0,30}} (?:after|once|if|when) "
    rf"(?:importing |import )?{_WITH_RUNTIME}\b|"
    rf"\b{_WITH_RUNTIME} (?:is|was|has been) imported (?:first|before)\b"
)
_CURED = regular(
    r"(?i)\b(?:works?|worked|helps?|helped|fine|ok|okay|cures?|cured|solves?|solved|fixe[sd]|no error|succeeds|loads)\b"
)


def works_after_torch(text: str) -> bool:
    """Whether importing torch first cures it."""
    return any(_is_cured(match) for line in text.splitlines() for match in _AFTER_TORCH.finditer(line))


def works_after_a_runtime(text: str) -> bool:
    """Whether it is cured by first importing a package that brings the Visual C++ runtime along."""
    return any(
        _is_cured(match) and _CURED.search(line) is not None
        for line in text.splitlines()
        for match in _AFTER_A_RUNTIME.finditer(line)
    )


def _is_cured(match: re.Match[str]) -> bool:
    before, after = match.string[: match.start()], match.string[match.end() :]
    return _FAILS_UNTIL.search(before) is None and _FAILS_THEN.match(after) is None
