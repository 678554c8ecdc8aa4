"""`doctor`: the whole environment in one pass, what is wrong in the order of how much it hurts, and the facts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.engine.answer import facts_of, system_label
from whyload.engine.bundle import ask_bundle
from whyload.engine.doctor.contexts import Contexts
from whyload.engine.doctor.importers import Importers
from whyload.engine.doctor.meetings import Meetings, order_note
from whyload.engine.doctor.screening import Group, Idle, Screening
from whyload.engine.doctor.survey import MOST_FOLDERS, NativeFile, Role, Survey, bare_packages, survey
from whyload.engine.doctor.verdicts import Verdicts, broken, worst_first
from whyload.engine.simulate import case_of, packages_of
from whyload.facts.case import Case
from whyload.facts.copies import Copies
from whyload.facts.machine.all import MachineFacts, machine_facts
from whyload.facts.machine.natives import Lacking, NativeFacts
from whyload.facts.packages import Packages
from whyload.facts.runtimes import old_runtimes
from whyload.facts.shadows import shadowed_modules
from whyload.facts.subjects import subjects_of
from whyload.facts.unavailable import GoneFile, UnfitModule
from whyload.findings.report import NotChecked, Question, QuestionKind, Report, Verdict, not_checked
from whyload.knowledge.libraries import Family, identify
from whyload.loader.windows.load import load
from whyload.loader.windows.playback import Failure, Playback, PlayedLoad
from whyload.observe.events import LibraryLoad, Via
from whyload.startup.paths import python_paths
from whyload.world.model import Layout, Presence, World

_TOO_LARGE = NotChecked(
    what=Message(en="native files", zh="原生文件"),
    why=Message(
        en=f"only the first {MOST_FOLDERS} folders of `sys.path` were searched",
        zh=f"只查看了 `sys.path` 中的前 {MOST_FOLDERS} 个目录",
    ),
)
Tell = Callable[[int, int, str], None]
"""(native files looked at, all of them, package)."""
_OF_INTEREST = frozenset({Family.VC_RUNTIME, Family.DEBUG_RUNTIME, Family.OPENMP, Family.CUDA, Family.CUDNN})
"""A library that nothing is known to load is worth a warning where it lacks one of these."""


def ask_doctor(world: World, tell: Tell = lambda done, whole, package: None, *, contents: bool = False) -> Report:
    """Examine every native module of the environment. `contents`: compare native files with the hashes of RECORD."""
    return _Visit(world, tell, contents).report()


class _Visit:
    def __init__(self, world: World, tell: Tell, contents: bool) -> None:
        self.world = world
        self._contents = contents
        self._tell = tell
        self.paths = python_paths(world)
        self.packages: Packages = packages_of(world, self.paths)
        self.survey: Survey = survey(world, self.paths)
        self.contexts = Contexts(world)
        self.copies = Copies(self.contexts.process, self.packages)
        self.screening = Screening(self.contexts, self.survey)
        self.meetings = Meetings(self.contexts)
        self.verdicts = Verdicts(world, Importers(world, self.paths))
        self.failed: list[PlayedLoad] = []
        self.lacking: list[Idle] = []
        self.modules = 0

    def report(self) -> Report:
        if self.world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
            return replace(ask_bundle(self.world), question=self._question(), machine=self._machine_facts())
        done, whole = 0, len(self.survey.files)
        for group in self.screening.groups():
            self._tell(done, whole, group.package)
            self._group(group)
            done += len(group.natives)
        self._tell(whole, whole, "")
        self._meetings()
        self._bare()
        self._unseen()
        self._gone()
        self._shadowed()
        self.lacking = self.screening.idle()
        for idle in self.lacking:
            self._idle(idle)
        return self._written()

    def _written(self) -> Report:
        findings = worst_first(self.verdicts.findings)
        case = self._case("", Playback(loads=(), failure=None, modules=()))
        cut = (_TOO_LARGE,) if self.survey.is_cut else ()
        defects = (broken(package, error) for package, error in self.contexts.broken.items())
        unknown = (not_checked(what, why) for what, why in self.world.unknown)
        report = Report(
            question=self._question(),
            world=self.world.kind.value,
            python=str(self.world.python.executable),
            system=system_label(self.world),
            verdict=Verdict.LOADS,
            findings=findings,
            loads=tuple(self.failed),
            facts=facts_of(case),
            machine=self._machine_facts(),
            not_checked=tuple(dict.fromkeys((*cut, *unknown, *defects, *self.verdicts.not_checked))),
            labels=self.paths,
        )
        return replace(report, verdict=_verdict(report, self.modules))

    def _question(self) -> Question:
        return Question(kind=QuestionKind.DOCTOR, targets=(str(self.world.python.prefix),))

    def _machine_facts(self) -> MachineFacts:
        natives = [file.path for file in self.survey.files]
        process = self.contexts.process
        return machine_facts(
            self.world,
            process.images,
            self.packages,
            self.paths,
            natives,
            process.machine,
            self._natives(),
            contents=self._contents,
        )

    def _natives(self) -> NativeFacts:
        return NativeFacts(
            files=len(self.survey.files),
            modules=self.modules,
            folders=self.survey.folders,
            failed=tuple(
                dict.fromkeys(WinPath(load.event.name) for load in self.failed)
            ),  # by its package, and by itself
            lacking=tuple(Lacking(file=item.file.path, missing=item.missing) for item in self.lacking),
        )

    def _group(self, group: Group) -> None:
        self.modules += sum(1 for native in group.natives if native.role is Role.MODULE)
        group = self._with_neighbours(group)
        for suspect in group.suspects:
            playback = Playback(
                loads=(*group.start.loads, suspect.load), failure=suspect.failure, modules=group.start.modules
            )
            self.failed.append(suspect.load)
            self.verdicts.suspect(self._case(group.package, playback), suspect)
        self._old_runtimes(group)
        self.meetings.note(group)

    def _meetings(self) -> None:
        """What happens to one package after another was imported."""
        for first, second, played in self.meetings.happen():
            hazards = old_runtimes(self._case(second.package, played))
            self.verdicts.part(hazards, order_note(first))

    def _bare(self) -> None:
        """Packages that have no native file and ask for one of somebody else's, by ctypes or cffi."""
        for package, sources in bare_packages(self.world, self.paths, self.survey):
            start = self.contexts.enter_bare(package, sources)
            failure = start.failure if start is not None else None
            if failure is not None and failure.cause is not None:
                self.verdicts.bare(package)

    def _with_neighbours(self, group: Group) -> Group:
        """The same group after the packages whose libraries it lacks and which its distribution requires."""
        if not group.suspects:
            return group
        missing = chain.from_iterable(suspect.load.tree.missing for suspect in group.suspects)
        found = [self.survey.named(name) for name in missing]
        others = {native.package: native for native in found if native is not None and native.package != group.package}
        needed = tuple(sorted(package for package, native in others.items() if self._requires(group, native)))
        if not needed:
            return group
        again = Group(group.package, group.natives, self.contexts.enter(group.package, group.natives, needed))
        self.screening.load(again, [native for native in group.natives if native.role is Role.MODULE])
        return again

    def _requires(self, group: Group, other: NativeFile) -> bool:
        """Is the other file of the same distribution, or of one that its metadata names? Then it is imported first."""
        own, provider = self.packages.owner(group.natives[0].path), self.packages.owner(other.path)
        if own is None or provider is None or not all(part.isidentifier() for part in other.package.split(".")):
            return False
        return own == provider or normalised(provider.distribution) in self.packages.requirements(own)

    def _old_runtimes(self, group: Group) -> None:
        playback = Playback(loads=tuple(group.loaded), failure=None, modules=group.start.modules)
        for hazard in old_runtimes(self._case(group.package, playback)):
            self.verdicts.subjects((hazard,), self._native(group, hazard.load))

    def _native(self, group: Group, load: PlayedLoad) -> NativeFile | None:
        return next((native for native in group.natives if str(native.path) == load.event.name), None)

    def _case(self, subject: str, playback: Playback) -> Case:
        process = self.contexts.process
        return case_of(self.world, process, playback, subject, packages=self.packages, copies=self.copies)

    def _unseen(self) -> None:
        """Modules whose files are all for another Python, where an import needs them."""
        case = self._case("", Playback(loads=(), failure=None, modules=()))
        for native in self.survey.files:
            importer = self.verdicts.importers.of(native.module) if native.role is Role.UNSEEN else None
            if importer is not None and not native.is_test:
                owner = self.packages.owner(native.path)
                subject = UnfitModule(case=case, module=native.module, file=native.path, owner=owner)
                self.verdicts.subjects((subject,))

    def _gone(self) -> None:
        """Native files that a RECORD lists and that are not there, by distribution."""
        case = self._case("", Playback(loads=(), failure=None, modules=()))
        for entries in self.packages.by_owner().values():
            natives = (entry for entry in entries if entry.path.suffix in (".pyd", ".dll"))
            gone = [entry for entry in natives if self.world.files.presence(entry.path) is Presence.ABSENT]
            if gone:
                self.verdicts.subjects((GoneFile(case=case, entry=gone[0], others=tuple(gone[1:])),))

    def _shadowed(self) -> None:
        """What lies in the current folder under the name of an installed package."""
        files = self.world.files
        installed = {
            name.partition(".")[0].lower() for folder in self.packages.folders for name in files.listdir(folder)
        }
        names = {name.partition(".")[0] for name in files.listdir(self.world.process.cwd)}
        here = sorted(name for name in names if name and name.lower() in installed)
        modules = tuple(name for name in here if self.packages.providing(name) is not None)
        case = self._case("", Playback(loads=(), failure=None, modules=()))
        if modules:
            self.verdicts.part(shadowed_modules(case, modules))

    def _idle(self, idle: Idle) -> None:
        """A library that nothing loads: of interest where it lacks what a person can install."""
        families = {known.family for name in idle.missing if (known := identify(name)) is not None}
        if not families & _OF_INTEREST or idle.file.is_test:
            return
        start = self.contexts.enter(idle.file.package, ())
        event = LibraryLoad(name=str(idle.file.path), via=Via.CTYPES, flags=0x1100)
        tree = load(self.contexts.process, event.name, event.flags)
        played = PlayedLoad(event=event, tree=tree, optional=True)
        if tree.status:
            failure = Failure(exception="OSError", load=played)
            playback = Playback(loads=(*start.loads, played), failure=failure, modules=())
            self.verdicts.part(subjects_of(self._case(idle.file.package, playback), played))


def _verdict(report: Report, modules: int) -> Verdict:
    if report.errors:
        return Verdict.FAILS
    if any(finding.severity.value == "warning" for finding in report.findings):
        return Verdict.DEGRADED
    return Verdict.LOADS if modules else Verdict.UNKNOWN
