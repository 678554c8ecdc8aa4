"""What terminals, notebooks, containers, build servers and mail put around a message."""

from __future__ import annotations

import pytest

from whyload.observe.text.cleaning import clean

MESSAGE = "ImportError: DLL load failed while importing _x"


@pytest.mark.parametrize(
    "line",
    [
        f"\x1b[0;31m{MESSAGE}\x1b[0m",
        f"\x1b[1;38;5;196m{MESSAGE}\x1b[39;49m",
        f"[0;31m{MESSAGE}[0m",
        f"│ {MESSAGE}      │",
        f"┃ {MESSAGE}",
        f"> {MESSAGE}",
        f">> {MESSAGE}",
        f"E   {MESSAGE}",
        f"web-1  | {MESSAGE}",
        f"2024-05-01T12:00:00.0000000Z {MESSAGE}",
        f"2024-05-01 12:00:00,123 {MESSAGE}",
        f"[2024-05-01 12:00:00.123] {MESSAGE}",
        f"#12 3.456 {MESSAGE}",
        f"##[error]{MESSAGE}",
        f"2024-05-01T12:00:00.0000000Z ##[error]{MESSAGE}",
        f"{MESSAGE}\r",
        f"\x1b]0;title\x07{MESSAGE}",
    ],
)
def test_only_the_message_is_left(line: str) -> None:
    assert clean(line).strip() == MESSAGE


@pytest.mark.parametrize(
    "text",
    [
        '  File "C:\\x.py", line 3, in <module>',
        "ImportError: a [m] b",
        "torch                2.4.0",
        "  ----> 2 from torchvision import _C",
        "[WinError 126] The specified module could not be found.",
    ],
)
def test_what_is_no_frame_stays(text: str) -> None:
    assert clean(text) == text
