"""A text in which a file for another processor is loaded."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait
from whyload.remedies.anywhere import advise

CODE = "arch-mismatch"
_ASK = ('python -c "import platform; print(platform.machine())"',)


def explain(clues: Clues) -> Candidate | None:
    """dyld or ld.so names the processors; or Windows refuses a file where ARM64 is told of."""
    package = clues.packages[0] if clues.packages else "PACKAGE"
    remedies = (
        advise(
            "right-architecture",
            "reinstall the package with a Python built for this processor",
            "用架构与本机处理器一致的 Python 重新安装该包",
            f"python -m pip install --force-reinstall --no-cache-dir {package}",
        ),
    )
    said = clues.said(Said.MACHO_ARCHITECTURE, Said.ELF_MACHINE)
    if said is not None:
        pair = f" ({said.found}, {said.version})" if said.found and said.version else ""
        pair_zh = f"（{said.found}，{said.version}）" if pair else ""
        why = both(
            f"the loader says that the file is for another processor{pair}",
            f"加载器提示该文件适用于另一种处理器{pair_zh}",
        )
        file = next(
            (
                saying.file
                for saying in reversed(clues.all_said(Said.MACHO_ARCHITECTURE, Said.ELF_MACHINE))
                if saying.file
            ),
            None,
        )
        return Candidate(code=CODE, strength=Strength.DECISIVE, why=why, object=file, ask=_ASK, remedies=remedies)
    if clues.failed_with(193, 216) and clues.has(Trait.ARM):
        why = both(
            "Windows does not accept the file in this process, and the text mentions ARM64",
            "Windows 拒绝在此进程中加载该文件，而文中提到了 ARM64",
        )
        return Candidate(
            code=CODE, strength=Strength.SHOWN, why=why, object=clues.file or clues.module, ask=_ASK, remedies=remedies
        )
    if clues.platform is Platform.MACOS and "flat namespace" in clues.text:
        why = both(
            "on Apple silicon, a symbol that no library has usually means that the library is for the other processor",
            "在 Apple 芯片上，符号找不到多半是因为所链接的库属于另一种处理器架构",
        )
        return Candidate(
            code=CODE,
            strength=Strength.KNOWN if clues.has(Trait.ARM) else Strength.POSSIBLE,
            why=why,
            ask=_ASK,
            remedies=remedies,
        )
    return usual(clues, CODE, ask=_ASK, remedies=remedies)
