"""Remedies that need nothing but the machine itself are tried before a report is given."""

from __future__ import annotations

from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.findings.report import Question, Report
    from whyload.world.model import World


def tried(world: World, report: Report, question: Question) -> Report:
    """The report with those remedies marked that help, and without those that do not. The network is never asked."""
    changes = (change for finding in report.errors for remedy in finding.remedies for change in remedy.changes)
    if all(change.kind == "install" for change in changes):
        return report
    from whyload.engine.plan import verified
    from whyload.engine.static import ask

    return verified(world, report, lambda other: ask(other, question))
