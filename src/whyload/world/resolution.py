"""Which releases go together: the newest of each, and older ones of what asks for too much of another.

pip resolves for the Python that it runs on alone, and evaluates markers for that machine (pip documentation,
"pip download"); it is asked here for one wheel at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
_MOST_STEPS_BACK = 40
"""Older releases that are tried, each of which is downloaded; pip's own resolver gives up far later."""


def parsed(text: str) -> Requirement:
    """A requirement. Raises UsageError where it is none."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        return Requirement(text)
    except InvalidRequirement as error:
        why = str(error).splitlines()[0]
        raise UsageError(
            Message(en=f"not a requirement: {text!r} ({why})", zh=f"不是依赖声明：{text!r}（{why}）")
        ) from None


class Resolver:
    """Breadth first: the newest wheel that satisfies what is known so far, then what that wheel needs.

    `installed`: versions by normalised name; `held`: they stay as they are.
    """

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
        self._installed = dict(installed or {})
        self._held = held
        self._target = target
        self._progress = progress
        self._cache = cache or cache_folder()
        self._limits: dict[str, SpecifierSet] = {}
        """What older releases are wanted of, by name, so that the rest fits."""
        self._steps_back = 0
        self._given: str | None = None
        """The distribution whose wheel is at hand: there is no other release of it."""
        self._begin()

    def _begin(self) -> None:
        self._asked: dict[str, list[tuple[str | None, SpecifierSet]]] = {}
        self._chosen: dict[str, Wheel] = {}
        self._conflict: str | None = None

    def settle(self, work: Callable[[], None]) -> tuple[Wheel, ...]:
        """The wheels that `work` takes, done again with an older release of what asks for too much, until all fits.

        Raises the first error where no such release helps.
        """
        first: NoWheelError | None = None
        while True:
            self._begin()
            try:
                work()
                return tuple(self._chosen.values())
            except NoWheelError as error:
                first = first or error
                if not self._give_way(error.versions):
                    raise first from None

    def take(self, requirement: Requirement, *, dependencies: bool) -> None:
        """A requirement, and what it needs."""
        wheel = self._choose(requirement, None)
        if dependencies:
            self._follow(wheel, frozenset(requirement.extras))

    def take_wheel(self, wheel: Wheel) -> None:
        """A wheel at hand, and what it needs."""
        self._given = normalised(wheel.distribution)
        self._chosen[self._given] = wheel
        self._follow(wheel, frozenset())

    def _give_way(self, versions: tuple[str, ...]) -> bool:
        """Rule out the release of the last one that asks for too much of what has no fitting wheel among `versions`;
        False where that is no single one's fault.
        """
        from packaging.specifiers import SpecifierSet

        self._steps_back += 1
        asked = self._asked.get(self._conflict or "", []) if self._steps_back <= _MOST_STEPS_BACK else []
        for asker, _ in reversed(asked):
            others = [wanted for other, wanted in asked if other != asker]
            if asker is None or asker == self._given or asker not in self._chosen:
                continue
            if any(all(wanted.contains(version) for wanted in others) for version in versions):
                limit = SpecifierSet(f"<{self._chosen[asker].version.partition('+')[0]}")
                self._limits[asker] = self._limits.get(asker, SpecifierSet()) & limit
                return True
        return False

    def _follow(self, wheel: Wheel, extras: frozenset[str]) -> None:
        waiting: list[tuple[Wheel, frozenset[str]]] = [(wheel, extras)]
        done: set[tuple[str, frozenset[str]]] = set()
        while waiting:
            current, wanted = waiting.pop(0)
            if (current.path.name, wanted) in done:
                continue
            done.add((current.path.name, wanted))
            if len(self._chosen) > _MOST_DISTRIBUTIONS:
                raise UsageError(
                    Message(
                        en=f"more than {_MOST_DISTRIBUTIONS} distributions are needed; name fewer at once",
                        zh=f"需要的软件包超过 {_MOST_DISTRIBUTIONS} 个；请一次少指定一些",
                    )
                )
            asker = normalised(current.distribution)
            needed = [requirement for requirement in self._needs(current, wanted) if not self._is_met(requirement)]
            waiting += [(self._choose(requirement, asker), frozenset(requirement.extras)) for requirement in needed]

    def _needs(self, wheel: Wheel, extras: frozenset[str]) -> Iterable[Requirement]:
        for requirement in map(parsed, demands_of(wheel.text("METADATA") or "")):
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
        have = self._installed.get(normalised(requirement.name))
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

    def _choose(self, requirement: Requirement, asker: str | None) -> Wheel:
        """A wheel for all that was asked of the name so far; `asker` is the distribution that asks now."""
        key = normalised(requirement.name)
        asked = self._asked.setdefault(key, [])
        asked.append((asker, requirement.specifier))
        have = self._chosen.get(key)
        if have is None or not requirement.specifier.contains(have.version, prereleases=True):
            self._conflict = key
            specifier = requirement.specifier
            for _, wanted in asked[:-1]:
                specifier = specifier & wanted
            if key in self._limits:
                specifier = specifier & self._limits[key]
            file = wheel_file(
                f"{requirement.name}{specifier}", self._target, self._progress, self._cache, network=self._network
            )
            self._chosen[key] = open_wheel(file)
        return self._chosen[key]
