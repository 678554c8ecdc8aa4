"""Writes a report where the person wants it: data on standard output, talk on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from whyload.base.enumeration import Enum
from whyload.base.errors import UsageError
from whyload.base.message import Message, Text, message
from whyload.base.typing import TYPE_CHECKING
from whyload.report.punctuation import colon

if TYPE_CHECKING:  # `cause` and `schema` have no report
    from whyload.cli.arguments import Arguments
    from whyload.findings.report import Report


def deliver(report: Report, arguments: Arguments) -> int:
    """Write the report in the wanted format. Returns the exit code."""
    write(render(report, arguments), arguments)
    return report.exit_code


def render(report: Report, arguments: Arguments, *, in_lines: bool = False) -> str:
    """The report as text of the wanted format; `in_lines`: as JSON it has a single line, others follow."""
    if arguments.format == "json":
        return json_text(report, arguments.lang, layout=JsonLayout.LINE if in_lines else _json_layout(arguments))
    if arguments.format == "markdown":
        from whyload.base.redaction import Redaction
        from whyload.report.markdown import report_markdown

        text = report_markdown(report, arguments.lang)  # meant to be pasted where others read it
        return Redaction.of_environment(os.environ, texts=[text]).text(text)
    if arguments.format == "html":
        from whyload.report.html import report_html

        return report_html(report, arguments.lang)
    from whyload.report.layout import Look
    from whyload.report.text import report_text

    look = Look(language=arguments.lang, colour=wants_colour(arguments), verbose=arguments.verbose)
    return report_text(report, look)


class JsonLayout(Enum):
    """How much of the nesting of a JSON text is shown by its lines."""

    LINE = "line"
    ROWS = "rows"
    """A line for every key of the report, and for every finding. With lines for the inner ones too, the standard
    library writes in Python instead of C, at ten times the price."""
    INDENTED = "indented"


def _json_layout(arguments: Arguments) -> JsonLayout:
    for_eyes = arguments.output is None and sys.stdout is not None and sys.stdout.isatty()
    return JsonLayout.INDENTED if for_eyes else JsonLayout.ROWS


def json_text(
    report: Report, language: str, identifier: object = None, *, layout: JsonLayout = JsonLayout.INDENTED
) -> str:
    """The report as JSON, with the `id` of a question of a batch where there is one."""
    import json

    from whyload.report.as_json import report_values

    values = report_values(report, language)
    if identifier is not None:
        values["id"] = identifier
    if layout is not JsonLayout.ROWS:
        indent = 1 if layout is JsonLayout.INDENTED else None
        return json.dumps(values, indent=indent, ensure_ascii=False) + "\n"
    encoded = json.JSONEncoder(ensure_ascii=False).encode
    rows = (f" {encoded(key)}: {_rows(value, encoded)}" for key, value in values.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _rows(value: object, encoded: Callable[[object], str]) -> str:
    if not isinstance(value, list) or not value:
        return encoded(value)
    return "[\n  " + ",\n  ".join(map(encoded, value)) + "\n ]"


def write(text: str, arguments: Arguments) -> None:
    """Put text into the named file, or on standard output."""
    if arguments.output is None:
        put(text)
        return
    from pathlib import Path

    try:
        Path(arguments.output).write_text(text, encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        raise UsageError(not_written(arguments.output, error)) from None


def not_written(file: object, error: OSError | ValueError) -> Message:
    """Why a file could not be written."""
    why = getattr(error, "strerror", None) or error
    return Message(en=f"cannot write {file}: {why}", zh=f"无法写入 {file}：{why}")


def put(text: str) -> None:
    """Put text on standard output, where the program has one."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(
            Message(
                en=f"cannot write the report: {error.strerror or error}", zh=f"无法输出报告：{error.strerror or error}"
            )
        ) from None


def wants_colour(arguments: Arguments) -> bool:
    """Colour only on a terminal, and not where the person or NO_COLOR forbids it."""
    return (
        not arguments.no_color
        and arguments.output is None
        and not os.environ.get("NO_COLOR")
        and sys.stdout is not None
        and sys.stdout.isatty()
        and os.environ.get("TERM") != "dumb"
    )


def progress_in(language: str) -> Callable[[Text], None]:
    """What tells the person, in their language, what takes time."""

    def tell(said: Text) -> None:
        print(f"whyload{colon(language)}{message(said).text(language)}", file=sys.stderr, flush=True)

    return tell
