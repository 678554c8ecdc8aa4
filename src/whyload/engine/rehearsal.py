"""A remedy on trial: its changes are played on an overlay of the world, and the question is asked again there."""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.dataclass import dataclass, replace
from whyload.base.enumeration import Enum
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.engine.repair import Repaired, damaged
from whyload.engine.simulate import packages_of
from whyload.facts.packages import Packages
from whyload.findings.model import Finding
from whyload.findings.report import Report, Verdict
from whyload.remedies.change import (
    AddFolder,
    Change,
    ClearBuildCache,
    InstallDistributions,
    PutOnPath,
    RemoveDistribution,
    RemoveLeftover,
    RenameFile,
    Setting,
    SetVariable,
)
from whyload.startup.paths import path_entries, python_paths
from whyload.world.model import World, WorldKind, read_text
from whyload.world.overlay import GivenFiles, MovedFiles, WithoutFiles, laid_over
from whyload.world.settings import MODULE_FILE, PATH_FILE, PATH_LINE, Settings, read_settings
from whyload.world.wheel import Wheel, WheelFiles

Ask = Callable[[World], Report]
Supply = Callable[[World, InstallDistributions], "tuple[Wheel, ...] | None"]
"""The wheels that an installation brings; None where they are not at hand."""


class Trial(Enum):
    """How a rehearsal ended."""

    CURED = "nothing fails any more"
    NEXT = "this fault is gone, another one shows"
    FAILED = "the fault is still there"
    UNTRIED = "it could not be played"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """The world and the answer after some changes; both None where they could not be played."""

    trial: Trial
    world: World | None = None
    report: Report | None = None
    wheels: tuple[Wheel, ...] = ()


def site_folder(world: World, packages: Packages) -> WinPath:
    """The folder that pip installs into: the environment's own site-packages."""
    own = world.python.prefix / "Lib\\site-packages"
    inside = [folder for folder in packages.folders if folder.is_below(world.python.prefix)]
    return own if own in inside or not inside else inside[0]


def own_paths(world: World, packages: Packages, distribution: str) -> list[WinPath]:
    """What a distribution has in the environment itself: a copy elsewhere on `sys.path` is not the environment's."""
    roots = (world.python.prefix, site_folder(world, packages))
    paths = packages.installed_paths(distribution)
    return [path for path in paths if any(path.is_below(root) for root in roots)]


def rehearse(world: World, ask: Ask, finding: Finding, changes: tuple[Change, ...], supply: Supply) -> Rehearsal:
    """Play the changes and ask again: is the finding gone, and did no other error come?"""
    wheels: list[Wheel] = []
    if any(isinstance(change, ClearBuildCache) for change in changes) or not _can_be_read_again(world, changes):
        return Rehearsal(trial=Trial.UNTRIED)  # what will be built then, or what a package then does, is not foreseen
    for change in changes:
        if isinstance(change, InstallDistributions):
            brought = supply(world, change)
            if brought is None:
                return Rehearsal(trial=Trial.UNTRIED)
            wheels += brought
            world = _installed(world, brought, change, doubted_by(finding))
        else:
            world = _changed(world, change)
    try:
        report = ask(world)
    except UsageError:  # the program itself was renamed
        return Rehearsal(trial=Trial.UNTRIED)
    return Rehearsal(trial=_judge(finding, report, changes), world=world, report=report, wheels=tuple(wheels))


def _can_be_read_again(world: World, changes: tuple[Change, ...]) -> bool:
    """A snapshot has no sources: what another release, or a variable, makes of the start-up cannot be seen there."""
    if world.kind is not WorldKind.SNAPSHOT:
        return True
    same = (change for change in changes if isinstance(change, InstallDistributions | SetVariable))
    return all(isinstance(change, InstallDistributions) and (change.again or change.only_damaged) for change in same)


def _judge(finding: Finding, after: Report, changes: tuple[Change, ...]) -> Trial:
    if any(same_fault(finding, other) for other in after.errors):
        return Trial.FAILED
    if after.verdict is Verdict.UNKNOWN and not any(isinstance(change, InstallDistributions) for change in changes):
        return Trial.FAILED  # what was taken away is missed, or a variable is
    return Trial.NEXT if after.errors else Trial.CURED


def same_fault(one: Finding, other: Finding) -> bool:
    """The same cause for want of the same name; where a file itself is at fault, at the same file; where no name is
    wanted (a file for another Python), in the same distribution.
    """
    if (one.code, (one.object or "").lower(), one.symbol) != (other.code, (other.object or "").lower(), other.symbol):
        return False
    if one.object is None and one.owner is not None and other.owner is not None:
        return one.owner.distribution == other.owner.distribution
    itself = one.culprit is not None and one.object is not None and one.culprit.name.lower() == one.object.lower()
    return not itself or one.culprit == other.culprit


def _packages(world: World) -> Packages:
    return packages_of(world, python_paths(world))


def doubted_by(finding: Finding) -> frozenset[str]:
    """Keys of the files that a finding is about: their contents are not trusted."""
    paths = [finding.culprit, finding.found_at, *map(WinPath, finding.chain)]
    return frozenset(path.key for path in paths if path is not None)


def _installed(world: World, wheels: tuple[Wheel, ...], change: InstallDistributions, doubted: frozenset[str]) -> World:
    packages = _packages(world)
    site = site_folder(world, packages)
    gone = [path for wheel in wheels for path in own_paths(world, packages, wheel.distribution)]
    new = WheelFiles(wheels, site, world.python.prefix)
    if change.only_damaged and not any(damaged(world.files, packages, wheel, new, doubted) for wheel in wheels):
        raise UsageError(Message(en="none of its files is damaged", zh="它的文件都没有损坏"))
    view = Repaired(new, world.files, doubted) if change.again or change.only_damaged else new
    return replace(world, files=laid_over(WithoutFiles(world.files, gone), view))


def _changed(world: World, change: Change) -> World:
    if isinstance(change, Setting):
        return _with_setting(world, change)
    if isinstance(change, RemoveDistribution):
        gone = own_paths(world, _packages(world), change.distribution)
        return replace(world, files=WithoutFiles(world.files, gone))
    if isinstance(change, RemoveLeftover):
        return replace(world, files=WithoutFiles(world.files, [change.path]))
    assert isinstance(change, RenameFile)
    moved = MovedFiles(world.files, change.path, change.path.parent / change.name)
    return replace(world, files=laid_over(WithoutFiles(world.files, [change.path]), moved))


def _with_setting(world: World, change: Setting) -> World:
    if world.kind is WorldKind.SNAPSHOT:
        return _with_folder(world, change)
    site = site_folder(world, _packages(world))
    have = read_settings(read_text(world.files, site / MODULE_FILE) or "")
    new = with_setting(have, change)
    files = {site / MODULE_FILE: new.source().encode(), site / PATH_FILE: PATH_LINE.encode()}
    return replace(_without_paths(world, change), files=laid_over(world.files, GivenFiles(files)))


def _with_folder(world: World, change: Setting) -> World:
    """The start-up is known by what it did, not as source: the folder is there before it."""
    if isinstance(change, PutOnPath):
        path = f"{change.folder};{world.environment.get('PATH', '')}"
        return replace(world, environment=world.environment.with_value("PATH", path))
    assert isinstance(change, AddFolder)
    added = (*world.process.added_dll_directories, change.folder)
    return replace(world, process=replace(world.process, added_dll_directories=added))


def _without_paths(world: World, change: Setting) -> World:
    """`sys.path` of a Python that was asked still has the folders of `PYTHONPATH` that the setting takes out."""
    if not isinstance(change, SetVariable) or change.name.upper() != "PYTHONPATH" or not world.python.paths:
        return world
    had, kept = (set(path_entries(world, v or "")) for v in (world.environment.get("PYTHONPATH"), change.value))
    paths = tuple(path for path in world.python.paths if path not in had - kept)
    return replace(world, python=replace(world.python, paths=paths))


def with_setting(settings: Settings, change: Setting) -> Settings:
    """An environment's settings with one more."""
    if isinstance(change, AddFolder):
        return settings.with_folder(change.folder.text)
    if isinstance(change, PutOnPath):
        return settings.with_path(change.folder.text)
    return settings.with_variable(change.name, change.value)
