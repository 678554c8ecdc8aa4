"""whyload's own state folder, the part of it that belongs to one environment, and the lock on that."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.world.home import home_folder


class ApplyError(UsageError):
    """The environment cannot be changed (read-only, full, in use …); what was done is taken back."""


def _read_only(folder: Path, error: OSError) -> Message:
    why = error.strerror or error
    return Message(
        en=f"the state folder cannot be written: {folder} ({why})", zh=f"无法写入状态目录：{folder}（{why}）"
    )


def state_folder() -> Path:
    """Where whyload keeps what it did: `WHYLOAD_STATE`, or the user's folder for such things."""
    named = os.environ.get("WHYLOAD_STATE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return (
            Path(os.environ.get("LOCALAPPDATA") or home_folder("WHYLOAD_STATE") / "AppData" / "Local")
            / "whyload"
            / "State"
        )
    if sys.platform == "darwin":
        return home_folder("WHYLOAD_STATE") / "Library" / "Application Support" / "whyload"
    return Path(os.environ.get("XDG_STATE_HOME") or home_folder("WHYLOAD_STATE") / ".local" / "state") / "whyload"


class EnvironmentState:
    """What is kept of one environment: its sessions (one for each `whyload fix`), oldest first."""

    def __init__(self, prefix: Path, root: Path | None = None) -> None:
        resolved = os.path.normcase(os.path.realpath(prefix))
        digest = hashlib.sha256(resolved.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self.prefix = prefix
        self.folder = (root or state_folder()) / "environments" / digest

    def sessions(self) -> list[Path]:
        """Folders of the sessions that were not taken back."""
        try:
            names = sorted(name for name in os.listdir(self.folder) if name.isdigit())  # noqa: PTH208
        except OSError:
            return []
        return [self.folder / name for name in names]

    def new_session(self) -> Path:
        """An empty folder for the next session. Raises ApplyError where it cannot be made."""
        number = max((int(path.name) for path in self.sessions()), default=0) + 1
        path = self.folder / f"{number:06d}"
        try:
            path.mkdir(parents=True)
            described = {"prefix": str(self.prefix)}
            (self.folder / "environment.json").write_text(json.dumps(described), encoding="utf-8")
        except OSError as error:
            raise ApplyError(_read_only(path, error)) from None
        return path

    def scratch(self) -> Path:
        """A folder for downloads and the like, which outlives no command. Raises ApplyError as `new_session` does."""
        path = self.folder / "scratch"
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ApplyError(_read_only(path, error)) from None
        return path

    def clear_scratch(self) -> None:
        """Throw away what was downloaded."""
        shutil.rmtree(self.folder / "scratch", ignore_errors=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the environment's lock; the operating system drops it with the process.

        Raises ApplyError where another whyload holds it.
        """
        self.scratch()
        try:
            handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise ApplyError(_read_only(self.folder, error)) from None
        try:
            if not _take(handle):
                raise ApplyError(
                    Message(
                        en=f"another whyload is at work on {self.prefix}; wait until it has ended",
                        zh=f"另一个 whyload 正在处理 {self.prefix}；请等它结束",
                    )
                )
            yield
        finally:
            os.close(handle)


def _take(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
