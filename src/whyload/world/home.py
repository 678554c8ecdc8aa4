"""The user's home folder, below which whyload keeps what is its own where no variable names another place."""

from __future__ import annotations

from pathlib import Path

from whyload.base.errors import UsageError
from whyload.base.message import Message


def home_folder(variable: str) -> Path:
    """The folder. Raises UsageError, which names whyload's own variable, where there is none: in a container, for a
    service, for a user who is in no list.
    """
    try:
        return Path.home()
    except RuntimeError:
        raise UsageError(
            Message(
                en=f"the home folder of this user is not known; name a folder with {variable}",
                zh=f"无法确定当前用户的主目录；请用 {variable} 指定一个目录",
            )
        ) from None
