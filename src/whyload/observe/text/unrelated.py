"""Messages in the words of a loader, or of a build, that are about something else: they are no clue.

Four kinds: names of Python code that a package no longer has, or not yet; compilers and linkers at work on a program
of its own; assemblies of .NET; exceptions of a program that happens to be frozen.
"""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.knowledge.compiled_modules import is_compiled
from whyload.knowledge.messages import Said, Saying
from whyload.knowledge.suspects import package_of
from whyload.observe.text.clues import TextFrame

_OF_A_FILE = regular(
    r"[^\n]{0,300}?from [^\n(]{1,200}\((?:most likely[^)\n]{0,60}\)\s?\()?[^()\n]{0,300}[\\/](\w{1,60})\.py\)"
)
"""The place that Python adds to the name that it could not import."""
_DOTNET = regular(r"\b(?:CS|BC|FS|MSB|NETSDK)\d{4}\b")
"""Numbers of messages of the compilers of C#, Visual Basic and F#, and of MSBuild."""
_LINKED = regular(r"(?<!lookup )\berror: (?:[^\s:]{1,200}\.(?:o|a|obj|a\([^\s:]{1,100}\)): )?undefined symbol")
"""LLVM's linkers, of a program that is being linked: a loader names the library, and no file of objects."""
_EXTENSION = regular(
    r"(?i)setup\.py|pyproject|\bpip3?\b|\bwheels?\b|build_ext|cpp_extension|(?:site|dist)-packages|distutils|"
    r"setuptools|\bpy(?:thon\d?|config|object)?\.h\b|\.pyx?\b|\.pyd\b|traceback|error: command|CalledProcessError|"
    r"cython|pybind|building '|(?<![A-Za-z])Py[A-Z]\w+_|\w{2}module\.c|python\d+t?\.lib|-lpython|torch[\\/]|\bc10::|"
    r"\bat::|\w_ext\b"
)
"""What the tools print only when they build an extension of Python's."""
_ON_FIRST_USE = regular(r"(?i)triton|inductor")
"""Who compiles a `main.c` for itself."""
_REMARK = regular(r"(?m)^(?!error|fatal|warning)[a-z][\w -]{0,30}: [^\n]*$")
"""A line on the environment: that a machine has Python tells nothing of what was built on it."""
_NEAR_PYTHON = regular(
    r"(?i)python|torch|conda|numpy|tensorflow|extension|cuda|nvcc|\.cuh?\b|-l(?:omp|gomp|cu\w+)\b|"
    r"command '|\bcc_cmd\b|unsupported (?:gnu|microsoft)|\bpackages?:|\w{3}Error: "
)
"""What stands mostly in such a text: it is about an extension unless a program of its own is seen in it."""
_DIAGNOSTIC = regular(r"[\w.+-]{1,60}[:(]\d")
"""A file of sources and a line: every program that does not compile has such a message."""
_TELLS_OF_EXTENSIONS = regular(
    r"(?i)\b(?:py)?torch|cupy|tensorflow|flash-attn|xformers|numpy|extension|\bfrom source|STL1\d{3}|"
    r"\bTHC\w|triton|command '"
)
_NINJA = regular(r"(?i)\bninja\b")
_OF_CMAKE = regular(r"CMakeFiles[\\/]|[\\/]soong[\\/]")
"""Ninja as CMake or Android drive it: torch writes its own files for it."""
_KEY = regular(r"^[ \t*-]{0,8}([A-Za-z][\w.-]{1,40}):? [^\n]{0,4}\d", re.MULTILINE)
"""`mmcv: 2.1`: a package with its version."""
_PROGRAM = regular(
    r"(?i)\bmain\.(?:c|cc|cpp|cxx|o|obj|m|swift)\b|(?:in function|referenced in function) [`'\"]?_?main\b|linking cxx "
    r"executable|\b(?!(?:link|lib|cl|nvcc|ptxas|collect2|gcc|g\+\+|ld|clang|clang-cl|rustc|cargo|cmake|ninja|python\d*)"
    r"\.exe)[\w-]{1,60}\.exe ?[\]:]|-lpods|objc_class|appdelegate"
)
"""A program of its own: its first file, the program that is linked, an app for a telephone."""
_ABSENT = regular(
    r"(?i)import|no module named|no such file|not found|\.(?:dll|pyd|dylib|so)\b|\bDLL|pyi_rth|找不到|未找到|无法加载|"
    r"\b(?:cannot|unable to|not|can't) (?:be )?(?:find|found|load|open)|Error (?:2|3|126|127|182|193|1114)\b"
)
"""What is not there: PyInstaller says of every exception that the script failed, whatever it is about."""
_CODE = regular(r"(?:^|\.)_?(?:utils?|compat|testing|version|types|typing|exceptions|errors|warnings|deprecation)$")
"""Modules that are Python code by what they are for: a name in them is no module."""
_COMPILED = regular(
    r"(?i)\.pyd\b|\.so\b|\bcp3\d|cpython-3|pyinstaller|_MEI\d|nuitka|\bsources?\b|\bclone|checkout|\brepo|源码|build_ext|"
    r"\bwheel|_d\.exe|pypy|\bcopied\b|free-?thread"
)
"""What a text tells of compiled modules: then one may be absent whoever asks for it."""
_NO_FILE = regular(
    r"^_(?:[A-Z]\w*[a-z]\w*[A-Z]\w*|[a-z0-9]+_[a-z0-9]+_[a-z0-9_]+|"
    r"(?:get|set|is|has|check|make|load|read|write|compute|parse|create|prepare|find|run|convert|register)_\w+)$"
)
"""What a class or a function is called, and hardly a file: a class in capitals, a verb, many words."""


def related(sayings: tuple[Saying, ...], text: str, frames: tuple[TextFrame, ...]) -> tuple[Saying, ...]:
    """The sayings without those that are about something else."""
    builds = [one for one in sayings if one.kind is Said.BUILD_FAILED]
    foreign_build = bool(builds) and not any(map(_names_a_package, builds)) and _is_of_a_program(text, builds)
    return tuple(
        one
        for one in sayings
        if not (
            (one.kind is Said.BUILD_FAILED and foreign_build)
            or (one.kind is Said.NATIVE_MODULE_MISSING and _is_of_python_code(one, text, frames))
            or (one.kind is Said.FROZEN_START_FAILED and one.file is None and not _ABSENT.search(text))
            or (one.kind is Said.LIBRARY_MISSING and _DOTNET.search(_line_to(text, one)))
            or (one.kind is Said.UNDEFINED_SYMBOL and _LINKED.search(_line_to(text, one)))
        )
    )


def _names_a_package(build: Saying) -> bool:
    """Whether it is known what was built; what only stands in the text may be any word."""
    name = build.module
    return name is not None and (name not in build.text or package_of(name) is not None)


def _line_to(text: str, saying: Saying) -> str:
    """The line of a saying, up to its end."""
    start = text.rfind("\n", 0, saying.place) + 1
    end = text.find("\n", saying.place)
    return text[max(start, saying.place - 1000) : min(end if end >= 0 else len(text), saying.place + 300)]


def _is_of_a_program(text: str, builds: list[Saying]) -> bool:
    """Whether what was built is a program of its own, as far as the text tells."""
    if _ON_FIRST_USE.search(text) or _EXTENSION.search(_REMARK.sub("", text)):
        return False
    if _PROGRAM.search(text):
        return True
    if all(_DIAGNOSTIC.match(one.text) for one in builds):
        return not (_EXTENSION.search(text) or _TELLS_OF_EXTENSIONS.search(text))
    told = (match[1] for match in _KEY.finditer(text))
    if _NEAR_PYTHON.search(text) or any(package_of(name) for name in told):
        return False
    return not _NINJA.search(text) or _OF_CMAKE.search(text) is not None


def _is_of_python_code(saying: Saying, text: str, frames: tuple[TextFrame, ...]) -> bool:
    """A name that a file of Python code lacks, or a module that is no compiled one of its package."""
    if not saying.module or saying.module not in saying.text:
        return False
    module = ".".join(part for part in (saying.file, saying.module) if part)
    compiled = is_compiled(module)
    if compiled is not None:
        return not compiled
    place = _OF_A_FILE.match(text, saying.place) if saying.file is not None else None
    if (place is not None and place[1] != "__init__") or _CODE.search(saying.file or ""):
        return True
    if "." not in module or package_of(saying.module.rpartition(".")[2]) is not None or _COMPILED.search(text):
        return False
    return _is_asked_by_others(module, frames) or (
        saying.file is not None and package_of(module) is None and _NO_FILE.search(saying.module) is not None
    )


def _is_asked_by_others(module: str, frames: tuple[TextFrame, ...]) -> bool:
    """An installed package asks for a module of another one, which is that one's own affair when it is compiled."""
    asking = frames[-1].package if frames else None
    top = module.partition(".")[0]
    return asking is not None and asking.isidentifier() and asking != top
