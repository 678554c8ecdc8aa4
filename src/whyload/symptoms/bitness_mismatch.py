"""A text in which 32-bit and 64-bit meet."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait, Unlike
from whyload.observe.text.situation import is_not_found, names_twin
from whyload.remedies.anywhere import advise

CODE = "bitness-mismatch"
_SIZE = regular(r"(?i)\b(32|64)[- ]?bit|\b(x86)\b(?![_-]64)|\b(x64|amd64|x86_64)\b|python\d{1,3}-(32)\b")
_OF_PYTHON = regular(r"(?i)^\W{0,8}python\b[^\n]{0,120}")
_REMARK = regular(r"^[ \t*-]{0,8}(?![\w.]*(?:Error|Exception|Warning)\b)[A-Za-z][\w .+-]{0,40}:")
_OF_THE_MACHINE = regular(r"(?i)^\W{0,8}(?:os|system|platform|windows|cpu|processor|machine|architecture)\b")
_SOUGHT = regular(r"(?i)cannot locate a (32|64)-bit [\w ]{3,30} library")
"""The bitness of Python, in what Oracle's driver says."""
_LISTED = regular(r"running 32-bit Python on a 64-bit OS")
_IS_32 = regular(r"['\"]32bit['\"]|\[MSC v\.\d+ 32 bit|\bpython ?\(?32[- ]?bit\b|\bwin32\)")
_ASK = ("python -c \"import struct; print(struct.calcsize('P') * 8)\"",)


def explain(clues: Clues) -> Candidate | None:
    """The loader names the class of the file, a program says so, or error 193 stands beside a mention of 32-bit."""
    remedies = (
        advise(
            "same-bitness",
            "use the same bitness for Python and the library: both 64-bit or both 32-bit",
            "让 Python 与该库的位数一致：都用 64 位，或都用 32 位",
        ),
    )
    found = _said_by_the_loader(clues) or _refused(clues) or _listed(clues) or _passed_over(clues)
    if found is None:
        return usual(clues, CODE, ask=_ASK, remedies=remedies)
    strength, why, name = found
    return Candidate(code=CODE, strength=strength, why=why, object=name, ask=_ASK, remedies=remedies)


def _said_by_the_loader(clues: Clues) -> Found | None:
    said = clues.said(Said.ELF_CLASS, Said.WRONG_ARCHITECTURE)
    if said is None:
        return None
    why = both("the loader says that the file and the process differ in bitness", "加载器提示该文件的位数与进程不同")
    return Strength.DECISIVE, why, said.file


def _refused(clues: Clues) -> Found | None:
    refused = clues.failed_with(193, 216) or 0xC000007B in clues.statuses
    if not refused or not clues.has(Trait.OTHER_BITS):
        return None
    why = both(
        "Windows does not accept the file in this process, and the text mentions 32-bit",
        "Windows 拒绝在此进程中加载该文件，而文中提到了 32 位",
    )
    return Strength.SHOWN, why, clues.file or clues.module


def _listed(clues: Clues) -> Found | None:
    """XGBoost lists the likely reasons, and the text tells that this one holds."""
    listed = _LISTED.search(clues.text)
    if listed is None or _IS_32.search(clues.text) is None:
        return None
    why = both(
        "the message names a 32-bit Python as a likely reason, and the text tells that Python is one",
        "报错信息把 32 位 Python 列为可能的原因，而文中说明所用的正是 32 位 Python",
    )
    return Strength.SHOWN, why, clues.file


def _passed_over(clues: Clues) -> Found | None:
    """The file is there, and the search goes past it."""
    if clues.missing and is_not_found(clues) and _two_sizes(clues.text):
        why = both(
            "the text names one bitness for Python and the other one for the library: such a file is passed over",
            "文中 Python 与该库的位数不同：位数不符的文件会被跳过",
        )
        return Strength.SHOWN, why, clues.missing[-1]
    twin = names_twin(clues, clues.missing[-1]) if clues.missing and is_not_found(clues) else None
    if twin is not None:
        why = both(
            f"`{clues.missing[-1]}` is asked for, and `{twin}` is there: the library is of the other bitness",
            f"要找的是 `{clues.missing[-1]}`，而现有的是 `{twin}`：该库的位数不同",
        )
        return Strength.SHOWN, why, clues.missing[-1]
    file = clues.built_unlike(Unlike.BITS)
    if file is None:
        return None
    why = both(
        f"`{file}` is of the other bitness by its name, so this Python does not see it",
        f"从文件名看，`{file}` 的位数与当前 Python 不同，因此看不到它",
    )
    return Strength.SHOWN, why, file


def _two_sizes(text: str) -> bool:
    """Whether a line on Python names one bitness, and a line on neither Python nor the machine the other one."""
    lines = [line for line in text.splitlines() if _REMARK.match(line)]
    of_python = {size for line in lines if _OF_PYTHON.match(line) for size in _sizes(line)}
    of_python |= {int(match[1]) for match in _SOUGHT.finditer(text)}
    of_others = {
        size for line in lines if not (_OF_PYTHON.match(line) or _OF_THE_MACHINE.match(line)) for size in _sizes(line)
    }
    return len(of_python) == 1 and len(of_others) == 1 and of_python != of_others


def _sizes(line: str) -> set[int]:
    found = (next(group for group in match.groups() if group).lower() for match in _SIZE.finditer(line))
    return {32 if name in ("32", "x86") else 64 for name in found}
