"""Positioned reads of a file, for all contenders that read by themselves."""

from __future__ import annotations

import os
from collections.abc import Callable

READ_ONLY = os.O_RDONLY | getattr(os, "O_BINARY", 0)


def _portable_read(handle: int, length: int, offset: int) -> bytes:
    os.lseek(handle, offset, os.SEEK_SET)
    return os.read(handle, length)


read_at: Callable[[int, int, int], bytes] = getattr(os, "pread", _portable_read)
"""Handle, length, offset: the bytes; Windows has no `pread`."""


class Source:
    """A file as whyload's reader wants it; `calls` is filled where it is a list."""

    __slots__ = ("calls", "handle", "size")

    def __init__(self, path: str, calls: list[tuple[int, int]] | None = None) -> None:
        self.handle = os.open(path, READ_ONLY)
        self.size = os.lseek(self.handle, 0, os.SEEK_END)
        self.calls = calls

    def read(self, offset: int, length: int) -> bytes:
        if self.calls is not None:
            self.calls.append((offset, length))
        return read_at(self.handle, length, offset)

    def close(self) -> None:
        os.close(self.handle)
