"""`whyload run SCRIPT [ARGS ...] | -c CODE | -m MODULE`"""

from __future__ import annotations

import sys

from whyload.api.worlds import choice_of
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.cli.arguments import Arguments
from whyload.cli.output import deliver

_OURS = ("--root", "--world", "--python", "--snapshot")
"""Options that decide whether anything is executed here: they must not end up as the script's own by mistake."""


def run(arguments: Arguments) -> int:
    """Answer and write the report."""
    from whyload.api.questions import ask_run

    rest = list(arguments.arguments)
    if rest[:1] == ["--"]:
        rest = rest[1:]
    elif lost := [item for item in rest if item.partition("=")[0] in _OURS]:
        raise UsageError(
            Message(
                en=f"run: {lost[0]} must stand before the script; put -- before a script that takes it itself",
                zh=f"run：{lost[0]} 要写在脚本前面；如果这是脚本自己的选项，请在脚本前加 --",
            )
        )
    if arguments.code is not None and arguments.module is not None:
        raise UsageError(Message(en="run: give -c CODE or -m MODULE, not both", zh="run：-c 和 -m 只能用一个"))
    script = None
    if arguments.code is None and arguments.module is None:
        if not rest:
            raise UsageError(
                Message(
                    en="run: name a script, or give -c CODE or -m MODULE",
                    zh="run：请指定脚本，或使用 -c CODE 或 -m MODULE",
                )
            )
        script, *rest = rest
    report = ask_run(
        choice_of(vars(arguments)),
        code=arguments.code,
        script=script,
        module=arguments.module,
        arguments=tuple(rest),
        show=_show,
    )
    return deliver(report, arguments)


def _show(text: str) -> None:
    """The program's traceback, so that the answer stands below it."""
    if sys.stderr is not None:
        sys.stderr.write(text if text.endswith("\n") else f"{text}\n")
        sys.stderr.flush()
