"""What is installed and what is known, by which a stand-in is told, and the answer itself."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.knowledge.suspects import package_of
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise

CODE = "name-shadowing"
INSTALLED = regular(
    r"(?:site|dist)-packages|[\\/]lib[\\/]python\d|[\\/]Lib[\\/](?:\w+[\\/])?\w+\.py$|Frameworks|<frozen", re.IGNORECASE
)


def is_known(top: str) -> bool:
    return package_of(top) is not None or package_of(f"{top}.x") is not None


def is_file_of(file: str, top: str) -> bool:
    return re.search(rf"(?:^|[\\/]){re.escape(top)}\.py$", file) is not None


def names_file(clues: Clues, top: str) -> bool:
    """The text names a file with the module's name that is none of an installation."""
    found = re.finditer(rf"[^\s'\"]{{0,200}}\b{re.escape(top)}\.py\b", clues.text)
    return any(not INSTALLED.search(match[0]) for match in found)


def names_folder(clues: Clues, top: str) -> bool:
    """The text tells of a folder with the module's name, beside the script or in the folder where it runs."""
    name = re.escape(top)
    told = (
        rf"(?i)\b(?:folder|directory) (?:is )?(?:named|called) ['\"`]?{name}\b|"
        rf"\b{name}/?['\"`:]? (?:is )?(?:an? |the |another )?(?:sub)?(?:folder|directory|file)\b[^\n]{{0,40}}"
        r"\b(?:cwd|working|project|current|same|script|beside)\b|"
        r"\b(?:cwd|working directory|project|script's folder)\b[^\n]{0,40}\b(?:holds|contains|has)\b[^\n]{0,20}"
        rf"\b{name}/?"
        r"(?:['\"`]|\b)(?! (?:wheel|package|installed))"
    )
    return re.search(told, clues.text) is not None


def candidate(name: str | None, why: Message, *, strength: Strength = Strength.SHOWN) -> Candidate:
    return Candidate(
        code=CODE,
        strength=strength,
        why=why,
        object=name,
        ask=(f"python -c \"import importlib.util as u; print(u.find_spec('{_module_of(name or '') or 'MODULE'}'))\"",),
        remedies=(
            advise(
                "rename",
                "rename the file or folder, or start the program from another folder",
                "重命名该文件或目录，或换个目录启动程序",
            ),
        ),
    )


def _module_of(name: str) -> str:
    """The name that is imported, where a file or folder stands for it; empty where it cannot be told."""
    *above, last = re.split(r"[\\/]", name)
    stem = above[-1] if last == "__init__.py" and above else last.removesuffix(".py").removesuffix(".pyw")
    return stem if re.fullmatch(r"[A-Za-z_][\w.]*", stem) else ""
