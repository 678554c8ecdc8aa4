"""Files and folders go or are replaced although they are read-only: POSIX asks the folder alone, Windows the file too.

Source: Microsoft, DeleteFile ("If the file is read-only, the function fails with ERROR_ACCESS_DENIED").
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path


def remove_file(path: Path) -> None:
    """Raises FileNotFoundError where there is none, PermissionError where it is in use."""
    try:
        path.unlink()
    except PermissionError:
        if not _made_writable(path):
            raise
        path.unlink()


def remove_tree(folder: Path) -> None:
    """A folder with all that is in it."""
    try:
        shutil.rmtree(folder)
    except PermissionError:
        files = [Path(place) / name for place, _, names in os.walk(folder) for name in names]
        if not sum(map(_made_writable, files)):
            raise
        shutil.rmtree(folder)


def put_in_place(new: Path, target: Path) -> None:
    """`new` under the name of `target`, which goes."""
    try:
        new.replace(target)
    except PermissionError:
        if not _made_writable(target):
            raise
        new.replace(target)


def is_read_only(path: str | Path) -> bool:
    """It has the attribute that forbids its owner to write; False where it is not there."""
    try:
        return not os.lstat(path).st_mode & stat.S_IWUSR
    except OSError:
        return False


def read_only_modes(paths: Iterable[str]) -> dict[str, int]:
    """The modes of those that are read-only: a hard link shares the attribute, so what is kept loses it as well."""
    return {path: stat.S_IMODE(os.lstat(path).st_mode) for path in paths if is_read_only(path)}


def _made_writable(path: Path) -> bool:
    if not is_read_only(path):
        return False
    path.chmod(stat.S_IMODE(path.stat().st_mode) | stat.S_IWUSR)
    return True
