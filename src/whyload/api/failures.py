"""The answer to a failure that happened in somebody's own program (runtime/explaining.py wrote it down)."""

from __future__ import annotations

import sys

from whyload.api.language import default_language
from whyload.api.live import observed_world
from whyload.api.worlds import WorldChoice
from whyload.base.errors import WhyloadError
from whyload.engine.observed import answer_observed
from whyload.findings.report import Question, QuestionKind, Report
from whyload.observe.observation import Observation
from whyload.observe.reading import Ending, read_observation
from whyload.report.layout import Look
from whyload.report.text import report_text
from whyload.world.live import open_live_world

_OF_A_PROGRAM = ("__main__", "")


def main(record: str, language: str = "") -> None:
    """Print why it failed; nothing where no cause can be named."""
    from pathlib import Path

    try:
        report = explain_failure(Path(record).read_bytes())
    except (WhyloadError, OSError):
        return
    if report is not None:
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
        sys.stdout.write(report_text(report, Look(language=language or default_language())))


def explain_failure(record: bytes) -> Report | None:
    """From the process as it was when it failed; where that explains nothing, the import is tried again and watched."""
    observation = read_observation(record, Ending(exit_status=1))
    module = failed_module(observation)
    question = Question(kind=QuestionKind.RUN, modules=(module,) if module else ())
    report = answer_observed(open_live_world(facts=observation.python), question, observation)
    if report.errors or not module:
        return report if report.errors else None
    again = Question(kind=QuestionKind.IMPORT, modules=(module,))
    world, observation = observed_world(again, WorldChoice())
    report = answer_observed(world, again, observation)
    return report if report.errors else None


def failed_module(observation: Observation) -> str | None:
    """The package whose import failed: the one whose code, or whose extension module, raised the error."""
    for error in observation.exceptions:
        for frame in reversed(error.frames):
            top = frame.module.partition(".")[0]
            if top not in (*_OF_A_PROGRAM, "importlib", "ctypes", "runpy"):
                return top
        if error.name:
            return error.name.partition(".")[0]
    return None
