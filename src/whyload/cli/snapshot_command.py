"""`whyload snapshot -o FILE [MODULE ... | -c CODE | SCRIPT [ARGS]]`"""

from __future__ import annotations

from whyload.api.worlds import choice_of
from whyload.base.errors import UsageError
from whyload.cli.arguments import Arguments
from whyload.cli.output import progress, put
from whyload.findings.report import Question, QuestionKind


def run(arguments: Arguments) -> int:
    """Write the file and say what is in it."""
    from whyload.api.snapshots import take_snapshot

    if arguments.output is None:
        raise UsageError("snapshot: name the file to write with -o FILE")
    question, rest = question_of(arguments.code, arguments.subject)
    choice = choice_of(vars(arguments))
    taken = take_snapshot(arguments.output, question, choice, rest)
    verdict = f", {taken.report.question.label}: {taken.report.verdict.value}" if taken.report is not None else ""
    put(f"{taken.path}: {taken.size / 1e6:.1f} MB, {taken.images} libraries, {taken.folders} folders{verdict}\n")
    progress(f"ask it anywhere: whyload import --snapshot {taken.path}")
    return 0


def question_of(code: str | None, subject: list[str]) -> tuple[Question | None, tuple[str, ...]]:
    """The question of a command that takes modules, a script with its arguments, or code; and the arguments."""
    if code is not None:
        return Question(kind=QuestionKind.RUN, code=code), tuple(subject)
    if not subject:
        return None, ()
    first, *rest = subject
    if first.lower().endswith((".py", ".pyw")) or any(mark in first for mark in "\\/"):
        return Question(kind=QuestionKind.RUN, script=first), tuple(rest)
    return Question(kind=QuestionKind.IMPORT, modules=tuple(subject)), ()
