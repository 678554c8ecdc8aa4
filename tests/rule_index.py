"""The index from a rule of docs/loader.md to the code that follows it and the tests that name it.

`python -m tests.rule_index` writes docs/rules.md; a test fails where the code cites a rule that no test names, or where
the index is out of date.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
INDEX = ROOT / "docs" / "rules.md"
_RULE = re.compile(r"(?<![A-Za-z0-9])R(\d)[._](\d{1,2})(?!\d)", re.IGNORECASE)
_SPAN = re.compile(r"\bR(\d)\.(\d{1,2})\s*(?:-|–|to)\s*R?(?:\1\.)?(\d{1,2})\b")


def rules_in(text: str) -> set[tuple[int, int]]:
    """Rule numbers in a text; `R2.30 to R2.34` names five."""
    found = {(int(match[1]), int(match[2])) for match in _RULE.finditer(text)}
    for match in _SPAN.finditer(text):
        found |= {(int(match[1]), number) for number in range(int(match[2]), int(match[3]) + 1)}
    return found


def places(top: str) -> dict[tuple[int, int], list[str]]:
    """For every rule the files below `src` or `tests` that name it."""
    found: dict[tuple[int, int], list[str]] = {}
    for path in sorted((ROOT / top).rglob("*.py")):
        if path == Path(__file__):
            continue
        for rule in rules_in(path.read_text(encoding="utf-8")):
            found.setdefault(rule, []).append(path.relative_to(ROOT).as_posix())
    return found


def defined() -> list[tuple[int, int]]:
    """The rules that docs/loader.md states."""
    text = (ROOT / "docs" / "loader.md").read_text(encoding="utf-8")
    return sorted({(int(a), int(b)) for a, b in re.findall(r"\*\*R(\d)\.(\d{1,2})\*\*", text)})


def index_text() -> str:
    """docs/rules.md."""
    code, tests = places("src"), places("tests")
    lines = [
        "# Rules of the loader: where each is followed and tested",
        "",
        "Made by `python -m tests.rule_index` from the rule numbers in the code. An empty cell is a rule that is not",
        "followed yet, or that only a live run can decide.",
        "",
        "| rule | code | tests |",
        "|---|---|---|",
    ]
    for rule in defined():
        cells = (_cell(code.get(rule, [])), _cell(tests.get(rule, [])))
        lines.append(f"| R{rule[0]}.{rule[1]} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def _cell(files: list[str]) -> str:
    return ", ".join(f"`{name.removeprefix('src/whyload/')}`" for name in files)


if __name__ == "__main__":
    INDEX.write_text(index_text(), encoding="utf-8")
