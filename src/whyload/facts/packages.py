"""Installed distributions: which file belongs to which, and what its RECORD says of it.

Source: PyPA, "Recording installed projects"; conda's `conda-meta/*.json`. Read by hand: `importlib.metadata`
costs more than the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from whyload.base.dataclass import dataclass
from whyload.base.json_text import json_value
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.facts.ownership import NATIVE, Owner, Record, RecordEntry
from whyload.world.model import FileView, Presence, read_text

_INFO = regular(r"(?P<name>.+?)-(?P<version>[^-]+)\.(?:dist|egg)-info", re.IGNORECASE)

_NAME = regular(r"[A-Za-z0-9][\w.-]*")
_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """One record of an installation."""

    owner: Owner
    info: WinPath | None = None
    """The `.dist-info` or `.egg-info` folder."""
    record: WinPath | None = None
    """RECORD, or conda's record; None where there is none."""
    is_whole: bool = True
    """METADATA (or PKG-INFO) and the list of files are there."""
    channel: str | None = None
    """Of conda."""
    editable: bool = False


class Packages:
    """The distributions in some folders of `sys.path` and in a conda prefix; read when first asked."""

    def __init__(self, files: FileView, folders: tuple[WinPath, ...], conda_prefix: WinPath | None = None) -> None:
        self._files = files
        self.folders = folders
        self._installed: list[Installed] = []
        self._conda = conda_prefix
        self._records: list[Record] | None = None
        self._entries: dict[str, RecordEntry] | None = None
        self._by_name: dict[str, list[RecordEntry]] = {}
        self._by_owner: dict[Owner, list[RecordEntry]] = {}
        self._owners: dict[str, Owner] = {}
        self._infos: dict[str, list[WinPath]] = {}
        self._unrecorded: dict[str, Owner] = {}
        """By the top-level modules and packages of distributions whose RECORD is gone: a packer left it out."""
        self._tops: dict[str, Owner | None] = {}
        self._overlaps: dict[tuple[Owner, Owner], list[WinPath]] = {}

    def owner(self, path: WinPath) -> Owner | None:
        """Who installed the file; None where no record has it, and no distribution without a RECORD has its folder."""
        entry = self.entry(path)
        if entry is not None or not self._unrecorded:
            return entry.owner if entry else None
        while path.parent != path and path.key not in self._unrecorded:
            path = path.parent
        return self._unrecorded.get(path.key)

    def entry(self, path: WinPath) -> RecordEntry | None:
        """What RECORD says of the file."""
        if self._is_whole:
            return self._read().get(path.key)
        return next((entry for entry in self._lines_with(path.name) if entry.path.key == path.key), None)

    def named(self, name: str) -> list[RecordEntry]:
        """Every recorded file of a base name, present or not."""
        if self._is_whole:
            self._read()
            return self._by_name.get(name.lower(), [])
        found: dict[str, RecordEntry] = {}
        for entry in self._lines_with(name):
            if entry.path.name.lower() == name.lower():
                found.setdefault(entry.path.key, entry)
        return list(found.values())

    @property
    def _is_whole(self) -> bool:
        """Every line has been read, or the records are not texts; else single lines are found without the others."""
        return self._entries is not None or self._conda is not None

    def _lines_with(self, name: str) -> Iterator[RecordEntry]:
        for record in self._texts():
            yield from record.lines_with(name)

    def libraries(self) -> list[tuple[str, RecordEntry]]:
        """Every recorded DLL with its base name in lower case."""
        self._read()
        return [(name, entry) for name, found in self._by_name.items() if name.endswith(".dll") for entry in found]

    def distribution(self, name: str) -> Owner | None:
        """An installed distribution by name."""
        self._read_owners()
        return self._owners.get(normalised(name))

    def owners(self) -> tuple[Owner, ...]:
        """Every installed distribution, by name."""
        self._read_owners()
        return tuple(self._owners[name] for name in sorted(self._owners))

    def _read_owners(self) -> None:
        self._texts()
        if self._conda is not None:
            self._read()

    def installed(self) -> tuple[Installed, ...]:
        """Every record of an installation, those of one name in the order of `sys.path`."""
        self._read()
        return tuple(self._installed)

    def requirements(self, owner: Owner, *, extras: bool = True) -> frozenset[str]:
        """Normalised names of the distributions that one requires, those of its extras too where they are wanted."""
        info = next((item.info for item in self.installed() if item.owner == owner and item.info is not None), None)
        metadata = read_text(self._files, info / "METADATA") if info is not None else None
        from whyload.world.markers import demands_of  # few questions ask

        names = (
            _NAME.match(need) for need in demands_of(metadata or "") if extras or "extra" not in need.partition(";")[2]
        )
        return frozenset(normalised(name[0]) for name in names if name is not None)

    def overlaps(self) -> Mapping[tuple[Owner, Owner], list[WinPath]]:
        """Files that two distributions have recorded: who was installed last has overwritten them."""
        self._read()
        return self._overlaps

    def files_of(self, owner: Owner) -> list[RecordEntry]:
        """Everything that a distribution installed."""
        return self.by_owner().get(owner, [])

    def by_owner(self) -> dict[Owner, list[RecordEntry]]:
        """Everything that is recorded, by distribution."""
        if not self._by_owner:
            for entry in self._read().values():
                self._by_owner.setdefault(entry.owner, []).append(entry)
        return self._by_owner

    def natives_of(self, owner: Owner) -> list[RecordEntry]:
        """The DLLs and extension modules that a distribution installed."""
        if self._is_whole:
            return [entry for entry in self.files_of(owner) if entry.path.suffix in NATIVE]
        found: dict[str, RecordEntry] = {}
        for record in self._texts():
            for entry in record.native_lines() if record.owner == owner else ():
                found.setdefault(entry.path.key, entry)
        return list(found.values())

    def has_below(self, path: WinPath) -> bool:
        """Some distribution has recorded this file, or one below this folder."""
        if self._conda is None:
            return any(self._is_in(entry, path) for entry in self._lines_with(path.name))
        return any(self._is_in(entry, path) for entry in self._read().values())

    @staticmethod
    def _is_in(entry: RecordEntry, path: WinPath) -> bool:
        return entry.path == path or entry.path.is_below(path)

    def claims(self, path: WinPath) -> list[RecordEntry]:
        """What every distribution that lists the file says of it: more than one where they overwrote one another."""
        return [entry for entry in self._lines_with(path.name) if entry.path.key == path.key]

    def installed_paths(self, name: str) -> list[WinPath]:
        """Every recorded file of a distribution and its `.dist-info` folders, remains of other releases included."""
        key = normalised(name)
        records = [record for record in self._texts() if normalised(record.owner.distribution) == key]
        paths = [entry.path for record in records for entry in record.entries()]
        return list(dict.fromkeys((*paths, *self._own_tops(key), *self._infos.get(key, ()))))

    def _own_tops(self, key: str) -> Iterator[WinPath]:
        """What a distribution without a RECORD has at the top, where no other one has a file in it."""
        tops = [WinPath(top) for top, owner in self._unrecorded.items() if normalised(owner.distribution) == key]
        if not tops:
            return
        recorded = [entry.path for entry in self._read().values()]
        for top in tops:
            if self._files.presence(top) is not Presence.ABSENT and not any(path.is_below(top) for path in recorded):
                yield self._files.actual(top)

    def providing(self, module: str) -> Owner | None:
        """The distribution that installed the top-level module or package `module`."""
        key = module.lower()
        if key not in self._tops:
            lines = (
                (entry for record in self._texts() for mark in "/\\." for entry in record.lines_with(f"{key}{mark}"))
                if self._conda is None
                else self._read().values()
            )
            self._tops[key] = next((entry.owner for entry in lines if self._top(entry.path) == key), None)
        return self._tops[key]

    def _top(self, path: WinPath) -> str:
        """The module or package of the first folder that holds the file; empty where none does."""
        folder = next((folder for folder in self.folders if path.is_below(folder)), None)
        return path.relative_to(folder).partition("\\")[0].partition(".")[0].lower() if folder else ""

    def altered(self, path: WinPath) -> RecordEntry | None:
        """The entry where the file on disk has another length than was recorded (an empty or cut file included)."""
        entry = self.entry(path)
        if entry is None or entry.size is None or self._files.presence(path) is not Presence.FILE:
            return None
        size = self._files.size(path)
        return entry if size is not None and size != entry.size else None

    def has_other_contents(self, entry: RecordEntry) -> bool:
        """Does the file have another hash than RECORD says? Reads all of it; False where either is not known."""
        import hashlib
        from base64 import urlsafe_b64encode

        source = self._files.source(entry.path) if entry.sha256 is not None else None
        if source is None:
            return False
        digest = hashlib.sha256()
        try:
            for offset in range(0, source.size, _AT_ONCE):
                digest.update(source.read(offset, _AT_ONCE))
        except OSError:
            return False
        return urlsafe_b64encode(digest.digest()).rstrip(b"=").decode() != entry.sha256

    def _read(self) -> dict[str, RecordEntry]:
        if self._entries is None:
            self._entries = {}
            for record in self._texts():
                for entry in record.entries():
                    known = self._entries.setdefault(entry.path.key, entry)
                    if known is not entry and known.owner != entry.owner:
                        self._overlaps.setdefault((known.owner, entry.owner), []).append(entry.path)
            if self._conda is not None:
                self._read_conda(self._conda)
            for entry in self._entries.values():
                self._by_name.setdefault(entry.path.name.lower(), []).append(entry)
        return self._entries

    def _texts(self) -> list[Record]:
        if self._records is None:
            self._records = []
            for folder in self.folders:
                self._read_folder(folder)
        return self._records

    def _read_folder(self, folder: WinPath) -> None:
        assert self._records is not None
        for name in self._files.listdir(folder):
            match = _INFO.fullmatch(name)
            if match is None or name.startswith("~"):  # what an uninstallation that was cut off leaves
                continue
            installer = (read_text(self._files, folder / name / "INSTALLER", 200) or "").strip() or None
            owner = Owner(distribution=match["name"], version=match["version"], installer=installer)
            self._owners.setdefault(normalised(owner.distribution), owner)
            self._infos.setdefault(normalised(owner.distribution), []).append(folder / name)
            record = read_text(self._files, folder / name / "RECORD", 64 << 20)
            self._installed.append(self._installation(owner, folder / name, record))
            if record:
                self._records.append(Record(folder, owner, record))
            elif installer != "conda":
                for top in self._named_at_top(folder / name, owner):
                    self._unrecorded.setdefault((folder / top).key, owner)

    def _named_at_top(self, info: WinPath, owner: Owner) -> Iterator[str]:
        """setuptools writes the names down; else a package mostly has the name of its distribution."""
        text = read_text(self._files, info / "top_level.txt", 10_000) or ""
        name = re.sub(r"[-_.]+", "_", owner.distribution)
        for module in [line.strip() for line in text.splitlines() if line.strip()] or [name]:
            yield from (module, f"{module}.py")
        yield f"{name}.libs"

    def _installation(self, owner: Owner, info: WinPath, record: str | None) -> Installed:
        legacy = info.suffix == ".egg-info"
        direct = read_text(self._files, info / "direct_url.json", 10_000) or ""
        return Installed(
            owner=owner,
            info=info,
            record=info / "RECORD" if record is not None else None,
            is_whole=legacy or (bool(record) and self._files.presence(info / "METADATA") is not Presence.ABSENT),
            editable='"editable": true' in direct,
        )

    def _read_conda(self, prefix: WinPath) -> None:
        assert self._entries is not None
        for name in self._files.listdir(prefix / "conda-meta"):
            text = read_text(self._files, prefix / "conda-meta" / name, 32 << 20) if name.endswith(".json") else None
            try:
                data = json_value(text) if text else {}
            except ValueError:
                continue
            if not isinstance(data, dict) or not isinstance(data.get("name"), str):
                continue
            named = data.get("channel")
            channel = _channel_name(named) if isinstance(named, str) else None
            version = str(data.get("version", ""))
            owner = Owner(distribution=data["name"], version=version, installer="conda", channel=channel)
            self._owners.setdefault(normalised(owner.distribution), owner)
            file = prefix / "conda-meta" / name
            self._installed.append(Installed(owner=owner, record=file, channel=owner.channel or "?"))
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
