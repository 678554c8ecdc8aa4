"""Bytes that can be read at a position, wherever they lie: a file, a member of a wheel, a recorded fragment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


_CHUNK = 1 << 20


def positions(source: ByteSource, words: Sequence[bytes]) -> dict[bytes, int]:
    """Where each of the words stands first; those that are nowhere are left out. Raises OSError where reading fails.

    Of a source that has only pieces of a file (`pieces`: offset and bytes) the pieces are looked through.
    """
    pieces = getattr(source, "pieces", None)
    found: dict[bytes, int] = {}
    longest = max(map(len, words))
    for offset, data in pieces if pieces is not None else _chunks(source, longest):
        for word in words:
            at = data.find(word) if word not in found else -1
            if at >= 0:
                found[word] = offset + at
    return found


def _chunks(source: ByteSource, overlap: int) -> Iterator[tuple[int, bytes]]:
    tail = b""
    for offset in range(0, source.size, _CHUNK):
        data = tail + source.read(offset, min(_CHUNK, source.size - offset))
        yield offset - len(tail), data
        tail = data[-overlap:]
