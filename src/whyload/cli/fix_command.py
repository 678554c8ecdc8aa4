"""`whyload fix MODULE ... | -c CODE | -m MODULE | SCRIPT`: plan, show, ask, apply, ask again, or go back."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from whyload.api.fixing import FileStep, Fixer, Program, ask, environment_places
from whyload.api.worlds import WorldChoice, choice_of
from whyload.base.dataclass import dataclass, field, replace
from whyload.base.errors import UsageError
from whyload.base.message import Message, Text, message
from whyload.cli.arguments import Arguments
from whyload.cli.output import deliver, progress_in
from whyload.engine.plan import Plan
from whyload.engine.rehearsal import same_fault
from whyload.findings.report import Report, Verdict
from whyload.remedies.model import Remedy, Verified
from whyload.remedies.outcome import Fix, FixOutcome, RefusedRemedy
from whyload.remedies.resolver import InstallError
from whyload.report.fix import APPLY, AS_BEFORE, NO_CONSENT, NO_EFFECT, plan_text
from whyload.report.punctuation import parted
from whyload.world.apply.state import EnvironmentState
from whyload.world.apply.transaction import Step, Transaction
from whyload.world.apply.undo import open_sessions, undo, view

_WORKING = (Verdict.LOADS, Verdict.DEGRADED)
_ROUNDS = 5
"""Faults that are dealt with one after the other."""


def run(arguments: Arguments) -> int:
    """Fix, and write the report on how it is now."""
    choice = choice_of(vars(arguments))
    if not choice.is_live:
        return _described(arguments, choice)
    program = _program(arguments)
    report = ask(program, choice)
    if not report.errors and report.verdict in _WORKING:
        return deliver(replace(report, fix=Fix(outcome=FixOutcome.NOTHING_TO_DO)), arguments)
    session = _Session(program, choice, arguments)
    with session.state.locked():
        return deliver(session.fix(report), arguments)


def _described(arguments: Arguments, choice: WorldChoice) -> int:
    """A machine that is only described is not changed: the plan is shown, as with `--dry-run`."""
    from whyload.api.described import plan_described

    named = arguments.arguments or arguments.code is not None or arguments.module is not None
    report, plan = plan_described(choice, _program(arguments).question if named else None, progress_in(arguments.lang))
    done = _Done()
    done.learn(plan)
    if not report.errors:
        outcome = FixOutcome.NOTHING_TO_DO if report.verdict in _WORKING else FixOutcome.NO_REMEDY
    elif plan.steps:
        outcome = FixOutcome.PLANNED
    else:
        outcome = FixOutcome.BY_HAND if done.by_hand else FixOutcome.NO_REMEDY
    fix = done.summary(outcome, [step.remedy for step in plan.steps])
    return deliver(replace(report, fix=fix), arguments)


def _program(arguments: Arguments) -> Program:
    rest = list(arguments.arguments)
    if arguments.code is not None or arguments.module is not None:
        return Program(code=arguments.code, module=arguments.module, arguments=tuple(rest))
    if not rest:
        raise UsageError(
            Message(
                en="fix: name modules or a script, or give -c CODE or -m MODULE",
                zh="fix：请指定模块或脚本，或使用 -c CODE 或 -m MODULE",
            )
        )
    first = rest[0]
    if first.lower().endswith((".py", ".pyw")) or any(mark in first for mark in "\\/") or Path(first).is_file():
        return Program(script=first, arguments=tuple(rest[1:]))
    return Program(modules=tuple(rest))


@dataclass(slots=True)
class _Done:
    """What a session has done so far."""

    remedies: list[Remedy] = field(default_factory=list)
    tried: set[object] = field(default_factory=set)
    by_hand: dict[str, Remedy] = field(default_factory=dict)
    refused: dict[str, RefusedRemedy] = field(default_factory=dict)
    hints: dict[str, Message] = field(default_factory=dict)

    def learn(self, plan: Plan) -> None:
        """Keep what a plan found for the person."""
        self.hints |= {hint.en: hint for hint in plan.hints}
        for planned in plan.by_hand:
            self.by_hand.setdefault(planned.remedy.id, planned.remedy)
        for refused in plan.refused:
            self.refuse(refused.remedy, refused.why)

    def refuse(self, remedy: Remedy, why: Text) -> None:
        """A remedy is not proposed, and why."""
        self.refused.setdefault(remedy.title.en, RefusedRemedy(id=remedy.id, title=remedy.title, why=message(why)))

    def summary(self, outcome: FixOutcome, remedies: list[Remedy], command: str | None = None) -> Fix:
        """How it ended."""
        return Fix(
            outcome=outcome,
            remedies=tuple(remedies),
            by_hand=tuple(self.by_hand.values()),
            refused=tuple(self.refused.values()),
            hints=tuple(self.hints.values()) if remedies else (),
            undo=command,
        )


class _Session:
    """One `whyload fix` of one environment."""

    def __init__(self, program: Program, choice: WorldChoice, arguments: Arguments) -> None:
        self._program = program
        self._choice = choice
        self._arguments = arguments
        self._tell = progress_in(arguments.lang)
        self._run = f"{time.time_ns():x}"
        self._places = environment_places(choice)
        self.state = EnvironmentState(self._places.prefix)
        self._done = _Done()

    def fix(self, report: Report) -> Report:
        """Plan, apply and ask again until nothing fails, or nothing more can be done."""
        if any(not view(path).finished for path in open_sessions(self.state)):
            raise UsageError(
                Message(
                    en=f"a fix of this environment was cut off: run `{self._undo_command()}` first",
                    zh=f"上一次对此环境的修复被中断：请先运行 `{self._undo_command()}`",
                )
            )
        if self._places.managed:
            raise UsageError(
                Message(
                    en=f"{self._places.prefix} belongs to the system (PEP 668); make a virtual environment, fix that",
                    zh=f"{self._places.prefix} 由系统管理（PEP 668）；请新建虚拟环境，在其中修复",
                )
            )
        fixer = Fixer(self._program, self._choice, self._places, self.state.scratch(), self._tell)
        try:
            return self._rounds(report, fixer)
        finally:
            fixer.close()
            self.state.clear_scratch()

    def _rounds(self, report: Report, fixer: Fixer) -> Report:
        for _ in range(_ROUNDS):
            plan = fixer.plan(report, frozenset(self._done.tried))
            self._done.learn(plan)
            if not plan.steps:
                break
            if self._arguments.dry_run or not self._consent(plan):
                planned = [step.remedy for step in plan.steps]
                outcome = FixOutcome.PLANNED if self._arguments.dry_run else FixOutcome.DECLINED
                return replace(report, fix=self._done.summary(outcome, planned, self._undo_if_applied()))
            report = self._apply(plan, fixer, report)
            if not report.errors and report.verdict is not Verdict.FAILS:
                return self._ended(report, FixOutcome.FIXED)
        return self._ended(report, self._outcome())

    def _outcome(self) -> FixOutcome:
        if self._done.remedies:
            return FixOutcome.PARTLY
        if self._done.tried:
            return FixOutcome.TAKEN_BACK
        return FixOutcome.BY_HAND if self._done.by_hand else FixOutcome.NO_REMEDY

    def _ended(self, report: Report, outcome: FixOutcome) -> Report:
        return replace(report, fix=self._done.summary(outcome, self._done.remedies, self._undo_if_applied()))

    def _apply(self, plan: Plan, fixer: Fixer, before: Report) -> Report:
        """Apply a plan and ask again in a fresh process. Where it does not help it is taken back at once."""
        session = self.state.new_session()
        self._done.tried |= {planned.remedy.changes for planned in plan.steps}
        try:
            self._take_steps(session, plan, fixer)
            after = ask(self._program, self._choice)
        except InstallError as error:
            language = self._arguments.lang
            self._tell(parted([error.text(language), AS_BEFORE.text(language)], language))
            undo(session)
            self._done.refuse(plan.steps[-1].remedy, error.said)
            return before
        except BaseException:
            undo(session)
            raise
        if any(same_fault(plan.steps[0].finding, finding) for finding in after.errors) or _worse(before, after):
            self._tell(NO_EFFECT)
            undo(session)
            return before
        self._done.remedies += [replace(planned.remedy, verified=Verified.APPLIED) for planned in plan.steps]
        return after

    def _take_steps(self, session: Path, plan: Plan, fixer: Fixer) -> None:
        transaction = Transaction(session, self._places, self._tell)
        transaction.begin(self._program.question.label, self._run)
        for planned in plan.steps:
            steps = fixer.steps(planned)
            fixer.release()
            for step in steps:
                transaction.take(_native(step))
        transaction.finish()

    def _consent(self, plan: Plan) -> bool:
        if self._arguments.yes:
            return True
        print(plan_text(plan.steps, self._arguments.lang), file=sys.stderr, flush=True)
        if sys.stdin is None or not sys.stdin.isatty():
            self._tell(NO_CONSENT)
            return False
        print(APPLY.text(self._arguments.lang), end=" ", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in ("y", "yes", "是")

    def _undo_if_applied(self) -> str | None:
        return self._undo_command() if self._done.remedies else None

    def _undo_command(self) -> str:
        python = self._choice.python
        return f'whyload undo --python "{python}"' if python else "whyload undo"


def _worse(before: Report, after: Report) -> bool:
    """The program was started no longer, or says nothing that could be understood."""
    if after.errors:
        return False
    return after.verdict is Verdict.FAILS or (after.verdict is Verdict.UNKNOWN and not before.errors)


def _native(step: FileStep) -> Step:
    return Step(
        title=step.title, remove=step.remove, brings=step.brings, run=step.run, write=step.write, clear=step.clear
    )
