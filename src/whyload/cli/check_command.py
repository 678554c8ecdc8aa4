"""`whyload check TARGET ...`"""

from __future__ import annotations

import argparse

from whyload.cli.output import deliver, progress


def run(arguments: argparse.Namespace) -> int:
    """Answer for every target; the exit code is that of the worst."""
    from whyload.api.checks import CheckOptions, check

    options = CheckOptions(
        profile=arguments.os,
        python=arguments.python_version,
        platform=arguments.platform,
        dependencies=not arguments.no_deps,
        root=arguments.root,
        world=arguments.world,
    )
    codes = [deliver(check(target, options, progress), arguments) for target in arguments.targets]
    return max(codes, key=(0, 3, 1).index)
