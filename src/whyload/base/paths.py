"""Windows paths as values, on any operating system.

Names compare without case (loader.md R2.7), both slashes separate, `.` and `..` are resolved by name alone as
Windows does before it asks the file system (Microsoft, "Naming Files, Paths, and Namespaces").
"""

from __future__ import annotations

import functools


@functools.total_ordering
class WinPath:
    """A normalised Windows path that compares without case and keeps the spelling it was given."""

    __slots__ = ("key", "text")

    text: str
    """The path with backslashes."""
    key: str
    """The path for comparison."""

    def __init__(self, text: str) -> None:
        self.text = _normalise(text)
        self.key = self.text.lower()

    @classmethod
    def _trusted(cls, text: str) -> WinPath:
        path = cls.__new__(cls)
        path.text = text
        path.key = text.lower()
        return path

    def __truediv__(self, name: str) -> WinPath:
        """The path of `name` below this one; an absolute `name` replaces it."""
        if not name:
            return self
        if _plain(name):
            return WinPath._trusted(f"{self.text}{name}" if self.text.endswith("\\") else f"{self.text}\\{name}")
        if _has_drive(name) or name[:1] in "\\/":
            return WinPath(name)
        return WinPath(f"{self.text}\\{name}")

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, WinPath) else NotImplemented

    def __lt__(self, other: WinPath) -> bool:
        return self.key < other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"WinPath({self.text!r})"

    @property
    def name(self) -> str:
        """The last component."""
        return self.text.rpartition("\\")[2]

    @property
    def stem(self) -> str:
        """The last component without its last extension."""
        name = self.name
        head, dot, _ = name.rpartition(".")
        return head if dot and head else name

    @property
    def suffix(self) -> str:
        """The last extension with its dot, in lower case; empty where there is none."""
        _, dot, tail = self.name.rpartition(".")
        return f".{tail.lower()}" if dot else ""

    @property
    def parent(self) -> WinPath:
        """The folder that holds it; a drive's root is its own parent."""
        head, sep, tail = self.text.rpartition("\\")
        if not sep or not tail:
            return self
        is_root = not head or (len(head) == 2 and head.endswith(":"))
        return WinPath._trusted(f"{head}\\" if is_root else head)

    @property
    def is_absolute(self) -> bool:
        """True for `X:\\…` and for `\\\\server\\share\\…`."""
        return self.text.startswith("\\\\") or (self.text[2:3] == "\\" and _has_drive(self.text))

    def is_below(self, folder: WinPath) -> bool:
        """True where this path lies in `folder`, at any depth."""
        prefix = folder.key if folder.key.endswith("\\") else folder.key + "\\"
        return self.key.startswith(prefix) and self.key != prefix

    def relative_to(self, folder: WinPath) -> str:
        """The rest of this path below `folder`; the whole path where it is not below it."""
        if not self.is_below(folder):
            return self.text
        return self.text[len(folder.text) :].lstrip("\\")


def _has_drive(text: str) -> bool:
    return text[1:2] == ":" and text[0].isascii() and text[0].isalpha()


def _plain(name: str) -> bool:
    return not (set(name) & set("\\/:")) and name not in (".", "..")


def _normalise(text: str) -> str:
    text = text.replace("/", "\\")
    if text.startswith("\\\\"):
        head, rest = "\\\\", text[2:]
    elif _has_drive(text):
        head, rest = text[:2], text[2:]
        if rest.startswith("\\"):
            head, rest = head + "\\", rest[1:]
    elif text.startswith("\\"):
        head, rest = "\\", text[1:]
    else:
        head, rest = "", text
    parts: list[str] = []
    for part in rest.split("\\"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part == ".." and head:
            continue
        else:
            parts.append(part)
    return head + "\\".join(parts)
