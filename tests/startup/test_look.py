"""Between the statements of the outermost module somebody may look at what happened so far, and end the reading."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.startup.sketch import machine, sketch
from tests.testbed.memory import Content
from whyload.observe.events import Event
from whyload.startup.model import Startup
from whyload.startup.program import read_code, read_import

FOUR = "import ctypes\nfor i in range(4):\n    ctypes.CDLL(f'{i}.dll')\n"
MORE = FOUR.replace("{i}", "more{i}").replace("4", "9")
FILES: Mapping[str, Content] = {"m.py": f"{FOUR}{MORE}import _n\n", "_n.pyd": ""}


def looked(files: Mapping[str, Content], code: str | None, answer: bool) -> tuple[Startup, list[int]]:
    """The start-up of `import m` (or of `code`), and how many events each look was shown."""
    shown: list[int] = []

    def watch(events: tuple[Event, ...]) -> bool:
        shown.append(len(events))
        return answer

    world = machine(files)
    startup = read_import(world, ["m"], watch=watch) if code is None else read_code(world, code, watch=watch)
    return startup, shown


def test_it_ends_where_the_one_who_looks_says_so() -> None:
    startup, shown = looked(FILES, None, answer=True)
    assert (len(shown), startup.stopped) == (1, True)
    assert not any("more" in line or "_n" in line for line in sketch(startup.events))
    assert sum("dll" in line for line in sketch(startup.events)) == 4


def test_it_goes_on_otherwise_and_looks_again_when_much_is_new() -> None:
    startup, shown = looked(FILES, None, answer=False)
    assert shown == sorted(shown)
    assert len(shown) == 2
    assert not startup.stopped
    assert sketch(startup.events) == sketch(read_import(machine(FILES), ["m"]).events)


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    import m\nexcept OSError:\n    pass",
        "if unknown():\n    import m",
        "def f():\n    import m\ntry:\n    f()\nexcept Exception: 1",
    ],
)
def test_nobody_looks_at_what_is_half_done(code: str) -> None:
    """The handler may still live with the error: only what stands behind the whole statement is shown."""
    _, shown = looked(FILES, code, answer=True)
    whole = read_code(machine(FILES), code)
    assert shown in ([], [len(whole.events)])


def test_a_program_is_looked_at_as_well() -> None:
    startup, shown = looked(FILES, f"{FOUR}import _n", answer=True)
    assert (len(shown), startup.stopped) == (1, True)
    assert not any("_n" in line for line in sketch(startup.events))
