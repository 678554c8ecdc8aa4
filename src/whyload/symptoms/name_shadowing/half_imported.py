"""A module that is asked for a name before it has run to its end."""

from __future__ import annotations

import re
import sys

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.symptoms.name_shadowing.names import OF_EVERY_RELEASE
from whyload.symptoms.name_shadowing.verdict import INSTALLED, candidate, is_known, names_file

_NAMED_ALIKE = regular(
    r"(?i)\b(?:script|file|folder|module|program|\w+\.py)\b[^\n.;]{0,60}\b"
    r"(?:same (?:name )?as|(?:named|called) (?:exactly )?(?:like|after)|as) the "
    r"(?:library|package|module|import|dependency)\b|"
    r"\b(?:same name|named (?:like|after)|identical name)\b[^\n.;]{0,40}\b(?:library|package|module)\b|"
    r"(?:文件|脚本|目录)[^\n。；]{0,20}(?:和|与|跟)[^\n。；]{0,20}(?:同名|名字相同|重名)"
)
"""A file told of that has the name of what it imports."""


_ASKED = regular(r"(?:has no attribute|cannot import name) ['\"](\w+)['\"]")


def half_imported(clues: Clues) -> Candidate | None:
    """A module that is asked for a name before it has run to its end, and is not the one that was meant."""
    half = clues.said(Said.PARTIALLY_INITIALIZED)
    if half is None:
        return None
    place = half.file or _place_of(clues, half.module or "")
    top = (half.module or "").partition(".")[0]
    own = _is_someone_elses(clues, top, place or "") or _lacks_native(clues, place or "")
    if place is not None and not INSTALLED.search(place) and own:
        return candidate(
            place,
            both(
                f"`{place}` has the same name as the module `{half.module}` and is imported instead of it",
                f"`{place}` 与模块 `{half.module}` 同名，导入时用的是前者",
            ),
        )
    if place is not None:
        return None
    if half.module != top and not clues.has(Trait.CLONE):
        return _last_part(half.module or "")
    told = clues.has(Trait.CLONE) or names_file(clues, top) or _NAMED_ALIKE.search(clues.text) is not None
    likely = (
        told or top in sys.stdlib_module_names or _is_used_by_the_script(clues, top) or _lacks_its_names(clues, top)
    )
    return candidate(
        top,
        both(
            f"`{top}` is only partially imported, most often because a file of your own is named `{top}.py`, or the "
            "program runs in the folder of its sources",
            f"`{top}` 没有导入完整，最常见的原因是自己的文件也叫 `{top}.py`，或程序在它的源码目录中运行",
        ),
        strength=Strength.SHOWN if likely else Strength.USUAL,
    )


def _lacks_its_names(clues: Clues, module: str) -> bool:
    """What is asked for is a name that every release of the package has at its top."""
    asked = _ASKED.search(clues.text)
    return asked is not None and asked[1] in OF_EVERY_RELEASE.get(module, "").split()


def _is_used_by_the_script(clues: Clues, module: str) -> bool:
    """A script imports the module and uses it, and it is then only half there: it has imported itself."""
    name = re.escape(module)
    if "AttributeError: partially" not in clues.text or INSTALLED.search(clues.text):
        return False
    asked = re.search(r"has no attribute '(\w+)'", clues.text)
    if asked is not None and re.search(rf"\b{name}\.{asked[1]}\b", clues.text):
        return True  # the very line of the script that asks for it
    return (
        re.search(rf"(?m)^[ \t>]*import {name}\b[^\n]*\n(?:[^\n]*\n){{0,6}}?[^\n]*\b{name}\.\w", clues.text) is not None
    )


def _last_part(module: str) -> Candidate:
    """A part of a package that imports another package: a file of that name may have answered instead."""
    last = module.rpartition(".")[2]
    return candidate(
        last,
        both(
            f"`{module}` may itself import a package `{last}`, for which a file of your own named `{last}.py` would "
            "answer",
            f"`{module}` 自身可能要导入名为 `{last}` 的包，而自己的文件若也叫 `{last}.py`，找到的就是后者",
        ),
        strength=Strength.POSSIBLE,
    )


def _place_of(clues: Clues, module: str) -> str | None:
    """A file of the stack that has the module's name."""
    top = module.partition(".")[0]
    return next(
        (
            frame.file
            for frame in reversed(clues.frames)
            if re.search(rf"[\\/]?{re.escape(top)}(?:\.py|[\\/]__init__\.py)$", frame.file)
        ),
        None,
    )


def _is_someone_elses(clues: Clues, top: str, place: str) -> bool:
    """The name is one of the standard library or of a package that is known, or it is the program's own file name."""
    stem = re.split(r"[\\/]", place)[-1].removesuffix(".py")
    return top in sys.stdlib_module_names or is_known(top) or stem == top


def _lacks_native(clues: Clues, place: str) -> bool:
    """A folder of sources, in which the compiled module that is asked for was never made."""
    wanted = clues.said(Said.NATIVE_MODULE_MISSING)
    return wanted is not None and place.endswith("__init__.py") and (wanted.module or "").startswith("_")
