"""`whyload explain [FILE]`"""

from __future__ import annotations

from whyload.api.explain import explain_file
from whyload.cli.arguments import Arguments
from whyload.cli.output import wants_colour, write
from whyload.findings.candidate import Explanation


def run(arguments: Arguments) -> int:
    """Name the causes that a text speaks for. Returns 0 with candidates, 3 with none."""
    explanation = explain_file(arguments.file)
    write(_rendered(explanation, arguments), arguments)
    return explanation.exit_code


def _rendered(explanation: Explanation, arguments: Arguments) -> str:
    if arguments.format == "json":
        import json

        from whyload.report.explanation_json import explanation_values

        return json.dumps(explanation_values(explanation, arguments.lang), indent=1, ensure_ascii=False) + "\n"
    from whyload.report.explanation import explanation_markdown, explanation_text
    from whyload.report.layout import Look

    if arguments.format == "markdown":
        return explanation_markdown(explanation, arguments.lang)
    look = Look(language=arguments.lang, colour=wants_colour(arguments), verbose=arguments.verbose)
    return explanation_text(explanation, look)
