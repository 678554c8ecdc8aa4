"""The folder where downloads and prepared trees of the tests are kept, safe for several processes at once.

Source of truth: POSIX `rename` (a name appears whole or not at all) and `flock`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path


class UnavailableError(Exception):
    """Something that a test needs (a wheel, a Windows Python) cannot be had here; the text says what and why."""


def cache_dir() -> Path:
    """The cache: `WHYLOAD_TEST_CACHE`, or `~/.cache/whyload-tests`."""
    configured = os.environ.get("WHYLOAD_TEST_CACHE")
    folder = Path(configured) if configured else Path.home() / ".cache" / "whyload-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """One process at a time; where the system has no flock, `prepared` alone keeps things whole."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    path = cache_dir() / "locks" / name
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def prepared(relative: str, make: Callable[[Path], None]) -> Path:
    """The folder `relative` of the cache; where it is absent, `make` fills a fresh one that then gets the name."""
    final = cache_dir() / relative
    if final.exists():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    with locked(relative.replace("/", "+")):
        if final.exists():
            return final
        work = Path(tempfile.mkdtemp(prefix="making-", dir=final.parent))
        try:
            make(work)
            work.rename(final)
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            if not final.exists():
                raise
    return final


def link_tree(source: Path, target: Path) -> None:
    """Copy a tree by hard links (or plainly where they are refused), merging names without case into what is there."""
    target.mkdir(parents=True, exist_ok=True)
    present = {path.name.lower(): path.name for path in target.iterdir()}
    with os.scandir(source) as entries:
        for entry in entries:
            place = target / present.get(entry.name.lower(), entry.name)
            if entry.is_dir(follow_symlinks=False):
                link_tree(Path(entry.path), place)
                continue
            place.unlink(missing_ok=True)
            link(Path(entry.path), place)


def link(source: Path, target: Path) -> None:
    """One file, by hard link or copy."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)
