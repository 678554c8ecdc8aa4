"""The help of whyload and of every command; the stored texts beside it were read and judged by people.

`python -m tests.messages.help_pages` writes the texts anew: look at every difference before it is kept.
"""

from __future__ import annotations

from pathlib import Path

from whyload.cli.help_command import help_text
from whyload.cli.options import COMMANDS

FOLDER = Path(__file__).parent / "help"
LANGUAGES = ("en", "zh")
PAGES = ("whyload", *COMMANDS)


def text_of(page: str, language: str) -> str:
    """The help on a command, or on `whyload` itself, at 80 columns."""
    return help_text(None if page == "whyload" else page, language, 80)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in PAGES:
        for spoken in LANGUAGES:
            (FOLDER / f"{each}.{spoken}.txt").write_text(text_of(each, spoken), encoding="utf-8")
