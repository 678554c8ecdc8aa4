"""Long logs: what can matter is found, the rest is not kept."""

from __future__ import annotations

import io

from whyload.observe.text.selection import read_selected

NOISE = b"2024-05-01 12:00:00 INFO step 12 of 500 took 0.1 s and everything is fine\n"
MEGABYTE = NOISE * (1024 * 1024 // len(NOISE))
ERROR = b"ImportError: DLL load failed while importing _x: The specified module could not be found.\n"


def test_a_short_text_is_read_whole() -> None:
    assert read_selected(io.BytesIO(ERROR * 3)) == ERROR * 3


def test_an_error_in_the_middle_of_a_long_log() -> None:
    log = MEGABYTE * 9 + ERROR + MEGABYTE * 9
    kept = read_selected(io.BytesIO(log))
    assert ERROR.strip() in kept
    assert len(kept) < 1 << 20


def test_beginning_and_end_are_kept() -> None:
    kept = read_selected(io.BytesIO(b"the first line\n" + MEGABYTE * 5 + b"the last line\n"))
    assert kept.startswith(b"the first line")
    assert kept.endswith(b"the last line\n")


def test_what_is_kept_is_bounded_however_often_an_error_is_repeated() -> None:
    kept = read_selected(io.BytesIO(ERROR * (12 * 1024 * 1024 // len(ERROR))))
    assert len(kept) < 3 << 20


def test_a_stream_is_read_in_pieces() -> None:
    class Counting(io.BytesIO):
        largest = 0

        def read(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert size > 0
            self.largest = max(self.largest, size)
            return super().read(size)

    stream = Counting(MEGABYTE * 12)
    read_selected(stream)
    assert stream.largest <= 4 << 20
