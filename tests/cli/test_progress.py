"""How far long work is: nothing where nobody looks, one line on a terminal, a bar with `rich`."""

from __future__ import annotations

import io
import sys
import unicodedata
from collections.abc import Iterator
from types import ModuleType

import pytest

from whyload.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The clock; it stands still unless a test moves it."""
    now = [100.0]
    monkeypatch.setattr("whyload.cli.progress.time.monotonic", lambda: now[0])
    yield now


def shown(monkeypatch: pytest.MonkeyPatch, seconds: list[float], stream: io.StringIO, after: float) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress() as progress:
        seconds[0] += after
        progress.tell(3, 7, "torch")
        progress.tell(4, 7, "too soon after")
    return stream.getvalue()


def test_wide_letters_do_not_break_the_line(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    """A Chinese character takes two columns of the terminal."""
    monkeypatch.setitem(sys.modules, "rich", None)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("zh") as progress:
        seconds[0] += 2
        progress.tell(3, 7, "包" * 60)
    line = stream.getvalue().split("\r")[1]
    assert line.startswith("whyload：3/7 包")
    assert 77 <= sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line) <= 78


def test_one_line_that_is_wiped_out_again(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    text = shown(monkeypatch, seconds, Terminal(), 2)
    assert text.startswith("\rwhyload: 3/7 torch ")
    assert "too soon" not in text
    assert text.endswith("\r")
    assert "\n" not in text


def test_nothing_in_the_first_second_or_into_a_file(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert shown(monkeypatch, seconds, Terminal(), 0.5) == ""
    assert shown(monkeypatch, seconds, io.StringIO(), 5) == ""


def test_a_bar(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    done: list[object] = []

    class Bar:
        def __init__(self, **given: object) -> None:
            done.append(given["transient"])

        def add_task(self, description: str, total: int | None) -> int:
            return 5

        def start(self) -> None:
            done.append("start")

        def update(self, task: int, **given: object) -> None:
            done.append((task, given["completed"], given["total"], given["description"]))

        def stop(self) -> None:
            done.append("stop")

    console, progress = ModuleType("rich.console"), ModuleType("rich.progress")
    console.Console = lambda stderr: None  # type: ignore[attr-defined]
    progress.Progress = Bar  # type: ignore[attr-defined]
    for module in (ModuleType("rich"), console, progress):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    assert shown(monkeypatch, seconds, Terminal(), 2) == ""
    assert done == [True, "start", (5, 3, 7, "torch"), "stop"]
