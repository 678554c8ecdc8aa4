"""One text in the languages that whyload speaks."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The same sentence in English and Simplified Chinese, written beside each other where it is made."""

    en: str
    zh: str

    def text(self, language: str) -> str:
        """The text in `en` or `zh`."""
        return self.zh if language == "zh" else self.en


Text: TypeAlias = str | Message
"""A message, or a name or a foreign error text, which reads the same in every language."""


def message(text: Text) -> Message:
    """The text as a message."""
    return Message(en=text, zh=text) if isinstance(text, str) else text
