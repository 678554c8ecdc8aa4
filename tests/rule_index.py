"""The index from a rule of docs/loader.md to the code that follows it and the tests that name it, and from each row of
its section 8 to its tests.

`python -m tests.rule_index` writes docs/rules.md. Tests fail where a rule or a row has no test, where the code cites a
rule that no test names, or where the index is out of date.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.scenarios.collection import SCENARIOS

ROOT = Path(__file__).parents[1]
INDEX = ROOT / "docs" / "rules.md"
Rule = tuple[int, int]
_RULE = re.compile(r"(?<![A-Za-z0-9])R(\d)[._](\d{1,2})(?!\d)", re.IGNORECASE)
_SPAN = re.compile(r"\bR(\d)\.(\d{1,2})\s*(?:-|–|to)\s*R?(?:\1\.)?(\d{1,2})\b")
_ROWS = re.compile(r"\brows?[ _](\d+(?:(?:, |_| and )\d+)*)|(?<=_)rows?_(\d+(?:_\d+)*)", re.IGNORECASE)

NOT_STATIC: dict[Rule, str] = {
    (1, 29): "about the judges of our reader, which tests/formats/pe/peers.py sets up",
    (2, 27): "inherited by child processes: only the process itself knows; a world file may state it",
    (2, 38): "which files an ARM64 system holds is a matter of the files; R1.7 decides what fits",
    (2, 45): "policies, signatures, quarantine: only a live run meets them; explained from their codes and texts",
    (2, 53): "how much memory is left is the machine's at that moment: explained from the error",
    (3, 6): "a failure inside PyInit is an error of the module's own code",
    (3, 8): "debug builds of Python: their own names and suffixes, not analysed",
    (3, 14): "what CPython does not do: the process starts without added folders",
    (3, 27): "activation is in the PATH of the world",
    (4, 11): "a case, not a rule: a test with the published wheels",
    (4, 12): "extensions that are compiled on first use: where torch builds them",
    (4, 13): "the same: what they link to",
    (5, 3): "what a frozen program hands to its children: only a live run knows",
}
"""Rules that no code of its own can follow, and why; each must be given one or the other."""
LATER = {7}
"""Sections that wait: Linux and macOS."""
_LINUX_ROWS = range(113, 121)


def rules_in(text: str) -> set[Rule]:
    """Rule numbers in a text; `R2.30 to R2.34` names five."""
    found = {(int(match[1]), int(match[2])) for match in _RULE.finditer(text)}
    for match in _SPAN.finditer(text):
        found |= {(int(match[1]), number) for number in range(int(match[2]), int(match[3]) + 1)}
    return found


def rows_in(text: str) -> set[int]:
    """Row numbers in a text or a name: `row 28`, `rows 80, 82`, `test_rows_80_81_words`."""
    return {int(number) for match in _ROWS.finditer(text) for number in re.findall(r"\d+", match[1] or match[2])}


def places(top: str) -> dict[Rule, list[str]]:
    """For every rule the files below `src` or `tests` that name it."""
    found: dict[Rule, list[str]] = {}
    for path in sorted((ROOT / top).rglob("*.py")):
        if path == Path(__file__):
            continue
        for rule in rules_in(path.read_text(encoding="utf-8")):
            found.setdefault(rule, []).append(path.relative_to(ROOT).as_posix())
    return found


def row_tests() -> dict[int, list[str]]:
    """For every row of section 8 the test functions and scenarios that name it."""
    found: dict[int, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "row" not in text:
            continue
        lines = text.splitlines()
        for function in _test_functions(text):
            for row in rows_in(_whole(lines, function)):
                found.setdefault(row, []).append(f"{path.relative_to(ROOT / 'tests').as_posix()}::{function.name}")
    for scenario in SCENARIOS:
        for row in scenario.rows:
            found.setdefault(row, []).append(f"scenario {scenario.name}")
    return found


def _test_functions(text: str) -> Iterator[ast.FunctionDef]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def _whole(lines: list[str], function: ast.FunctionDef) -> str:
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return "\n".join(lines[first - 1 : function.end_lineno])


def defined() -> list[Rule]:
    """The rules that docs/loader.md states."""
    text = (ROOT / "docs" / "loader.md").read_text(encoding="utf-8")
    return sorted({(int(a), int(b)) for a, b in re.findall(r"\*\*R(\d)\.(\d{1,2})\*\*", text)})


def rows() -> dict[int, str]:
    """The rows of section 8 with what goes in; those of Linux and macOS wait."""
    text = (ROOT / "docs" / "loader.md").read_text(encoding="utf-8").partition("## 8. Test ideas")[2]
    found = {int(number): given.strip() for number, given in re.findall(r"^\| (\d+) \| ([^|]*)\|", text, re.MULTILINE)}
    return {number: given for number, given in found.items() if number not in _LINUX_ROWS}


def index_text() -> str:
    """docs/rules.md."""
    code, tests, named = places("src"), places("tests"), row_tests()
    lines = [
        "# Rules of the loader: where each is followed and tested",
        "",
        "Made by `python -m tests.rule_index` from the rule numbers in the code. Where no code follows a rule, the",
        "cell says why.",
        "",
        "| rule | code | tests |",
        "|---|---|---|",
    ]
    for rule in defined():
        reason = "waits" if rule[0] in LATER else NOT_STATIC.get(rule, "")
        lines.append(f"| R{rule[0]}.{rule[1]} | {_cell(code.get(rule, [])) or reason} | {_cell(tests.get(rule, []))} |")
    lines += ["", "## Rows of section 8", "", "| row | given | tests |", "|---|---|---|"]
    lines += [f"| {row} | {given} | {_cell(named.get(row, []))} |" for row, given in rows().items()]
    return "\n".join(lines) + "\n"


def _cell(names: list[str]) -> str:
    return ", ".join(f"`{name.removeprefix('src/whyload/')}`" for name in names)


if __name__ == "__main__":
    INDEX.write_text(index_text(), encoding="utf-8")
