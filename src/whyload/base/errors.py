"""The exceptions of whyload.

An exception means that the tool cannot go on: unreadable input or wrong arguments. Anything about the
user's machine is a finding, never an exception.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whyload.base.message import Text


class WhyloadError(Exception):
    """Base of every exception that whyload raises on purpose; its text is one line for the person who asked.

    `said` is that line; `str` is the English one.
    """

    def __init__(self, said: Text) -> None:
        self.said = said
        super().__init__(said if isinstance(said, str) else said.en)

    def text(self, language: str) -> str:
        """The line in `en` or `zh`."""
        return self.said if isinstance(self.said, str) else self.said.text(language)


class UsageError(WhyloadError):
    """The question cannot be asked like this (unknown profile, no such file, a broken zip …): exit code 2."""


class NetworkError(UsageError):
    """Something had to be downloaded and could not be."""


class FormatError(WhyloadError):
    """Bytes are not what their format demands.

    `place` says which structure is wrong, `offset` is the file offset in bytes where it was seen (None where
    there is none).
    """

    def __init__(self, reason: str, *, place: str, offset: int | None = None) -> None:
        self.reason = reason
        self.place = place
        self.offset = offset
        where = place if offset is None else f"{place}, offset 0x{offset:X}"
        super().__init__(f"{reason} ({where})")
