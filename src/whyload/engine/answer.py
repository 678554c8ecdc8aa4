"""From a case to a report: subjects, rules, verdict, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable

from whyload.engine.simulate import failed_load
from whyload.facts.case import Case
from whyload.findings.model import Finding, Severity
from whyload.findings.report import NotChecked, Question, Report, Verdict
from whyload.loader.windows.playback import Failure, PlayedLoad
from whyload.world.model import World


def answer(
    question: Question, case: Case, notes: Iterable[tuple[str, str]] = (), hazards: Iterable[object] = ()
) -> Report:
    """The report on one case.

    `notes` are (what, why) of what was not analysed on the way, `hazards` subjects that no failed load stands behind.
    """
    failure = case.playback.failure
    findings, unchecked = _judged(_subjects(question, case, hazards))
    verdict = _verdict(case, findings)
    if failure is not None and not findings:
        load = failed_load(case)
        unchecked.append(unexplained(load, failure) if load is not None else _python_error(failure))
    return Report(
        question=question,
        world=case.world.kind.value,
        python=str(case.world.python.executable),
        system=system_label(case.world),
        verdict=verdict,
        findings=tuple(findings),
        loads=case.playback.loads,
        facts=facts_of(case),
        not_checked=_not_checked(case, unchecked, notes),
        labels=case.paths,
    )


def _judged(subjects: list[object]) -> tuple[list[Finding], list[NotChecked]]:
    """Findings, and rules that could not say; without a subject no rule is loaded."""
    if not subjects:
        return [], []
    from whyload.engine.judge import judge

    return judge(subjects)


def unexplained(load: PlayedLoad, failure: Failure | None = None) -> NotChecked:
    """A load that fails for a reason that no rule names: what Windows, or Python, says of it."""
    status = load.tree.status
    said = failure.text if failure is not None and failure.text else ""
    detail = next((step.detail for step in reversed(load.tree.root.steps) if step.detail), "")
    error = f"Windows error {status.winerror} (0x{status.ntstatus:08X})" if status else ""
    return NotChecked(what=load.event.name, why=": ".join(part for part in (error, said or detail) if part))


def _python_error(failure: Failure) -> NotChecked:
    why = failure.text or (failure.raised.text if failure.raised else "")
    return NotChecked(what="the error of the Python code", why=f"{failure.exception}: {why}")


def _subjects(question: Question, case: Case, hazards: Iterable[object]) -> list[object]:
    if case.observed and case.playback.failure is None:
        return []  # it was seen to work
    load, playback = failed_load(case), case.playback
    subjects: list[object] = []
    # What a question does not need is not imported either: that would take longer than the answer.
    if load is not None:
        from whyload.facts.subjects import subjects_of

        subjects += subjects_of(case, load)
    if (load is None or not load.tree.status) and (playback.failure is not None or playback.modules):
        from whyload.facts.unavailable import unavailable_modules

        subjects += unavailable_modules(case)
    if question.modules or playback.modules or case.world.run is not None:
        from whyload.facts.shadows import shadowed_modules

        subjects += shadowed_modules(case, question.modules)
    return [*subjects, *hazards]


def _verdict(case: Case, findings: list[Finding]) -> Verdict:
    errors = any(finding.severity is Severity.ERROR for finding in findings)
    failure, load = case.playback.failure, failed_load(case)
    if failure is None:
        cut = any(item.tree.cut and not item.optional for item in case.playback.loads)
        return Verdict.DEGRADED if errors else Verdict.UNKNOWN if cut else Verdict.LOADS
    if errors or case.observed or load is not None:
        return Verdict.FAILS
    return Verdict.UNKNOWN


def _not_checked(case: Case, unchecked: list[NotChecked], notes: Iterable[tuple[str, str]]) -> tuple[NotChecked, ...]:
    found = [NotChecked(what=what, why=why) for what, why in (*case.world.unknown, *notes)]
    found += [NotChecked(what=name, why="it could not be loaded beforehand") for name in case.process.failed_preloads]
    failed = failed_load(case)
    for load in case.playback.loads:
        if load is failed or not load.optional:
            found += [NotChecked(what=load.event.name, why=reason) for reason in load.tree.uncertain]
    return tuple(dict.fromkeys((*found, *unchecked)))


def system_label(world: World) -> str:
    """The Windows of a world in a few words."""
    if world.system.profile:
        return world.system.profile
    build = f" build {world.system.build}" if world.system.build else ""
    return f"Windows{build}"


def facts_of(case: Case) -> dict[str, object]:
    """What is true of the world, for the report."""
    world = case.world
    return {
        "python": {
            "executable": str(world.python.executable),
            "version": str(world.python.version),
            "layout": world.python.layout.value,
            "venv": str(world.python.venv) if world.python.venv else None,
            "machine": case.process.machine.name.lower(),
        },
        "system": {
            "build": world.system.build,
            "edition": world.system.edition,
            "profile": world.system.profile,
            "machine": world.system.machine.name.lower(),
        },
        "process": {
            "application": str(case.process.application),
            "cwd": str(case.process.cwd),
            "added_dll_directories": [str(path) for path in case.process.added],
            "set_dll_directory": case.process.set_directory,
        },
    }
