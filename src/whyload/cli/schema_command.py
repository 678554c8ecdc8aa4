"""`whyload schema`"""

from __future__ import annotations

import argparse

from whyload.cli.output import write


def run(arguments: argparse.Namespace) -> int:
    """Print the JSON schema of the reports."""
    import json

    from whyload.report.schema import report_schema

    write(json.dumps(report_schema(), indent=1) + "\n", arguments)
    return 0
