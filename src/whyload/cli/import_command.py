"""`whyload import MODULE ...`"""

from __future__ import annotations

from whyload.api.worlds import choice_of
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.cli.output import deliver

if TYPE_CHECKING:
    from whyload.cli.arguments import Arguments


def run(arguments: Arguments) -> int:
    """Answer and write the report. Without a module the program of the world file is examined."""
    from whyload.api.questions import ask_import

    for name in arguments.modules:
        _must_be_module(name)
    return deliver(ask_import(tuple(arguments.modules), choice_of(vars(arguments))), arguments)


def _must_be_module(name: str) -> None:
    """Raises UsageError where a file was named instead, with the command that takes it."""
    lower = name.lower()
    if not name.strip():
        raise UsageError(Message(en="import: the name of a module is empty", zh="import：模块名为空"))
    if lower.endswith((".dll", ".pyd")):
        raise UsageError(
            Message(
                en=f"import: {name} is a file, not a module; for a library: whyload load {name}",
                zh=f"import：{name} 是文件，不是模块；检查库文件请用：whyload load {name}",
            )
        )
    if lower.endswith((".py", ".pyw")):
        raise UsageError(
            Message(
                en=f"import: {name} is a file, not a module; for a program: whyload run {name}",
                zh=f"import：{name} 是文件，不是模块；检查程序请用：whyload run {name}",
            )
        )
    if any(mark in name for mark in "\\/"):
        raise UsageError(
            Message(en=f"import: {name} is a path, not the name of a module", zh=f"import：{name} 是路径，不是模块名")
        )
