"""Where a text says that a library is which the loader did not find: its path, its folder, or what brings it."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Platform, Trait
from whyload.observe.text.graphics import (
    is_brought_by_torch,
    major,
    of_one_minor,
    other_cuda_around,
    toolkit_lacks,
    wheel_around,
)
from whyload.observe.text.traits import tells

_NEVER_BY_PATH = (
    Family.VC_RUNTIME,
    Family.CUDNN,
    Family.NVIDIA_DRIVER,
    Family.WINDOWS,
    Family.WINDOWS_FEATURE,
    Family.API_SET,
)
"""A copy of these on PATH says nothing: they are part of the system, or come in several parts."""

_TOOLKIT_FOLDER = regular(r"(?i)cuda[\\/]{1,2}v(\d{1,2})\.\d|/cuda-(\d{1,2})\.\d")

_OF_ONE_TOOLKIT = regular(r"libcupti\.so\.(\d{1,2}\.\d)")
"""CUPTI has the minor version in its name, too."""

_MAJOR_ALONE = 11
"""From CUDA 11 on, the libraries of all minor versions have one name."""

_APART = regular(
    r"(?im)^[ \t*-]{0,8}[A-Za-z][\w .+-]{0,40}: [^\n]*?\b(?:dlls|libraries|\w+\.dll)\b(?: (?:are|is|lies?|sits?))? ?"
    r"(?:only )?(?:in|under|inside|at) ['\"]?(?!the (?:same|package)|system32|c:[\\/]windows)"
    r"(?:[A-Za-z]:[\\/]|[\w%.-]+[\\/]|"
    r"(?:a|an|the|another|its|their)\b(?: own)?[^\n,;]{0,40}\b(?:sub)?(?:folder|director))"
)
"""A remark on where the libraries lie that a module needs: in a folder of their own."""

_BUILT_AGAINST = regular(
    r"(?i)\b(?:builds?|built|compiled?|linked)\b[^\n;]{0,40} (?:against|with) (?:the |a )?(?:[\w.+-]{1,30} in )?['\"]?"
    r"[A-Za-z]:[\\/](?!windows)"
)
"""A module that was built here, against libraries in a folder that is told."""

_CLIENT_FOLDER = regular(r"(?i)(?:[A-Za-z]:[\\/]|/)[^\s'\";,]{0,120}instant_?client[^\s'\";,]{0,40}")
"""Where Oracle's client lies."""

_INSTALLED_IN = regular(
    r"(?im)^[ \t*-]{0,8}(?!python|ana?conda|miniconda|cuda|visual|vs\b|cwd|project|script|sources?|repo|"
    r"app\b|program\b|venv|virtual|env|path|files?\b|working|folder|os\b|ide\b|host)[a-z][\w .+-]{0,40}: [^\n]{0,80}?"
    r"(?:(?<!not )\binstalled\b[^\n]{0,24}?|(?<=[\w)] )(?:in|at|under) )(?<!\w)['\"]?[A-Z]:[\\/](?!windows)"
)
"""A remark on a program, and the folder that it was installed in."""
_DLL = regular(r"(?i)\w\.dll\b")
_REMARK = regular(r"(?i)^[ \t*-]{0,8}(?!\w*(?:error|exception|warning)\b)[a-z][\w .+-]{0,40}: ")
_DIGITS = regular(r"(?:[._-]?\d+)+")
_LETTERS = 6
"""With the ending: from three letters of its own on, a name is told from another by its letters."""
_WHEELS = regular(r"(?i)\bnvidia(?:-\*|'s)? (?:packages|wheels|libraries)\b[^\n,;]{0,24}\b(?:in|under|below)\b")

_MOVED = regular(
    r"(?i)\b(?:since|after|once|because|when|if)\b[^\n.;]{0,40}\b(?:build|source|install(?:ation)?|checkout|folder|directory|"
    r"tree|prefix)\b[^\n.;]{0,60}\b(?<!re)(?:renamed|moved|relocated)\b|"
    r"\b(?:build|source|install(?:ation)?|checkout|folder|directory|tree|prefix) (?:was|were|has been|got|is) "
    r"(?:since |then |later |now )?(?:renamed|moved|relocated)\b|(?:目录|文件夹)[^\n。；]{0,12}(?:移动|改名|重命名|挪)"
)
"""What was built knows the folders of its libraries by the names that they had."""
_WHEEL_THERE = regular(
    r"(?im)^(?!.*\b(?:not|no|never|without|missing|absent|none)\b)[^\n]*?\bnvidia[-_](?P<part>cudnn|cublas|cufft|curand)"
    r"[-_]cu1\d\b(?:[ =:(]{1,3}(?P<major>\d{1,2})[.\w]|[^\n]*\b(?:installed|is|are|in the|by pip|with pip|from pip)\b)"
)
"""One of NVIDIA's packages on PyPI is told to be installed: torch alone looks into their folders."""
_MODULE_NOT_LOADED = regular(
    r"(?im)^[ \t*-]{0,8}(?:(?:env(?:ironment)?|hpc|cluster) )?(?:lmod|modules?):? [\w.+-]{1,40}/[\w.+-]{1,40}"
    r"(?: (?:module )?(?:is |was |were )?(?:not|never|no longer) loaded\b|"
    r"[^\n]{0,60}\bmodule load (?:was )?(?:forgotten|left out)\b)|"
    r"(?<!\w)/[\w./+-]{4,120}(?:;|,| \() ?(?:the |its )?module (?:is |was )?(?:not|never) loaded\b"
)
"""Of a cluster, whose modules put the folders of libraries on the loader's path."""

_BREWED = regular(
    r"(?i)/opt/homebrew/(?:lib|opt|cellar)|(?<!')/opt/local/lib(?!/python)|\b(?:brew|port) install\b|"
    r"\b(?:with|via|by|from|using|through) (?:(?:home)?brew|macports)\b|"
    r"(?m:^[ \t*-]{0,8}(?!python|os\b|host|shell|interpreter)[a-z][\w .+-]{0,40}: [^\n]{0,60}?"
    r"\b(?:(?:home)?brew|macports)\b)(?!/bin)"
)


def is_told_where(clues: Clues) -> bool:
    """The text tells where the library is that it last says is absent (there is one), or what brings it."""
    of_it = other_release(clues, clues.missing[-1]) is None and not (
        _is_of_another_cudnn(clues) or _is_of_another_toolkit(clues) or _is_of_others(clues, clues.missing[-1])
    )
    return (
        (of_it and (clues.has(Trait.FILE_IS_THERE) or _folder_on_path(clues)))
        or _is_named_by_path(clues, clues.missing[-1])
        or _is_held(clues, clues.missing[-1])
        or _is_listed(clues, clues.missing[-1])
        or _MODULE_NOT_LOADED.search(clues.text) is not None
        or _is_of_a_shared_python(clues, clues.missing[-1])
        or _is_of_the_toolkit(clues)
        or wheel_around(clues, name_library(clues.missing[-1])) is not None
        or is_brought_by_torch(clues, name_library(clues.missing[-1]))
        or _is_of_wheels_apart(clues)
        or _is_in_a_wheel(clues, clues.missing[-1])
        or _was_moved(clues)
        or _is_of_the_cudnn(clues)
        or _owner_is_installed(clues, clues.missing[-1])
        or _is_installed_in(clues, clues.missing[-1])
        or _owner_was_built(clues, clues.missing[-1])
        or _is_linked_from(clues, clues.missing[-1])
        or _is_of_a_collection(clues, clues.missing[-1])
        or _is_of_homebrew(clues)
        or _is_of_the_client(clues)
    )


def other_release(clues: Clues, name: str) -> str | None:
    """A library that the text names, and whose name differs by the digits alone: what is told is told of that one."""
    skeleton = _DIGITS.sub("#", name.lower())
    if sum(map(str.isalpha, skeleton)) < _LETTERS:
        return None
    others = (one for one in clues.libraries if one.lower() != name.lower())
    return next((one for one in others if _DIGITS.sub("#", one.lower()) == skeleton), None)


def _is_of_others(clues: Clues, name: str) -> bool:
    """Every line that tells where something lies names libraries, and never this one."""
    lines = [line.lower() for line in clues.text.splitlines() if _DLL.search(line)]
    telling = [line for line in lines if _REMARK.match(line) and tells(Trait.FILE_IS_THERE, line)]
    stem = re.escape(re.sub(r"[-_.\d]*\.dll$", "", name.lower()))
    return bool(telling) and not any(re.search(rf"\b{stem}(?![a-z])", line) for line in telling)


def lie_apart(clues: Clues) -> bool:
    """Nothing is named as absent, and a remark tells of a folder of libraries that is not the module's own."""
    return (
        clues.platform is Platform.WINDOWS
        and clues.failed_with(126)
        and not clues.missing
        and not clues.has(Trait.FROZEN, Trait.ABSENT)
        and (
            _APART.search(clues.text) is not None
            or _BUILT_AGAINST.search(clues.text) is not None
            or (clues.has(Trait.BUILT_HERE) and _INSTALLED_IN.search(clues.text) is not None)
        )
    )


def _folder_on_path(clues: Clues) -> bool:
    """What is absent was installed and is on PATH, which Python 3.8 and later do not search for it."""
    library = name_library(clues.missing[-1])
    if clues.platform is not Platform.WINDOWS or not clues.has(Trait.ON_PATH) or library.family in _NEVER_BY_PATH:
        return False
    if library.family is Family.CUDA:
        return "toolkit" in clues.cuda and other_cuda_around(clues, library) is None
    return clues.python is None or clues.python[:2] >= (3, 8)


def _is_named_by_path(clues: Clues, name: str) -> bool:
    """The text tells the full path of what is asked for by its bare name, apart from the message."""
    if clues.platform is not Platform.WINDOWS:
        asked = {value for saying in clues.sayings for value in (saying.file, saying.library) if value and "/" in value}
        return _stands_alone(clues, name) and not any(one.endswith(f"/{name}") for one in asked)
    # of a remark on it, the path may begin with a variable or with what stands for a folder
    path = (
        r"(?<!\w)[A-Za-z]:[\\/][^'\":*?<>|\n]{0,200}[\\/]"
        + re.escape(name)
        + r"|(?im:^[ \t*-]{0,8}(?!\w*error|imp|from\b|raise\b)[a-z][\w .-]{0,40}: ?['\"]?[\w%$<>{}.~\\/ -]{0,120}[\\/]"
        + re.escape(name)
        + ")"
    )
    said = [(saying.place, saying.place + len(saying.text)) for saying in clues.sayings]
    return any(not any(start <= match.start() <= end for start, end in said) for match in re.finditer(path, clues.text))


def _stands_alone(clues: Clues, name: str) -> bool:
    """The path is all that its line tells, as `find` and `locate` print it: the loaders list themselves where they
    looked.
    """
    path = (
        rf"(?m)^[ \t]*(?:[A-Za-z][\w .-]{{0,30}}: *)?/[^\s:'\"]{{0,300}}/{re.escape(name)}(?:\.\d{{1,4}}){{0,3}}[ \t]*$"
    )
    return clues.platform is Platform.LINUX and re.search(path, clues.text) is not None


def _is_of_a_shared_python(clues: Clues, name: str) -> bool:
    """Python's own library is absent, and a Python of that version was built to have one, in its own prefix."""
    version = re.match(r"libpython(\d\.\d{1,2})\w?\.(?:so|dylib)", name)
    if version is None:
        return False
    built = (
        rf"(?<!without )(?<!no )(?<!not )--enable-shared\b[^\n]{{0,120}}\b{re.escape(version[1])}(?!\d)|"
        rf"\b{re.escape(version[1])}(?!\d)[^\n]{{0,120}}(?<!without )(?<!no )(?<!not )--enable-shared\b|"
        rf"/[\w./-]{{1,120}}/{re.escape(version[1])}[\w.]{{0,6}}/lib(?:64)?\s*(?:$|\n)"
    )
    return clues.platform is not Platform.WINDOWS and re.search(built, clues.text) is not None


def _is_listed(clues: Clues, name: str) -> bool:
    """`ls` of a folder prints the name, below the command."""
    listed = (
        r"(?m)^[^\n]{0,60}[$#%>] ?ls (?:-\w+ )?(?:/|~/)[^\s|;&]{1,200}[ \t]*\n(?:(?![^\n]{0,60}[$#%>] )[^\n]+\n){0,40}?"
        rf"(?:[^\n]*\s)?{re.escape(name)}(?=\s|$)"
    )
    return clues.platform is not Platform.WINDOWS and re.search(listed, clues.text) is not None


def _owner_is_installed(clues: Clues, name: str) -> bool:
    """The text says that the program is installed which the library is called after: `libvlc.dll`, VLC installed.

    Not of Linux, where the name has a version, and another one may be installed; nor where 32-bit is told of.
    """
    stem = re.match(r"(?:lib)?([a-z]{3,30})", name.lower())
    if clues.platform is Platform.LINUX or clues.has(Trait.OTHER_BITS):
        return False
    if stem is None or name_library(name).family not in (None, Family.MINGW):
        return False
    told = (
        rf"(?<!\bno )(?<!\bnor )(?<!\bwithout )\b{re.escape(stem[1])}\b[^\n.;]{{0,24}}?"
        r"(?<!not )(?<!n't )\b(?:is |was |already )?installed\b(?! ?\?)"
    )
    said = [(saying.place, saying.place + len(saying.text)) for saying in clues.sayings]
    return any(
        not any(start < match.end() and match.start() < end for start, end in said)
        for match in re.finditer(told, clues.text, re.IGNORECASE)
    )


def _owner_was_built(clues: Clues, name: str) -> bool:
    """What the library is called after was built here: `make install` puts it where the loader learns of it later."""
    stem = re.match(r"(?:lib)?(([A-Za-z][A-Za-z\d]{2,30})\w{0,30})", name)
    if stem is None or clues.platform is Platform.WINDOWS or name_library(name).family is not None:
        return False
    owner = "|".join(re.escape(one) for one in dict.fromkeys(stem.groups()))  # `libpcl_surface` is a part of `pcl`
    built = (
        rf"(?im)^[ \t]{{0,8}}(?:lib)?(?:{owner})\b[^\n]{{0,12}}?: [^\n]{{0,60}}?"
        r"\b(?:make install|(?:built|compiled|installed) (?:it |them )?(?:from (?:the )?sources?|by hand|manually|here|"
        r"locally|with (?:cmake|make|autotools|meson)))\b"
    )
    return re.search(built, clues.text) is not None


def _is_linked_from(clues: Clues, name: str) -> bool:
    """The command of the linker names a folder of the user's for it, of which the loader learns nothing."""
    stem = re.match(r"(?:lib)?([A-Za-z][\w+-]{1,40})", name)
    if stem is None or clues.platform is Platform.WINDOWS or " -L" not in clues.text:
        return False
    linked = (
        rf" -L ?(?!/usr/lib|/lib|/usr/local/cuda)(?:/|~/|\.)[^\s'\"]{{0,160}}(?:{re.escape(stem[1])}|"
        rf"[^\n]{{0,300}}? -l{re.escape(stem[1])}(?!\w))"
    )
    return re.search(linked, clues.text) is not None


def _is_of_a_collection(clues: Clues, name: str) -> bool:
    """Red Hat's software collections lie below `/opt/rh`, and are searched where they were enabled alone.

    Source: Red Hat Software Collections, Packaging Guide: libraries carry the name of the collection.
    """
    told = clues.mentions("software collection", "/opt/rh/", "scl enable", " scl ")
    return clues.platform is Platform.LINUX and (told or re.search(r"\.so\.rh-", name) is not None)


def _is_installed_in(clues: Clues, name: str) -> bool:
    """A library of some vendor is absent, and a remark tells in which folder the vendor's program was installed."""
    if clues.platform is not Platform.WINDOWS or clues.has(Trait.OTHER_BITS):
        return False
    if name_library(name).family not in (None, Family.OTHER_VENDOR, Family.MINGW):
        return False
    return _INSTALLED_IN.search(clues.text) is not None


def _is_of_homebrew(clues: Clues) -> bool:
    """What is looked for by its bare name was installed with Homebrew, whose folder only Homebrew's Python searches."""
    if clues.platform is not Platform.MACOS or not _BREWED.search(clues.text):
        return False
    return not any((saying.library or "").startswith(("/", "@")) for saying in clues.all_said(Said.LIBRARY_MISSING))


def _is_of_the_client(clues: Clues) -> bool:
    """Oracle's client is not found, and its folder is told, which is not said to be searched."""
    sought = clues.concerns("cx-oracle", "oracledb") and clues.missing[-1].lower().startswith("oracle client")
    on_path = clues.has(Trait.ON_PATH) or re.search(r"(?im)\bPATH\b[^\n]{0,60}instant_?client", clues.text) is not None
    return sought and not on_path and _CLIENT_FOLDER.search(clues.text) is not None


def _is_of_another_cudnn(clues: Clues) -> bool:
    """What is absent is a part of cuDNN, and what is told to be there is a cuDNN of another major."""
    library, told = name_library(clues.missing[-1]), major(clues.cuda.get("cudnn"))
    return library.family is Family.CUDNN and None not in (library.major, told) and library.major != told


def _is_of_another_toolkit(clues: Clues) -> bool:
    """What is absent belongs to one release of CUDA by its name, and what is told to be there is another release."""
    minor, told = of_one_minor(clues.missing[-1]), clues.cuda.get("toolkit", "")
    return minor is not None and told.count(".") > 0 and not told.startswith(minor)


def _is_of_the_cudnn(clues: Clues) -> bool:
    """What is absent is a part of cuDNN, and a cuDNN of that very major is told of."""
    library = name_library(clues.missing[-1])
    told = major(clues.cuda.get("cudnn"))
    return library.family is Family.CUDNN and library.major is not None and library.major == told


def _is_held(clues: Clues, name: str) -> bool:
    """A remark says of a folder or a program that it has the file, perhaps with `lib` in front or an ending."""
    stem = re.sub(r"^lib|\.(?:dll|so|dylib)$", "", name, flags=re.IGNORECASE)
    held = (
        rf"\b(?:holds|contains|has) (?:the |a |files? )?['\"`]?(?:lib)?{re.escape(stem)}\b|"
        rf"(?<![\w-]){re.escape(name)}['\"`]? (?:is|lies|exists|(?:is )?(?:located|present|installed|put|placed|kept)|"
        r"sits|resides|ends up|goes|can be found) (?:in|into|to|at|under|below|inside)\b"
        r"(?! (?:your|the) (?:library |search )?path)|"
        r"\b(?:puts|installs|places|unpacks|brings|stores|keeps|leaves) (?:the |its |a )?['\"`]?"
        rf"{re.escape(name)}['\"`]? (?:in|into|to|at|under|below|inside)\b"
    )
    return len(stem) > 3 and re.search(held, clues.text, re.IGNORECASE) is not None


def _is_of_the_toolkit(clues: Clues) -> bool:
    """What is absent comes with the CUDA toolkit, and one of its very version is told of."""
    library = name_library(clues.missing[-1])
    if library.family is not Family.CUDA:
        return False
    minor = of_one_minor(library.name)
    if minor is not None or max(library.cuda_majors, default=_MAJOR_ALONE) < _MAJOR_ALONE:
        return minor is not None and minor == ".".join(clues.cuda.get("toolkit", "").split(".")[:2])
    if toolkit_lacks(clues, library.name):
        return False
    folder = _TOOLKIT_FOLDER.search(clues.text)
    tools = _OF_ONE_TOOLKIT.match(clues.missing[-1])
    if tools is not None and not clues.cuda.get("toolkit", tools[1]).startswith(tools[1]):
        return False
    if not library.cuda_majors:
        return folder is not None and clues.platform is Platform.WINDOWS
    told = int(folder[1] or folder[2]) if folder is not None else major(clues.cuda.get("toolkit"))
    return told in library.cuda_majors


def _was_moved(clues: Clues) -> bool:
    """The folder in which the libraries were built or installed has another name since."""
    return clues.platform in (Platform.LINUX, Platform.MACOS) and _MOVED.search(clues.text) is not None


def _is_in_a_wheel(clues: Clues, name: str) -> bool:
    """A package of NVIDIA's on PyPI has it, in a folder that the loader does not search."""
    wheel = _WHEEL_THERE.search(clues.text)
    if wheel is None or wheel["part"].lower() not in name or clues.concerns("torch"):
        return False
    number = name_library(name).major
    return wheel["major"] is None or number is None or wheel["major"] == str(number)


def _is_of_wheels_apart(clues: Clues) -> bool:
    """NVIDIA's packages are told to be there: torch looks for them in the folder in which it is itself."""
    library = name_library(clues.missing[-1])
    return library.family in (Family.CUDA, Family.CUDNN) and _WHEELS.search(clues.text) is not None
