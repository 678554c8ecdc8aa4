"""The image as it lies in memory, read from the file on demand (loader.md R1.9-R1.13).

Source: Microsoft, "PE Format" (section table); loader.md section 1.3. Addresses are RVAs. Bytes are kept in a few
*spans*, each a piece of one region; a table that goes on beyond its span makes it grow, so that a file costs two to
four reads (R1.30). No memory map: slower here, and an I/O error in a mapping is a crash.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter

from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe import limits
from whyload.formats.pe.headers import PAGE, Headers
from whyload.formats.pe.incomplete import Cause

if TYPE_CHECKING:
    from whyload.base.bytesource import ByteSource

STEP = 0x4000
"""Bytes by which a span grows at least, and the largest gap that is read rather than skipped."""
_GROWN = 1 << 20
_SPANS = 32
_CACHED_BYTES = 24 << 20
_SECTOR = 512


Region = tuple[int, int, int, int]
"""A piece of the image's memory: its first RVA, the RVA after it, the file offset of its first byte, and how many bytes
the file stores; the rest is zero."""

Span = tuple[int, bytes]
"""An RVA and the bytes from there on, all of one region and all from the file."""

_OUTSIDE = (Cause.OUTSIDE_IMAGE, "an address outside the image")
_NOT_DECODED = (0, b"", "")
_BEGINNING = itemgetter(1)
"""The address of a section, in its row of the table."""


class Memory:
    """Reads by RVA. What is not to be had is answered with fewer bytes, and `trouble` says why."""

    __slots__ = (
        "_bytes_left", "_decoded", "_headers", "_headers_end", "_reads_left", "_regions", "_sections", "_source",
        "_spans", "trouble",
    )  # fmt: skip

    trouble: tuple[Cause, str]
    """Why the last read that came up short did so."""

    def __init__(self, source: ByteSource, headers: Headers) -> None:
        self._source = source
        self._headers = headers
        self._headers_end = headers.headers_size
        self._sections = () if headers.is_flat else headers.sections
        self._regions: dict[int, Region] = {}
        self._spans: list[Span] = []
        self._decoded = _NOT_DECODED
        self._reads_left = limits.READS
        self._bytes_left = limits.BYTES_READ
        self.trouble = _OUTSIDE

    def region(self, rva: int) -> Region | None:
        """The region that holds `rva`; None in a gap or outside the image."""
        # R1.9: the headers win over a section that begins in them
        index = bisect_right(self._sections, rva, key=_BEGINNING) if rva >= self._headers_end else 0
        region = self._regions.get(index)
        if region is None:
            region = self._regions[index] = _region(self._headers, index)
        return region if region[0] <= rva < region[1] else None

    def read(self, rva: int, length: int) -> bytes:
        """`length` bytes from `rva`, zero-filled where the file stores none; fewer where the image ends."""
        for first, data in self._spans:
            at = rva - first
            if at >= 0 and at + length <= len(data):
                return data[at : at + length]
        parts = []
        while length > 0:
            region = self.region(rva)
            if region is None:
                self.trouble = _OUTSIDE
                break
            start, end, _, stored = region
            ahead = start + stored - rva
            count = min(length, ahead if ahead > 0 else end - rva)
            part = self._stored(region, rva, count) if ahead > 0 else bytes(count)
            parts.append(part)
            if len(part) < count:
                break
            rva += count
            length -= count
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def string(self, rva: int) -> bytes | None:
        """The NUL-terminated string at `rva`, which may end in the zero-filled tail (R1.13); None if unreadable."""
        for start, data in self._spans:
            at = rva - start
            if 0 <= at < len(data):
                end = data.find(0, at, at + limits.NAME_BYTES + 1)
                if end >= 0:
                    return data[at:end]
                break
        return self._long_string(rva)

    def span(self, rva: int) -> Span:
        """The span that holds `rva` as far as it has been read; an empty one at `rva` where there is none."""
        for span in self._spans:
            start, data = span
            if 0 <= rva - start < len(data):
                return span
        return rva, b""

    def text(self, rva: int) -> tuple[int, bytes, str]:
        """The span that holds `rva` as far as it has been read, its bytes also as latin-1 text."""
        start, data = self.span(rva)
        decoded = self._decoded
        if decoded[1] is not data:
            decoded = self._decoded = start, data, data.decode("latin-1")
        return decoded

    def prefetch(self, wanted: list[tuple[int, int]]) -> None:
        """Read the ranges (RVA, length) in ascending order, near ones in one go. Only a hint: nothing depends on it."""
        run: Region | None = None
        first = last = stop = 0
        for rva, length in sorted(wanted):
            if run is not None:
                if rva < stop and rva - last <= STEP:
                    last = max(last, min(rva + length, stop))
                    continue
                self._stored(run, first, last - first, step=0)
                run = None
            region = self.region(rva)
            if region is None:
                continue
            stop = region[0] + region[3]
            if rva < stop:
                run, first, last = region, rva, min(rva + length, stop)
        if run is not None:
            self._stored(run, first, last - first, step=0)

    def _long_string(self, rva: int) -> bytes | None:
        length = 512
        while True:
            data = self.read(rva, length)
            end = data.find(0, 0, limits.NAME_BYTES + 1)
            if end >= 0:
                return data[:end]
            if len(data) < length:
                return None
            if length > limits.NAME_BYTES:
                self.trouble = (Cause.LIMIT, f"a name longer than {limits.NAME_BYTES} bytes")
                return None
            length *= 2

    def _stored(self, region: Region, rva: int, length: int, step: int = STEP) -> bytes:
        """`length` bytes that the region stores; the caller has made sure that it does."""
        first, _, offset, stored = region
        limit = first + stored
        base, known = rva, b""
        for index, (start, data) in enumerate(self._spans):
            at = rva - start
            if at < 0:
                continue
            if at + length <= len(data):
                return data[at : at + length]
            # a piece of the same region that ends here or shortly before grows
            if first <= start < limit and at <= len(data) + STEP and len(data) < _GROWN:
                base, known = start, data
                del self._spans[index]
                break
        start = base + len(known)
        stop = rva + length
        if step:
            stop = max(stop, start + min(max(step, len(known)), _GROWN))
        stop = min(stop, limit)
        data = self._fetch(offset + start - first, rva + length - start, stop - start)
        if known:
            data = known + data
        self._spans.insert(0, (base, data))
        if len(self._spans) > 4:
            self._forget()
        at = rva - base
        return data[at : at + length]

    def _fetch(self, offset: int, needed: int, wanted: int) -> bytes:
        head = self._headers.head
        if offset + needed <= len(head):
            return head[offset : offset + wanted]
        if self._reads_left <= 0 or self._bytes_left < wanted:
            self.trouble = (Cause.LIMIT, "too much to read in one file")
            return b""
        self._reads_left -= 1
        self._bytes_left -= wanted
        data = self._source.read(offset, wanted)
        if len(data) < needed:
            self.trouble = (Cause.UNAVAILABLE, "bytes that could not be read")
        return data

    def _forget(self) -> None:
        """The spans that were read first, where there are too many or too large ones."""
        total = sum(len(data) for _, data in self._spans)
        while len(self._spans) > _SPANS or (total > _CACHED_BYTES and len(self._spans) > 1):
            total -= len(self._spans.pop()[1])


def _first(headers: Headers) -> int:
    """Where the first section begins; behind the image where there is none."""
    return max(headers.sections[0][1], headers.headers_size) if headers.sections else 1 << 32


def _region(headers: Headers, index: int) -> Region:
    """The headers (0; a flat image is nothing else) or a section (from 1); most are never asked for."""
    alignment, file_size, headers_end = headers.section_alignment, headers.file_size, headers.headers_size
    if headers.is_flat:  # R1.12: one region, RVA equals file offset
        return 0, headers.image_size, 0, min(headers.image_size, file_size)
    if not index:  # R1.9: mapped in pages, the rest of the last one is zero
        return 0, min(-(-headers_end // PAGE) * PAGE, _first(headers)), 0, min(headers_end, file_size)
    virtual_size, start, raw_size, raw = headers.sections[index - 1]
    size = virtual_size or raw_size
    end = start + size
    end += -end % alignment  # R1.10; `read_headers` made sure that sections do not overlap
    # R1.11: raw data begins at a sector; what it holds beyond the last page of the section is not mapped
    offset = raw & -_SECTOR
    whole = ((raw + raw_size + _SECTOR - 1) & -_SECTOR) - offset  # and ends with one
    stored = min(whole, (size + PAGE - 1) & -PAGE, file_size - offset) if raw and raw_size else 0
    if start < headers_end:  # R1.9: the headers win
        cut = headers_end - start
        start, offset, stored = headers_end, offset + cut, max(stored - cut, 0)
    return start, end, offset, stored
