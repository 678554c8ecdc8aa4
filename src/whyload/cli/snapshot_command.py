"""`whyload snapshot -o FILE [MODULE ... | -c CODE | SCRIPT [ARGS]]`"""

from __future__ import annotations

from whyload.api.worlds import choice_of
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.cli.arguments import Arguments
from whyload.cli.output import progress_in, put
from whyload.findings.report import Question, QuestionKind
from whyload.report.terms import VERDICT

if TYPE_CHECKING:
    from whyload.api.snapshots import Taken


def run(arguments: Arguments) -> int:
    """Write the file and say what is in it."""
    from whyload.api.snapshots import take_snapshot

    if arguments.output is None:
        raise UsageError(
            Message(en="snapshot: name the file to write with -o FILE", zh="snapshot：请用 -o FILE 指定要写入的文件")
        )
    question, rest = question_of(arguments.code, arguments.subject)
    choice = choice_of(vars(arguments))
    taken = take_snapshot(arguments.output, question, choice, rest)
    put(f"{_contents(taken).text(arguments.lang)}\n")
    command = f"whyload import --snapshot {taken.path}"
    progress_in(arguments.lang)(Message(en=f"ask it anywhere: {command}", zh=f"在任何机器上都可以这样分析：{command}"))
    return 0


def _contents(taken: Taken) -> Message:
    """What is in the file, and the answer to its question."""
    size, answer = f"{taken.size / 1e6:.1f} MB", ("", "")
    if taken.report is not None:
        label, verdict = taken.report.question.label, VERDICT[taken.report.verdict]
        answer = f", {label}: {verdict.en}", f"，{label}：{verdict.zh}"
    return Message(
        en=f"{taken.path}: {size}, {taken.images} libraries, {taken.folders} folders{answer[0]}",
        zh=f"{taken.path}：{size}，{taken.images} 个库文件，{taken.folders} 个目录{answer[1]}",
    )


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
