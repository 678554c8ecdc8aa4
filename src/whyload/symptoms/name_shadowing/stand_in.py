"""A module that has none of the names it should have: another file of that name was found first."""

from __future__ import annotations

import re
import sys
from itertools import pairwise

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.knowledge.suspects import package_of
from whyload.observe.text.clues import Clues
from whyload.symptoms.name_shadowing.names import OF_EVERY_PYTHON, OF_EVERY_RELEASE, OF_ONE_MODULE
from whyload.symptoms.name_shadowing.verdict import INSTALLED, candidate, is_file_of, is_known, names_file, names_folder

_IN_SOURCES = regular(r"[\\/]([\w-]+)(?:-[\w.]+)?[\\/]\1[\\/](?:\w+[\\/])?\w+\.py$")
_OF_PYTHON = regular(r"[\\/]lib(?:[\\/]python\d[\d.]*)?[\\/]\w+\.py$", re.IGNORECASE)
"""A module of the standard library."""
_NO_ATTRIBUTE = regular(r"module ['\"](\w+)['\"] has no attribute ['\"](\w+)['\"]")
_HAS_NO_NAME = regular(r"has no attribute|cannot import name")


def stand_in(clues: Clues) -> str | None:
    """The module in whose stead a file of the user's answers: one that lacks a name which every Python has there."""
    for saying in clues.all_said(Said.NAME_NOT_THERE):
        if saying.module and saying.file:
            top = saying.module.partition(".")[0]
            known = top in sys.stdlib_module_names or (is_known(top) and is_file_of(saying.file, top))
            if known and not INSTALLED.search(saying.file):
                return saying.file
        elif clues.frames and (sources := _sources_of(clues.frames[-1].file)) is not None:
            return sources
        elif clues.frames and _OF_PYTHON.search(clues.frames[-1].file):
            asked = re.match(r"\s*from (\w+) import ", clues.frames[-1].source or "")
            if asked is not None and asked[1] in sys.stdlib_module_names:
                return asked[1]
        elif (
            not saying.module
            and not (clues.frames and clues.frames[-1].source)
            and (module := OF_ONE_MODULE.get(saying.symbol or ""))
        ):
            return module
    for saying in clues.all_said(Said.NOT_A_PACKAGE):
        top = (saying.library or "").partition(".")[0]
        if names_file(clues, top) or is_known(top) or any(is_file_of(frame.file, top) for frame in clues.frames):
            return top
    return None


def imports_itself(clues: Clues) -> str | None:
    """A script that imports a module of its own name, which then lacks what is asked for."""
    if not _HAS_NO_NAME.search(clues.text):
        return None
    for frame in clues.frames:
        stem = re.split(r"[\\/]", frame.file)[-1].removesuffix(".py")
        imported = rf"\s*(?:from {re.escape(stem)} import\b|import (?:\w+, *)*{re.escape(stem)}\b(?!\.))"
        if re.match(imported, frame.source or "") and not INSTALLED.search(frame.file):
            return frame.file
    return _answered_by_another(clues) or _named_as_it_imports(clues)


def _named_as_it_imports(clues: Clues) -> str | None:
    """A script has the name of a package, lies elsewhere, and the package is what the text imports."""
    for frame in clues.frames:
        stem = re.split(r"[\\/]", frame.file)[-1].removesuffix(".py")
        if INSTALLED.search(frame.file) or package_of(stem) is None:
            continue
        if re.search(rf"\b(?:from|import) {re.escape(stem)}\b", clues.text):
            return frame.file
    return None


def _answered_by_another(clues: Clues) -> str | None:
    """A package is imported, and what runs next is a file of that name that is in no place of installed packages."""
    for asking, answering in pairwise(clues.frames):
        stem = re.split(r"[\\/]", answering.file)[-1].removesuffix(".py")
        imported = re.match(rf"\s*(?:from|import) {re.escape(stem)}\b(?!\.)", asking.source or "")
        if imported and not INSTALLED.search(answering.file) and package_of(stem) is not None:
            return answering.file
    return None


def empty_module(clues: Clues) -> str | None:
    """A module of the standard library without a name that it has in every Python, or one that is a file of the user's
    by the text.
    """
    return next(
        (
            match[1]
            for match in _NO_ATTRIBUTE.finditer(clues.text)
            if match[2] in OF_EVERY_PYTHON.get(match[1], "").split()
            or names_file(clues, match[1])
            or names_folder(clues, match[1])
        ),
        None,
    )


def empty_package(clues: Clues) -> Candidate | None:
    """A package without a name that each of its releases has."""
    for match in _NO_ATTRIBUTE.finditer(clues.text):
        if match[2] in OF_EVERY_RELEASE.get(match[1], "").split():
            why = both(
                f"`{match[1]}` has none of its names: a file or an empty folder of that name is found first, or only a "
                "part of the package is installed",
                f"`{match[1]}` 中没有它应有的名称：先找到的是同名文件或空目录，或者该包没有安装完整",
            )
            return candidate(match[1], why, strength=Strength.USUAL)
    return None


def _sources_of(file: str) -> str | None:
    """The package in the folder of its sources (`cupy/cupy/__init__.py`), which lacks what is compiled."""
    match = _IN_SOURCES.search(file)
    return file if match is not None and not INSTALLED.search(file) and is_known(match[1]) else None
