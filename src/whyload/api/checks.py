"""`check`: will it load on that machine? Wheels are read in place; nothing of them is executed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from whyload.base.errors import UsageError
from whyload.base.machine import PLATFORM_TAGS
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion, parse_python_version
from whyload.engine.bundle import ask_bundle
from whyload.engine.call import ask_load
from whyload.engine.check import check_distribution, check_site, check_wheels
from whyload.findings.report import Question, QuestionKind, Report
from whyload.knowledge.systems import parse_profile
from whyload.world.profile import SITE_PACKAGES
from whyload.world.requirement import Target, add_dependencies, fetch, folder_on_clean_machine
from whyload.world.wheel import Wheel, open_wheel

_DEFAULT_PROFILE = "windows-11"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The machine that is meant."""

    profile: str | None = None
    python: str | None = None
    platform: str = "win_amd64"
    dependencies: bool = True
    root: str | None = None
    world: str | None = None


def check(target: str, options: CheckOptions, progress: Callable[[str], None]) -> Report:
    """Examine a wheel file, a requirement, a folder, a library, or, with `root`, an installed distribution."""
    if options.root is not None:
        from whyload.api.worlds import WorldChoice, open_world

        return check_distribution(open_world(WorldChoice(root=options.root, world=options.world)), target)
    if target.endswith(".whl"):
        wheel = open_wheel(Path(target))
        machine = _target(options, wheel)
        wheels = add_dependencies(wheel, machine, progress) if options.dependencies else (wheel,)
    elif Path(target).is_dir():
        return _check_folder(Path(target), _target(options, None), target)
    elif Path(target).is_file():
        return _check_file(Path(target), _target(options, None))
    elif any(mark in target for mark in "\\/"):
        raise UsageError(f"no such file: {target}")
    else:
        machine = _target(options, None)
        wheels = fetch(target, machine, progress, dependencies=options.dependencies)
    return check_wheels(wheels, machine, target)


def _check_folder(folder: Path, target: Target, label: str) -> Report:
    """A site-packages folder as that of a clean Python, or a frozen application in a folder of its own."""
    programs = [entry.name for entry in sorted(folder.iterdir()) if entry.suffix.lower() == ".exe"]
    if any(folder.glob("*.dist-info")) or not programs:
        return check_site(folder_on_clean_machine(folder, SITE_PACKAGES, target), label)
    return ask_bundle(folder_on_clean_machine(folder, WinPath("C:\\App"), target, programs[0]))


def _check_file(file: Path, target: Target) -> Report:
    """One library, in a folder that holds what lies beside it."""
    world = folder_on_clean_machine(file.absolute().parent, WinPath("C:\\target"), target)
    question = Question(kind=QuestionKind.CHECK, file=f"C:\\target\\{file.name}", targets=(str(file),))
    return ask_load(world, question)


def _target(options: CheckOptions, wheel: Wheel | None) -> Target:
    if options.python is not None:
        version = parse_python_version(options.python)
        if version is None:
            raise UsageError(f"--python-version: not a Python version: {options.python!r}")
    else:
        version = _version_of(wheel) or PythonVersion(*sys.version_info[:2])
    platform = _platform(options, wheel)
    if platform not in PLATFORM_TAGS:
        raise UsageError(f"{wheel.path.name if wheel else platform}: not for Windows but for {platform}")
    profile = parse_profile(options.profile or _DEFAULT_PROFILE, PLATFORM_TAGS[platform])
    return Target(python=version, platform=platform, profile=profile)


def _version_of(wheel: Wheel | None) -> PythonVersion | None:
    for tag in wheel.tags[0].split(".") if wheel else ():
        if tag.startswith("cp3") and tag[3:].isdigit():
            return PythonVersion(3, int(tag[3:]), wheel is not None and wheel.tags[1].endswith("t"))
    return None


def _platform(options: CheckOptions, wheel: Wheel | None) -> str:
    return options.platform if wheel is None or wheel.tags[2] == "any" else wheel.tags[2].split(".")[0]
