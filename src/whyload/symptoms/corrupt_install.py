"""A text that tells of an empty, cut or absent file of an installed package."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Platform, Trait
from whyload.remedies.anywhere import advise, reinstall, word

CODE = "corrupt-install"
_OF_A_PACKAGE = regular(r"(?:site|dist)-packages[\\/]")
_HALF_REPLACED = regular(r"(?i)ignoring invalid distribution [-~]([\w.-]{1,60})")
"""What pip says of a distribution that it moved aside and could not remove: the first letter is gone.

Source: pip, `AdjacentTempDirectory` in src/pip/_internal/utils/temp_dir.py.
"""
_REMOVED = regular(
    r"(?i)\b(?<!re)(?:uninstall(?:ed|ing)?|removed|deleted)\b(?: -y)? ['\"`]?nvidia[-_][\w-]{2,40}"
    r"(?![^\n]{0,60}\binstall)|"
    r"\bnvidia[-_][\w-]{2,40}['\"`]?(?::|, which)?(?: [\d.]{1,12})? (?:package |wheel )?"
    r"(?:(?:was|were|is|are|had been|has been) )?(?:since )?(?:manually )?"
    r"(?:uninstalled|removed|deleted|absent|missing|gone|not installed|not in pip list)\b"
    r"(?![^\n]{0,60}\b(?:and|then)\b[^\n]{0,20}\binstall)|"
    r"--no-deps\b[^\n]{0,60}\btorch\b|\btorch\b[^\n]{0,60}--no-deps\b"
)

_UPX = regular(
    r"(?i)(?<!no)(?<!not )(?<!not using )(?<!without )\bupx\b"
    r"(?! ?(?:= ?false|is not|not available|is disabled|disabled))"
)
_SPOILED = regular(r"(?i)_mei\d+[\\/](?:vcruntime140|ucrtbase|msvcp140)\w*\.dll")


def explain(clues: Clues) -> Candidate | None:
    """The loader says that the file is too short, or the text tells of damage beside an error that damage gives."""
    package = clues.distribution or "PACKAGE"
    ask = (f"python -m pip show -f {package}", "python -m pip check")
    refused = clues.said(Said.REFUSED_IMAGE)
    found = _too_short(clues) or _malformed(clues) or _of_two_releases(clues)
    if found is None and refused is not None:
        return _refused(refused.file, ask, package)
    found = found or _wheel_removed(clues) or _damaged(clues) or _not_there(clues) or _half_replaced(clues)
    if found is None:
        often = usual(clues, CODE, ask=ask, remedies=(reinstall(package),))
        return _packed(clues) or often or _cut_short(clues, ask, package)
    strength, why, file = found
    return Candidate(code=CODE, strength=strength, why=why, object=file, ask=ask, remedies=(reinstall(package),))


def _too_short(clues: Clues) -> Found | None:
    short = clues.said(Said.TOO_SHORT)
    if short is None or clues.has(Trait.TEXT_FILE):
        return None
    why = both(
        "the file is too short to be a library: it is empty or truncated",
        "文件太短，不可能是库：要么是空文件，要么被截断了",
    )
    return Strength.STATED, why, short.file


def _cut_short(clues: Clues, ask: tuple[str, ...], package: str) -> Candidate | None:
    """A file that an installer put there does not begin like a library, and nothing tells of another system."""
    header = clues.said(Said.ELF_HEADER)
    if header is None or not _OF_A_PACKAGE.search(header.file or "") or clues.has(Trait.TEXT_FILE):
        return None
    why = both(
        "the file of an installed package does not begin like a library: it may be damaged",
        "已安装的包中的文件，开头不是库的格式：它可能已损坏",
    )
    return Candidate(
        code=CODE, strength=Strength.POSSIBLE, why=why, object=header.file, ask=ask, remedies=(reinstall(package),)
    )


def _malformed(clues: Clues) -> Found | None:
    malformed = clues.said(Said.MALFORMED)
    if malformed is None:
        return None
    why = both(
        "the inside of the file does not fit its head: a tool that changes libraries (`strip`, `patchelf`, a packer) "
        "or a broken copy spoilt it",
        "文件内容与文件头不符：被改动库文件的工具（`strip`、`patchelf`、加壳程序）损坏了，或复制不完整",
    )
    return Strength.STATED, why, malformed.file


def _of_two_releases(clues: Clues) -> Found | None:
    mixed = clues.said(Said.MIXED_INSTALL)
    if mixed is None:
        return None
    why = both(
        "the binary files and the Python files of the package come from different releases, or from distributions that "
        "write into one folder",
        "该包的二进制文件与 Python 文件来自不同版本，或来自写入同一目录的不同软件包",
    )
    return Strength.SHOWN, why, mixed.file


def _damaged(clues: Clues) -> Found | None:
    damaged = clues.has(Trait.DAMAGED) and (
        clues.failed_with(193, 126, 998, 11)
        or clues.said(Said.ELF_HEADER, Said.MAP_FAILED, Said.NATIVE_MODULE_MISSING) is not None
    )
    if (not damaged and not clues.failed_with(1392)) or clues.has(Trait.SECURITY_SOFTWARE):
        return None  # what security software did has a narrower cause
    why = both(
        "the text mentions a file that is empty, truncated, damaged or deleted",
        "文中提到文件为空、被截断、损坏或被删除",
    )
    return Strength.SHOWN, why, clues.file


def _wheel_removed(clues: Clues) -> Found | None:
    """A package of NVIDIA's that others take their libraries from is said to be uninstalled, or not to be there."""
    wanted = [name for name in clues.missing if name_library(name).family in (Family.CUDA, Family.CUDNN)]
    if not wanted or clues.platform is Platform.WINDOWS or not _REMOVED.search(clues.text):
        return None
    why = both(
        f"the text says that NVIDIA's package that brings `{wanted[-1]}` is gone: `pip check` names what needs it",
        f"文中提到提供 `{wanted[-1]}` 的 NVIDIA 包已不在：`pip check` 会列出哪些包需要它",
    )
    return Strength.SHOWN, why, wanted[-1]


def _half_replaced(clues: Clues) -> Found | None:
    """pip could not remove the files of the release before, so those of two releases may lie in one folder."""
    failed = clues.said(Said.NATIVE_MODULE_MISSING, Said.IMPORT_FAILED) is not None
    left = {match[1].lower().replace("_", "-") for match in _HALF_REPLACED.finditer(clues.text)}
    package = next((name for name in clues.packages if name[1:] in left), None)
    if not failed or package is None:
        return None
    why = both(
        f"pip says that it did not finish replacing `{package}`: files of it were in use",
        f"pip 提示没有完成 `{package}` 的替换：它的文件当时正被占用",
    )
    return Strength.SHOWN, why, package


def _not_there(clues: Clues) -> Found | None:
    absent = _said_to_be_absent(clues)
    if absent is None:
        return None
    why = both(
        f"the text says that `{absent}` itself is not there: it was never built or installed, or was deleted",
        f"文中提到 `{absent}` 本身就不存在：它没有被构建或安装，或者已被删除",
    )
    return Strength.SHOWN, why, absent


def _said_to_be_absent(clues: Clues) -> str | None:
    """The file of a package that fails, where the text says in words of its own that there is none."""
    failing = clues.said(Said.FILE_OR_DEPENDENCY)
    if failing is None or not failing.file or clues.has(Trait.FROZEN, Trait.SECURITY_SOFTWARE):
        return None
    name = re.split(r"[\\/]", failing.file)[-1]
    if not _OF_A_PACKAGE.search(failing.file):
        return None
    word = re.escape(name)
    told = re.compile(
        rf"\bno (?:file |such file as )?['\"`]?{word}|(?:没有|缺少) ?['\"`]?{word}|"
        rf"{word}['\"`]? (?:file )?(?:is|was|does|did|has)(?: not|n['’]?t)(?: actually)? "
        r"(?:there\b|exist|present|(?:been )?(?:generated|created|built)|in the (?:folder|directory))",
        re.IGNORECASE,
    )
    return name if told.search(clues.text) else None


def _packed(clues: Clues) -> Candidate | None:
    """A freezer let UPX pack the libraries, which spoils some: pyinstaller issues 1565, 3005, 4685, 4943; upx 230."""
    refused = clues.failed_with(193, 87) or 0xC000007B in clues.statuses
    told = clues.has(Trait.FROZEN) and _UPX.search(clues.text) is not None
    spoiled = _SPOILED.search(clues.text)
    if not refused or not (told or spoiled):
        return None
    return Candidate(
        code=CODE,
        strength=Strength.DECISIVE if told else Strength.KNOWN,
        why=both(
            "UPX damages some DLLs when it packs them, `vcruntime140.dll` first of all",
            "UPX 压缩时会损坏某些 DLL，首先是 `vcruntime140.dll`",
        ),
        object=spoiled[0].replace("/", "\\").split("\\")[-1] if spoiled else clues.file,
        ask=("pyinstaller --noupx PROGRAM.py",),
        remedies=(
            advise(
                "no-upx",
                "build the program again without UPX",
                "不使用 UPX 重新打包程序",
                "pyinstaller --noupx PROGRAM.py",
            ),
        ),
    )


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
