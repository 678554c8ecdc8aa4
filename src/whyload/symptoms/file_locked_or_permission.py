"""A text in which a library or its folder may not be opened."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait, is_by_policy, is_of_a_service
from whyload.remedies.anywhere import advise, word

CODE = "file-locked-or-permission"


_NO_NATIVE = regular(r"No module named ['\"]?(?:[\w.]{1,60}\.)?_\w")
_ONLY_OF_ONE = regular(
    r"(?i)\b(?:wrong|bad|insufficient|restrictive) (?:file )?permissions\b|"
    r"\bpermissions? (?:of|on) [^\n]{0,60}\b(?:is|are|was|were) (?:wrong|too strict|missing)|"
    r"\bumask[ :=](?:is |was |of )?0?0[237]7\b|(?<!\w)-?rwx?-?(?:r-?x?-?|rwx)---\b|(?<![\w-])-rwx?-{6,7}|"
    r"\b(?:readable|read) (?:only )?by root(?: only)?\b|\bonly root (?:can|may) read\b|\bnot (?:world[- ])?readable\b|"
    r"\bmode 0?[67][0-7]0\b|\bchmod -?R? ?(?:a|go|o)\+r\w*[^\n]{0,60}\b(?:helps|fix|works|solve|cure)"
)
"""The rights of a file: of its owner alone."""

_WHEEL = regular(r"[\w.+]+-[\w.+-]+-(?:win32|win_amd64|win_arm64)\.whl")
"""A package with libraries for Windows, while pip unpacks it."""

_REMEDIES = (
    advise(
        "free-the-file",
        "close the programs that use the environment, then reinstall with sufficient permissions",
        "关闭正在使用该环境的程序，再以足够的权限重新安装",
    ),
)


def explain(clues: Clues) -> Candidate | None:
    """Access denied or a sharing violation for a native file; permission denied by ld.so."""
    found = _denied(clues) or _held(clues) or _not_mapped(clues)
    order = (0, 0) if found is not None else (-1, 0)
    found = found or _of_another_user(clues)
    if found is None:
        return None
    (strength, why, file), ask = found
    return Candidate(code=CODE, strength=strength, why=why, object=file, ask=ask, remedies=_REMEDIES, order=order)


def _denied(clues: Clues) -> tuple[Found, tuple[str, ...]] | None:
    denied = clues.said(Said.DENIED)
    if denied is None:
        return _not_read(clues)
    why = both(f"this user may not read `{denied.file}`", f"当前用户无权读取 `{denied.file}`")
    if "ermission denied" not in denied.text:
        why = both(
            f"the system does not open `{denied.file}`: too many open files, a broken or remote drive, or a sandbox",
            f"系统无法打开 `{denied.file}`：打开的文件过多、磁盘或网络盘出错，或受沙箱限制",
        )
    service = is_of_a_service(clues)
    ask = (f"namei -l {word(denied.file)}", *(("getenforce",) if service else ()))
    return (Strength.STATED if service else Strength.DECISIVE, why, denied.file), ask


def _not_read(clues: Clues) -> tuple[Found, tuple[str, ...]] | None:
    """The loader passes over a library that another program is not let read, either."""
    for name in clues.missing:
        stem = re.escape(re.split(r"\.(?:so|dylib)\b", name)[0])
        file = re.search(rf"(/[\w./+-]{{0,200}}\b{stem}[\w.]{{0,40}})['\"]?: Permission denied", clues.text)
        if file is not None:
            why = both(f"this user may not read `{file[1]}`", f"当前用户无权读取 `{file[1]}`")
            return (Strength.SHOWN, why, file[1]), (f"namei -l {word(file[1])}", "getenforce", "aa-status")
    return None


def _of_another_user(clues: Clues) -> tuple[Found, tuple[str, ...]] | None:
    """What is not found is there, by the text, and only root may read it: pip keeps to the umask of who runs it."""
    absent = clues.missing or clues.said(Said.NATIVE_MODULE_MISSING) or _NO_NATIVE.search(clues.text)
    if not absent or clues.platform is Platform.WINDOWS or not _ONLY_OF_ONE.search(clues.text):
        return None
    name = clues.missing[-1] if clues.missing else None
    why = both(
        "the text tells of files that only their owner may read: what this user may not read is not found",
        "文中提到只有所有者才能读取的文件：当前用户无权读取的文件就会找不到",
    )
    return (Strength.SHOWN, why, name), ("umask", f"namei -l {word(name)}")


def _held(clues: Clues) -> tuple[Found, tuple[str, ...]] | None:
    said = (
        clues.failed_with(5, 32, 206, 1920)
        or clues.mentions("locked by bitlocker", "the cloud file", "the cloud operation")
        or "PermissionError" in clues.text
        or "[Errno 13]" in clues.text
    )
    if not said:
        return None
    native = next((name for name in clues.libraries if not name.endswith((".so", ".dylib"))), None)
    wheel = _WHEEL.search(clues.text)
    native = native or (wheel[0] if wheel is not None else None)
    if native is not None and clues.platform is not Platform.LINUX:
        why = both(
            f"`{native}` cannot be opened or replaced: another process is using it, or permissions are missing",
            f"无法打开或替换 `{native}`：它被其他进程占用，或权限不足",
        )
        return (Strength.SHOWN, why, native), (f"icacls {word(native)}", f"tasklist /m {word(native)}")
    if clues.said(Said.IMPORT_FAILED) or "LoadLibrary" in clues.text:
        why = both("Windows denies access to the file", "Windows 拒绝访问该文件")
        by_policy = clues.has(Trait.POLICY_ENFORCED)
        return (Strength.KNOWN if by_policy else Strength.SHOWN, why, clues.module), ("icacls FILE",)
    return None


def _not_mapped(clues: Clues) -> tuple[Found, tuple[str, ...]] | None:
    mapped = clues.said(Said.MAP_FAILED)
    if mapped is None:
        return None
    why = both(
        "the file could not be mapped: missing permissions, a folder mounted noexec, or too little memory",
        "该文件无法映射：权限不足、目录以 noexec 挂载，或内存不足",
    )
    strength = (
        Strength.SHOWN if clues.mentions("noexec") else Strength.KNOWN if is_by_policy(clues) else Strength.STATED
    )
    return (strength, why, mapped.file), (f"ls -l {word(mapped.file)}", "findmnt -T /tmp")
