"""What a rule examines: one fault of a load with the facts that tell its causes apart.

Which code a fault gets is fixed in docs/causes.md; here stands only what is true.
"""

from __future__ import annotations

import re

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.facts.build_caches import in_build_cache
from whyload.facts.ownership import Owner, RecordEntry, of_conda_and_pip
from whyload.formats.pe import Kind, sniff
from whyload.knowledge.libraries import Family, Library, identify
from whyload.knowledge.systems import in_every_edition
from whyload.loader.model import OK, Fault, FaultKind, MissingSymbol, Node, StepKind, Verdict
from whyload.observe.events import Via
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.base.machine import Machine
    from whyload.facts.case import Case
    from whyload.facts.copies import Copy
    from whyload.loader.windows.playback import PlayedLoad

_PYTHON_DLL = regular(r"python(\d)(\d{0,2})(t?)(_d)?\.dll", re.IGNORECASE)
_FIXED_PLACE = frozenset(
    {
        Family.VC_RUNTIME,
        Family.DEBUG_RUNTIME,
        Family.OPENMP,
        Family.NVIDIA_DRIVER,
        Family.WINDOWS,
        Family.WINDOWS_FEATURE,
        Family.API_SET,
    }
)
"""Families for which a stray copy elsewhere never changes the cause."""


class AbsenceKind(Enum):
    """Why a name was not found."""

    OTHER_PYTHON = "another Python's DLL"
    RECORDED = "installed once, gone now"
    MISPLACED = "lies where the loader does not look"
    OTHER_VERSION = "another version is there"
    PLAIN = "nowhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """A library that was not found."""

    case: Case
    load: PlayedLoad
    fault: Fault
    name: str
    names: tuple[str, ...]
    """All absent names of the same importer, in the order of its import table; for a load by name in Python code the
    names that it tries in turn."""
    kind: AbsenceKind
    importer: WinPath | None
    """The file whose import is not satisfied; None for a load by name in Python code."""
    library: Library | None
    recorded: RecordEntry | None = None
    copy: Copy | None = None
    other: Copy | None = None

    @property
    def is_in_every_windows(self) -> bool:
        """No edition of Windows is without it."""
        return self.family(Family.WINDOWS) and in_every_edition(self.name)

    @property
    def needs_newer_windows(self) -> bool:
        """The library came with a later build than this one."""
        since = self.library.since_build if self.library else None
        build = self.case.world.system.build
        return since is not None and build is not None and build < since

    @property
    def is_unfinished_build(self) -> bool:
        """A file that Python code asks for in a cache of compiled extensions, and that was never made."""
        asked = WinPath(self.load.event.name)
        plain = self.importer is None and self.kind is AbsenceKind.PLAIN
        return plain and asked.is_absolute and in_build_cache(self.case.world, asked)

    @property
    def is_sought_at_conda(self) -> bool:
        """A package of pip asks for a file in conda's own folder `Library`, which conda did not put there."""
        prefix, asked = self.case.world.python.prefix, WinPath(self.load.event.name)
        place = self.load.event.place
        if self.importer is not None or place is None or place.file is None or not asked.is_below(prefix / "Library"):
            return False
        owner = self.case.packages.owner(place.file)
        return owner is not None and owner.installer not in (None, "conda")

    def family(self, *families: Family) -> bool:
        """Whether it is plainly absent and of one of these families."""
        return self.kind is AbsenceKind.PLAIN and self.library is not None and self.library.family in families


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusableFile:
    """A file that was found and cannot be mapped."""

    case: Case
    load: PlayedLoad
    fault: Fault
    path: WinPath
    importer: WinPath | None
    machine: Machine | None
    content: Kind
    entry: RecordEntry | None
    altered: bool
    right: Copy | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingFunction:
    """A function that the winning file lacks."""

    case: Case
    load: PlayedLoad
    fault: Fault
    symbol: MissingSymbol
    library: Library | None
    importer_owner: Owner | None
    library_owner: Owner | None
    better: Copy | None
    """Another copy on this machine that has the function."""

    @property
    def of_torch(self) -> bool:
        """The lacking file is torch's, the asking one is not."""
        owner = self.library_owner
        return owner is not None and normalised(owner.distribution) == "torch" and self.importer_owner != owner

    @property
    def of_conda_and_pip(self) -> bool:
        """One file is conda's, the other came from pip, and neither is torch's interface."""
        return not self.of_torch and of_conda_and_pip(self.library_owner, self.importer_owner)

    @property
    def channels(self) -> tuple[str, str] | None:
        """(channel of the importer, channel of the library), both conda's, where they differ."""
        if self.importer_owner is None or self.library_owner is None:
            return None
        importer, library = self.importer_owner.channel, self.library_owner.channel
        return (importer, library) if importer and library and importer != library else None

    @property
    def has_narrower_cause(self) -> bool:
        """A cause of its own covers it: two installers, two channels, the driver, a cache of compiled extensions."""
        driver = self.library is not None and self.library.family is Family.NVIDIA_DRIVER
        cached = self.of_torch and in_build_cache(self.case.world, self.symbol.importer)
        return self.of_conda_and_pip or (self.channels is not None and not self.of_torch) or driver or cached

    @property
    def was_loaded_before(self) -> bool:
        """The lacking file was in the process before this load: no search led to it (R2.18)."""
        asked = (child for child in self.fault.node.children if child.path == self.symbol.library)
        return any(step.kind is StepKind.LOADED and step.verdict is Verdict.TAKEN for c in asked for step in c.steps)

    @property
    def in_system32(self) -> bool:
        """The lacking file lies in the system folder."""
        return self.symbol.library.parent == self.case.process.system32

    @property
    def is_windows(self) -> bool:
        """Its name is one of Windows' own."""
        return self.library is not None and self.library.family in (Family.WINDOWS, Family.WINDOWS_FEATURE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenStart:
    """A file whose initialiser fails."""

    case: Case
    load: PlayedLoad
    fault: Fault
    path: WinPath
    altered: RecordEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPython:
    """An extension module that loads and belongs to another interpreter (R3.4)."""

    case: Case
    load: PlayedLoad
    fault: Fault
    path: WinPath
    dll: str


Subject = Absence | UnusableFile | MissingFunction | BrokenStart | OtherPython


def subjects_of(case: Case, load: PlayedLoad) -> list[Subject]:
    """Every fault of a load, the one that Windows reports first at the head; one subject per absent name's importer,
    and per importer and distribution whose libraries lack functions.
    """
    found: list[Subject] = [_asked_function(case, load, name) for name in load.missing_functions[:1]]
    root = load.tree.root
    if load.other_python is not None and root.path is not None:
        fault = Fault(kind=FaultKind.NOT_FOUND, node=root, chain=(root,), status=OK)
        found.append(OtherPython(case=case, load=load, fault=fault, path=root.path, dll=load.other_python))
    seen: set[tuple[str, str]] = set()
    for fault in load.tree.faults:
        key = (str(fault.node.importer or ""), fault.kind.value if fault.symbol is None else _whose(case, fault.symbol))
        if key in seen:
            continue
        seen.add(key)
        subject = _subject(case, load, fault)
        if subject is not None:
            found.append(subject)
    return found


def _whose(case: Case, symbol: MissingSymbol) -> str:
    """The distribution of the library that lacks a function; where it has none, the library itself."""
    owner = case.packages.owner(symbol.library)
    return owner.distribution if owner is not None else str(symbol.library)


def _subject(case: Case, load: PlayedLoad, fault: Fault) -> Subject | None:
    if fault.kind in (FaultKind.NOT_FOUND, FaultKind.FORWARDER_TARGET_MISSING):
        return absence(case, load, fault)
    if fault.kind in (FaultKind.WRONG_MACHINE, FaultKind.DAMAGED, FaultKind.DENIED):
        return _unusable(case, load, fault)
    if fault.symbol is not None:
        return _function(case, load, fault, fault.symbol)
    if fault.kind is FaultKind.INIT_FAILED and fault.node.path is not None:
        path = fault.node.path
        return BrokenStart(case=case, load=load, fault=fault, path=path, altered=case.packages.altered(path))
    return None


def absence(case: Case, load: PlayedLoad, fault: Fault) -> Absence:
    """What is known of an absent library."""
    importer = fault.node.importer
    names = _absent_names(load.tree.root, fault) if importer else _tried_names(case, load)
    other_python = next((name for name in names if is_other_python(case, name)), None)
    name = other_python or WinPath(fault.node.name).name
    library = identify(name, case.process.machine)
    asked = WinPath(fault.node.name)
    recorded = _recorded(case, importer, name) if importer else case.packages.entry(asked)
    copy = other = None
    if other_python is not None:
        kind = AbsenceKind.OTHER_PYTHON
    elif recorded is not None:
        kind = AbsenceKind.RECORDED
    elif library is not None and library.family in _FIXED_PLACE:
        kind = AbsenceKind.PLAIN
    else:
        copy = case.copies.fitting(name)
        others = [] if copy else case.copies.other_versions(name)
        other = others[0] if others else None
        kind = AbsenceKind.MISPLACED if copy else AbsenceKind.OTHER_VERSION if other else AbsenceKind.PLAIN
    return Absence(
        case=case,
        load=load,
        fault=fault,
        name=name,
        names=names,
        kind=kind,
        importer=importer,
        library=library,
        recorded=recorded,
        copy=copy,
        other=other,
    )


def is_other_python(case: Case, name: str) -> bool:
    """A Python DLL that is not this interpreter's own nor its stable-ABI forwarder."""
    match = _PYTHON_DLL.fullmatch(name)
    own = case.world.python.dll
    stable = "python3t.dll" if case.world.python.version.free_threaded else "python3.dll"
    return match is not None and name.lower() not in (own, stable)


def _absent_names(root: Node, fault: Fault) -> tuple[str, ...]:
    for node in root.walk():
        same = [child for child in node.children if child.importer == fault.node.importer and child.status]
        if same and any(child is fault.node for child in node.children):
            return tuple(child.name for child in same if child.status.winerror == 126)
    return (fault.node.name,)


def _tried_names(case: Case, load: PlayedLoad) -> tuple[str, ...]:
    caught = [failure.load for failure in case.playback.caught if failure.load is not None]
    tried = case.playback.sought if load.event.via is Via.FIND_LIBRARY else caught
    same = [item for item in tried if load.event.place is not None and item.event.place == load.event.place]
    return tuple(dict.fromkeys(WinPath(item.event.name).name for item in same)) or (WinPath(load.event.name).name,)


def _recorded(case: Case, importer: WinPath | None, name: str) -> RecordEntry | None:
    """The importer's own distribution installed a file of that name, and it is gone."""
    owner = case.packages.owner(importer) if importer else None
    if importer is None:
        return None
    for entry in case.packages.named(name):
        if entry.owner == owner and case.world.files.presence(entry.path) is Presence.ABSENT:
            return entry
    return None


def _unusable(case: Case, load: PlayedLoad, fault: Fault) -> UnusableFile | None:
    step = fault.bad_step
    if step is None or step.path is None:
        return None
    path = case.world.files.actual(step.path)
    source = case.world.files.source(path)
    others = [copy for copy in case.copies.of(path.name) if copy.fits and copy.path != path]
    return UnusableFile(
        case=case,
        load=load,
        fault=fault,
        path=path,
        importer=fault.node.importer,
        machine=step.machine,
        content=sniff(source) if source is not None else Kind.UNKNOWN,
        entry=case.packages.entry(path),
        altered=case.packages.altered(path) is not None,
        right=others[0] if others else None,
    )


def _function(case: Case, load: PlayedLoad, fault: Fault, symbol: MissingSymbol) -> MissingFunction:
    return MissingFunction(
        case=case,
        load=load,
        fault=fault,
        symbol=symbol,
        library=identify(symbol.library.name, case.process.machine),
        importer_owner=case.packages.owner(symbol.importer),
        library_owner=case.packages.owner(symbol.library),
        better=_copy_with(case, symbol),
    )


def _asked_function(case: Case, load: PlayedLoad, name: str) -> MissingFunction:
    """A function that Python code asks of a library that did load (ctypes: AttributeError)."""
    root, place = load.tree.root, load.event.place
    asking = place.file if place is not None and place.file is not None else case.process.application
    symbol = MissingSymbol(importer=asking, library=root.path or asking, name=name, ordinal=None)
    fault = Fault(kind=FaultKind.MISSING_SYMBOL, node=root, chain=(root,), status=symbol.status, symbol=symbol)
    return _function(case, load, fault, symbol)


def _copy_with(case: Case, symbol: MissingSymbol) -> Copy | None:
    for copy in case.copies.of(symbol.library.name, symbol.importer):
        image = case.process.images.open(copy.path).image
        if not copy.fits or image is None or copy.path == symbol.library:
            continue
        table = image.exports()
        if table is None:
            continue
        export = table.find(symbol.name) if symbol.name is not None else table.find_ordinal(symbol.ordinal or 0)
        if export is not None:
            return copy
    return None
