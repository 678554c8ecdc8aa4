"""A text in which a file for another processor is loaded."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait, Unlike
from whyload.remedies.anywhere import advise

CODE = "arch-mismatch"
_IGNORED_FILE = regular(
    r"(?i)\bignoring file\b[^\n]{0,300}\b(?:x86_64|arm64|architecture)|"
    r"\bbuilding for macOS-(?:arm64|x86_64) but attempting"
)
"""What the linker of macOS says of a library for another processor, and goes on without it."""
_ASK = ('python -c "import platform; print(platform.machine())"',)


def explain(clues: Clues) -> Candidate | None:
    """dyld or ld.so names the processors; or Windows refuses a file where ARM64 is told of."""
    package = clues.distribution or "PACKAGE"
    remedies = (
        advise(
            "right-architecture",
            "reinstall the package with a Python built for this processor",
            "用架构与本机处理器一致的 Python 重新安装该包",
            f"python -m pip install --force-reinstall --no-cache-dir {package}",
        ),
    )
    found = (
        _said_by_the_loader(clues)
        or _of_smaller_pages(clues)
        or _told_by_its_name(clues)
        or _refused_beside_arm(clues)
        or _symbol_of_nobody(clues)
    )
    if found is None:
        return usual(clues, CODE, ask=_ASK, remedies=remedies)
    strength, why, file = found
    return Candidate(code=CODE, strength=strength, why=why, object=file, ask=_ASK, remedies=remedies)


def _said_by_the_loader(clues: Clues) -> Found | None:
    kinds = (Said.MACHO_ARCHITECTURE, Said.ELF_MACHINE)
    said = clues.said(*kinds)
    if said is None:
        return None
    pair = f" ({said.found}, {said.version})" if said.found and said.version else ""
    pair_zh = f"（{said.found}，{said.version}）" if pair else ""
    why = both(
        f"the loader says that the file is for another processor{pair}",
        f"加载器提示该文件适用于另一种处理器{pair_zh}",
    )
    file = next((saying.file for saying in reversed(clues.all_said(*kinds)) if saying.file), None)
    return Strength.DECISIVE, why, file


def _of_smaller_pages(clues: Clues) -> Found | None:
    said = clues.said(Said.PAGE_SIZE)
    if said is None:
        return None
    why = both(
        "the file was linked for memory pages of 4 KiB, and this kernel has larger ones (16 or 64 KiB on some ARM64 "
        "systems)",
        "该文件按 4 KiB 的内存页链接，而当前内核使用更大的页（某些 ARM64 系统为 16 或 64 KiB）",
    )
    return Strength.SHOWN, why, said.file


def _told_by_its_name(clues: Clues) -> Found | None:
    file = clues.built_unlike(Unlike.PROCESSOR)
    if file is None:
        return None
    why = both(
        f"`{file}` is for another processor by its name, so this Python does not see it",
        f"从文件名看，`{file}` 面向另一种处理器，因此当前 Python 看不到它",
    )
    return Strength.SHOWN, why, file


def _refused_beside_arm(clues: Clues) -> Found | None:
    if not ((clues.failed_with(193, 216) or 0xC000007B in clues.statuses) and clues.has(Trait.ARM)):
        return None
    why = both(
        "Windows does not accept the file in this process, and the text mentions ARM64",
        "Windows 拒绝在此进程中加载该文件，而文中提到了 ARM64",
    )
    return Strength.SHOWN, why, clues.file or clues.module


def _symbol_of_nobody(clues: Clues) -> Found | None:
    if clues.platform is not Platform.MACOS or "flat namespace" not in clues.text:
        return None
    why = both(
        "on Apple silicon, a symbol that no library has usually means that the library is for the other processor",
        "在 Apple 芯片上，符号找不到多半是因为所链接的库属于另一种处理器架构",
    )
    if _IGNORED_FILE.search(clues.text):
        return Strength.SHOWN, why, None
    return Strength.KNOWN if clues.has(Trait.ARM) else Strength.POSSIBLE, why, None
