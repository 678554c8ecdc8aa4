"""A text that tells of an empty, cut or absent file of an installed package."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise, reinstall, word

CODE = "corrupt-install"


def explain(clues: Clues) -> Candidate | None:
    """The loader says that the file is too short, or the text tells of damage beside an error that damage gives."""
    package = clues.packages[0] if clues.packages else "PACKAGE"
    ask = (f"python -m pip show -f {package}", "python -m pip check")
    short = clues.said(Said.TOO_SHORT)
    if short is not None and not clues.has(Trait.TEXT_FILE):
        return Candidate(
            code=CODE,
            strength=Strength.STATED,
            why=both(
                "the file is too short to be a library: it is empty or truncated",
                "文件太短，不可能是库：要么是空文件，要么被截断了",
            ),
            object=short.file,
            ask=ask,
            remedies=(reinstall(package),),
        )
    mixed = clues.said(Said.MIXED_INSTALL)
    if mixed is not None:
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=both(
                "the package says that its binary files and its Python files come from different releases",
                "该包提示：它的二进制文件与 Python 文件来自两个版本",
            ),
            object=mixed.file,
            ask=ask,
            remedies=(reinstall(package),),
        )
    refused = clues.said(Said.REFUSED_IMAGE)
    if refused is not None:
        return _refused(refused.file, ask, package)
    if clues.failed_with(1392) or (
        clues.has(Trait.DAMAGED)
        and (clues.failed_with(193, 126, 998, 11) or clues.said(Said.ELF_HEADER, Said.MAP_FAILED))
    ):
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=both(
                "the text mentions a file that is empty, truncated, damaged or deleted",
                "文中提到文件为空、被截断、损坏或被删除",
            ),
            object=clues.file,
            ask=ask,
            remedies=(reinstall(package),),
        )
    return usual(clues, CODE, ask=ask, remedies=(reinstall(package),))


def _refused(file: str | None, ask: tuple[str, ...], package: str) -> Candidate:
    """The file is as it was built, and this macOS does not take it: of the causes this one has the same help."""
    return Candidate(
        code=CODE,
        strength=Strength.SHOWN,
        why=both(
            "the file lists the same search folder twice (LC_RPATH), which macOS 15.4 and later reject: it has to be "
            "rebuilt",
            "该文件把同一个搜索目录写了两次（LC_RPATH），macOS 15.4 及以后拒绝加载：需要重新构建",
        ),
        object=file,
        ask=(f"otool -l {word(file)} | grep -A2 LC_RPATH", "sw_vers", *ask),
        remedies=(
            reinstall(package),
            advise(
                "delete-rpath",
                "or delete the second entry and sign the file again",
                "或删除重复的那一项，并重新签名",
                f"install_name_tool -delete_rpath FOLDER {word(file)}",
            ),
        ),
    )
