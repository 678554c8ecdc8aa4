"""Signs that a text is about a native library, and texts that have none."""

from __future__ import annotations

import time

import pytest

from whyload.observe.text.clues import Clues
from whyload.observe.text.reading import read_clues
from whyload.observe.text.signs import Sign, signs_of


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Couldn't open the driver's mydriver64.dll", Sign.FILE),
        ("ImportError: failed to load core foo library", Sign.FILE),
        ("找不到libfoo.so.1", Sign.FILE),
        ("无法加载 foo.dll", Sign.FILE),
        ("OSError: [WinError 1114] x", Sign.NUMBER),
        ("the process ended with 0xC0000135", Sign.STATUS),
        ("Zugriffsverletzung beim Import von foo.pyd", Sign.CRASH),
        ("Python exits silently at `import foo`", Sign.CRASH),
        ("$ python3 server.py\nIlegal instruction ('core' generado)", Sign.CRASH),
        ("foo was compiled for version 3.6 of bar", Sign.UNLIKE),
        ("Die Ordnungszahl 12 wurde nicht gefunden", Sign.UNLIKE),
        ('  File "foo.py", line 3, in <module>\n    import foo', Sign.STAND_IN),
        ("AttributeError: module 'foo' has no attribute 'bar'\nscript: C:\\work\\foo.py", Sign.STAND_IN),
        ("Unable to import module 'app': No module named '_yaml'", Sign.MODULE),
        ("ImportError: cannot import name '_parser'", Sign.MODULE),
        ("the library's bitness must be that of Python", Sign.UNLIKE),
        ("include\\yvals.h(902): error : static assertion failed\ncuda: 12.2", Sign.BUILD),
    ],
)
def test_signs(text: str, sign: Sign) -> None:
    assert sign in signs_of(read_clues(text))


@pytest.mark.parametrize(
    "text",
    [
        "ModuleNotFoundError: No module named 'foo'",
        "FileNotFoundError: [WinError 2] The system cannot find the file specified: 'train.csv'",
        "PermissionError: [WinError 32] used by another process: 'a.log'",
        "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB",
        "the file foo.dll is 2 MB",
        "cannot open the box",
        "main.c:3: error: expected ';'",
        "explorer.exe: access violation",
        "ImportError: cannot import name 'x' from 'foo' (/env/lib/python3.9/site-packages/foo/__init__.py)",
        '  File "/usr/lib/python3.9/site-packages/foo.py", line 3\n    import foo',
        '  File "run.py", line 3, in <module>\n    import foo',
        "",
    ],
)
def test_texts_without_a_sign(text: str) -> None:
    assert signs_of(read_clues(text)) == frozenset()


@pytest.mark.parametrize("piece", ["a/", "\\", "import ", "not ", "lib/", "error ", "load not library ", "/lib/x.py "])
def test_the_time_grows_with_the_length_alone(piece: str) -> None:
    short, long = (_seconds(piece * (length // len(piece))) for length in (20_000, 80_000))
    assert long < 20 * short + 0.05


def _seconds(text: str) -> float:
    started = time.process_time()
    signs_of(Clues(text=text))
    return time.process_time() - started
