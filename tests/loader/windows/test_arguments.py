"""Names and flags of a load call: loader.md R2.1 to R2.5 and test rows 46, 47, 49."""

from __future__ import annotations

import pytest

from whyload.base.paths import WinPath
from whyload.loader.windows.arguments import NameKind, normalise, with_extension

CWD = WinPath("C:\\work")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("leaf", "leaf.dll"),
        ("leaf.", "leaf"),
        ("leaf.dll.", "leaf.dll"),
        ("leaf.pyd", "leaf.pyd"),
        ("a\\b", "a\\b.dll"),
    ],
)
def test_extension_is_appended_where_the_last_part_has_no_dot_r2_3(name: str, expected: str) -> None:
    assert with_extension(name) == expected


def test_trailing_blanks_are_dropped_r2_2() -> None:
    assert normalise("leaf.dll  ", 0, CWD).text == "leaf.dll"


@pytest.mark.parametrize(
    ("name", "kind", "path"),
    [
        ("leaf", NameKind.BARE, None),
        ("C:/a/b.dll", NameKind.FULL, "C:\\a\\b.dll"),
        ("\\a\\b.dll", NameKind.FULL, "C:\\a\\b.dll"),
        ("c:b.dll", NameKind.FULL, "C:\\work\\b.dll"),
        ("a\\b.dll", NameKind.RELATIVE, None),
        (".\\b.dll", NameKind.RELATIVE, None),
    ],
)
def test_kinds_of_names_r2_4_r2_5(name: str, kind: NameKind, path: str | None) -> None:
    argument = normalise(name, 0, CWD)
    assert argument.kind is kind
    assert argument.path == (WinPath(path) if path else None)


@pytest.mark.parametrize(
    ("name", "flags"),
    [("", 0), ("x.dll", 0x1008), ("x.dll", 0x1100), (".\\x.dll", 0x1100), ("b\\x.dll", 0x100), ("C:\\x.dll", 0x10000)],
)
def test_refused_with_87_r2_1(name: str, flags: int) -> None:
    assert normalise(name, flags, CWD).refused


@pytest.mark.parametrize(("name", "flags"), [("C:\\x.dll", 0x1100), ("\\x.dll", 0x100), ("x.dll", 0x1000), ("x", 0x8)])
def test_accepted_r2_1(name: str, flags: int) -> None:
    assert not normalise(name, flags, CWD).refused
