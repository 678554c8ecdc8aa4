"""`whyload load FILE` and `whyload load --batch FILE|-`"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from whyload.api.worlds import WorldChoice, choice_of
from whyload.base.errors import UsageError, WhyloadError
from whyload.base.json_text import json_value
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.cli.call import call_of
from whyload.cli.output import JsonLayout, deliver, json_text, put
from whyload.report.punctuation import colon

if TYPE_CHECKING:
    from whyload.cli.arguments import Arguments


_SHAPE = Message(
    en='a question needs {"id", "root", "world", "file", "flags"}',
    zh='每个问题应为 {"id", "root", "world", "file", "flags"}',
)


def run(arguments: Arguments) -> int:
    """Answer one question, or one per line."""
    if arguments.batch is not None:
        _must_be_alone(arguments)
        return _batch(arguments)
    if arguments.file is None:
        raise UsageError(Message(en="load: name a file, or give --batch", zh="load：请指定文件，或使用 --batch"))
    from whyload.api.questions import ask_load

    how, flags = call_of(arguments.how, arguments.flags)
    report = ask_load(arguments.file, choice_of(vars(arguments)), how, flags)
    return deliver(report, arguments)


def _must_be_alone(arguments: Arguments) -> None:
    """Raises UsageError where more is given: every question of a batch says for itself what it is about."""
    given = [("--root", arguments.root), ("--world", arguments.world), ("--snapshot", arguments.snapshot)]
    given += [("--python", arguments.python), ("--flags", arguments.flags), ("--output", arguments.output)]
    given += [(f"--format {arguments.format}", arguments.format in ("html", "markdown")), ("FILE", arguments.file)]
    for name in (name for name, value in given if value):
        raise UsageError(
            Message(
                en=f"load: --batch goes without {name}: each line says what it asks, the answers go to standard output",
                zh=f"load：--batch 不能与 {name} 一起使用：每一行自己写明问题，结果写到标准输出",
            )
        )


def _batch(arguments: Arguments) -> int:
    """Stream reports in the order of the questions; a question that cannot be read is answered with its error."""
    answered = True
    for line in _lines(arguments.batch):
        if line.strip():
            text, good = _answer_line(line, arguments.lang)
            put(text)
            answered = answered and good
    return 0 if answered else 2


def _lines(name: str) -> Iterable[str]:
    if name == "-":
        return sys.stdin or ()
    from pathlib import Path

    try:
        return Path(name).read_text(encoding="utf-8-sig", errors="replace").split("\n")
    except OSError as error:
        raise UsageError(
            Message(en=f"cannot read {name}: {error.strerror}", zh=f"无法读取 {name}：{error.strerror}")
        ) from None


def _answer_line(line: str, language: str) -> tuple[str, bool]:

    from whyload.api.questions import ask_load

    identifier = None
    try:
        question = json_value(line)
        identifier = question.get("id") if isinstance(question, dict) else None
        if not isinstance(question, dict) or not isinstance(question.get("file"), str):
            raise UsageError(_SHAPE)
        choice = WorldChoice(root=_text(question, "root"), world=_text(question, "world"))
        how, flags = call_of("import", question.get("flags"))
        report = ask_load(question["file"], choice, how, flags)
        return json_text(report, language, identifier, layout=JsonLayout.LINE), True
    except WhyloadError as error:
        return _failed(identifier, error.text(language)), False
    except ValueError as error:
        return _failed(identifier, str(error)), False
    except Exception as error:  # a defect of ours must not end the stream
        defect = Message(en="a defect of whyload", zh="whyload 内部错误").text(language)
        return _failed(identifier, f"{defect}{colon(language)}{type(error).__name__}: {error}"), False


def _failed(identifier: object, why: str) -> str:
    import json

    return json.dumps({"id": identifier, "error": why}, ensure_ascii=False) + "\n"


def _text(question: dict[str, object], key: str) -> str | None:
    value = question.get(key)
    if value is not None and not isinstance(value, str):
        raise UsageError(
            Message(
                en=f"{key}: must be a text, not {type(value).__name__}",
                zh=f"{key}：应为字符串，而不是 {type(value).__name__}",
            )
        )
    return value or None
