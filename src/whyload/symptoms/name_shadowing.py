"""A text in which a file or folder of the user's stands in for a package."""

from __future__ import annotations

import posixpath
import re
import sys
from itertools import pairwise

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said, Saying
from whyload.knowledge.suspects import import_name, package_of
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.start import answers_at_start
from whyload.remedies.anywhere import advise

CODE = "name-shadowing"
_INSTALLED = regular(
    r"(?:site|dist)-packages|[\\/]lib[\\/]python\d|[\\/]Lib[\\/](?:\w+[\\/])?\w+\.py$|Frameworks|<frozen", re.IGNORECASE
)
_IN_SOURCES = regular(r"[\\/]([\w-]+)(?:-[\w.]+)?[\\/]\1[\\/](?:\w+[\\/])?\w+\.py$")
_OF_PYTHON = regular(r"[\\/]lib(?:[\\/]python\d[\d.]*)?[\\/]\w+\.py$", re.IGNORECASE)
"""A module of the standard library."""
_NAMED_ALIKE = regular(
    r"(?i)\b(?:script|file|folder|module|program|\w+\.py)\b[^\n.;]{0,60}\b"
    r"(?:same (?:name )?as|(?:named|called) (?:exactly )?(?:like|after)|as) the "
    r"(?:library|package|module|import|dependency)\b|"
    r"\b(?:same name|named (?:like|after)|identical name)\b[^\n.;]{0,40}\b(?:library|package|module)\b|"
    r"(?:文件|脚本|目录)[^\n。；]{0,20}(?:和|与|跟)[^\n。；]{0,20}(?:同名|名字相同|重名)"
)
"""A file told of that has the name of what it imports."""
_OF_ONE_MODULE = {
    **dict.fromkeys(("SystemRandom", "Random", "getrandbits"), "random"),
    **dict.fromkeys(("randbits", "token_bytes", "token_hex"), "secrets"),
    **dict.fromkeys(("tok_name", "EXACT_TOKEN_TYPES"), "token"),
    **dict.fromkeys(("SSLContext", "SSLError"), "ssl"),
    **dict.fromkeys(("OrderedDict", "namedtuple"), "collections"),
    **dict.fromkeys(("mkdtemp", "mkstemp", "NamedTemporaryFile"), "tempfile"),
    "lru_cache": "functools",
    "Decimal": "decimal",
    "getLogger": "logging",
}
"""Names that every Python 3 has in this module: before 3.7, the message does not tell the module."""


_OF_EVERY_PYTHON = {
    "argparse": "ArgumentParser Namespace",
    "ast": "parse literal_eval NodeVisitor",
    "base64": "b64encode b64decode",
    "calendar": "timegm monthrange",
    "collections": "OrderedDict namedtuple defaultdict deque Counter",
    "copy": "copy deepcopy",
    "csv": "reader writer DictReader DictWriter",
    "datetime": "datetime date timedelta",
    "decimal": "Decimal",
    "enum": "Enum IntEnum",
    "functools": "wraps partial reduce",
    "glob": "glob iglob",
    "hashlib": "md5 sha1 sha256",
    "inspect": "isfunction isclass getsource getmembers",
    "json": "loads dumps load dump JSONEncoder",
    "logging": "getLogger basicConfig Formatter Handler StreamHandler NullHandler Logger LogRecord DEBUG INFO WARNING",
    "operator": "itemgetter attrgetter",
    "pickle": "loads dumps load dump",
    "platform": "system machine platform",
    "queue": "Queue Empty",
    "random": "randint choice random shuffle seed sample uniform",
    "re": "compile match search sub findall",
    "shutil": "copy move rmtree copyfile",
    "signal": "signal SIGINT",
    "socket": "socket AF_INET gethostname",
    "sqlite3": "connect",
    "string": "ascii_letters ascii_lowercase punctuation digits Template",
    "struct": "pack unpack calcsize",
    "subprocess": "Popen PIPE call check_output",
    "tempfile": "mkdtemp mkstemp gettempdir NamedTemporaryFile",
    "threading": "Thread Lock RLock Event local",
    "tkinter": "Tk Frame Label",
    "turtle": "Turtle Screen",
    "types": "ModuleType FunctionType MethodType",
    "unittest": "TestCase",
    "uuid": "uuid1 uuid4 UUID",
    "zipfile": "ZipFile",
}
"""Names that these modules have in every Python 3: one without them is another file."""
_OF_EVERY_RELEASE = {
    "cv2": "imread imshow VideoCapture cvtColor",
    "numpy": "array ndarray zeros arange",
    "pandas": "DataFrame read_csv Series",
    "requests": "get post Session",
    "torch": "Tensor nn tensor",
}
"""The same for packages: without them, it is another file, an empty folder or half an installation."""
_NO_ATTRIBUTE = regular(r"module ['\"](\w+)['\"] has no attribute ['\"](\w+)['\"]")
_HAS_NO_NAME = regular(r"has no attribute|cannot import name")


def explain(clues: Clues) -> Candidate | None:
    """The half-imported module lies in no place of installed packages, or Python or the package says so."""
    told = _said_by_the_package(clues) or _at_the_start(clues) or _in_its_sources(clues) or _library_first(clues)
    told = told or _library_of_sources(clues)
    if told is not None:
        return told
    if clues.said(Said.PARTIALLY_INITIALIZED):
        return _half_imported(clues) or usual(clues, CODE)
    name = _stand_in(clues) or _imports_itself(clues) or _empty_module(clues)
    if name is None:
        return _empty_package(clues) or usual(clues, CODE)
    return _candidate(
        name,
        both(
            f"the module imported as `{name}` has none of that package's names: another file of that name is "
            "found first",
            f"导入的 `{name}` 模块中没有它应有的名称：先找到的是另一个同名文件",
        ),
    )


def _at_the_start(clues: Clues) -> Candidate | None:
    found = answers_at_start(clues.text)
    if found is None:
        return None
    file, module = found
    return _candidate(
        file,
        both(
            f"`{file}` answers for Python's own `{module}` while Python starts: its folder is on PYTHONPATH",
            f"Python 启动时把 `{file}` 当成了自带的 `{module}`：它所在的目录在 PYTHONPATH 中",
        ),
    )


def _said_by_the_package(clues: Clues) -> Candidate | None:
    said = clues.said(Said.SHADOWED)
    if said is None or _is_not_seen(clues):
        return None
    return _candidate(
        said.file or clues.module,
        both(
            "the package says that it is imported from one of the user's own folders",
            "该包提示它是从用户自己的目录中导入的",
        ),
    )


def _in_its_sources(clues: Clues) -> Candidate | None:
    """The compiled part of a package is absent, and what is imported are its sources."""
    lacking = clues.said(Said.NATIVE_MODULE_MISSING)
    if lacking is None:
        return None
    if clues.has(Trait.CLONE) and _is_of_a_package(lacking):
        return _candidate(
            _package_of(lacking),
            both(
                f"`{lacking.module}` is the compiled part of a package that is imported from its uncompiled sources",
                f"`{lacking.module}` 是包的编译部分，而导入的是未编译的源码目录",
            ),
        )
    if not _is_in_sources(clues, lacking.module or ""):
        return None
    place = clues.frames[-1].file
    return _candidate(
        place,
        both(
            f"`{lacking.module}` is imported by `{place}`, which is in a source folder, not in an "
            "installed package: only an in-place build creates the compiled part there",
            f"导入 `{lacking.module}` 的 `{place}` 位于源码目录，而不在已安装的包中："
            "只有就地编译才会在那里生成编译部分",
        ),
    )


def _library_of_sources(clues: Clues) -> Candidate | None:
    """A library of a package is asked for in the folder of its sources, where nothing was built."""
    said = clues.said(Said.LIBRARY_MISSING)
    file = (said.library or said.file or "") if said is not None else ""
    package = clues.frames[-1].file if clues.frames else ""
    if not file.startswith("/") or not package.startswith("/") or _INSTALLED.search(file) or not clues.has(Trait.CLONE):
        return None
    if not _is_known(posixpath.basename(posixpath.commonpath((file, package)))):
        return None
    return _candidate(
        package,
        both(
            f"`{file}` is asked for by `{package}`: the package is imported from its uncompiled sources",
            f"`{package}` 需要 `{file}`：导入的是未编译的源码目录中的包",
        ),
    )


def _library_first(clues: Clues) -> Candidate | None:
    """A library with the name of a module of source lies beside it: Python takes extension modules first.

    Source: CPython, `Lib/importlib/_bootstrap_external.py`, `_get_supported_file_loaders`.
    """
    said = clues.said(Said.NO_INIT_FUNCTION)
    if said is None or not said.module:
        return None
    ends = {match[1] for match in re.finditer(rf"\b{re.escape(said.module)}(?:\.[\w-]+)?\.(py|so|pyd)\b", clues.text)}
    if "py" not in ends or len(ends) == 1:
        return None
    return _candidate(
        said.module,
        both(
            f"a library `{said.module}` lies beside `{said.module}.py`, and Python imports extension modules first",
            f"`{said.module}.py` 旁边有同名的库文件，而 Python 优先导入扩展模块",
        ),
    )


def _half_imported(clues: Clues) -> Candidate | None:
    """A module that is asked for a name before it has run to its end, and is not the one that was meant."""
    half = clues.said(Said.PARTIALLY_INITIALIZED)
    if half is None:
        return None
    place = half.file or _place_of(clues, half.module or "")
    top = (half.module or "").partition(".")[0]
    own = _is_someone_elses(clues, top, place or "") or _lacks_native(clues, place or "")
    if place is not None and not _INSTALLED.search(place) and own:
        return _candidate(
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
    told = clues.has(Trait.CLONE) or _names_file(clues, top) or _NAMED_ALIKE.search(clues.text) is not None
    likely = told or top in sys.stdlib_module_names or _is_used_by_the_script(clues, top)
    return _candidate(
        top,
        both(
            f"`{top}` is only partially imported, most often because a file of your own is named `{top}.py`, or the "
            "program runs in the folder of its sources",
            f"`{top}` 没有导入完整，最常见的原因是自己的文件也叫 `{top}.py`，或程序在它的源码目录中运行",
        ),
        strength=Strength.SHOWN if likely else Strength.USUAL,
    )


def _is_used_by_the_script(clues: Clues, module: str) -> bool:
    """A script imports the module and uses it, and it is then only half there: it has imported itself."""
    name = re.escape(module)
    used = re.search(rf"(?m)^[ \t>]*import {name}\b[^\n]*\n(?:[^\n]*\n){{0,6}}?[^\n]*\b{name}\.\w", clues.text)
    return used is not None and "AttributeError: partially" in clues.text and not _INSTALLED.search(clues.text)


def _last_part(module: str) -> Candidate:
    """A part of a package that imports another package: a file of that name may have answered instead."""
    last = module.rpartition(".")[2]
    return _candidate(
        last,
        both(
            f"`{module}` may itself import a package `{last}`, for which a file of your own named `{last}.py` would "
            "answer",
            f"`{module}` 自身可能要导入名为 `{last}` 的包，而自己的文件若也叫 `{last}.py`，找到的就是后者",
        ),
        strength=Strength.POSSIBLE,
    )


def _stand_in(clues: Clues) -> str | None:
    """The module in whose stead a file of the user's answers: one that lacks a name which every Python has there."""
    for saying in clues.all_said(Said.NAME_NOT_THERE):
        if saying.module and saying.file:
            top = saying.module.partition(".")[0]
            known = top in sys.stdlib_module_names or (_is_known(top) and _is_file_of(saying.file, top))
            if known and not _INSTALLED.search(saying.file):
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
            and (module := _OF_ONE_MODULE.get(saying.symbol or ""))
        ):
            return module
    for saying in clues.all_said(Said.NOT_A_PACKAGE):
        top = (saying.library or "").partition(".")[0]
        if _names_file(clues, top) or _is_known(top) or any(_is_file_of(frame.file, top) for frame in clues.frames):
            return top
    return None


def _imports_itself(clues: Clues) -> str | None:
    """A script that imports a module of its own name, which then lacks what is asked for."""
    if not _HAS_NO_NAME.search(clues.text):
        return None
    for frame in clues.frames:
        stem = re.split(r"[\\/]", frame.file)[-1].removesuffix(".py")
        imported = rf"\s*(?:from {re.escape(stem)} import\b|import (?:\w+, *)*{re.escape(stem)}\b(?!\.))"
        if re.match(imported, frame.source or "") and not _INSTALLED.search(frame.file):
            return frame.file
    return _answered_by_another(clues)


def _answered_by_another(clues: Clues) -> str | None:
    """A package is imported, and what runs next is a file of that name that is in no place of installed packages."""
    for asking, answering in pairwise(clues.frames):
        stem = re.split(r"[\\/]", answering.file)[-1].removesuffix(".py")
        imported = re.match(rf"\s*(?:from|import) {re.escape(stem)}\b(?!\.)", asking.source or "")
        if imported and not _INSTALLED.search(answering.file) and package_of(stem) is not None:
            return answering.file
    return None


def _empty_module(clues: Clues) -> str | None:
    """A module of the standard library without a name that it has in every Python, or one that is a file of the user's
    by the text.
    """
    return next(
        (
            match[1]
            for match in _NO_ATTRIBUTE.finditer(clues.text)
            if match[2] in _OF_EVERY_PYTHON.get(match[1], "").split()
            or _names_file(clues, match[1])
            or _names_folder(clues, match[1])
        ),
        None,
    )


def _empty_package(clues: Clues) -> Candidate | None:
    """A package without a name that each of its releases has."""
    for match in _NO_ATTRIBUTE.finditer(clues.text):
        if match[2] in _OF_EVERY_RELEASE.get(match[1], "").split():
            why = both(
                f"`{match[1]}` has none of its names: a file or an empty folder of that name is found first, or only a "
                "part of the package is installed",
                f"`{match[1]}` 中没有它应有的名称：先找到的是同名文件或空目录，或者该包没有安装完整",
            )
            return _candidate(match[1], why, strength=Strength.USUAL)
    return None


def _sources_of(file: str) -> str | None:
    """The package in the folder of its sources (`cupy/cupy/__init__.py`), which lacks what is compiled."""
    match = _IN_SOURCES.search(file)
    return file if match is not None and not _INSTALLED.search(file) and _is_known(match[1]) else None


def _is_known(top: str) -> bool:
    return package_of(top) is not None or package_of(f"{top}.x") is not None


def _is_file_of(file: str, top: str) -> bool:
    return re.search(rf"(?:^|[\\/]){re.escape(top)}\.py$", file) is not None


def _names_file(clues: Clues, top: str) -> bool:
    """The text names a file with the module's name that is none of an installation."""
    found = re.finditer(rf"[^\s'\"]{{0,200}}\b{re.escape(top)}\.py\b", clues.text)
    return any(not _INSTALLED.search(match[0]) for match in found)


def _names_folder(clues: Clues, top: str) -> bool:
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
    if not dot and not re.search(rf"\b{re.escape(module)}\.[\w.-]{{0,40}}(?:pyd|so)\b", clues.text):
        owner = package_of(module)
        top = import_name(owner) or "" if owner is not None else ""
    return (
        bool(top)
        and (bool(dot) or top != module)
        and not _INSTALLED.search(place)
        and re.search(rf"[\\/]{re.escape(top)}[\\/]", place) is not None
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
    return top in sys.stdlib_module_names or _is_known(top) or stem == top


def _lacks_native(clues: Clues, place: str) -> bool:
    """A folder of sources, in which the compiled module that is asked for was never made."""
    wanted = clues.said(Said.NATIVE_MODULE_MISSING)
    return wanted is not None and place.endswith("__init__.py") and (wanted.module or "").startswith("_")


def _candidate(name: str | None, why: Message, *, strength: Strength = Strength.SHOWN) -> Candidate:
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
