"""`whyload cause [CODE]`"""

from __future__ import annotations

from whyload.api.pages import cause_list, cause_page, cause_page_markdown
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.cli.arguments import Arguments
from whyload.cli.output import write


def run(arguments: Arguments) -> int:
    """Show the page on one cause, or the list of all."""
    if arguments.format not in ("text", "markdown"):
        raise UsageError(
            Message(
                en=f"cause: --format {arguments.format} is for reports; a page is text or markdown",
                zh=f"cause：--format {arguments.format} 只用于报告；说明页只能是 text 或 markdown",
            )
        )
    code = arguments.code
    page = cause_page_markdown if arguments.format == "markdown" else cause_page
    text = page(code, arguments.lang) if code else cause_list(arguments.lang)
    write(text, arguments)
    return 0
