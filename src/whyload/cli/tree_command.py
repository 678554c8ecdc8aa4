"""`whyload tree FILE|MODULE`"""

from __future__ import annotations

from whyload.api.worlds import choice_of
from whyload.cli.arguments import Arguments
from whyload.cli.call import call_of
from whyload.cli.output import deliver, wants_colour, write


def run(arguments: Arguments) -> int:
    """Show the tree of one library, or of all that an import loads."""
    from whyload.api.questions import ask_tree

    how, flags = call_of(arguments.how, arguments.flags)
    report = ask_tree(arguments.file, choice_of(vars(arguments)), how, flags)
    if arguments.format != "text":
        return deliver(report, arguments)
    from whyload.report.layout import Look
    from whyload.report.tree import tree_text

    look = Look(language=arguments.lang, colour=wants_colour(arguments), verbose=arguments.verbose)
    write(tree_text(report, look), arguments)
    return report.exit_code
