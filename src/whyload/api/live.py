"""Questions about this machine: the real run in a child process, then the simulation from the context it had."""

from __future__ import annotations

import os
from collections.abc import Callable

from whyload.api.trial import tried
from whyload.api.worlds import WorldChoice
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.engine.observed import answer_observed
from whyload.findings.report import Question, QuestionKind, Report
from whyload.observe.observation import (
    Observation,
    Outcome,
    RunQuestion,
    ask_code,
    ask_imports,
    ask_module,
    ask_script,
)
from whyload.observe.run import ask_interpreter, observe
from whyload.world.interpreter import find_launch, misled_by
from whyload.world.live import open_live_world
from whyload.world.model import World


def ask_live_import(modules: tuple[str, ...], choice: WorldChoice) -> Report:
    """Import the modules in the target interpreter and say what happened and why."""
    return _ask(Question(kind=QuestionKind.IMPORT, modules=modules), choice)


def ask_live_run(
    choice: WorldChoice,
    *,
    code: str | None,
    script: str | None,
    module: str | None,
    arguments: tuple[str, ...],
    show: Callable[[str], None],
) -> Report:
    """Run a program in the target interpreter and say what happened and why; `show` gets its error output."""
    question = Question(kind=QuestionKind.RUN, code=code, script=script, modules=(module,) if module else ())
    world, observation = observed_world(question, choice, arguments)
    if observation.stderr:
        show(observation.stderr)
    return tried(world, answer_observed(world, question, observation), question)


def _ask(question: Question, choice: WorldChoice) -> Report:
    world, observation = observed_world(question, choice)
    return tried(world, answer_observed(world, question, observation), question)


def observed_world(
    question: Question, choice: WorldChoice, arguments: tuple[str, ...] = (), *, thorough: bool = False
) -> tuple[World, Observation]:
    """This machine, and what happened in it when the question was really run; `thorough` as for `open_live_world`.

    Raises UsageError where it cannot be.
    """
    open_live_world(choice.python)  # says at once where this machine cannot be examined
    observation = observe(_run_of(question, arguments), find_launch(choice.python), timeout=choice.timeout)
    if observation.outcome is Outcome.NOT_STARTED:
        raise UsageError(_not_started(observation))
    thorough = thorough or not observation.succeeded
    return open_live_world(choice.python, facts=observation.python, thorough=thorough), observation


def _run_of(question: Question, arguments: tuple[str, ...]) -> RunQuestion:
    if question.kind is QuestionKind.IMPORT:
        return ask_imports(*question.modules)
    if question.code is not None:
        return ask_code(question.code, arguments, stdin=True)
    if question.modules:
        return ask_module(question.modules[0], arguments, stdin=True)
    return ask_script(question.script or "", arguments, stdin=True)


def _not_started(observation: Observation) -> Message:
    last = observation.stderr.strip().splitlines()[-1:]
    hint = misled_by(os.environ)
    status = observation.exit_status
    return Message(
        en=f"the interpreter does not start (exit status {status}): {last[0] if last else 'it said nothing'}{hint.en}",
        zh=f"解释器无法启动（退出状态 {status}）：{last[0] if last else '没有任何输出'}{hint.zh}",
    )


def live_world(choice: WorldChoice, *, thorough: bool = False) -> World:
    """This machine without a run: for the tree of a file, for a single load, and (thorough) for `doctor`."""
    facts = ask_interpreter(find_launch(choice.python)).python if choice.python else None
    return open_live_world(choice.python, facts=facts, thorough=thorough)
