"""The report as a value: the question, the verdict, the findings, the simulated loads, and what was not checked."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.message import Message, Text, message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.model import Finding, Severity

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.machine.all import MachineFacts
    from whyload.loader.windows.playback import PlayedLoad
    from whyload.remedies.outcome import Fix

SCHEMA = "whyload.report/1"


class Verdict(Enum):
    """The answer in one word; `degraded`: the import works, a part of it does not."""

    LOADS = "loads"
    FAILS = "fails"
    DEGRADED = "degraded"
    UNKNOWN = "unknown"


class QuestionKind(Enum):
    """Which command asked."""

    IMPORT = "import"
    RUN = "run"
    LOAD = "load"
    CHECK = "check"
    TREE = "tree"
    DOCTOR = "doctor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked, of which world."""

    kind: QuestionKind
    modules: tuple[str, ...] = ()
    code: str | None = None
    script: str | None = None
    file: str | None = None
    flags: int | None = None
    """Of LoadLibraryEx; None where `how` decides."""
    how: str = "import"
    """`import`, `ctypes` or `exe`, for `load` and `tree`."""
    targets: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The question in a word or two."""
        if self.kind is QuestionKind.CHECK and self.targets:
            return self.targets[0]
        if self.modules:
            return self.modules[0]
        return self.file or self.script or (self.targets[0] if self.targets else "-c")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotChecked:
    """Something that bears on the answer and could not be looked at."""

    what: Message
    why: Message


def not_checked(what: Text, why: Text) -> NotChecked:
    """The same from names and foreign texts, which need no translation."""
    return NotChecked(what=message(what), why=message(why))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole answer."""

    question: Question
    world: str
    python: str
    system: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    loads: tuple[PlayedLoad, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    machine: MachineFacts | None = None
    """What is true of the machine and the environment, where that was asked for (`doctor`)."""
    not_checked: tuple[NotChecked, ...] = ()
    labels: tuple[WinPath, ...] = ()
    """Folders that paths are shown relative to in texts."""
    fix: Fix | None = None
    """How `whyload fix` ended."""

    @property
    def affected(self) -> tuple[WinPath, ...]:
        """Files that fail as a consequence."""
        return tuple(dict.fromkeys(path for finding in self.findings for path in finding.affected))

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings that say why it fails."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    @property
    def exit_code(self) -> int:
        """0 it loads (also `degraded`), 1 it does not, 3 nothing could be established."""
        return {Verdict.LOADS: 0, Verdict.DEGRADED: 0, Verdict.FAILS: 1, Verdict.UNKNOWN: 3}[self.verdict]
