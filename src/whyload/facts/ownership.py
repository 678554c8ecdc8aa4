"""Which distribution installed a file, and what the line of its RECORD says of it.

Source: PyPA, "Recording installed projects".
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.record import record_fields

NATIVE = (".pyd", ".dll")
"""What DLLs and extension modules are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The installed distribution that a file belongs to."""

    distribution: str
    version: str
    installer: str | None = None
    channel: str | None = None
    """Of conda, such as `conda-forge`; None where that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEntry:
    """One line of a RECORD: the file, its length in bytes and its hash as they were installed."""

    path: WinPath
    owner: Owner
    size: int | None = None
    sha256: str | None = None
    """URL-safe base64 without padding, as RECORD writes it."""


class Record:
    """The text of one RECORD: a large package has ten thousand lines, and few of them are ever asked for."""

    __slots__ = ("_folded", "_folder", "_text", "owner")

    owner: Owner
    """The distribution whose record it is."""

    def __init__(self, folder: WinPath, owner: Owner, text: str) -> None:
        folded = text.lower()
        self._folder = folder
        self.owner = owner
        self._text = text if len(text) == len(folded) else folded  # a few letters have longer small ones
        self._folded = folded

    def entries(self) -> Iterator[RecordEntry]:
        """Every line."""
        for line in self._text.splitlines():
            yield from self._entry(line)

    def native_lines(self) -> Iterator[RecordEntry]:
        """The lines of DLLs and extension modules."""
        for line in self._text.splitlines():
            if any(suffix in line.lower() for suffix in NATIVE):
                yield from (entry for entry in self._entry(line) if entry.path.suffix in NATIVE)

    def lines_with(self, text: str) -> Iterator[RecordEntry]:
        """The lines that have this text in them, in upper or lower case."""
        wanted = text.lower()
        at = self._folded.find(wanted)
        while at >= 0:
            end = self._text.find("\n", at)
            line = self._text[self._text.rfind("\n", 0, at) + 1 : end if end >= 0 else None]
            yield from self._entry(line.rstrip("\r"))
            at = self._folded.find(wanted, end) if end >= 0 else -1

    def _entry(self, line: str) -> Iterator[RecordEntry]:
        name, sha256, size = _record_line(line)
        if name and min(name) >= " " and (self._is_plain(name) or self._stays_inside(name)):
            yield RecordEntry(path=self._folder / name, owner=self.owner, size=size, sha256=sha256)

    @staticmethod
    def _is_plain(name: str) -> bool:
        return name[0] not in "./\\" and ".." not in name and ":" not in name

    def _stays_inside(self, name: str) -> bool:
        """Nothing is owned outside of the environment: `Scripts` and the like lie two folders above `site-packages`."""
        return (self._folder / name).is_below(self._folder.parent.parent)


def of_conda_and_pip(first: Owner | None, second: Owner | None) -> bool:
    """One of the two was installed by conda, the other by pip or its like."""
    if first is None or second is None or first.installer is None or second.installer is None:
        return False
    return (first.installer == "conda") != (second.installer == "conda")


def _record_line(line: str) -> tuple[str, str | None, int | None]:
    name, digest, size = record_fields(line)
    sha256 = digest.removeprefix("sha256=") if digest.startswith("sha256=") else None
    plain = size.isascii() and size.isdigit() and len(size) < 20
    return name, sha256, int(size) if plain else None
