"""Texts that `whyload explain` answers; the stored answers beside it were read and judged by people.

`python -m tests.messages.explanations` writes the answers anew: look at every difference before it is kept.
"""

from __future__ import annotations

from pathlib import Path

from tests.symptoms.texts import TEXTS
from whyload.engine.explain import explain
from whyload.report.explanation import explanation_text
from whyload.report.layout import Look

FOLDER = Path(__file__).parent / "explain"
LANGUAGES = ("en", "zh")


def text_of(code: str, language: str) -> str:
    """The answer to the text of a cause."""
    return explanation_text(explain(TEXTS[code]), Look(language=language))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in TEXTS:
        for spoken in LANGUAGES:
            (FOLDER / f"{each}.{spoken}.txt").write_text(text_of(each, spoken), encoding="utf-8")
