"""A requirement and what it needs, as wheels for a machine that is not this one.

Dependencies are followed with the markers of the target: pip evaluates them for the machine it runs on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.record import normalised
from whyload.base.typing import TYPE_CHECKING
from whyload.world.clean_machine import Target
from whyload.world.markers import demands_of
from whyload.world.wheel import Wheel, open_wheel
from whyload.world.wheel_cache import NoWheelError, Progress, cache_folder, wheel_file

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet

_MOST_DISTRIBUTIONS = 200


def fetch(
    requirement: str,
    target: Target,
    progress: Progress,
    *,
    dependencies: bool = True,
    cache: Path | None = None,
    network: bool = True,
) -> tuple[Wheel, ...]:
    """The wheels of a requirement and of what it needs, for the target; the asked one first. They stay in `cache`, or
    in the user's cache folder; without `network` they have to be there.

    Raises UsageError where the requirement cannot be read or has no wheel for the target, NetworkError where the index
    cannot be reached.
    """
    resolver = _Resolver(target, progress, cache, network=network)
    return resolver.run(_parsed(requirement), dependencies=dependencies)


def fetch_beside(
    requirements: Iterable[str],
    target: Target,
    progress: Progress,
    *,
    installed: Mapping[str, str],
    held: bool = True,
    dependencies: bool = True,
    cache: Path | None = None,
) -> tuple[Wheel, ...]:
    """The wheels of the requirements, and of what they need beyond what is installed (version by name).

    `held`: what is installed stays as it is. Raises as `fetch` does, and where something held would have to move.
    """
    resolver = _Resolver(target, progress, cache, installed={normalised(n): v for n, v in installed.items()}, held=held)
    for requirement in map(_parsed, requirements):
        resolver.installed.pop(normalised(requirement.name), None)
        resolver.run(requirement, dependencies=dependencies)
    return tuple(resolver.chosen.values())


def add_dependencies(
    wheel: Wheel, target: Target, progress: Progress, *, cache: Path | None = None, network: bool = True
) -> tuple[Wheel, ...]:
    """A wheel at hand and the wheels of what it needs."""
    _check_tags(wheel, target)
    resolver = _Resolver(target, progress, cache, network=network)
    resolver.chosen[normalised(wheel.distribution)] = wheel
    resolver.follow(wheel, frozenset())
    return tuple(resolver.chosen.values())


def _parsed(text: str) -> Requirement:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        return Requirement(text)
    except InvalidRequirement as error:
        raise UsageError(_not_parsed(text, str(error).splitlines()[0])) from None


def _not_parsed(text: str, why: str) -> Message:
    return Message(en=f"not a requirement: {text!r} ({why})", zh=f"不是依赖声明：{text!r}（{why}）")


class _Resolver:
    """Breadth first: the newest wheel that satisfies what is known so far, then what that wheel needs."""

    def __init__(
        self,
        target: Target,
        progress: Progress,
        cache: Path | None,
        *,
        installed: Mapping[str, str] | None = None,
        held: bool = False,
        network: bool = True,
    ) -> None:
        self._network = network
        self.installed = dict(installed or {})
        self._held = held
        self._target = target
        self._progress = progress
        self._cache = cache or cache_folder()
        self._constraints: dict[str, SpecifierSet] = {}
        self.chosen: dict[str, Wheel] = {}

    def run(self, requirement: Requirement, *, dependencies: bool) -> tuple[Wheel, ...]:
        wheel = self._choose(requirement)
        if dependencies:
            self.follow(wheel, frozenset(requirement.extras))
        return tuple(self.chosen.values())

    def follow(self, wheel: Wheel, extras: frozenset[str]) -> None:
        waiting: list[tuple[Wheel, frozenset[str]]] = [(wheel, extras)]
        done: set[tuple[str, frozenset[str]]] = set()
        while waiting:
            current, wanted = waiting.pop(0)
            if (current.path.name, wanted) in done:
                continue
            done.add((current.path.name, wanted))
            if len(self.chosen) > _MOST_DISTRIBUTIONS:
                raise UsageError(
                    Message(
                        en=f"more than {_MOST_DISTRIBUTIONS} distributions are needed; name fewer at once",
                        zh=f"需要的软件包超过 {_MOST_DISTRIBUTIONS} 个；请一次少指定一些",
                    )
                )
            needed = [requirement for requirement in self._needs(current, wanted) if not self._is_met(requirement)]
            waiting += [(self._choose(requirement), frozenset(requirement.extras)) for requirement in needed]

    def _needs(self, wheel: Wheel, extras: frozenset[str]) -> Iterable[Requirement]:
        for requirement in map(_parsed, demands_of(wheel.text("METADATA") or "")):
            if self._applies(requirement, extras):
                yield requirement

    def _applies(self, requirement: Requirement, extras: frozenset[str]) -> bool:
        from packaging.markers import UndefinedComparison, UndefinedEnvironmentName

        marker = requirement.marker
        try:
            return marker is None or any(
                marker.evaluate(self._target.marker_environment(extra)) for extra in (*extras, "")
            )
        except (UndefinedComparison, UndefinedEnvironmentName) as error:
            raise UsageError(
                Message(
                    en=f"the marker of {requirement} cannot be evaluated: {error}",
                    zh=f"无法计算 {requirement} 的环境标记：{error}",
                )
            ) from None

    def _is_met(self, requirement: Requirement) -> bool:
        """By what is installed already. Raises UsageError where that would have to move and is held."""
        have = self.installed.get(normalised(requirement.name))
        if have is None:
            return False
        met = requirement.specifier.contains(have, prereleases=True)
        if not met and self._held:
            raise NoWheelError(
                Message(
                    en=f"{requirement} is needed, and {requirement.name} {have} is installed",
                    zh=f"需要 {requirement}，而已安装的是 {requirement.name} {have}",
                )
            )
        return met

    def _choose(self, requirement: Requirement) -> Wheel:
        key = normalised(requirement.name)
        specifier = requirement.specifier
        if key in self._constraints:
            specifier = specifier & self._constraints[key]
        self._constraints[key] = specifier
        have = self.chosen.get(key)
        if have is None or not specifier.contains(have.version, prereleases=True):
            file = self._file(f"{requirement.name}{specifier}")
            self.chosen[key] = open_wheel(file)
        return self.chosen[key]

    def _file(self, requirement: str) -> Path:
        return wheel_file(requirement, self._target, self._progress, self._cache, network=self._network)


def _check_tags(wheel: Wheel, target: Target) -> None:
    from packaging.tags import Tag, compatible_tags, cpython_tags

    version, digits = target.python[:2], target.python.digits
    fitting: set[Tag] = {*cpython_tags(version, [f"cp{digits}"], [target.platform])}
    fitting.update(compatible_tags(version, f"cp{digits}", [target.platform]))
    parts = [part.split(".") for part in wheel.tags]
    if not any(
        Tag(python, abi, platform) in fitting for python in parts[0] for abi in parts[1] for platform in parts[2]
    ):
        tags = "-".join(wheel.tags)
        raise UsageError(
            Message(
                en=f"{wheel.path.name}: not for Python {target.python} on {target.platform} but for {tags}",
                zh=f"{wheel.path.name}：适用于 {tags}，不适用于 Python {target.python}、{target.platform}",
            )
        )
