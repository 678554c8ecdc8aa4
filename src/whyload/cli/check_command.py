"""`whyload check TARGET ...`"""

from __future__ import annotations

import argparse

from whyload.base.errors import UsageError
from whyload.cli.output import progress, render, write


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
        snapshot=arguments.snapshot,
        cache=not arguments.no_cache,
    )
    if arguments.world is not None and arguments.root is None:
        raise UsageError("--world describes the machine of --root; give both")
    if arguments.root is not None and arguments.snapshot is not None:
        raise UsageError("--snapshot is a machine of its own; leave --root out")
    clean = {"--os": arguments.os, "--python-version": arguments.python_version, "--platform": arguments.platform}
    given = [name for name, value in clean.items() if value is not None]
    if given and (arguments.root is not None or arguments.snapshot is not None):
        raise UsageError(f"{given[0]} describes a clean machine; leave it out with --root and --snapshot")
    reports = [check(target, options, progress) for target in arguments.targets]
    write("".join(render(report, arguments) for report in reports), arguments)
    return max((report.exit_code for report in reports), key=(0, 3, 1).index)
