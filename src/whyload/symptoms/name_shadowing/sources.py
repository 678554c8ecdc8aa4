"""A package that says it is imported from elsewhere, or whose uncompiled sources answer."""

from __future__ import annotations

import posixpath
import re
import sys

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said, Saying
from whyload.knowledge.suspects import import_name, package_of
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.start import answers_at_start
from whyload.symptoms.name_shadowing.verdict import INSTALLED, candidate, is_known

_IN_THE_FOLDER = regular(r"(?!PyInstaller/)[A-Za-z]\w*/(?:\w+/){0,4}\w+\.py$")
"""What is imported from the folder in which Python was started, Python 2 names from there."""


def at_the_start(clues: Clues) -> Candidate | None:
    found = answers_at_start(clues.text)
    if found is None:
        return None
    file, module = found
    return candidate(
        file,
        both(
            f"`{file}` answers for Python's own `{module}` while Python starts: its folder is on PYTHONPATH",
            f"Python 启动时把 `{file}` 当成了自带的 `{module}`：它所在的目录在 PYTHONPATH 中",
        ),
    )


def said_by_the_package(clues: Clues) -> Candidate | None:
    said = clues.said(Said.SHADOWED)
    if said is None or _is_not_seen(clues):
        return None
    return candidate(
        said.file or clues.module,
        both(
            "the package says that it is imported from one of the user's own folders",
            "该包提示它是从用户自己的目录中导入的",
        ),
    )


def in_its_sources(clues: Clues) -> Candidate | None:
    """The compiled part of a package is absent, and what is imported are its sources."""
    lacking = clues.said(Said.NATIVE_MODULE_MISSING)
    if lacking is None:
        return None
    if clues.has(Trait.CLONE) and _is_of_a_package(lacking):
        return candidate(
            _package_of(lacking),
            both(
                f"`{lacking.module}` is the compiled part of a package that is imported from its uncompiled sources",
                f"`{lacking.module}` 是包的编译部分，而导入的是未编译的源码目录",
            ),
        )
    if not _is_in_sources(clues, lacking.module or ""):
        return None
    place = clues.frames[-1].file
    return candidate(
        place,
        both(
            f"`{lacking.module}` is imported by `{place}`, which is in a source folder, not in an "
            "installed package: only an in-place build creates the compiled part there",
            f"导入 `{lacking.module}` 的 `{place}` 位于源码目录，而不在已安装的包中："
            "只有就地编译才会在那里生成编译部分",
        ),
    )


def library_of_sources(clues: Clues) -> Candidate | None:
    """A library of a package is asked for in the folder of its sources, where nothing was built."""
    said = clues.said(Said.LIBRARY_MISSING)
    file = (said.library or said.file or "") if said is not None else ""
    package = clues.frames[-1].file if clues.frames else ""
    if not file.startswith("/") or not package.startswith("/") or INSTALLED.search(file) or not clues.has(Trait.CLONE):
        return None
    if not is_known(posixpath.basename(posixpath.commonpath((file, package)))):
        return None
    return candidate(
        package,
        both(
            f"`{file}` is asked for by `{package}`: the package is imported from its uncompiled sources",
            f"`{package}` 需要 `{file}`：导入的是未编译的源码目录中的包",
        ),
    )


def library_first(clues: Clues) -> Candidate | None:
    """A library with the name of a module of source lies beside it: Python takes extension modules first.

    Source: CPython, `Lib/importlib/_bootstrap_external.py`, `_get_supported_file_loaders`.
    """
    said = clues.said(Said.NO_INIT_FUNCTION)
    if said is None or not said.module:
        return None
    ends = {match[1] for match in re.finditer(rf"\b{re.escape(said.module)}(?:\.[\w-]+)?\.(py|so|pyd)\b", clues.text)}
    if "py" not in ends or len(ends) == 1:
        return None
    return candidate(
        said.module,
        both(
            f"a library `{said.module}` lies beside `{said.module}.py`, and Python imports extension modules first",
            f"`{said.module}.py` 旁边有同名的库文件，而 Python 优先导入扩展模块",
        ),
    )


def _is_not_seen(clues: Clues) -> bool:
    """NumPy guesses so whenever its compiled part is not seen: also in a bundle, a function, another kind of Python."""
    traits = (Trait.FROZEN, Trait.LAMBDA, Trait.FREE_THREADED, Trait.DEBUG_PYTHON, Trait.PYPY)
    return clues.said(Said.NATIVE_MODULE_MISSING) is not None and clues.has(*traits)


def _is_of_a_package(lacking: Saying) -> bool:
    """The compiled part of a package is said to be absent, and not a module of Python's own."""
    return (lacking.module or "").partition(".")[0] not in sys.stdlib_module_names


def _package_of(lacking: Saying) -> str:
    """The package whose compiled part is absent, as far as the message names it."""
    return (lacking.file or lacking.module or "").partition(".")[0]


def _is_in_sources(clues: Clues, module: str) -> bool:
    """The compiled part of a package is asked for by that package's own file, outside of installed packages."""
    top, dot, _ = module.partition(".")
    place = clues.frames[-1].file if clues.frames else ""
    here = _IN_THE_FOLDER.match(place) and re.fullmatch(r"[\w.]*?_[a-z]\w*", module)
    if here and not INSTALLED.search(place) and not clues.has(Trait.FROZEN, Trait.LAMBDA):
        return (top if dot else place.partition("/")[0]) == place.partition("/")[0]
    if not dot and not re.search(rf"\b{re.escape(module)}\.[\w.-]{{0,40}}(?:pyd|so)\b", clues.text):
        owner = package_of(module)
        top = import_name(owner) or "" if owner is not None else ""
    return (
        bool(top)
        and (bool(dot) or top != module)
        and not INSTALLED.search(place)
        and re.search(rf"[\\/]{re.escape(top)}[\\/]", place) is not None
    )
