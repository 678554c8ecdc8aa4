"""`whyload import MODULE ...`"""

from __future__ import annotations

import argparse

from whyload.api.worlds import choice_of
from whyload.cli.output import deliver


def run(arguments: argparse.Namespace) -> int:
    """Answer and write the report. Without a module the program of the world file is examined."""
    from whyload.api.questions import ask_import

    return deliver(ask_import(tuple(arguments.modules), choice_of(vars(arguments))), arguments)
