"""Installed distributions: which file belongs to which, and what its RECORD says of it.

Source: PyPA, "Recording installed projects"; conda's `conda-meta/*.json`. Read by hand: `importlib.metadata`
costs more than the rest.
"""

from __future__ import annotations

import re

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.record import record_fields
from whyload.world.model import FileView, Presence, read_text

_INFO = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+)\.(?:dist|egg)-info", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The installed distribution that a file belongs to."""

    distribution: str
    version: str
    installer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEntry:
    """One line of a RECORD: the file, its length in bytes and its hash as they were installed."""

    path: WinPath
    owner: Owner
    size: int | None = None
    sha256: str | None = None
    """URL-safe base64 without padding, as RECORD writes it."""


def of_conda_and_pip(first: Owner | None, second: Owner | None) -> bool:
    """One of the two was installed by conda, the other by pip or its like."""
    if first is None or second is None or first.installer is None or second.installer is None:
        return False
    return (first.installer == "conda") != (second.installer == "conda")


def normalised(name: str) -> str:
    """A distribution's name for comparison (PyPA, "Name normalization")."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Packages:
    """The distributions in some folders of `sys.path` and in a conda prefix; read when first asked."""

    def __init__(self, files: FileView, folders: tuple[WinPath, ...], conda_prefix: WinPath | None = None) -> None:
        self._files = files
        self._folders = folders
        self._conda = conda_prefix
        self._entries: dict[str, RecordEntry] | None = None
        self._by_name: dict[str, list[RecordEntry]] = {}
        self._owners: dict[str, Owner] = {}
        self._tops: dict[str, Owner] = {}
        self._channels: dict[Owner, str] = {}

    def owner(self, path: WinPath) -> Owner | None:
        """Who installed the file; None where no record has it."""
        entry = self.entry(path)
        return entry.owner if entry else None

    def entry(self, path: WinPath) -> RecordEntry | None:
        """What RECORD says of the file."""
        return self._read().get(path.key)

    def named(self, name: str) -> list[RecordEntry]:
        """Every recorded file of a base name, present or not."""
        self._read()
        return self._by_name.get(name.lower(), [])

    def libraries(self) -> list[tuple[str, RecordEntry]]:
        """Every recorded DLL with its base name in lower case."""
        self._read()
        return [(name, entry) for name, found in self._by_name.items() if name.endswith(".dll") for entry in found]

    def distribution(self, name: str) -> Owner | None:
        """An installed distribution by name."""
        self._read()
        return self._owners.get(normalised(name))

    def owners(self) -> tuple[Owner, ...]:
        """Every installed distribution, by name."""
        self._read()
        return tuple(self._owners[name] for name in sorted(self._owners))

    def channel(self, owner: Owner) -> str | None:
        """The conda channel that a distribution came from, such as `conda-forge`; None where that is not known."""
        self._read()
        return self._channels.get(owner)

    def files_of(self, owner: Owner) -> list[RecordEntry]:
        """Everything that a distribution installed."""
        return [entry for entry in self._read().values() if entry.owner == owner]

    def providing(self, module: str) -> Owner | None:
        """The distribution that installed the top-level module or package `module`."""
        if not self._tops:
            for entry in self._read().values():
                for folder in self._folders:
                    if entry.path.is_below(folder):
                        top = entry.path.relative_to(folder).partition("\\")[0].lower()
                        self._tops.setdefault(top.partition(".")[0], entry.owner)
                        break
        return self._tops.get(module.lower())

    def altered(self, path: WinPath) -> RecordEntry | None:
        """The entry where the file on disk has another length than was recorded (an empty or cut file included)."""
        entry = self.entry(path)
        if entry is None or entry.size is None or self._files.presence(path) is not Presence.FILE:
            return None
        size = self._files.size(path)
        return entry if size is not None and size != entry.size else None

    def _read(self) -> dict[str, RecordEntry]:
        if self._entries is None:
            self._entries = {}
            for folder in self._folders:
                self._read_folder(folder)
            if self._conda is not None:
                self._read_conda(self._conda)
            for entry in self._entries.values():
                self._by_name.setdefault(entry.path.name.lower(), []).append(entry)
        return self._entries

    def _read_folder(self, folder: WinPath) -> None:
        for name in self._files.listdir(folder):
            match = _INFO.fullmatch(name)
            if match is None:
                continue
            installer = (read_text(self._files, folder / name / "INSTALLER", 200) or "").strip() or None
            owner = Owner(distribution=match["name"], version=match["version"], installer=installer)
            self._owners.setdefault(normalised(owner.distribution), owner)
            record = read_text(self._files, folder / name / "RECORD", 64 << 20)
            if record:
                self._read_record(folder, owner, record)

    def _read_record(self, folder: WinPath, owner: Owner, record: str) -> None:
        assert self._entries is not None
        for line in record.splitlines():
            name, sha256, size = _record_line(line)
            if not name:
                continue
            path = folder / name
            self._entries.setdefault(path.key, RecordEntry(path=path, owner=owner, size=size, sha256=sha256))

    def _read_conda(self, prefix: WinPath) -> None:
        import json

        assert self._entries is not None
        for name in self._files.listdir(prefix / "conda-meta"):
            text = read_text(self._files, prefix / "conda-meta" / name, 32 << 20) if name.endswith(".json") else None
            try:
                data = json.loads(text) if text else {}
            except ValueError:
                continue
            if not isinstance(data, dict) or not isinstance(data.get("name"), str):
                continue
            owner = Owner(distribution=data["name"], version=str(data.get("version", "")), installer="conda")
            self._owners.setdefault(normalised(owner.distribution), owner)
            if isinstance(data.get("channel"), str):
                self._channels[owner] = _channel_name(data["channel"])
            for file in data.get("files") or []:
                if isinstance(file, str):
                    path = prefix / file
                    self._entries.setdefault(path.key, RecordEntry(path=path, owner=owner))


def _channel_name(channel: str) -> str:
    """`conda-forge` of a channel that is written with its address and the platform; `defaults` for its parts."""
    parts = [part for part in channel.split("/") if part]
    while parts and (parts[-1] == "noarch" or re.fullmatch(r"(?:win|linux|osx)-\w+", parts[-1])):
        parts.pop()
    if len(parts) > 1 and parts[-2] == "pkgs":
        return "defaults"
    return parts[-1] if parts else channel


def _record_line(line: str) -> tuple[str, str | None, int | None]:
    name, digest, size = record_fields(line)
    sha256 = digest.removeprefix("sha256=") if digest.startswith("sha256=") else None
    plain = size.isascii() and size.isdigit() and len(size) < 20
    return name, sha256, int(size) if plain else None
