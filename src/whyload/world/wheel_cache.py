"""Wheels that pip downloads for a machine that is not this one, kept from one question to the next."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from whyload.base.errors import NetworkError, UsageError
from whyload.base.message import Message, Text
from whyload.world.clean_machine import Target
from whyload.world.home import home_folder
from whyload.world.pip_words import index_is_unreachable, last_error

Progress = Callable[[Text], None]
_RESOLUTION_LASTS = 24 * 3600
_SHOWN = 20
_NONE_FITS = "no wheel of"


class NoWheelError(UsageError):
    """The index has no wheel that fits the target and what else is asked for; `versions` are those that it has."""

    def __init__(self, said: Text, versions: tuple[str, ...] = ()) -> None:
        super().__init__(said)
        self.versions = versions


def cache_folder() -> Path:
    """Where downloads are kept: `WHYLOAD_CACHE`, or the user's cache folder."""
    named = os.environ.get("WHYLOAD_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home_folder("WHYLOAD_CACHE")) / "whyload" / "Cache"
    if sys.platform == "darwin":
        return home_folder("WHYLOAD_CACHE") / "Library" / "Caches" / "whyload"
    return Path(os.environ.get("XDG_CACHE_HOME") or home_folder("WHYLOAD_CACHE") / ".cache") / "whyload"


def wheel_file(requirement: str, target: Target, progress: Progress, cache: Path, *, network: bool) -> Path:
    """A wheel for one requirement, from the cache where it was resolved lately, else through pip.

    Several processes may do this at once: a file comes into the cache whole, under its last name. Raises NoWheelError
    where the index has none that fits, NetworkError where it cannot be reached or is not to be asked.
    """
    folder = cache / "wheels"
    wanted = f"{requirement} {target.python} {target.platform}"
    note = cache / "resolved" / hashlib.sha256(wanted.encode()).hexdigest()[:32]
    lasts = not network or ("==" in requirement and "*" not in requirement)
    known = _noted(note, folder, lasts=lasts)
    if isinstance(known, Path):
        return known
    if known is not None:
        raise NoWheelError(_no_wheel(requirement, target, known), known)
    if not network:
        raise NetworkError(
            Message(
                en=f"no wheel of {requirement} is in the cache ({cache}), and the network is not to be asked",
                zh=f"缓存（{cache}）中没有 {requirement} 的 wheel，而又指定了不使用网络",
            )
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        note.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            Message(
                en=f"the cache cannot be written: {cache} ({error.strerror}); name another folder with WHYLOAD_CACHE",
                zh=f"无法写入缓存：{cache}（{error.strerror}）；请用 WHYLOAD_CACHE 指定其他目录",
            )
        ) from None
    progress(
        Message(
            en=f"downloading {requirement} for Python {target.python} on {target.platform}",
            zh=f"正在下载 {requirement}（Python {target.python}，{target.platform}）",
        )
    )
    try:
        file = _brought(requirement, target, folder)
    except NoWheelError as error:
        if error.versions:
            _write(note, "\n".join([_NONE_FITS, *error.versions]))
        raise
    _write(note, file.name)
    return file


def _write(note: Path, text: str) -> None:
    part = note.with_suffix(f".{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(note)


def _noted(note: Path, folder: Path, *, lasts: bool) -> Path | tuple[str, ...] | None:
    """The file that a requirement was resolved to, or the versions of which none fits, where that still holds."""
    try:
        fresh = lasts or time.time() - note.stat().st_mtime < _RESOLUTION_LASTS
        first, *rest = note.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError):
        return None
    if not fresh:
        return None
    if first == _NONE_FITS:
        return tuple(rest)
    return folder / first if first and (folder / first).is_file() else None


def _brought(requirement: str, target: Target, folder: Path) -> Path:
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        _pip_download(requirement, target, Path(scratch))
        found = sorted(Path(scratch).glob("*.whl"))
        if not found:
            raise UsageError(
                Message(en=f"pip brought no wheel for {requirement}", zh=f"pip 没有下载到 {requirement} 的 wheel")
            )
        file = folder / found[0].name
        try:
            found[0].replace(file)
        except PermissionError:  # Windows: another process brought it meanwhile, and reads it
            if not file.is_file():
                raise
    return file


def _pip_download(requirement: str, target: Target, folder: Path) -> None:
    digits = target.python.digits
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder)]
    command += ["--platform", target.platform, "--implementation", "cp"]
    command += ["--python-version", f"{target.python.major}.{target.python.minor}"]
    for abi in (f"cp{digits}", "none", *(() if target.python.free_threaded else ("abi3",))):
        command += ["--abi", abi]
    log = folder / "pip.log"
    command += ["--log", str(log)]
    try:
        done = subprocess.run([*command, requirement], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(Message(en=f"pip cannot be started: {error}", zh=f"无法启动 pip：{error}")) from None
    if done.returncode:
        written = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
        _explain_pip(requirement, target, done.stderr.decode("utf-8", "replace"), written)


def _no_wheel(requirement: str, target: Target, versions: tuple[str, ...]) -> Message:
    """`versions`: those that the index has."""
    there = ", ".join(versions[-_SHOWN:])
    return Message(
        en=f"{requirement}: no wheel for Python {target.python} on {target.platform}"
        + (f" (there are: {there})" if there else ""),
        zh=f"{requirement}：没有适用于 Python {target.python}、{target.platform} 的 wheel"
        + (f"（现有版本：{there}）" if there else ""),
    )


def _explain_pip(requirement: str, target: Target, errors: str, log: str) -> None:
    if "No module named pip" in errors:
        raise UsageError(
            Message(
                en="pip is not installed for the Python that runs whyload; it is needed to download wheels",
                zh="运行 whyload 的 Python 没有安装 pip；下载 wheel 需要它",
            )
        )
    if index_is_unreachable(errors, log):
        raise NetworkError(
            Message(
                en=f"cannot download {requirement}: the package index cannot be reached",
                zh=f"无法下载 {requirement}：无法访问包索引",
            )
        )
    if "No matching distribution" in errors:
        versions = re.search(r"from versions: ([^)]*)\)", errors)
        there = tuple(versions[1].split(", ")) if versions and versions[1] not in ("", "none") else ()
        raise NoWheelError(_no_wheel(requirement, target, there), there)
    said = (last_error(errors) or "")[-300:]
    reason = Message(
        en=f"pip cannot download {requirement}: {said or 'it said nothing'}",
        zh=f"pip 无法下载 {requirement}：{said or '没有任何输出'}",
    )
    raise NoWheelError(reason) if "ResolutionImpossible" in errors else UsageError(reason)
