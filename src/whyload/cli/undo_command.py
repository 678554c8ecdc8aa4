"""`whyload undo`: the last `whyload fix` of an environment is taken back, byte for byte."""

from __future__ import annotations

import sys
from pathlib import Path

from whyload.api.fixing import environment_places
from whyload.api.worlds import WorldChoice, choice_of
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.cli.arguments import Arguments
from whyload.cli.output import progress_in, put
from whyload.report.fix import NO_CONSENT, UNDO, UNDONE
from whyload.report.punctuation import colon, parted
from whyload.world.apply.state import EnvironmentState
from whyload.world.apply.undo import SessionView, open_sessions, undo_run, view
from whyload.world.interpreter import find_launch


def run(arguments: Arguments) -> int:
    """Say what is taken back, ask, and do it."""
    choice = choice_of(vars(arguments))
    if not choice.is_live:
        raise UsageError(
            Message(
                en="undo: a folder or a recorded world was never changed",
                zh="undo：目录或快照代表的机器从未改动过，没有可撤销的内容",
            )
        )
    state = EnvironmentState(_prefix(choice))
    with state.locked():
        sessions = _last_run(state)
        if not sessions:
            raise UsageError(
                Message(
                    en=f"nothing was applied to {state.prefix}, or it was undone already",
                    zh=f"{state.prefix} 没有应用过修复，或者已经撤销",
                )
            )
        if not _consent(sessions, arguments):
            progress_in(arguments.lang)(NO_CONSENT)
            return 1
        undo_run([item.session for item in sessions], sessions[-1].site, force=arguments.force)
        state.clear_scratch()
    put(f"{UNDONE.text(arguments.lang)}{colon(arguments.lang)}{_label(sessions, arguments.lang)}\n")
    return 0


def _prefix(choice: WorldChoice) -> Path:
    """The environment's folder. An interpreter that does not start any more cannot say it: a reason to go back."""
    try:
        return environment_places(choice).prefix
    except UsageError:
        launch = find_launch(choice.python)
        return Path(launch.venv) if launch.venv else Path(launch.image).parent


def _last_run(state: EnvironmentState) -> list[SessionView]:
    """The sessions of the last run, oldest first."""
    sessions = [view(path) for path in open_sessions(state)]
    return [item for item in sessions if item.run == sessions[-1].run]


def _label(sessions: list[SessionView], language: str) -> str:
    return parted((title.text(language) for item in sessions for title in item.titles), language)


def _consent(sessions: list[SessionView], arguments: Arguments) -> bool:
    if arguments.yes:
        return True
    print(f"{_label(sessions, arguments.lang)}\n{UNDO.text(arguments.lang)}", end=" ", file=sys.stderr, flush=True)
    if sys.stdin is None or not sys.stdin.isatty():
        print(file=sys.stderr)
        return False
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是")
