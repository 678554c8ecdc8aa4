"""The journal of a session: one line of JSON for each step, on the disk before the step is taken."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, BinaryIO

from whyload.base.message import Message
from whyload.world.apply.state import ApplyError

FILE = "journal.jsonl"


class Journal:
    """Appends entries; each is flushed to the disk before `note` returns."""

    def __init__(self, session: Path) -> None:
        self._path = session / FILE

    def note(self, event: str, **values: object) -> None:
        """Write one entry. Raises ApplyError where the disk does not take it."""
        line = json.dumps({"event": event, **values}, ensure_ascii=True) + "\n"
        try:
            with self._path.open("a+b") as stream:
                if stream.tell() and not self._ends_a_line(stream):  # cut off by a crash
                    stream.write(b"\n")
                stream.write(line.encode("ascii"))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise ApplyError(
                Message(
                    en=f"the journal cannot be written: {self._path} ({error.strerror or error})",
                    zh=f"无法写入操作日志：{self._path}（{error.strerror or error}）",
                )
            ) from None

    @staticmethod
    def _ends_a_line(stream: BinaryIO) -> bool:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"


def read_journal(session: Path) -> list[dict[str, Any]]:
    """The entries of a session; a last line that was cut off by a crash is left out."""
    entries: list[dict[str, Any]] = []
    try:
        lines = (session / FILE).read_bytes().split(b"\n")
    except OSError:
        return []
    for line in lines:
        try:
            entry = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and isinstance(entry.get("event"), str):
            entries.append(entry)
    return entries


def write_whole(path: Path, value: object) -> None:
    """A file of JSON that is either there whole or not at all. Raises ApplyError where the disk does not take it."""
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as stream:
            stream.write(json.dumps(value).encode("ascii"))
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(path)
    except OSError as error:
        raise ApplyError(
            Message(
                en=f"{path} cannot be written: {error.strerror or error}",
                zh=f"无法写入 {path}：{error.strerror or error}",
            )
        ) from None
