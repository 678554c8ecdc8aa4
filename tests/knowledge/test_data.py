"""The data files themselves: sources, patterns, safe remedies, texts in two languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from whyload.knowledge.causes import causes
from whyload.knowledge.reader import data_names, data_tables, data_text

ENTRIES = {
    "causes": (),
    "cuda": ("dll",),
    "cuda_drivers": ("driver", "major"),
    "defects": ("defect",),
    "errors": ("win32", "ntstatus", "wording"),
    "libraries": ("library",),
    "profiles": ("system", "added"),
    "pythons": ("python",),
    "remedies": ("remedy",),
    "statuses": ("status",),
    "vcruntime": ("dll", "toolset", "package"),
    "versions": ("torch", "onnxruntime", "onnxruntime-gpu", "onnxruntime-directml"),
}
NAME_LISTS = ("api_sets", "known_dlls", "windows_10", "windows_11", "windows_both")
EVERY_FILE = sorted(entry.name for entry in files("whyload.knowledge").joinpath("data").iterdir())
PLACEHOLDERS = {"python", "dist", "version", "python_tag", "arch", "package", "folder", "requirement", "cuda"}


def entries(*files: str) -> Iterator[dict[str, Any]]:
    for file in files:
        for table in ENTRIES[file]:
            yield from data_tables(file)[table]


@pytest.mark.parametrize("file", ENTRIES)
def test_every_entry_has_a_source(file: str) -> None:
    rows = list(entries(file)) or [data_tables(file)]
    assert [row for row in rows if not str(row.get("source", "")).strip()] == []


@pytest.mark.parametrize("file", EVERY_FILE)
def test_general_knowledge_is_no_source(file: str) -> None:
    assert re.findall(r"(?:general|common) knowledge|from memory|well[- ]known fact", data_text(file), re.I) == []


@pytest.mark.parametrize("file", ENTRIES)
def test_what_is_unconfirmed_says_so(file: str) -> None:
    """An entry whose whole source is the word must not be presented as verified."""
    bare = [row for row in entries(file) if re.fullmatch(r"\W*unconfirmed\W*", str(row.get("source", "")), re.I)]
    assert [row for row in bare if row.get("verified", True)] == []


@pytest.mark.parametrize("file", NAME_LISTS)
def test_name_lists_are_base_names_said_once_with_their_source(file: str) -> None:
    text = data_text(f"{file}.txt")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert "# Source:" in text
    assert len(lines) == len(data_names(file))
    assert [name for name in lines if name != name.strip().lower() or "." not in name or "\\" in name] == []


def test_the_lists_of_windows_do_not_overlap() -> None:
    both, ten, eleven = (data_names(name) for name in ("windows_both", "windows_10", "windows_11"))
    assert not both & ten
    assert not both & eleven
    assert not ten & eleven


@pytest.mark.parametrize("file", [*(f"{name}.toml" for name in ENTRIES), *(f"{name}.txt" for name in NAME_LISTS)])
def test_no_registry_is_named_by_its_host(file: str) -> None:
    assert (
        re.findall(r"pypi|pythonhosted|anaconda\.org|anaconda\.com|nuget\.org|mcr\.microsoft", data_text(file), re.I)
        == []
    )


def test_patterns_compile_and_are_lower_case() -> None:
    for row in entries("libraries"):
        patterns = row.get("patterns", [])
        assert bool(patterns) != ("regex" in row)
        assert [pattern for pattern in patterns if pattern != pattern.lower()] == []
        re.compile(row.get("regex", ""))
        version = re.compile(row.get("version", ""))
        assert not version.pattern or "v" in version.groupindex


def test_no_pattern_is_said_twice() -> None:
    patterns = [pattern for row in entries("libraries") for pattern in row.get("patterns", [])]
    assert sorted(patterns) == sorted(set(patterns))


def test_remedies_and_their_references_agree() -> None:
    known = [row["id"] for row in entries("remedies")]
    used = {id_ for row in entries("libraries") for id_ in row.get("remedies", [])}
    assert len(known) == len(set(known))
    assert used <= set(known)


def test_remedies_are_safe_to_say() -> None:
    for row in entries("remedies"):
        commands = [*row.get("commands", []), *row.get("conda_commands", [])]
        assert row["safety"] in ("safe", "asks-first", "by-hand")
        assert set(re.findall(r"{(\w+)}", " ".join([row["title"], row["title_zh"], *commands]))) <= PLACEHOLDERS
        for command in commands:
            assert not re.search(r"system32|\bcopy\b|curl|wget|invoke-webrequest|regsvr32|\.dll", command, re.I)
        if row["safety"] == "safe":
            assert all(re.match(r"{python} -m pip install |conda install ", command) for command in commands)


@pytest.mark.parametrize("file", ["causes", "defects", "libraries", "remedies"])
def test_texts_come_in_two_languages(file: str) -> None:
    rows = list(entries(file)) or list(data_tables(file)["group"])
    for row in rows:
        for key in ("what", "advice", "title", "text"):
            assert (key in row) == (f"{key}_zh" in row)
            if key in row:
                assert not re.search("[一-鿿]", row[key])
                assert re.search("[一-鿿]", row[f"{key}_zh"]) or row[key] == row[f"{key}_zh"]


def test_defects_name_known_causes() -> None:
    codes = {cause.code for cause in causes()}
    assert {row["cause"] for row in entries("defects")} <= codes
