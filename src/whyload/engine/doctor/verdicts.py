"""How much a suspect hurts: does an import fail because of it, is the installation damaged, or is it an optional part?

A suspect that an import comes to without a net is confirmed by the whole import, read and simulated as `whyload import`
does; where that works, the suspect was one only because the screening reads little, or the program lives without it.
"""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.dataclass import dataclass, field, replace
from whyload.base.message import Message
from whyload.engine.answer import unexplained
from whyload.engine.doctor.importers import Importers
from whyload.engine.doctor.screening import Suspect
from whyload.engine.doctor.survey import NativeFile
from whyload.engine.judge import judge, merge
from whyload.engine.static import ask_import
from whyload.facts.case import Case
from whyload.facts.subjects import subjects_of
from whyload.findings.model import Certainty, Finding, Severity
from whyload.findings.report import NotChecked, Question, QuestionKind, Report, Verdict
from whyload.world.model import World

_DAMAGE = frozenset(
    {
        *("corrupt-install", "antivirus-quarantine", "bitness-mismatch", "arch-mismatch", "not-a-library-file"),
        *("wrong-platform-binary", "python-version-mismatch", "python-abi-mismatch"),
        *("torch-abi-mismatch", "numpy-abi-mismatch", "file-locked-or-permission"),
    }
)
"""Causes that are an error in an extension module even where no import is known to come to it."""
_MOST_IMPORTS = 12
"""Whole imports that are read to confirm suspects; the rest of a badly broken environment stays `likely`."""


@dataclass(slots=True)
class Verdicts:
    """Findings of an environment, as they come in."""

    world: World
    importers: Importers
    findings: list[Finding] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)
    _reports: dict[str, Report | None] = field(default_factory=dict)
    _confirmed: set[tuple[str, str, str]] = field(default_factory=set)
    """(code, object, symbol) of causes for which an import was seen to fail."""

    def suspect(self, case: Case, suspect: Suspect) -> None:
        """Judge a load that failed by itself."""
        findings, unchecked = judge(subjects_of(case, suspect.load))
        self.not_checked += unchecked
        importer = self._importer(suspect.file, suspect.package)
        if not findings:
            if importer is not None and suspect.load.tree.status:
                self.not_checked.append(unexplained(suspect.load, suspect.failure))
            return
        self._take(findings, importer, suspect.file)

    def subjects(self, subjects: Iterable[object], file: NativeFile | None = None) -> None:
        """Judge what no failed load stands behind; `file`: the module that it is about, to be confirmed."""
        findings, unchecked = judge(subjects)
        self.not_checked += unchecked
        self._take(findings, self._importer(file, "") if file is not None else None, file)

    def part(self, subjects: Iterable[object], note: Message | None = None) -> None:
        """Judge what no import is known to come to, or not always: a warning at most."""
        findings, _ = judge(subjects)
        for finding in findings:
            notes = (note, *finding.notes) if note is not None else finding.notes
            merge(self.findings, replace(finding, severity=Severity.WARNING, notes=notes))

    def bare(self, package: str) -> None:
        """A package without native files cannot load somebody else's library: a warning, where its import fails."""
        report = self._report(package)
        for error in report.errors if report is not None else ():
            merge(self.findings, replace(error, severity=Severity.WARNING))

    def _importer(self, file: NativeFile | None, package: str) -> str | None:
        if file is None:
            return package
        return None if file.is_test else self.importers.of(file.module)

    def _take(self, findings: list[Finding], importer: str | None, file: NativeFile | None) -> None:
        for finding in findings:
            if importer is not None and self._fails(importer, finding):
                continue
            damaged = finding.code in _DAMAGE and (file is None or not file.is_test)
            severity = Severity.ERROR if damaged and importer is None else Severity.WARNING
            merge(self.findings, replace(finding, severity=min(severity, finding.severity, key=_mildest)))

    def _fails(self, importer: str, finding: Finding) -> bool:
        """Take the finding as the cause why `import importer` fails; False where that import works."""
        key = (finding.code, (finding.object or "").lower(), finding.symbol or "")
        if key in self._confirmed:
            merge(self.findings, finding)
            return True
        report = self._report(importer)
        if report is None or (report.verdict is Verdict.UNKNOWN and not report.errors):
            merge(self.findings, replace(finding, certainty=max(finding.certainty, Certainty.LIKELY, key=_unsurest)))
            return True
        if not report.errors and report.verdict is not Verdict.FAILS:
            return False
        for error in report.errors:
            self._confirmed.add((error.code, (error.object or "").lower(), error.symbol or ""))
            merge(self.findings, error)
        return True

    def _report(self, module: str) -> Report | None:
        """The whole import; None where enough of them were read."""
        if module not in self._reports:
            if len(self._reports) >= _MOST_IMPORTS:
                return None
            self._reports[module] = self._whole_import(module)
        return self._reports[module]

    def _whole_import(self, module: str) -> Report | None:
        try:
            return ask_import(self.world, Question(kind=QuestionKind.IMPORT, modules=(module,)))
        except Exception as error:  # a defect of ours in one package must not take the others along
            self.not_checked.append(broken(module, f"{type(error).__name__}: {error}"))
            return None


def broken(package: str, error: str) -> NotChecked:
    """The start-up of a package that could not be read because of a defect of ours."""
    what = Message(en=f"the start-up of {package}", zh=f"{package} 的启动过程")
    return NotChecked(what=what, why=Message(en=f"it could not be read: {error}", zh=f"读取时出错：{error}"))


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By how much they hurt: errors first, then by the number of files that fail for it, then by how sure they are."""
    order = (list(Severity).index, list(Certainty).index)
    return tuple(
        sorted(findings, key=lambda item: (order[0](item.severity), -len(item.affected), order[1](item.certainty)))
    )


def _mildest(severity: Severity) -> int:
    return -list(Severity).index(severity)


def _unsurest(certainty: Certainty) -> int:
    return list(Certainty).index(certainty)
