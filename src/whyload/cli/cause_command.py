"""`whyload cause [CODE]`"""

from __future__ import annotations

from whyload.api.pages import cause_list, cause_page, cause_page_markdown
from whyload.cli.arguments import Arguments
from whyload.cli.output import write


def run(arguments: Arguments) -> int:
    """Show the page on one cause, or the list of all."""
    code = arguments.code
    page = cause_page_markdown if arguments.format == "markdown" else cause_page
    text = page(code, arguments.lang) if code else cause_list(arguments.lang)
    write(text, arguments)
    return 0
