"""Bytes that can be read at a position, wherever they lie: a file, a member of a wheel, a recorded fragment."""

from __future__ import annotations

from whyload.base.typing import Protocol


class ByteSource(Protocol):
    """Positioned reads. `size` is in bytes; `read` returns fewer bytes than asked for only at the end of the data."""

    @property
    def size(self) -> int:
        """Length of the data in bytes."""

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from `offset`, at most `length` of them; empty beyond the end."""


class BytesSource:
    """A source over bytes in memory."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def size(self) -> int:
        """Length of the data in bytes."""
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from `offset`, at most `length` of them."""
        return self._data[offset : offset + length] if offset >= 0 and length > 0 else b""
