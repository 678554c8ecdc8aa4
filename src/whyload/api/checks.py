"""`check`: will it load on that machine? Wheels are read in place; nothing of them is executed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.machine import PLATFORM_TAGS
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion, parse_python_version
from whyload.engine.bundle import ask_bundle
from whyload.engine.call import ask_load
from whyload.engine.check import check_distribution, check_site, check_wheels
from whyload.findings.report import Question, QuestionKind, Report
from whyload.knowledge.systems import parse_profile
from whyload.world.clean_machine import Target, folder_on_clean_machine, requirement_world
from whyload.world.profile import SITE_PACKAGES
from whyload.world.requirement import add_dependencies, fetch
from whyload.world.wheel import Wheel, open_wheel

_DEFAULT_PROFILE = "windows-11"
_LIBRARIES = (".dll", ".pyd", ".so", ".exe")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The machine that is meant."""

    profile: str | None = None
    python: str | None = None
    platform: str | None = None
    dependencies: bool = True
    root: str | None = None
    world: str | None = None
    snapshot: str | None = None
    network: bool = True
    """False: only wheels that are in the cache."""
    cache: bool = True
    """False: what is downloaded is neither looked for in the cache nor kept."""


def check(target: str, options: CheckOptions, progress: Callable[[Text], None]) -> Report:
    """Examine a wheel file, a requirement, a folder, a library, or, with `root`, an installed distribution."""
    if options.cache:
        return _check(target, options, progress, None)
    import tempfile

    with tempfile.TemporaryDirectory(prefix="whyload-", ignore_cleanup_errors=True) as folder:
        return _check(target, options, progress, Path(folder))


def _check_there(target: str, options: CheckOptions) -> Report:
    """What a described machine has: an installed distribution, or a library by its path there."""
    from whyload.api.worlds import WorldChoice, open_world

    is_library = target.lower().endswith(_LIBRARIES)
    if not is_library and (any(mark in target for mark in "\\/") or target.lower().endswith(".whl")):
        raise UsageError(
            Message(
                en=f"{target}: with --root and --snapshot name a distribution that is installed there, or a library",
                zh=f"{target}：使用 --root 或 --snapshot 时，请指定那台机器上已安装的软件包或其中的库文件",
            )
        )
    world = open_world(WorldChoice(root=options.root, world=options.world, snapshot=options.snapshot))
    if is_library:
        return ask_load(world, Question(kind=QuestionKind.CHECK, file=target))
    return check_distribution(world, target)


def _check(target: str, options: CheckOptions, progress: Callable[[Text], None], cache: Path | None) -> Report:
    if not target.strip():
        raise UsageError(Message(en="check: the target is empty", zh="check：目标为空"))
    if options.root is not None or options.snapshot is not None:
        return _check_there(target, options)
    if target.lower().endswith(".whl"):
        wheel = open_wheel(Path(target))
        machine = _target(options, wheel)
        wheels = _with_dependencies(wheel, machine, options, progress, cache)
    elif _is(target, Path.is_dir):
        return _check_folder(Path(target), _target(options, None), target)
    elif _is(target, Path.is_file):
        return _check_file(Path(target), _target(options, None))
    elif any(mark in target for mark in "\\/") or target.lower().endswith(_LIBRARIES):
        raise UsageError(Message(en=f"no such file: {target}", zh=f"没有这个文件：{target}"))
    else:
        machine = _target(options, None)
        given = {"dependencies": options.dependencies, "network": options.network}
        wheels = fetch(target, machine, progress, cache=cache, **given)
    return _with_trials(check_wheels(wheels, machine, target), wheels, machine, options, progress, cache)


def _with_dependencies(
    wheel: Wheel, machine: Target, options: CheckOptions, progress: Callable[[Text], None], cache: Path | None
) -> tuple[Wheel, ...]:
    if not options.dependencies:
        return (wheel,)
    return add_dependencies(wheel, machine, progress, cache=cache, network=options.network)


def _with_trials(
    report: Report,
    wheels: tuple[Wheel, ...],
    machine: Target,
    options: CheckOptions,
    progress: Callable[[Text], None],
    cache: Path | None,
) -> Report:
    """The report with its remedies tried: other releases are read as the target was, where the network may be asked."""
    if not any(remedy.changes for finding in report.errors for remedy in finding.remedies):
        return report
    from whyload.api.described import wheels_for
    from whyload.engine.plan import verified

    world, label = requirement_world(wheels, machine), report.question.label
    supply = wheels_for(world, progress, cache, machine)
    try:
        return verified(
            world,
            report,
            lambda other: check_distribution(other, label, wheels[0].distribution),
            supply if options.network and options.dependencies else None,
        )
    finally:
        supply.close()


def _is(target: str, test: Callable[[Path], bool]) -> bool:
    try:
        return test(Path(target))
    except (OSError, ValueError):  # a name that is too long, or that no file can have
        return False


def _check_folder(folder: Path, target: Target, label: str) -> Report:
    """A site-packages folder as that of a clean Python, or a frozen application in a folder of its own."""
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise UsageError(
            Message(en=f"cannot read {folder}: {error.strerror}", zh=f"无法读取 {folder}：{error.strerror}")
        ) from None
    programs = [name for name in names if name.lower().endswith(".exe")]
    if any(name.endswith(".dist-info") for name in names) or not programs:
        return check_site(folder_on_clean_machine(folder, SITE_PACKAGES, target), label)
    return ask_bundle(folder_on_clean_machine(folder, WinPath("C:\\App"), target, programs[0]))


def _check_file(file: Path, target: Target) -> Report:
    """One library, in a folder that holds what lies beside it."""
    world = folder_on_clean_machine(file.absolute().parent, WinPath("C:\\target"), target)
    question = Question(
        kind=QuestionKind.CHECK,
        file=f"C:\\target\\{file.name}" + ("" if "." in file.name else "."),
        targets=(str(file),),
    )
    return ask_load(world, question)


def _target(options: CheckOptions, wheel: Wheel | None) -> Target:
    if options.python is not None:
        version = parse_python_version(options.python)
        if version is None or not (3, 0) <= version[:2] < (3, 40):
            raise UsageError(
                Message(
                    en=f"--python-version: not a version of Python 3 such as 3.11: {options.python!r}",
                    zh=f"--python-version 的值应为 3.11 这样的 Python 3 版本号，而不是 {options.python!r}",
                )
            )
    else:
        version = _version_of(wheel) or PythonVersion(*sys.version_info[:2])
    platform = _platform(options, wheel)
    if platform not in PLATFORM_TAGS:
        raise UsageError(
            Message(
                en=f"{wheel.path.name if wheel else platform}: not for Windows but for {platform}",
                zh=f"{wheel.path.name if wheel else platform}：适用于 {platform}，不适用于 Windows",
            )
        )
    profile = parse_profile(options.profile or _DEFAULT_PROFILE, PLATFORM_TAGS[platform])
    return Target(python=version, platform=platform, profile=profile)


def _version_of(wheel: Wheel | None) -> PythonVersion | None:
    for tag in wheel.tags[0].split(".") if wheel else ():
        if tag.startswith("cp3") and tag[3:].isascii() and tag[3:].isdigit() and len(tag) < 7:
            return PythonVersion(3, int(tag[3:]), wheel is not None and wheel.tags[1].endswith("t"))
    return None


def _platform(options: CheckOptions, wheel: Wheel | None) -> str:
    """The platform asked for; of a wheel file without one, the first that it is for."""
    tags = wheel.tags[2].split(".") if wheel else ["any"]
    if options.platform is None:
        windows = [tag for tag in tags if tag in PLATFORM_TAGS]
        return windows[0] if windows else "win_amd64" if tags == ["any"] else tags[0]
    return options.platform
