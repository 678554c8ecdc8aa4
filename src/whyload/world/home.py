"""The user's home folder, below which whyload keeps what is its own where no variable names another place."""

from __future__ import annotations

from pathlib import Path

from whyload.base.errors import UsageError


def home_folder(variable: str) -> Path:
    """The folder. Raises UsageError, which names whyload's own variable, where there is none: in a container, for a
    service, for a user who is in no list.
    """
    try:
        return Path.home()
    except RuntimeError:
        raise UsageError(f"the home folder of this user is not known; name a folder with {variable}") from None
