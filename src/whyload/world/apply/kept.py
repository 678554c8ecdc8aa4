"""Copies of the files that a step may change: hard links where the disk can do that, else copies."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

from whyload.base.message import Message
from whyload.world.apply.inventory import CACHE, Inventory
from whyload.world.apply.removal import is_read_only
from whyload.world.apply.state import ApplyError

Kept = dict[str, str]
"""Number of the copy by the file's full path."""
_SPARE = 64 << 20
"""Bytes that must stay free."""


def keep(folder: Path, before: Inventory, touched: Iterable[Path]) -> Kept:
    """Keep every file that is touched, all below a folder that is, and what Python compiled of them.

    Raises ApplyError where the disk has no room or does not take it.
    """
    paths = _wanted(before, {str(path) for path in touched})
    kept: Kept = {}
    try:
        folder.mkdir()
        for number, path in enumerate(paths):
            name = f"{number:06d}"
            _copy(path, folder / name, sum(before[other].size for other in paths[number:]))
            kept[path] = name
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise ApplyError(Message(en=f"the disk is full: {folder}", zh=f"磁盘已满：{folder}")) from None
        raise ApplyError(
            Message(
                en=f"{error.filename or folder} cannot be kept: {error.strerror or error}",
                zh=f"无法备份 {error.filename or folder}：{error.strerror or error}",
            )
        ) from None
    return kept


def _wanted(before: Inventory, touched: set[str]) -> list[str]:
    """Files, not links; with the compiled files beside every file that is touched."""
    named = {os.path.normcase(path) for path in touched}
    folders = {os.path.dirname(path) for path in named}  # noqa: PTH120
    found = []
    for path, entry in before.items():
        if entry.folder or entry.link is not None:
            continue
        above = Path(os.path.normcase(path)).parents
        cached = above[0].name == CACHE and str(above[1]) in folders
        if cached or os.path.normcase(path) in named or any(str(folder) in named for folder in above):
            found.append(path)
    return found


def _copy(path: str, copy: Path, still: int) -> None:
    try:
        if not is_read_only(path):  # a link shares that attribute, and it goes where the file is removed on Windows
            os.link(path, copy, follow_symlinks=False)
            return
    except (OSError, NotImplementedError):
        pass
    free = shutil.disk_usage(copy.parent).free
    if free < still + _SPARE:
        raise ApplyError(
            Message(
                en=f"{copy.parent}: {still >> 20} MiB are needed to keep what will change, {free >> 20} are free",
                zh=f"{copy.parent}：备份将被更改的文件需要 {still >> 20} MiB，只剩 {free >> 20} MiB",
            )
        )
    shutil.copy2(path, copy)
    copy.chmod(stat.S_IMODE(copy.stat().st_mode) | stat.S_IWUSR)
