"""A text in which something that is no image at all is loaded as a library."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise, word

CODE = "not-a-library-file"
_MAGIC = regular(r"(?i)0x7F 0x45 0x4C 0x46|0x4D 0x5A|0x(?:CF|CE) 0xFA 0xED 0xFE|0xCA 0xFE 0xBA 0xBE|0xFE 0xED 0xFA")
"""How ELF, PE and Mach-O files begin."""


def explain(clues: Clues) -> Candidate | None:
    """The loader does not know the file's header, and the text tells what it is: a script, an LFS pointer, a page."""
    said = clues.said(Said.ELF_HEADER, Said.TOO_SHORT, Said.NOT_MACHO, Said.NO_LIBRARY)
    if said is None and not clues.failed_with(193, 11, 998):
        return None
    file = said.file if said else clues.file
    ask = (f"file {word(file)}", f"head -c 200 {word(file)}")
    remedies = (
        advise(
            "right-file",
            "get the real file: `git lfs pull` for a pointer file, the versioned name (`libc.so.6`) for a linker "
            "script",
            "换成真正的库文件：指针文件用 `git lfs pull`，链接脚本则改用带版本号的名称（如 `libc.so.6`）",
            "git lfs pull",
        ),
    )
    if clues.has(Trait.TEXT_FILE):
        why = both(
            "the file is text (a linker script, a Git LFS pointer or a web page), not a library",
            "该文件是文本（链接脚本、Git LFS 指针或网页），不是库",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=file, ask=ask, remedies=remedies)
    if said is not None and said.kind is Said.ELF_HEADER:
        why = both("the file does not begin like a library", "该文件的开头不是库的格式")
        return Candidate(code=CODE, strength=Strength.STATED, why=why, object=file, ask=ask, remedies=remedies)
    if said is not None and said.kind is Said.NOT_MACHO and said.found and not _MAGIC.match(said.found):
        why = both(
            "its first bytes are those of no library of any system: an archive of object files, a text, a pointer file",
            "该文件的开头不是任何系统的库：可能是目标文件归档、文本或指针文件",
        )
        return Candidate(code=CODE, strength=Strength.STATED, why=why, object=file, ask=ask, remedies=remedies)
    if said is not None and said.kind is Said.NO_LIBRARY:
        why = both(
            "it is no library: a program, an object file, the debugging part of a library, or a folder",
            "它不是库：是可执行程序、目标文件、库的调试信息部分，或者是一个目录",
        )
        return Candidate(code=CODE, strength=Strength.STATED, why=why, object=file, ask=ask, remedies=remedies)
    return usual(clues, CODE, ask=ask, remedies=remedies)
