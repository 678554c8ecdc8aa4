"""The published pages on causes, made from the rules: their docstrings, and their Chinese pages.

`python -m tests.cause_pages` writes docs/causes/; a test fails where they are out of date.
"""

from __future__ import annotations

from pathlib import Path

from whyload.api.pages import cause_page_markdown
from whyload.knowledge.causes import causes

FOLDER = Path(__file__).parents[1] / "docs" / "causes"


def pages() -> dict[Path, str]:
    """Every published page by its file: English, Chinese below `zh`, and the list of all."""
    found = {FOLDER / "README.md": _list()}
    for item in causes():
        found[FOLDER / f"{item.code}.md"] = cause_page_markdown(item.code)
        found[FOLDER / "zh" / f"{item.code}.md"] = cause_page_markdown(item.code, "zh")
    return found


def _list() -> str:
    lines = ["# Causes · 原因", "", "Made by `python -m tests.cause_pages` from the rules.", ""]
    group = ""
    for item in causes():
        if item.group != group:
            group = item.group
            lines += [f"## {item.group} · {item.group_zh}", "", "| code | meaning | 含义 |", "|---|---|---|"]
        lines.append(f"| [`{item.code}`]({item.code}.md) | {item.meaning} | [{item.meaning_zh}](zh/{item.code}.md) |")
        if item is [other for other in causes() if other.group == group][-1]:
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
