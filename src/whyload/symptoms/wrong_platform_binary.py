"""A text in which a file for another operating system is loaded."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait, Unlike
from whyload.remedies.anywhere import advise
from whyload.remedies.model import Remedy

CODE = "wrong-platform-binary"
_LINUX_FILE_ON_WINDOWS = regular(r"\b[A-Za-z]:[\\/][^\n:*?\"<>|]{1,250}?[\\/]([\w.+-]{1,80}\.so)\b")
_OF_PYTHON = regular(r"(?:site|dist)-packages/|^/var/task/|^/opt/python/|\.cpython-|\.abi3\.|/_\w+\.so$")
"""Files of wheels: what stands there in another format is a library, too, of another system."""
_MADE = regular(
    r"(?:built|installed|packaged|packed|zipped|made|created|compiled|copied|vendored|prepared|pip install(?:ed)?)\b"
    r"[^\n.;]{0,60}?\b(?:on|from|for|under|in) (?:a |an |my |the |our )?(?:\w\d )?"
    r"(?P<system>mac|os ?x|windows|linux|ubuntu|aws lambda)|"
    r"在 ?(?P<zh>mac|windows|linux|ubuntu)\w{0,3} ?(?:系统)?(?:上|中|下)?(?:打包|安装|编译|构建|制作)|"
    r"--plat(?:form|-name)?[ =](?:many|musl)?(?P<option>mac|darwin|win|linux)",
    re.IGNORECASE,
)
_RUNS_ON = regular(
    r"\b(?:runs?|running|deployed|moved|used|mounted|copied|to run)\b[^\n.;]{0,30}?\b(?:on|to|in|into|under) "
    r"(?:a |an |my |the |our )?(?P<system>mac|os ?x|windows|linux|ubuntu|docker)|"
    r"(?:部署|复制|拷贝|上传)[到至在] ?(?P<zh>mac|windows|linux|ubuntu)",
    re.IGNORECASE,
)
_MOVED = regular(
    r"\b(?:used|ran|worked|works|fine|good|developed|installed)\b[^\n.;]{0,40}?\b(?:on|under|in|for) "
    r"(?P<before>mac|os ?x|win|linux|ubuntu)[^\n;]{0,60}?\b(?:now|then|and here|today)\b[^\n.;]{0,30}?"
    r"\b(?:on|under|in|to) (?P<after>mac|os ?x|win|linux|ubuntu)",
    re.IGNORECASE,
)
_OF_WINDOWS_WHEELS = regular(
    r"module 'os' has no attribute 'add_dll_directory'|cannot import name '(?:WinDLL|windll)' from 'ctypes'"
)
"""What delvewheel puts into the packages of wheels for Windows runs on no other system."""
_SYSTEMS = {"mac": Platform.MACOS, "dar": Platform.MACOS, "os": Platform.MACOS, "win": Platform.WINDOWS}
_OTHER_BITS_WORK = regular(r"(?i)\b(?:32|64)[- ]?bit\b[^\n.;]{0,30}\b(?:works?|worked|ok|fine|loads)\b")
"""Then the file is one of Windows, whatever the ending of its name."""
_MAGIC_IN_HEX = ("cffaedfe", "cefaedfe", "cafebabe", "4d5a")
"""How Mach-O and PE files begin (bionic's linker says what it found)."""
_MAGIC_OF_ELF, _MAGIC_OF_PE = "0x7F 0x45 0x4C 0x46", "0x4D 0x5A"


def explain(clues: Clues) -> Candidate | None:
    """Windows refuses a `.so`, Linux a `.dll` or a `.dylib`, dyld names the first bytes of another system's file."""
    package = clues.distribution or "PACKAGE"
    ask = (
        f"python -m pip show -f {package}",
        both(
            "does the file come from another operating system (a copied environment, an image, a Lambda layer)?",
            "该文件是否来自另一个操作系统（复制的环境、镜像、Lambda 层）？",
        ),
    )
    remedies = (
        advise(
            "right-platform",
            "install the package on this system itself",
            "直接在本系统上安装该包",
            f"python -m pip install --force-reinstall --no-cache-dir {package}",
        ),
    )
    name = _foreign(clues)
    if name is not None:
        why = both(f"`{name}` is a file for another operating system", f"`{name}` 是另一个操作系统的文件")
        return Candidate(
            code=CODE, strength=Strength.SHOWN, why=why, object=name, ask=ask, remedies=remedies, order=(-1, 0)
        )
    other = clues.said(Said.OTHER_SYSTEM)
    if other is not None:
        why = both(
            "the file is for another system of Apple's, or for a newer macOS than this one",
            "该文件面向苹果的另一种系统，或面向比当前更新的 macOS",
        )
        return Candidate(
            code=CODE, strength=Strength.SHOWN, why=why, object=other.file, ask=ask, remedies=remedies, order=(-1, 0)
        )
    elsewhere = clues.said(Said.NATIVE_MODULE_MISSING)
    if elsewhere is not None and (unseen := _beside(clues, elsewhere.module or "")) is not None:
        why = both(
            f"`{unseen}` is there, but this system looks for extension modules with another ending",
            f"有 `{unseen}`，但当前系统的扩展模块使用另一种后缀",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=unseen, ask=ask, remedies=remedies)
    if elsewhere is not None and _made_for_another(clues):
        why = both(
            f"`{elsewhere.module}` was built on another operating system, under a file name that this system does not "
            "look for",
            f"`{elsewhere.module}` 是在另一个操作系统上生成的，当前系统不会查找那样的文件名",
        )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=why,
            object=elsewhere.module,
            ask=ask,
            remedies=remedies,
            order=(-1, 0),
        )
    return usual(clues, CODE, ask=ask, remedies=remedies) or _may_be_foreign(clues, ask, remedies)


def _may_be_foreign(clues: Clues, ask: tuple[Message | str, ...], remedies: tuple[Remedy, ...]) -> Candidate | None:
    """No ELF file, and nothing tells what it is instead."""
    header = clues.said(Said.ELF_HEADER)
    if header is None or clues.has(Trait.TEXT_FILE, Trait.DAMAGED):
        return None
    why = both(
        "a file that begins unlike a library of Linux may be one of another operating system",
        "开头不像 Linux 库的文件，可能是另一个操作系统的库",
    )
    return Candidate(code=CODE, strength=Strength.POSSIBLE, why=why, object=header.file, ask=ask, remedies=remedies)


def _beside(clues: Clues, module: str) -> str | None:
    """A file of the module's name with the ending of another system, where none with the right one is told of."""
    ends = {Platform.WINDOWS: ("so", "pyd"), Platform.LINUX: ("pyd", "so"), Platform.MACOS: ("pyd", "so")}
    if clues.platform not in ends or clues.has(Trait.WSL):
        return None
    other, own = ends[clues.platform]
    stem = re.escape(module.rpartition(".")[2])
    if not stem or re.search(rf"(?<![\w-]){stem}(?:\.[\w-]{{1,40}})?\.{own}\b", clues.text):
        return None
    found = re.search(rf"(?<![\w-]){stem}\.{other}\b", clues.text)
    return found[0] if found else None


def _made_for_another(clues: Clues) -> bool:
    """The text tells of a system on which, or for which, the package was made: not the one that runs."""
    runs, told = clues.platform, _RUNS_ON.search(clues.text)
    hosted = clues.has(Trait.LAMBDA, Trait.CONTAINER) and not re.search(r"(?im)^os: (?:mac|windows)", clues.text)
    if hosted or told is not None:
        runs = _system(told) if told is not None and not hosted else Platform.LINUX
    moved = _MOVED.search(clues.text)
    if moved is not None and _named(moved["before"]) is not _named(moved["after"]):
        return True
    made = {_system(match) for match in _MADE.finditer(clues.text)}
    return runs is not None and bool(made) and runs not in made


def _system(match: re.Match[str]) -> Platform:
    return _named(next(filter(None, match.groups())))


def _named(system: str) -> Platform:
    name = system.lower()
    return _SYSTEMS.get(name[:3].strip(), _SYSTEMS.get(name[:2], Platform.LINUX))


def _is_refused(clues: Clues, name: str) -> bool:
    """Whether a file that is named like one of another system is there: cffi's libraries try such names, too."""
    if re.search(r"\.so(?:\.\d+)*$|\.dylib$", name) is None or _OTHER_BITS_WORK.search(clues.text):
        return False
    return f"{name}': error 0x7e" not in clues.text


def _runs_elsewhere(clues: Clues) -> bool:
    """The text tells of a system that is not Windows."""
    return clues.platform in (Platform.LINUX, Platform.MACOS) or clues.has(Trait.LAMBDA, Trait.CONTAINER)


def _foreign(clues: Clues) -> str | None:
    if clues.failed_with(193) and clues.platform is Platform.WINDOWS:
        named = next((name for name in clues.libraries if _is_refused(clues, name)), None)
        other = _made_for_another(clues) or clues.mentions("elf 64-bit", "elf 32-bit", "mach-o 64-bit")
        return named or (clues.module or "?" if other else None)
    if clues.said(Said.CUDA_NOT_LOADED) is not None:
        path = _LINUX_FILE_ON_WINDOWS.search(clues.text)
        return path[1] if path else None
    unseen = clues.built_unlike(Unlike.SYSTEM)
    if unseen is not None:
        return unseen
    if _OF_WINDOWS_WHEELS.search(clues.text) and _runs_elsewhere(clues):
        return clues.distribution or "__init__.py"
    header = clues.said(Said.ELF_HEADER)
    if header is not None:
        if clues.has(Trait.TEXT_FILE, Trait.DAMAGED):
            return None
        file = header.file or ""
        if (header.found or "").startswith(_MAGIC_IN_HEX):
            return file or "?"
        outside = re.search(r"\.(?:dll|pyd|dylib)$|darwin|win_amd64|/mnt/[a-z]/", file) is not None
        inside = (
            _OF_PYTHON.search(file) is not None or clues.has(Trait.CONTAINER, Trait.LAMBDA) or "node_modules" in file
        )
        return (file or "?") if outside or inside or _made_for_another(clues) else None
    foreign = clues.said(Said.NOT_MACHO)
    if foreign is not None and not clues.has(Trait.TEXT_FILE):
        magic = (foreign.found or "").upper().replace("0X", "0x")
        known = magic.startswith((_MAGIC_OF_ELF, _MAGIC_OF_PE)) or not magic
        return foreign.file if known else None
    return None
