"""A text of a processor that lacks instructions which a library uses."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait
from whyload.remedies.anywhere import advise

CODE = "unsupported-cpu-instruction"
_BEFORE_AVX = regular(
    r"\b1\.[0-5](?:\.\d)?\b[^\n;.]{0,30}\b(?:works?|worked|fine|ok)\b|\bto (?:version )?1\.5\b", re.IGNORECASE
)
"""TensorFlow, release notes of 1.6.0: prebuilt binaries use AVX instructions."""
_ILLEGAL = 0xC000001D
"""STATUS_ILLEGAL_INSTRUCTION, which programs print in hexadecimal or as a signed number."""


_OF_A_CHECK = (
    "instructions, but",
    "instructions, which",
    "baseline",
    "features",
    "processor",
    "avx core",
    "minimum",
)
"""Words of messages in which a package itself has looked at the processor."""

_REMEDIES = (
    advise(
        "older-build",
        "install a build of the package that does not use these instructions (an older release, a `noavx` build)",
        "安装不使用这些指令的构建（旧版本或 `noavx` 构建）",
    ),
)

_PROCESSOR = 'powershell -c "(Get-CimInstance Win32_Processor).Name"'


def explain(clues: Clues) -> Candidate | None:
    """An illegal instruction, a package's own check, or error 1114 on a processor that is told of as old."""
    ask = ("lscpu" if clues.platform is Platform.LINUX else _PROCESSOR,)
    found = _said(clues) or _ended_with_it(clues) or _old_processor(clues) or _only_before_avx(clues)
    if found is None:
        return usual(clues, CODE, ask=ask, remedies=_REMEDIES)
    strength, why, file = found
    return Candidate(code=CODE, strength=strength, why=why, object=file, ask=ask, remedies=_REMEDIES)


def _said(clues: Clues) -> Found | None:
    said = clues.said(Said.ILLEGAL_INSTRUCTION, Said.ISA_LEVEL)
    if said is None:
        return None
    checked = said.kind is Said.ISA_LEVEL or any(words in said.text for words in _OF_A_CHECK)
    why = both("the processor does not support an instruction that the library uses", "处理器不支持该库使用的某条指令")
    return Strength.DECISIVE if checked else Strength.SHOWN, why, said.file


def _ended_with_it(clues: Clues) -> Found | None:
    if _ILLEGAL not in clues.statuses:
        return None
    why = both("the process ended with the status code for an illegal instruction", "进程以“非法指令”状态码结束")
    return Strength.SHOWN, why, clues.file


def _old_processor(clues: Clues) -> Found | None:
    fails = clues.failed_with(1114) or (clues.failed_with(126) and clues.concerns("tensorflow"))
    if not fails or not clues.has(Trait.NO_AVX):
        return None
    why = both(
        "the text mentions a processor without the instructions that such builds use",
        "文中提到的处理器不支持这类构建使用的指令",
    )
    return Strength.SHOWN, why, None


def _only_before_avx(clues: Clues) -> Found | None:
    if not (clues.concerns("tensorflow") and _BEFORE_AVX.search(clues.text) and is_not_started(clues)):
        return None
    why = both(
        "TensorFlow 1.5 works there, but a later release does not: since 1.6, its builds use AVX instructions",
        "TensorFlow 1.5 能用，更新的版本却不能用：自 1.6 起，它的构建使用 AVX 指令",
    )
    return Strength.SHOWN, why, None


def is_not_started(clues: Clues) -> bool:
    """Whether the library was found missing or did not start; Windows 7 says the one for the other."""
    return clues.failed_with(126, 1114) or clues.said(Said.IMPORT_FAILED, Said.NATIVE_MODULE_MISSING) is not None
