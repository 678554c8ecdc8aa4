"""`whyload check TARGET ...`"""

from __future__ import annotations

from whyload.base.errors import UsageError, WhyloadError
from whyload.base.typing import TYPE_CHECKING
from whyload.cli.arguments import Arguments
from whyload.cli.output import progress, render, write

if TYPE_CHECKING:
    from whyload.api.checks import CheckOptions


def run(arguments: Arguments) -> int:
    """Answer for every target; the exit code is that of the worst, 2 where one of them could not be read."""
    from whyload.api.checks import check

    several = len(arguments.targets) > 1
    if several and arguments.format == "html":
        raise UsageError("an HTML page is about one target; name one")
    options = _options(arguments)
    texts: list[str] = []
    codes: list[int] = []
    for target in arguments.targets:
        try:
            report = check(target, options, progress)
        except WhyloadError as error:
            if not several:
                raise
            progress(str(error))
            codes.append(2)
            continue
        texts.append(render(report, arguments, in_lines=several))
        codes.append(report.exit_code)
    write("".join(texts), arguments)
    return max(codes, key=(0, 3, 1, 2).index)


def _options(arguments: Arguments) -> CheckOptions:
    """Where it is to load. Raises UsageError where two machines are named."""
    from whyload.api.checks import CheckOptions

    if arguments.world is not None and arguments.root is None:
        raise UsageError("--world describes the machine of --root; give both")
    if arguments.root is not None and arguments.snapshot is not None:
        raise UsageError("--snapshot is a machine of its own; leave --root out")
    clean = {"--os": arguments.os, "--python-version": arguments.python_version, "--platform": arguments.platform}
    given = [name for name, value in clean.items() if value is not None]
    if given and (arguments.root is not None or arguments.snapshot is not None):
        raise UsageError(f"{given[0]} describes a clean machine; leave it out with --root and --snapshot")
    return CheckOptions(
        profile=arguments.os,
        python=arguments.python_version,
        platform=arguments.platform,
        dependencies=not arguments.no_deps,
        root=arguments.root,
        world=arguments.world,
        snapshot=arguments.snapshot,
        network=not arguments.no_network,
        cache=not arguments.no_cache,
    )
