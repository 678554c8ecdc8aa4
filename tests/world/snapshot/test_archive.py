"""A file that pretends to be a snapshot ends in one UsageError, before it costs time or memory.

Source of the structures: PKWARE, "APPNOTE" 4.3.
"""

from __future__ import annotations

import json
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.testbed.memory import SITE, record, world
from tests.testbed.pewriter import Dll
from whyload.api.questions import ask_import
from whyload.api.snapshot_file import SnapshotFile
from whyload.api.worlds import WorldChoice, open_world
from whyload.base.errors import UsageError
from whyload.engine.evidence import gather
from whyload.findings.report import Question, QuestionKind
from whyload.world.snapshot.archive import LARGEST_JSON, Archive

QUESTION = Question(kind=QuestionKind.IMPORT, modules=("pkg",))
Parts = dict[str, object]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "s.zip"
    extension = Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]})
    machine = world(record("pkg", "1.0", {"pkg/__init__.py": "from . import _x\n", "pkg/_x.pyd": extension}))
    SnapshotFile(gather(machine, QUESTION), QUESTION, None).write(str(path))
    return path.read_bytes()


def ask_everything(path: Path) -> None:
    choice = WorldChoice(snapshot=str(path))
    ask_import((), choice)
    ask_import(("pkg",), choice)


def changed(whole: bytes, tmp_path: Path, change: Callable[[Parts], None]) -> Path:
    """The snapshot with its JSON parts changed."""
    (tmp_path / "whole.zip").write_bytes(whole)
    with zipfile.ZipFile(tmp_path / "whole.zip") as old, zipfile.ZipFile(tmp_path / "s.zip", "w") as new:
        parts: Parts = {name: json.loads(old.read(name)) for name in old.namelist() if name.endswith(".json")}
        change(parts)
        for name, part in parts.items():
            new.writestr(name, part if isinstance(part, str | bytes) else json.dumps(part))
        for name in old.namelist():
            if not name.endswith(".json"):
                new.writestr(name, old.read(name))
    return tmp_path / "s.zip"


def refused(path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        ask_everything(path)
    return str(caught.value)


def test_the_unchanged_file_is_read(whole: bytes, tmp_path: Path) -> None:
    ask_everything(changed(whole, tmp_path, lambda parts: None))


def test_no_such_file(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "absent.zip")


@pytest.mark.parametrize("data", [b"", b"PK", b"\x7fELF" + bytes(100), b"PK\x05\x06" + bytes(18), bytes(5000)])
def test_no_snapshot_at_all(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "s.zip").write_bytes(data)
    refused(tmp_path / "s.zip")


@pytest.mark.parametrize(
    "name", ["../evil.json", "/etc/passwd", "images/../../x", "C:\\x.json", "images/1/2", "x.exe", "a\0b"]
)
def test_names_that_do_not_belong_there(whole: bytes, tmp_path: Path, name: str) -> None:
    path = changed(whole, tmp_path, lambda parts: parts.update({name: "x"}))
    refused(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["s.zip", "whole.zip"]


def test_a_bomb_is_not_inflated(whole: bytes, tmp_path: Path) -> None:
    path = changed(whole, tmp_path, lambda parts: None)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("images/7", "w") as member:
        for _ in range(80):
            member.write(bytes(1 << 20))
    tracemalloc.start()
    message = refused(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "images/7" in message
    assert peak < 8 << 20


def test_a_size_that_lies_is_not_believed(whole: bytes, tmp_path: Path) -> None:
    """The directory says 10 bytes, the member inflates to 30 MB: no more than 10 are made of it."""
    path = changed(whole, tmp_path, lambda parts: None)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("images/7", bytes(30 << 20))
    data = bytearray(path.read_bytes())
    at = data.rfind(b"images/7") - 46
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    path.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(UsageError):
        Archive(str(path)).data("images/7")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


def test_huge_counts_are_not_believed(whole: bytes, tmp_path: Path) -> None:
    data = bytearray(whole)
    data[-12:-10] = b"\xff\xff"
    (tmp_path / "s.zip").write_bytes(data)
    assert "entries" in refused(tmp_path / "s.zip")
    data = bytearray(whole)
    data[-10:-6] = struct.pack("<I", 0x7FFFFFFF)
    (tmp_path / "s.zip").write_bytes(data)
    refused(tmp_path / "s.zip")


def test_very_many_members(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        for number in range(21_000):
            archive.writestr(f"images/{number}", b"")
    assert "entries" in refused(tmp_path / "s.zip")


def test_zip64_and_comments_are_refused(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "s.zip").write_bytes(whole[:-22] + b"PK\x06\x07" + bytes(16) + whole[-22:])
    assert "zip64" in refused(tmp_path / "s.zip")
    (tmp_path / "s.zip").write_bytes(whole[:-2] + b"\x05\x00hello")
    refused(tmp_path / "s.zip")


def test_a_member_that_is_there_twice(whole: bytes, tmp_path: Path) -> None:
    path = changed(whole, tmp_path, lambda parts: None)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("world.json", "{}")
    assert "twice" in refused(path)


def test_an_encrypted_or_oddly_packed_member(whole: bytes, tmp_path: Path) -> None:
    path = changed(whole, tmp_path, lambda parts: None)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_LZMA) as archive:
        archive.writestr("images/9", b"x" * 100)
    assert "packed in another way" in refused(path)


def test_a_member_whose_checksum_is_wrong(whole: bytes, tmp_path: Path) -> None:
    data = bytearray(whole)
    at = data.rfind(b"world.json") - 46
    data[at + 16 : at + 20] = struct.pack("<I", zlib.crc32(b"another"))
    (tmp_path / "s.zip").write_bytes(data)
    assert "world.json" in refused(tmp_path / "s.zip")


NESTED = "[" * 200_000 + "]" * 200_000


@pytest.mark.parametrize(
    "name",
    ["snapshot", "world", "files", "images", "texts", "registry", "environment", "startups", "question", "observation"],
)
@pytest.mark.parametrize(
    "part",
    ["", "{", "null", "7", "[]", '"x"', NESTED, '{"a": ' + NESTED + "}", "1" * 5000, "\xff"],
    ids=lambda part: part[:6],
)
def test_parts_that_are_not_what_they_should_be(whole: bytes, tmp_path: Path, name: str, part: str) -> None:
    if (name, part) == ("startups", "[]"):
        part = "[7]"
    refused(changed(whole, tmp_path, lambda parts: parts.update({f"{name}.json": part.encode("latin-1")})))


def test_parts_that_are_missing(whole: bytes, tmp_path: Path) -> None:
    for name in ("snapshot", "world", "files", "images", "texts", "registry", "environment"):
        assert name in refused(changed(whole, tmp_path, lambda parts, name=name: parts.pop(f"{name}.json")))  # type: ignore[misc]


def test_another_format(whole: bytes, tmp_path: Path) -> None:
    def change(parts: Parts) -> None:
        parts["snapshot.json"] = {"schema": "whyload.snapshot/2", "whyload": "9", "source": "live"}

    assert "whyload.snapshot/1" in refused(changed(whole, tmp_path, change))


@pytest.mark.parametrize(
    "pieces",
    [[[0, -1]], [[-5, 10]], [[0, 10], [5, 10]], [[0, 1 << 40]], [[0]], [[0, 1, 2]], "x", [["0", 1]], [[True, 1]]],
)
def test_pieces_that_make_no_sense(whole: bytes, tmp_path: Path, pieces: object) -> None:
    def change(parts: Parts) -> None:
        images = parts["images.json"]
        assert isinstance(images, dict)
        images["items"][0]["pieces"] = pieces

    refused(changed(whole, tmp_path, change))


def test_a_json_part_that_is_too_long(whole: bytes, tmp_path: Path) -> None:
    path = changed(whole, tmp_path, lambda parts: None)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("observation.json", b" " * (LARGEST_JSON + 1))
    assert "observation.json" in refused(path)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_bytes_end_in_the_one_error(whole: bytes, tmp_path: Path, data: st.DataObject) -> None:
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del broken[data.draw(st.integers(0, len(broken) - 1)) :]
    (tmp_path / "s.zip").write_bytes(broken)
    try:
        ask_everything(tmp_path / "s.zip")
    except UsageError as error:
        assert len(str(error)) < 600


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(part: object, here: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    found = [here]
    if isinstance(part, dict):
        for key, item in part.items():
            found += places(item, (*here, key))
    elif isinstance(part, list):
        for index, item in enumerate(part):
            found += places(item, (*here, index))
    return found


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_values_of_other_types_end_in_the_one_error(whole: bytes, tmp_path: Path, data: st.DataObject) -> None:
    def change(parts: Parts) -> None:
        name = data.draw(st.sampled_from(sorted(parts)))
        *way, last = data.draw(st.sampled_from(places(parts[name], (name,))))
        target: object = parts
        for step in way:
            target = target[step]  # type: ignore[index]
        target[last] = data.draw(VALUES)  # type: ignore[index]

    path = changed(whole, tmp_path, change)
    try:
        ask_everything(path)
        world = open_world(WorldChoice(snapshot=str(path)))
        world.files.listdir(world.python.executable.parent)
        world.files.presence(world.python.executable)
    except UsageError as error:
        assert len(str(error)) < 600


def test_a_path_of_the_snapshot_never_leaves_it(whole: bytes, tmp_path: Path) -> None:
    """Its paths are names in a description; no file of the machine that reads it is opened."""
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    world = open_world(WorldChoice(snapshot=str(changed(whole, tmp_path, lambda parts: None))))
    for text in (str(outside), f"C:\\..\\..\\{outside}", "C:\\Windows\\..\\..\\etc\\passwd"):
        from whyload.base.paths import WinPath

        assert world.files.source(WinPath(text)) is None
    assert world.files.source(WinPath(f"{SITE}\\pkg\\_x.pyd")) is not None
