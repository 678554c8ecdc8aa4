"""docs/contract.md names every key of the schemas: what is promised and what is printed are one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from whyload.report.explanation_json import explanation_schema
from whyload.report.schema import report_schema

CONTRACT = (Path(__file__).parents[2] / "docs" / "contract.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r'[`"](\w+)[`"]', CONTRACT))


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object with keys of its own, at any depth."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


@pytest.mark.parametrize("schema", [report_schema(), explanation_schema()], ids=["report", "explain"])
def test_every_key_stands_in_the_contract_and_no_other_may_come(schema: dict[str, Any]) -> None:
    found = list(objects(schema))
    keys = {key for item in found for key in item["properties"]}
    assert {"verdict", "findings"} <= keys or {"candidates", "read"} <= keys
    assert keys <= NAMED, sorted(keys - NAMED)
    assert all(item["additionalProperties"] is False for item in found)


@pytest.mark.parametrize("schema", [report_schema(), explanation_schema()], ids=["report", "explain"])
def test_every_array_says_what_it_holds(schema: dict[str, Any]) -> None:
    def arrays(part: Any) -> Iterator[dict[str, Any]]:
        if isinstance(part, dict):
            if part.get("type") == "array":
                yield part
            part = list(part.values())
        if isinstance(part, list):
            for item in part:
                yield from arrays(item)

    assert all("items" in array for array in arrays(schema))
