"""Every installed distribution, and what is left of those that were not installed or removed whole.

Sources: PyPA, "Recording installed projects" (RECORD, INSTALLER, direct_url.json); pip's `~name` folders of an
uninstallation that was cut off; conda's `conda-meta`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.facts.kept import KeptSetting, kept_settings
from whyload.facts.leftovers import is_set_aside
from whyload.facts.ownership import NATIVE, RecordEntry
from whyload.facts.packages import Installed, Packages
from whyload.world.model import FileView, Presence, World, WorldKind

_MOST_NAMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionFacts:
    """One distribution. Files are counted as RECORD has them, sizes in bytes."""

    name: str
    version: str
    installer: str | None
    record: WinPath | None
    """RECORD, or conda's record of it; None where there is none."""
    channel: str | None = None
    """Of conda."""
    editable: bool = False
    files: int = 0
    size: int = 0
    native_files: int = 0
    missing: tuple[str, ...] = ()
    """Recorded files that are not there; at most 20."""
    missing_count: int = 0
    altered: tuple[str, ...] = ()
    """Native files of another length than recorded, or, where contents are compared, of other contents; at most 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """The same distribution more than once."""

    name: str
    versions: tuple[str, ...]
    """Version and installer of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Native files that two distributions have recorded, such as onnxruntime and onnxruntime-gpu."""

    distributions: tuple[str, ...]
    files: tuple[WinPath, ...]
    """At most 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentFacts:
    """All distributions by name, and what is wrong with them as a whole."""

    distributions: tuple[DistributionFacts, ...]
    duplicates: tuple[Clash, ...]
    """Two records of one name in one folder, or in two folders of `sys.path`."""
    conda_and_pip: tuple[Clash, ...]
    """Installed by conda and by pip."""
    overlaps: tuple[Overlap, ...]
    leftovers: tuple[WinPath, ...]
    """`~name` folders."""
    contents_compared: bool
    """Native files were compared with RECORD by their hashes too, not only by their lengths."""
    half_removed: tuple[WinPath, ...]
    """Records without RECORD or METADATA, and those most of whose files are gone."""
    kept_settings: tuple[KeptSetting, ...] = ()
    """What `whyload fix` made this environment keep."""


def environment_facts(world: World, packages: Packages, *, contents: bool = False) -> EnvironmentFacts:
    """What is installed. `contents`: compare native files with their hashes, which reads all of them."""
    contents = contents and world.kind is not WorldKind.SNAPSHOT  # it has no contents of files
    present = _Present(world.files)
    found = [_distribution(packages, item, present, contents=contents) for item in packages.installed()]
    return EnvironmentFacts(
        distributions=tuple(sorted(found, key=lambda item: normalised(item.name))),
        duplicates=tuple(_clashes(found, by_conda=False)),
        conda_and_pip=tuple(_clashes(found, by_conda=True)),
        overlaps=tuple(_overlaps(packages)),
        leftovers=tuple(_leftovers(world.files, packages.folders)),
        contents_compared=contents,
        half_removed=tuple(_half_removed(packages.installed(), found)),
        kept_settings=kept_settings(world.files, packages.folders),
    )


class _Present:
    """Which recorded files are there; every folder is listed once."""

    def __init__(self, files: FileView) -> None:
        self._files = files
        self._names: dict[str, frozenset[str]] = {}

    def __call__(self, path: WinPath) -> bool:
        head, _, name = path.key.rpartition("\\")
        names = self._names.get(head)
        if names is None:
            names = frozenset(item.lower() for item in self._files.listdir(path.parent))
            self._names[head] = names
        return name in names or (not names and self._files.presence(path) is not Presence.ABSENT)


def _distribution(packages: Packages, item: Installed, present: _Present, *, contents: bool) -> DistributionFacts:
    entries = packages.files_of(item.owner)
    missing = [entry for entry in entries if not present(entry.path) and not _may_be_gone(entry)]
    natives = [entry for entry in entries if entry.path.suffix in NATIVE]
    altered = [
        entry
        for entry in natives
        if packages.altered(entry.path) is not None or (contents and packages.has_other_contents(entry))
    ]
    return DistributionFacts(
        name=item.owner.distribution,
        version=item.owner.version,
        installer=item.owner.installer,
        record=item.record,
        channel=item.channel,
        editable=item.editable,
        files=len(entries),
        size=sum(entry.size or 0 for entry in entries),
        native_files=len(natives),
        missing=tuple(str(entry.path) for entry in missing[:_MOST_NAMED]),
        missing_count=len(missing),
        altered=tuple(str(entry.path) for entry in altered[:_MOST_NAMED]),
    )


def _may_be_gone(entry: RecordEntry) -> bool:
    """Compiled Python files come and go."""
    return entry.path.suffix in (".pyc", ".pyo")


def _clashes(found: Iterable[DistributionFacts], *, by_conda: bool) -> Iterator[Clash]:
    same: dict[str, list[DistributionFacts]] = {}
    for item in found:
        same.setdefault(normalised(item.name), []).append(item)
    for group in same.values():
        pip = [item for item in group if item.channel is None and item.installer != "conda"]
        conda = [item for item in group if item.channel is not None]
        clashing = [*conda, *pip] if by_conda and conda and pip else pip if not by_conda and len(pip) > 1 else []
        if clashing:
            versions = tuple(f"{item.version} ({item.installer or '?'})" for item in clashing)
            yield Clash(name=group[0].name, versions=versions)


def _overlaps(packages: Packages) -> Iterator[Overlap]:
    for owners, paths in packages.overlaps().items():
        natives = tuple(path for path in paths if path.suffix in NATIVE)
        if natives and normalised(owners[0].distribution) != normalised(owners[1].distribution):
            names = tuple(f"{owner.distribution} {owner.version}" for owner in owners)
            yield Overlap(distributions=names, files=natives[:_MOST_NAMED])


def _leftovers(files: FileView, folders: Iterable[WinPath]) -> Iterator[WinPath]:
    for folder in folders:
        yield from (folder / name for name in files.listdir(folder) if is_set_aside(name))


def _half_removed(installed: Iterable[Installed], found: Iterable[DistributionFacts]) -> Iterator[WinPath]:
    for item, facts in zip(installed, found, strict=True):
        gone = facts.files >= 4 and facts.missing_count * 2 > facts.files
        if item.info is not None and (not item.is_whole or gone):
            yield item.info
