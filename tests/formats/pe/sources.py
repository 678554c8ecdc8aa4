"""Byte sources for tests: one that counts, one over a file."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from whyload.base.bytesource import ByteSource


class CountingSource:
    """Passes reads on and keeps count of them."""

    def __init__(self, inner: ByteSource) -> None:
        self._inner = inner
        self.calls: list[tuple[int, int]] = []
        self.bytes_read = 0

    @property
    def size(self) -> int:
        return self._inner.size

    def read(self, offset: int, length: int) -> bytes:
        data = self._inner.read(offset, length)
        self.calls.append((offset, length))
        self.bytes_read += len(data)
        return data


class FileSource:
    """Positioned reads of a file on disk, unbuffered."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self.size = os.fstat(self._file.fileno()).st_size

    def read(self, offset: int, length: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(length)

    def __enter__(self) -> FileSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class HoleySource:
    """A source that lacks a range, as a recorded fragment does: reads end where the hole begins."""

    def __init__(self, data: bytes, hole: range) -> None:
        self._data = data
        self._hole = hole

    @property
    def size(self) -> int:
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        stop = offset + length
        if offset in self._hole:
            return b""
        return self._data[offset : min(stop, self._hole.start) if offset < self._hole.start else stop]
