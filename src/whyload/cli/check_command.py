"""`whyload check TARGET ...`"""

from __future__ import annotations

from whyload.base.errors import UsageError, WhyloadError
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.cli.arguments import Arguments
from whyload.cli.output import progress_in, render, write

if TYPE_CHECKING:
    from whyload.api.checks import CheckOptions


def run(arguments: Arguments) -> int:
    """Answer for every target; the exit code is that of the worst, 2 where one of them could not be read."""
    from whyload.api.checks import check

    several = len(arguments.targets) > 1
    if several and arguments.format == "html":
        raise UsageError(
            Message(en="an HTML page is about one target; name one", zh="一个 HTML 页面只能报告一个目标；请只指定一个")
        )
    options = _options(arguments)
    tell = progress_in(arguments.lang)
    texts: list[str] = []
    codes: list[int] = []
    for target in arguments.targets:
        try:
            report = check(target, options, tell)
        except WhyloadError as error:
            if not several:
                raise
            tell(error.said)
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
        raise UsageError(
            Message(
                en="--world describes the machine of --root; give both",
                zh="--world 描述的是 --root 那台机器；两者要一起使用",
            )
        )
    if arguments.root is not None and arguments.snapshot is not None:
        raise UsageError(
            Message(
                en="--snapshot is a machine of its own; leave --root out",
                zh="--snapshot 本身就是一台机器；请去掉 --root",
            )
        )
    clean = {"--os": arguments.os, "--python-version": arguments.python_version, "--platform": arguments.platform}
    given = [name for name, value in clean.items() if value is not None]
    if given and (arguments.root is not None or arguments.snapshot is not None):
        raise UsageError(
            Message(
                en=f"{given[0]} describes a clean machine; leave it out with --root and --snapshot",
                zh=f"{given[0]} 描述的是一台全新的机器；使用 --root 或 --snapshot 时请去掉它",
            )
        )
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
