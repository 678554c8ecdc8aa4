"""Expected values follow Microsoft, "Naming Files, Paths, and Namespaces", and Python's own `ntpath`."""

from __future__ import annotations

import ntpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whyload.base.paths import WinPath


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C:/a//b/", "C:\\a\\b"),
        ("c:\\", "c:\\"),
        ("C:\\a\\..\\..\\b", "C:\\b"),
        ("a/./b", "a\\b"),
        ("..\\x", "..\\x"),
        ("\\\\server\\share\\x", "\\\\server\\share\\x"),
        ("\\dir\\x", "\\dir\\x"),
    ],
)
def test_normal_form(text: str, expected: str) -> None:
    assert WinPath(text).text == expected


@given(st.text(alphabet="aC:\\/. ", max_size=20))
def test_parents_end_at_the_root(text: str) -> None:
    """Also where a part looks like a drive: `C:\\C :\\x` is an element of PATH that somebody wrote."""
    path = WinPath("C:\\") / f"x\\{text}"
    for _ in range(len(path.text) + 1):
        path = path.parent
    assert path.parent == path
    assert path.text.count("\\") <= 1


def test_names_compare_without_case() -> None:
    assert WinPath("C:/Windows/System32") == WinPath("c:\\WINDOWS\\system32")
    assert len({WinPath("C:/A"), WinPath("c:/a")}) == 1
    assert WinPath("C:/A/msvcp140.dll").text == "C:\\A\\msvcp140.dll"


def test_joining_keeps_absolute_names() -> None:
    folder = WinPath("C:\\a")
    assert (folder / "b.dll").text == "C:\\a\\b.dll"
    assert (folder / "..\\c").text == "C:\\c"
    assert (folder / "D:\\x").text == "D:\\x"
    assert (folder / "").text == "C:\\a"
    assert (WinPath("C:\\") / "x").text == "C:\\x"


def test_parts_of_a_path() -> None:
    path = WinPath("C:\\py\\_x.cp311-win_amd64.PYD")
    assert (path.name, path.stem, path.suffix) == ("_x.cp311-win_amd64.PYD", "_x.cp311-win_amd64", ".pyd")
    assert path.parent.text == "C:\\py"
    assert WinPath("C:\\").parent.text == "C:\\"
    assert WinPath("C:\\a").parent.text == "C:\\"


def test_below() -> None:
    site = WinPath("C:\\Python\\Lib")
    assert WinPath("c:/python/lib/torch/x").is_below(site)
    assert not WinPath("C:\\Python\\Library").is_below(site)
    assert WinPath("C:\\x").is_below(WinPath("C:\\"))
    assert not WinPath("C:\\").is_below(WinPath("c:\\"))
    assert not site.is_below(site)
    assert WinPath("C:\\Python\\Lib\\torch\\x").relative_to(site) == "torch\\x"
    assert WinPath("C:\\other").relative_to(site) == "C:\\other"


_names = st.text(st.characters(codec="ascii", exclude_characters='\\/:*?"<>|\0', categories=("L", "N")), min_size=1)


@given(st.lists(st.one_of(_names, st.just("."), st.just("..")), min_size=1, max_size=8))
def test_normal_form_is_that_of_ntpath(parts: list[str]) -> None:
    text = "C:\\" + "\\".join(parts)
    assert WinPath(text).text == ntpath.normpath(text)
