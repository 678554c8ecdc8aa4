"""From a case to a report: subjects, rules, verdict, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.dataclass import replace
from whyload.base.message import Message, Text, message
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.engine.simulate import failed_load
from whyload.findings.model import Finding, Severity
from whyload.findings.report import NotChecked, Question, QuestionKind, Report, Verdict, not_checked

if TYPE_CHECKING:
    from whyload.facts.case import Case
    from whyload.facts.ending import Ending, ReportedError
    from whyload.facts.numpy_builds import BuiltForOldNumpy
    from whyload.facts.runtimes import RuntimeTooOld
    from whyload.loader.windows.playback import Failure, PlayedLoad
    from whyload.world.model import World

    Hazard = RuntimeTooOld | BuiltForOldNumpy


def answer(
    question: Question,
    case: Case,
    notes: Iterable[tuple[Text, Text]] = (),
    hazards: Iterable[Hazard] = (),
    ending: Ending | None = None,
    *,
    doubts: Iterable[NotChecked] = (),
    is_whole: bool = True,
) -> Report:
    """The report on one case.

    `notes` are (what, why) of what was not analysed on the way, `hazards` subjects that no failed load stands behind,
    `ending` is what a run that was watched said at its end, `doubts` what is to be said of it where nothing explains
    it, `is_whole` False where the program was not read to its end.
    """
    failure = case.playback.failure
    error = _error(question, case, ending)
    hazards = tuple(hazards)
    findings, unchecked = _found(question, case, hazards, error)
    verdict = _verdict(question, case, findings, error, is_whole=is_whole, hazards=hazards)
    if case.playback.caught and not case.observed and verdict in (Verdict.LOADS, Verdict.UNKNOWN) and error is None:
        from whyload.engine.parts import of_lost_parts

        parts = of_lost_parts(case)
        if _errors(parts):
            verdict = Verdict.FAILS
        elif parts and verdict is Verdict.LOADS:
            verdict = Verdict.DEGRADED
        findings += parts
    if not _errors(findings):
        unchecked += doubts
    if error is not None and verdict is Verdict.UNKNOWN and failure is None:
        unchecked.append(_not_explained(error))
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


def _found(
    question: Question, case: Case, hazards: tuple[Hazard, ...], error: ReportedError | None
) -> tuple[list[Finding], list[NotChecked]]:
    """Findings, what is required and not met where nothing else explains the end, and rules that could not say."""
    findings, unchecked = with_said(error, *_judged(_subjects(question, case, hazards, error)))
    fails = error is not None or case.playback.failure is not None
    if fails and not _errors(findings) and not case.is_frozen:
        from whyload.facts.unmet import unmet_requirement

        unmet = unmet_requirement(case, error)
        last, broken = _judged([unmet] if unmet is not None else [])
        findings, unchecked = [*last, *findings], [*unchecked, *broken]
    return _as_said_there(findings, case.world), unchecked


def _as_said_there(findings: list[Finding], world: World) -> list[Finding]:
    """Remedies in the words of the installer that the environment was made with."""
    if not any(finding.remedies for finding in findings):
        return findings
    from whyload.remedies.installers import as_said_there

    return [replace(f, remedies=tuple(as_said_there(remedy, world) for remedy in f.remedies)) for f in findings]


def with_said(
    error: ReportedError | None, findings: list[Finding], unchecked: list[NotChecked]
) -> tuple[list[Finding], list[NotChecked]]:
    """What the error says by itself comes first; what it may mean comes in where nothing else explains it."""
    if error is None:
        return findings, unchecked
    for subject in (error, error.unexplained):
        if not _errors(findings) or subject is error:
            said, broken = _judged([subject])
            findings, unchecked = _put_first(said, findings), [*unchecked, *broken]
    return findings, unchecked


def _put_first(said: list[Finding], findings: list[Finding]) -> list[Finding]:
    codes = {finding.code for finding in said}
    seen = {finding.code: finding for finding in reversed(findings) if finding.code in codes}
    first = [_joined(finding, seen.get(finding.code)) for finding in said]
    return [*first, *(finding for finding in findings if finding.code not in codes)]


def _joined(said: Finding, seen: Finding | None) -> Finding:
    """One cause that the error told and the simulation shows: whichever knows the file, as sure as the error."""
    if seen is None or said.culprit is not None:
        return said
    return replace(
        seen,
        severity=said.severity,
        certainty=said.certainty,
        os_error=said.os_error or seen.os_error,
        evidence=(*said.evidence, *seen.evidence),
    )


def described_error(case: Case) -> ReportedError | None:
    """The error that the description of the machine has."""
    return _error(Question(kind=QuestionKind.RUN), case, None)


def _judged(subjects: list[object]) -> tuple[list[Finding], list[NotChecked]]:
    """Findings, and rules that could not say; without a subject no rule is loaded."""
    if not subjects:
        return [], []
    from whyload.engine.judge import judge

    return judge(subjects)


def _error(question: Question, case: Case, ending: Ending | None) -> ReportedError | None:
    """The error that ended the run: as it was watched, or as the description of the machine has it."""
    described = _described(question, case)
    if ending is None and not described:
        return None
    from whyload.facts.error_text import ending_of_text, reported_error

    ending = ending or ending_of_text(described)
    return reported_error(case, ending) if ending.raised else None


def _errors(findings: Iterable[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _not_explained(error: ReportedError) -> NotChecked:
    said = error.ending.text[:300]
    return NotChecked(
        what=Message(en="the error given in the description", zh="描述中给出的报错"),
        why=Message(en=f"nothing that was found explains it: {said}", zh=f"检查结果都不能解释它：{said}"),
    )


def unexplained(load: PlayedLoad, failure: Failure | None = None) -> NotChecked:
    """A load that fails for a reason that no rule names: what Windows, or Python, says of it."""
    status = load.tree.status
    said = failure.text if failure is not None and failure.text else ""
    detail = next((step.detail for step in reversed(load.tree.root.steps) if step.detail), "")
    number = f"{status.winerror} (0x{status.ntstatus:08X})"
    en, zh = (f"Windows error {number}", f"Windows 错误 {number}") if status else ("", "")
    rest = message(detail if status else said)
    why = Message(
        en=": ".join(part for part in (en, rest.en) if part), zh="：".join(part for part in (zh, rest.zh) if part)
    )
    return not_checked(load.event.name, why)


def _python_error(failure: Failure) -> NotChecked:
    why = failure.text or (failure.raised.text if failure.raised else "")
    what = Message(en="what follows the error in the Python code", zh="Python 代码报错之后的部分")
    return not_checked(what, f"{failure.exception}: {why}")


_PACKAGES = Message(
    en="the package graph of the Microsoft Store's Python", zh="Microsoft Store 版 Python 的应用包依赖图"
)
_NO_PACKAGES = Message(
    en="a library can also come from an app package that this one depends on; those are not examined",
    zh="库也可能来自它所依赖的其他应用包，这些包未作检查",
)


def _subjects(question: Question, case: Case, hazards: Iterable[Hazard], error: ReportedError | None) -> list[object]:
    if case.observed and case.playback.failure is None:
        return []  # it was seen to work
    load, playback = failed_load(case), case.playback
    said = error.ending.text if error is not None else ""
    subjects: list[object] = []
    # What a question does not need is not imported either: that would take longer than the answer.
    if load is not None:
        from whyload.facts.subjects import subjects_of

        subjects += subjects_of(case, load)
    if (load is None or not load.tree.status) and (playback.failure is not None or playback.modules or said):
        from whyload.facts.unavailable import unavailable_modules

        subjects += unavailable_modules(case, said)
    if question.modules or playback.modules or case.world.run is not None:
        from whyload.facts.shadows import shadowed_modules

        subjects += shadowed_modules(case, question.modules, said)
    if not subjects:
        subjects += _delayed(question, case, error)
    if not subjects and error is not None and playback.failure is None:
        subjects += _lived_without(case, error)
    return [*subjects, *hazards, *_around(case, error.ending if error else None)]


FOR_WANT = frozenset({"AttributeError", "ImportError", "NameError", "NotImplementedError", "RuntimeError"})
"""What programs raise where a part of them is not there."""


def _lived_without(case: Case, error: ReportedError) -> list[object]:
    """Libraries that did not load and that the program lived without, until it failed for want of what they bring: of
    packages that the traceback leads through.
    """
    from whyload.facts.subjects import subjects_of

    if error.ending.text.partition(":")[0].rpartition(".")[2] not in FOR_WANT:
        return []
    found: list[object] = []
    for failure in case.playback.caught:
        load = failure.load
        if load is None or not load.tree.status:
            continue
        if f"\\{WinPath(load.event.name).parent.name}\\" in error.ending.output:
            found += subjects_of(case, replace(load, event=replace(load.event, is_likely=True)))
    return found


def _delayed(question: Question, case: Case, error: ReportedError | None) -> list[object]:
    """What only a run shows: that an absent delay import was needed."""
    said = error.ending.output if error is not None else _described(question, case)
    if not said and (error is None or error.ending.ntstatus is None):
        return []
    from whyload.facts.delayed import missed_delay_imports

    load, status = (error.load, error.ending.ntstatus) if error is not None else (None, None)
    return list(missed_delay_imports(case, said, load, status))


def _described(question: Question, case: Case) -> str:
    """The text that the description of a machine has of the run."""
    asked = question.kind in (QuestionKind.IMPORT, QuestionKind.RUN)
    return case.world.traceback or "" if asked else ""


def _around(case: Case, ending: Ending | None) -> Iterator[object]:
    """What no single load is about: a folder that a variable names, two OpenMP runtimes in the process."""
    if case.playback.failure is not None:
        from whyload.facts.variables import gone_folder

        folder = gone_folder(case, ending.text if ending else None)
        yield from () if folder is None else (folder,)
    runtimes = [module.path for module in case.process.modules if "omp" in module.name]
    if len(runtimes) > 1:
        from whyload.facts.openmp import clashing_openmp

        pair = clashing_openmp(case, runtimes)
        yield from () if pair is None else (pair,)


def _verdict(
    question: Question,
    case: Case,
    findings: list[Finding],
    error: ReportedError | None,
    *,
    is_whole: bool,
    hazards: tuple[Hazard, ...],
) -> Verdict:
    errors = _errors(findings)
    failure = case.playback.failure
    if case.observed and failure is not None:
        return Verdict.FAILS if errors or _is_about_loading(question, case, error) else Verdict.UNKNOWN
    if failure is not None:
        return Verdict.FAILS if errors or failed_load(case) is not None else Verdict.UNKNOWN
    if error is not None and (errors or _is_about_loading(question, case, error)):
        return Verdict.FAILS if errors else Verdict.UNKNOWN
    if errors and any(hazard.ends_the_run for hazard in hazards):
        return Verdict.FAILS  # every load succeeds as far as files decide, and what one of them loads ends the program
    cut = any(item.tree.cut and not item.optional for item in case.playback.loads)
    return Verdict.DEGRADED if errors else Verdict.UNKNOWN if cut or not is_whole else Verdict.LOADS


def _is_about_loading(question: Question, case: Case, error: ReportedError | None) -> bool:
    """An import that raises fails; a program that ends with an error of its own says nothing of libraries."""
    ending = error.ending if error is not None else None
    if not case.observed:
        return ending is not None and (ending.is_about_loading or ending.file is not None)
    importing = question.kind is QuestionKind.IMPORT and ending is not None and ending.raised
    return bool(case.playback.loads) or importing or (ending is not None and ending.is_about_loading)


def _not_checked(case: Case, unchecked: list[NotChecked], notes: Iterable[tuple[Text, Text]]) -> tuple[NotChecked, ...]:
    found = [not_checked(what, why) for what, why in (*case.world.unknown, *notes)]
    if case.process.packaged:  # R2.56: whose packages a search would pass is nowhere in the files
        found.append(NotChecked(what=_PACKAGES, why=_NO_PACKAGES))
    beforehand = Message(en="it could not be loaded beforehand", zh="未能预先加载它")
    found += [not_checked(name, beforehand) for name in case.process.failed_preloads]
    failed = failed_load(case)
    for load in case.playback.loads:
        if load is failed or not load.optional:
            found += [not_checked(load.event.name, reason) for reason in load.tree.uncertain]
    return tuple(dict.fromkeys((*unchecked, *found)))  # why there is no answer stands before what was assumed


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
