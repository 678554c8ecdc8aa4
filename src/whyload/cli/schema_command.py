"""`whyload schema [report|explain]`"""

from __future__ import annotations

from whyload.cli.arguments import Arguments
from whyload.cli.output import write


def run(arguments: Arguments) -> int:
    """Print the JSON schema of the reports, or of what `explain` answers."""
    import json

    write(json.dumps(_schema(arguments.of), indent=1) + "\n", arguments)
    return 0


def _schema(name: str) -> dict[str, object]:
    if name == "explain":
        from whyload.report.explanation_json import explanation_schema

        return explanation_schema()
    from whyload.report.schema import report_schema

    return report_schema()
