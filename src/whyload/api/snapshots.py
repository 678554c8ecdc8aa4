"""Snapshots: taking one of a machine, and asking one the questions that the machine would be asked."""

from __future__ import annotations

from pathlib import Path

from whyload.api.worlds import WorldChoice, open_world, recorded_world
from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.room import with_room
from whyload.engine.evidence import ask_recorded, gather, question_of
from whyload.engine.observed import answer_observed
from whyload.findings.report import Question, QuestionKind, Report
from whyload.observe.observation import Observation
from whyload.world.model import Layout, World
from whyload.world.snapshot.provider import open_snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was written."""

    path: str
    size: int
    """Bytes of the file."""
    folders: int
    images: int
    report: Report | None
    """The answer to the question, as this machine gives it."""


def take_snapshot(
    output: str, question: Question | None, choice: WorldChoice, arguments: tuple[str, ...] = ()
) -> Taken:
    """Ask the question of the machine that is meant (live: by a real run), and write what the answer rests on.

    Raises UsageError where the machine cannot be examined or the file cannot be written.
    """
    from whyload.api.snapshot_file import SnapshotFile

    world, observation = _machine(question, choice, arguments)
    question = question or question_of(world.run) or _frozen_question(world)
    evidence = gather(world, question, observation)
    folders, images = with_room(lambda: SnapshotFile(evidence, question, observation).write(output))
    return Taken(path=output, size=Path(output).stat().st_size, folders=folders, images=images, report=evidence.report)


def _machine(
    question: Question | None, choice: WorldChoice, arguments: tuple[str, ...]
) -> tuple[World, Observation | None]:
    if choice.snapshot is not None:
        raise UsageError(
            Message(
                en="snapshot: --snapshot names a machine that is recorded already",
                zh="snapshot：--snapshot 指定的机器已经记录下来了",
            )
        )
    if not choice.is_live:
        return open_world(choice), None
    from whyload.api.live import live_world, observed_world

    if question is None:
        return live_world(choice, thorough=True), None
    return observed_world(question, choice, arguments, thorough=True)


def _frozen_question(world: World) -> Question | None:
    frozen = world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER)
    return Question(kind=QuestionKind.RUN, file=str(world.python.executable)) if frozen else None


def ask_snapshot(choice: WorldChoice, question: Question | None) -> Report:
    """Answer from a snapshot; without a question the one that it was taken for.

    The question that was really run there is answered from that run, every other one by simulation.
    """
    snapshot = open_snapshot(choice.snapshot or "")
    taken = snapshot.part("question", Question)
    if question is None:
        question = taken
    if question is None:
        raise UsageError(
            Message(
                en=f"{snapshot.path}: it was taken without a question; name a module, a script or -c CODE",
                zh=f"{snapshot.path}：生成快照时没有指定问题；请指定模块、脚本或 -c CODE",
            )
        )
    world = recorded_world(snapshot)
    if taken is None or not _is_same(question, taken):
        return ask_recorded(world, question)
    observation = with_room(lambda: snapshot.part("observation", Observation))
    if observation is None:
        return ask_recorded(world, taken)
    return answer_observed(world, taken, observation)


def _is_same(question: Question, taken: Question) -> bool:
    """A script is known by its name: where it lay is redacted."""
    if question.script is not None and taken.script is not None:
        return WinPath(question.script).name.lower() == WinPath(taken.script).name.lower()
    asked = (question.modules, question.code, question.script, question.file)
    return asked == (taken.modules, taken.code, taken.script, taken.file)
