"""The parts of a long log that can matter, so that megabytes are read in bounded memory and time.

A log is searched for a few words that stand near every failure of a native library; what is not near one is never
looked at again. The beginning and the end are always kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import IO

_WHOLE = 160 << 10
"""Bytes up to which a text is read as it is: the reading of so many takes half a second."""
_EDGE = 32 << 10
_AROUND = 4 << 10
_CHUNK = 4 << 20
_MOST = 48 << 10
"""Bytes of windows that are kept, of the first ones and of the last ones."""
_WORDS = (
    b"DLL load", b"WinError", b".dll", b"shared object", b"undefined symbol", b"LoadLibrary", b"mportError",
    b"OSError:", b" not found (re", b"Library not loaded", b"dlopen(", b"OMP: Error", b"0xC000", b"xtension", b"cuDNN",
)  # fmt: skip


def read_selected(stream: IO[bytes]) -> bytes:
    """A text as it is, or of a long one its beginning, its end and what stands around telling words."""
    head = stream.read(_WHOLE + 1)
    if len(head) <= _WHOLE:
        return head
    if _is_wide(head):
        return head[:_WHOLE]
    kept = [head[:_EDGE], *_windows(head[_EDGE:], stream)]
    return b"\n".join(kept)


def _is_wide(head: bytes) -> bool:
    return head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:4096].count(0) > 1024


def _windows(rest: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    """The windows of the middle, then the end."""
    first: list[bytes] = []
    last: deque[bytes] = deque()
    room, surplus = _MOST, -_MOST
    chunk, tail = rest, b""
    while chunk:
        for window in _telling(chunk):
            if room > 0:
                room -= len(window)
                first.append(window)
                continue
            surplus += len(window)
            last.append(window)
            while surplus > 0:
                surplus -= len(last.popleft())
        tail = (tail + chunk[-_EDGE:])[-_EDGE:]
        chunk = stream.read(_CHUNK)
    yield from first
    yield from last
    yield tail


def _telling(chunk: bytes) -> Iterator[bytes]:
    """What stands around telling words in one piece of a log; windows that touch are one."""
    places = sorted(place for word in _WORDS for place in _places(chunk, word))
    end = -1
    start = -1
    for place in places:
        if start >= 0 and place - _AROUND <= end:
            end = min(place + _AROUND, start + 8 * _AROUND)
            continue
        if start >= 0:
            yield chunk[start:end]
        start, end = max(place - _AROUND, 0), place + _AROUND
    if start >= 0:
        yield chunk[start:end]


def _places(chunk: bytes, word: bytes) -> Iterator[int]:
    """Where a word stands, at most a few times for each piece."""
    place = -1
    for _ in range(8):
        place = chunk.find(word, place + 1 if place < 0 else place + 2 * _AROUND)
        if place < 0:
            return
        yield place
