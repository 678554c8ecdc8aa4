"""The questions: import, run, load, tree; each with the world that it is about."""

from __future__ import annotations

from collections.abc import Callable

from whyload.api.worlds import WorldChoice, open_world
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.findings.report import Question, QuestionKind, Report
from whyload.world.model import Layout, RunRequest, World


def ask_import(modules: tuple[str, ...], choice: WorldChoice) -> Report:
    """Why does importing these modules fail? Without any, in a described world, its program is examined."""
    if choice.is_live:
        if not modules:
            raise UsageError(Message(en="import: name a module", zh="import：请指定模块名"))
        from whyload.api.live import ask_live_import

        return ask_live_import(modules, choice)
    return ask_described(choice, Question(kind=QuestionKind.IMPORT, modules=modules) if modules else None)


def ask_described(choice: WorldChoice, question: Question | None) -> Report:
    """A question about a world that is not live; without one, the program or the question that it was made for."""
    if choice.snapshot is not None:
        from whyload.api.snapshots import ask_snapshot

        return ask_snapshot(choice, question)
    world = open_world(choice)
    return _ask_program(world) if question is None else _answered(world, question)


def _ask_program(world: World) -> Report:
    run = world.run or RunRequest()
    if run.code is not None:
        return _answered(world, _program(run.code, None, None))
    if run.script is not None or run.module is not None:
        return _answered(world, _program(None, str(run.script) if run.script is not None else None, run.module))
    if world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        from whyload.engine.bundle import ask_bundle

        return ask_bundle(world)
    raise UsageError(
        Message(
            en="import: name a module, or give `run` in the world file",
            zh="import：请指定模块名，或在机器描述文件中写明 `run`",
        )
    )


def ask_run(
    choice: WorldChoice,
    *,
    code: str | None = None,
    script: str | None = None,
    module: str | None = None,
    arguments: tuple[str, ...] = (),
    show: Callable[[str], None] = lambda text: None,
) -> Report:
    """The same question for a program; `show` gets the error output of one that is really run."""
    if choice.is_live:
        from whyload.api.live import ask_live_run

        return ask_live_run(choice, code=code, script=script, module=module, arguments=arguments, show=show)
    return ask_described(choice, _program(code, script, module))


def _program(code: str | None, script: str | None, module: str | None) -> Question:
    """A program as a question."""
    modules = (module,) if module is not None and code is None and script is None else ()
    return Question(kind=QuestionKind.RUN, modules=modules, code=code, script=script)


def _answered(world: World, question: Question) -> Report:
    """The answer for a described world; remedies that need nothing but the machine itself are tried."""
    from whyload.api.trial import tried
    from whyload.engine.static import ask

    return tried(world, ask(world, question), question)


def ask_load(
    file: str, choice: WorldChoice, how: str, flags: int | None, kind: QuestionKind = QuestionKind.LOAD
) -> Report:
    """The same question for one library and one call; without `flags` as `how` loads it."""
    from whyload.engine.call import ask_load as ask

    return ask(_world(choice), Question(kind=kind, file=file, how=how, flags=flags))


def ask_tree(target: str, choice: WorldChoice, how: str, flags: int | None) -> Report:
    """The tree of a file, or of what importing a module loads."""
    if any(mark in target for mark in "\\/") or target.lower().endswith((".dll", ".pyd", ".exe")):
        return ask_load(target, choice, how, flags, kind=QuestionKind.TREE)
    from whyload.engine.static import ask_import as ask

    return ask(_world(choice), Question(kind=QuestionKind.TREE, modules=(target,)))


def _world(choice: WorldChoice) -> World:
    """The world of a choice, of this machine too: nothing runs in it."""
    if not choice.is_live:
        return open_world(choice)
    from whyload.api.live import live_world

    return live_world(choice)
