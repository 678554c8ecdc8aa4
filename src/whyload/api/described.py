"""Remedies for a machine that is only described: wheels are brought for it, and nothing of it is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from whyload.api.questions import ask_described
from whyload.api.wheels import WheelSupply
from whyload.api.worlds import WorldChoice, open_world
from whyload.base.errors import UsageError
from whyload.base.machine import PLATFORM_TAG
from whyload.base.message import Message, Text
from whyload.engine.evidence import ask_recorded
from whyload.engine.plan import Plan, Planner
from whyload.engine.simulate import packages_of
from whyload.findings.report import Question, Report
from whyload.knowledge.systems import parse_profile
from whyload.remedies.resolver import Chosen, NoReleaseError
from whyload.startup.paths import python_paths
from whyload.world.clean_machine import Target
from whyload.world.model import Layout, World
from whyload.world.requirement import fetch_beside
from whyload.world.wheel import Wheel
from whyload.world.wheel_cache import NoWheelError

_USUAL_PROFILE = "windows-11"


class IndexForTarget:
    """Chooses and brings wheels for a Python that cannot be started; `installed` is what it has, version by name."""

    def __init__(
        self, target: Target, installed: dict[str, str], progress: Callable[[Text], None], cache: Path | None = None
    ) -> None:
        self._target = target
        self._installed = installed
        self._progress = progress
        self._cache = cache
        self._wheels: dict[Chosen, Wheel] = {}

    def resolve(
        self, requirements: Iterable[str], constraints: Iterable[str], *, dependencies: bool, again: bool
    ) -> tuple[Chosen, ...]:
        """What pip would install there. Raises NoReleaseError where nothing fits, NetworkError without a network."""
        return self._fetched(tuple(requirements), held=bool(tuple(constraints)), dependencies=dependencies)

    def download(self, chosen: Iterable[Chosen]) -> tuple[Path, ...]:
        """Where the wheels of these releases lie. Raises as `resolve` does."""
        wanted = tuple(chosen)
        for item in wanted:
            if item not in self._wheels:
                self._fetched((item.pin,), held=True, dependencies=False)
        return tuple(self._wheels[item].path for item in wanted if item in self._wheels)

    def _fetched(self, requirements: tuple[str, ...], *, held: bool, dependencies: bool) -> tuple[Chosen, ...]:
        try:
            wheels = fetch_beside(
                requirements,
                self._target,
                self._progress,
                installed=self._installed,
                held=held,
                dependencies=dependencies,
                cache=self._cache,
            )
        except NoWheelError as error:
            raise NoReleaseError(error.said) from None
        found = {Chosen(distribution=wheel.distribution, version=wheel.version): wheel for wheel in wheels}
        self._wheels |= found
        return tuple(found)


def wheels_for(
    world: World, progress: Callable[[Text], None], cache: Path | None = None, target: Target | None = None
) -> WheelSupply:
    """Brings what a change of that machine installs."""
    packages = packages_of(world, python_paths(world))
    installed = {owner.distribution: owner.version for owner in packages.owners() if owner.installer != "conda"}
    return WheelSupply(IndexForTarget(target or target_of(world), installed, progress, cache), progress)


def target_of(world: World) -> Target:
    """For which Python and Windows wheels are brought. Raises UsageError where there are no wheels for it."""
    machine = world.python.machine
    if machine not in PLATFORM_TAG:
        raise UsageError(
            Message(
                en=f"there are no wheels for a {machine.value} Python on Windows",
                zh=f"没有适用于 Windows 上 {machine.value} 版 Python 的 wheel",
            )
        )
    profile = parse_profile(world.system.profile or _USUAL_PROFILE, machine)
    return Target(python=world.python.version, platform=PLATFORM_TAG[machine], profile=profile)


def plan_described(
    choice: WorldChoice, question: Question | None, progress: Callable[[Text], None]
) -> tuple[Report, Plan]:
    """The answer for a machine that is only described, and what is to be done there. Without a question it is the one
    that the description has.

    Raises UsageError where there is none, or where the machine is no environment that could keep anything.
    """
    report = ask_described(choice, question)
    world = open_world(choice)
    if world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        raise UsageError(
            Message(
                en="fix: a frozen application is built anew, not changed; ask `whyload import` for its remedies",
                zh="fix：打包后的程序只能重新打包，不能修改；用 `whyload import` 查看修复办法",
            )
        )
    asked = report.question
    supply = wheels_for(world, progress)
    try:
        return report, Planner(lambda other: ask_recorded(other, asked), supply).plan(world, report)
    finally:
        supply.close()
