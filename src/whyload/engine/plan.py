"""Chooses remedies by trying them: the first list of changes after which nothing fails, the least harm first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.dataclass import dataclass, field, replace
from whyload.base.errors import NetworkError, UsageError
from whyload.base.message import Message, Text
from whyload.base.record import normalised
from whyload.engine.candidates import candidates
from whyload.engine.rehearsal import Ask, Rehearsal, Supply, Trial, rehearse, same_fault
from whyload.engine.simulate import packages_of
from whyload.facts.requirements import requirements
from whyload.findings.model import Finding, Severity
from whyload.findings.report import Report
from whyload.remedies.change import InstallDistributions, RemoveDistribution, Setting
from whyload.remedies.choose import carry_over
from whyload.remedies.installers import as_said_there, lock_hint
from whyload.remedies.model import Remedy, Safety, Verified
from whyload.remedies.resolver import NoReleaseError
from whyload.startup.paths import python_paths, site_folders
from whyload.world.model import Layout, World
from whyload.world.wheel import Wheel

_DEEPEST = 8
"""Faults that may lie behind one another."""
_MOST_TRIALS = 8
"""Rehearsals for one finding: some bring a wheel from the network."""
_NO_HELP = Message(en="in the simulation the fault remains", zh="模拟之后故障依旧")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRemedy:
    """A remedy that was chosen, the finding that it is for, and the wheels that it brings."""

    finding: Finding
    remedy: Remedy
    wheels: tuple[Wheel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A remedy that was tried and is not proposed, and why."""

    remedy: Remedy
    why: Text


@dataclass(slots=True)
class Plan:
    """What to do, in order. `complete`: after it nothing fails, as far as the simulation sees."""

    steps: list[PlannedRemedy] = field(default_factory=list)
    complete: bool = False
    by_hand: list[PlannedRemedy] = field(default_factory=list)
    hints: list[Message] = field(default_factory=list)
    """What else is to be done so that it lasts: a lock file of the project."""
    refused: list[Refused] = field(default_factory=list)


class Planner:
    """Looks for a plan. `ask` answers the question by simulation, `supply` brings wheels."""

    def __init__(self, ask: Ask, supply: Supply, tried: frozenset[object] = frozenset()) -> None:
        self._ask = ask
        self._supply = supply
        self._tried = tried
        """Changes that were applied before and did not help."""

    def plan(self, world: World, report: Report) -> Plan:
        """Remedies for the errors of `report`, which may come from a real run; the simulation judges them."""
        found = Plan()
        if not report.errors:
            found.complete = True
            return found
        self._solve(world, report, found, 0)
        found.hints += [hint for step in found.steps if (hint := lock_hint(step.remedy, world)) is not None]
        return found

    def _solve(self, world: World, report: Report, plan: Plan, depth: int) -> bool:
        finding = report.errors[0]
        seen = depth > 0 or any(same_fault(finding, other) for other in self._ask(world).errors)
        packages = packages_of(world, python_paths(world))
        demands = requirements(world, packages, packages.folders)
        for remedies in candidates(finding, world, packages, demands):
            trials = self._trials(world, finding, remedies, plan, seen=seen)
            if self._solved_by(trials, plan, depth):
                return True
            if plan.steps and depth == 0:
                return False  # this fault is dealt with; what is left only a person can do
        return False

    def _solved_by(self, trials: Iterator[tuple[PlannedRemedy, Rehearsal]], plan: Plan, depth: int) -> bool:
        """Whether one of the remedies cures it, else one of them together with what helps against the next fault."""
        next_steps: list[tuple[PlannedRemedy, Rehearsal]] = []
        for planned, trial in trials:
            if trial.trial is Trial.CURED:
                plan.steps.append(planned)
                plan.complete = True
                return True
            next_steps.append((planned, trial))
            if trial.trial is Trial.UNTRIED or (planned.wheels and self._independent(planned, trial)):
                break
        for planned, trial in next_steps:
            plan.steps.append(planned)
            if trial.world is None or trial.report is None:
                return True  # cannot be judged here: the real run will tell
            if depth + 1 < _DEEPEST and self._solve(trial.world, trial.report, plan, depth + 1):
                return True
            if depth == 0 and self._independent(planned, trial):
                return False
            plan.steps.pop()
        return False

    def _trials(
        self, world: World, finding: Finding, remedies: Iterable[Remedy], plan: Plan, *, seen: bool
    ) -> Iterator[tuple[PlannedRemedy, Rehearsal]]:
        trials = 0
        for remedy in remedies:
            remedy = as_said_there(as_far_as_possible(world, remedy), world)
            planned = PlannedRemedy(finding=finding, remedy=remedy)
            if not remedy.can_be_applied:
                plan.by_hand.append(planned)
                continue
            if remedy.changes in self._tried or trials >= _MOST_TRIALS or _takes_back(remedy, plan.steps):
                continue
            trials += 1
            result = self._try(world, planned, plan, seen=seen)
            if result is not None:
                yield result

    def _try(
        self, world: World, planned: PlannedRemedy, plan: Plan, *, seen: bool
    ) -> tuple[PlannedRemedy, Rehearsal] | None:
        try:
            result = rehearse(world, self._ask, planned.finding, planned.remedy.changes, self._supply)
        except NetworkError as error:
            plan.refused.append(Refused(remedy=planned.remedy, why=error.said))
            self._carry_over(world, planned, plan)
            return None
        except UsageError as error:
            plan.refused.append(Refused(remedy=planned.remedy, why=error.said))
            return None
        if result.trial is Trial.FAILED:
            plan.refused.append(Refused(remedy=planned.remedy, why=_NO_HELP))
            return None
        if not seen:  # the simulation does not show this fault, so it cannot show that it is gone
            result = Rehearsal(trial=Trial.UNTRIED, wheels=result.wheels)
            return replace(planned, wheels=result.wheels), result
        mark = Verified.NO if result.trial is Trial.UNTRIED else Verified.SIMULATED
        return replace(planned, remedy=replace(planned.remedy, verified=mark), wheels=result.wheels), result

    def _carry_over(self, world: World, planned: PlannedRemedy, plan: Plan) -> None:
        """What a person without a network can do: the first remedy that needs one."""
        wanted = [c for c in planned.remedy.changes if isinstance(c, InstallDistributions)]
        if wanted and not any(item.remedy.id == "carry-over" for item in plan.by_hand):
            remedy = carry_over(tuple(text for change in wanted for text in change.requirements), world)
            plan.by_hand.append(PlannedRemedy(finding=planned.finding, remedy=remedy))

    def _independent(self, planned: PlannedRemedy, trial: Rehearsal) -> bool:
        """The next fault is about another distribution than the ones that were changed: it was there before."""
        if trial.report is None or trial.trial is not Trial.NEXT:
            return False
        owner = trial.report.errors[0].owner
        changed = {normalised(wheel.distribution) for wheel in planned.wheels}
        return owner is None or normalised(owner.distribution) not in changed


def _takes_back(remedy: Remedy, steps: Iterable[PlannedRemedy]) -> bool:
    """It is about a distribution that an earlier step of the plan has brought: such a plan would turn in circles."""
    brought = {normalised(wheel.distribution) for step in steps for wheel in step.wheels}
    return any(
        (isinstance(change, InstallDistributions) and brought & set(change.names))
        or (isinstance(change, RemoveDistribution) and normalised(change.distribution) in brought)
        for change in remedy.changes
    )


def verified(world: World, report: Report, ask: Ask, supply: Supply | None = None) -> Report:
    """The report with its remedies tried: without `supply` those that need nothing but the machine itself.

    Remedies that leave the fault where it is are left out; those that cannot be tried, or behind which another fault
    shows, stay as they are.
    """
    if world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        return report  # no environment that could keep a setting
    findings = tuple(_with_trials(world, finding, ask, supply) for finding in report.findings)
    return replace(report, findings=findings)


def _with_trials(world: World, finding: Finding, ask: Ask, supply: Supply | None) -> Finding:
    finding = replace(finding, remedies=tuple(as_far_as_possible(world, remedy) for remedy in finding.remedies))
    local = any(remedy.changes and (supply is not None or not _needs_wheels(remedy)) for remedy in finding.remedies)
    if not local or finding.severity is not Severity.ERROR:
        return finding
    if not any(same_fault(finding, other) for other in ask(world).errors):
        return finding
    kept: list[Remedy] = []
    for remedy in finding.remedies:
        brought = any(_needs_wheels(other) and other.verified is Verified.SIMULATED for other in kept)
        needless = _needs_wheels(remedy) and (supply is None or brought)  # one release that helps is enough to fetch
        result = remedy if needless or not remedy.changes else _tried(world, finding, remedy, ask, supply or _nothing)
        kept += [result] if result is not None else []
    return replace(finding, remedies=tuple(kept))


def _tried(world: World, finding: Finding, remedy: Remedy, ask: Ask, supply: Supply) -> Remedy | None:
    """None where it leaves the fault where it is, or where the index has nothing that fits."""
    try:
        trial = rehearse(world, ask, finding, remedy.changes, supply).trial
    except NoReleaseError:
        return None
    except UsageError:
        return remedy
    if trial is Trial.FAILED:
        return None
    return replace(remedy, verified=Verified.SIMULATED) if trial is Trial.CURED else remedy


def as_far_as_possible(world: World, remedy: Remedy) -> Remedy:
    """A setting lasts only where Python reads `.pth` files at start-up; elsewhere it is for the person to make it."""
    if not any(isinstance(change, Setting) for change in remedy.changes) or site_folders(world, python_paths(world)):
        return remedy
    return replace(remedy, changes=(), safety=Safety.BY_HAND)


def _needs_wheels(remedy: Remedy) -> bool:
    return any(isinstance(change, InstallDistributions) for change in remedy.changes)


def _nothing(world: World, change: InstallDistributions) -> tuple[Wheel, ...] | None:
    return None
