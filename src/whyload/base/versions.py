"""Versions of files (four numbers) and of Python (major, minor)."""

from __future__ import annotations

import re

from whyload.base.typing import NamedTuple


class FileVersion(NamedTuple):
    """The four numbers of a Windows version resource."""

    major: int = 0
    minor: int = 0
    build: int = 0
    revision: int = 0

    def __str__(self) -> str:
        return ".".join(map(str, self))


def parse_file_version(text: str) -> FileVersion | None:
    """The version in a text such as `14.38.33130.0` or `v14.38`; None where there is none."""
    match = re.match(r"\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?", text)
    return FileVersion(*(int(part or 0) for part in match.groups())) if match else None


class PythonVersion(NamedTuple):
    """Major and minor version of a Python interpreter, and whether it is a free-threaded build."""

    major: int
    minor: int
    free_threaded: bool = False

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}{'t' if self.free_threaded else ''}"

    @property
    def digits(self) -> str:
        """`311` for 3.11, `313t` for free-threaded 3.13: as in `python311.dll` and `cp311`."""
        return f"{self.major}{self.minor}{'t' if self.free_threaded else ''}"


def version_of_python_dll(name: str) -> PythonVersion | None:
    """The version in `python311.dll`, `python313t.dll` or `python311_d.dll`; None for any other name."""
    name = name.lower()
    tail = name[6:-4].removesuffix("_d")
    digits = tail.removesuffix("t")
    if (
        not name.startswith("python")
        or not name.endswith(".dll")
        or not 2 <= len(digits) <= 3
        or not _is_number(digits)
    ):
        return None
    return PythonVersion(int(digits[0]), int(digits[1:]), digits != tail)


def parse_python_version(text: str) -> PythonVersion | None:
    """The version in `3.11`, `3.11.4` or `3.13t`; None where the text is no such version."""
    major, _, minor = text.partition(".")
    if len(major) == 1 and _is_number(major) and _is_number(minor):  # the usual case, without a regular expression
        return PythonVersion(int(major), int(minor))
    match = re.fullmatch(r"\s*(\d)\.(\d+)(?:\.\d+)?\w*?(t?)\s*", text)
    return PythonVersion(int(match[1]), int(match[2]), bool(match[3])) if match else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()
