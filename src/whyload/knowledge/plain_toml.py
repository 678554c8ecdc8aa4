"""The plain TOML that data files are written in, read line by line at a tenth of the general reader's price.

Source: TOML 1.0. A data file has tables (`[a]`, `[a.b]`, `[[a]]`) and `key = value`, with a list over several lines
where it ends with a `]` of its own. Most values are JSON as well, or nearly; any that is not goes to the general
reader. A file is refused by its test where the two readers differ. With `tomllib` the first table would take 10 ms, a
fifth of a whole answer.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    General = Callable[[str], dict[str, Any]]

_PIECE = r'"(?:[^"\\]|\\.)*"|\'(?P<literal>[^\']*)\'|(?P<key>[A-Za-z0-9_-]+)\s*=|#.*|,(?P<last>\s*\])'
"""A string, a key of an inline table, a comment, the comma after a list's last item."""


def plain_tables(text: str, general: General) -> dict[str, Any]:
    """The tables of a data file; `general` reads any TOML."""
    tables: dict[str, Any] = {}
    table = tables
    items: list[tuple[str, str]] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            _fill(table, items, general)
            items.clear()
            table = _table(tables, line)
            continue
        key, _, value = line.partition(" = ")
        items.append((key.strip('"'), value if value != "[" else _list(lines)))
    _fill(table, items, general)
    return tables


def _fill(table: dict[str, Any], items: list[tuple[str, str]], general: General) -> None:
    """Put the values of one table into it: read together as one JSON list, or else one by one."""
    values = [value for _, value in items]
    try:
        read = json.loads(f"[{','.join(values)}]")
    except ValueError:
        read = ()
    if len(read) != len(values):
        read = [_value(value, general) for value in values]
    table.update(zip([key for key, _ in items], read, strict=True))


def _table(tables: dict[str, Any], line: str) -> dict[str, Any]:
    """The table that a heading begins; in a list of tables a new one, and names before a dot mean its last one."""
    *above, name = line.strip("[]").split(".")
    for part in above:
        inner = tables.setdefault(part, {})
        tables = inner[-1] if isinstance(inner, list) else inner
    table: dict[str, Any] = {}
    if line.startswith("[["):
        tables.setdefault(name, []).append(table)
        return table
    found: dict[str, Any] = tables.setdefault(name, table)
    return found


def _list(lines: Iterator[str]) -> str:
    """A list that goes on over the next lines, without the comma after its last item, which JSON has not."""
    found = ["["]
    for line in lines:
        if line == "]":
            found[-1] = found[-1].removesuffix(",")
            found.append(line)
            break
        found.append(line)
    return "\n".join(found)


def _value(text: str, general: General) -> Any:
    mark, inner = text[:1], text[1:-1]
    if mark == text[-1:] and mark not in inner and (mark == "'" or (mark == '"' and "\\" not in inner)):
        return inner
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(re.sub(_PIECE, _as_json, text))
    except ValueError:
        return general(f"value = {text}")["value"]


def _as_json(piece: re.Match[str]) -> str:
    literal, key, last = piece["literal"], piece["key"], piece["last"]
    if literal is not None:
        return json.dumps(literal)
    if key is not None:
        return f'"{key}":'
    return last or ("" if piece[0][0] == "#" else piece[0])
