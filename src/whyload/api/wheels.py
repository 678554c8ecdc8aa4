"""Brings the wheels that a change installs: pip of the environment resolves and downloads them, each once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from whyload.base.errors import NetworkError
from whyload.base.message import Message, Text
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.engine.simulate import packages_of
from whyload.facts.packages import Packages
from whyload.facts.requirements import demanded, requirements
from whyload.remedies.change import InstallDistributions
from whyload.remedies.resolver import Chosen, NoReleaseError
from whyload.startup.paths import python_paths
from whyload.world.model import World
from whyload.world.wheel import Wheel, open_wheel

_EXACT = regular(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^*,;\s]+)")
_NAME = regular(r"[A-Za-z0-9._-]+")


class Index(Protocol):
    """Who chooses releases and brings their wheels: pip of an environment, or for a machine that is only described."""

    def resolve(
        self, requirements: Iterable[str], constraints: Iterable[str], *, dependencies: bool, again: bool
    ) -> tuple[Chosen, ...]:
        """What would be installed. Raises NoReleaseError where nothing fits, NetworkError without a network."""
        ...

    def download(self, chosen: Iterable[Chosen]) -> tuple[Path, ...]:
        """The wheels of these releases. Raises as `resolve` does."""
        ...


def _asking(requirements: Iterable[str]) -> Message:
    names = tuple(requirements)
    return Message(en=f"asking pip for {', '.join(names)}", zh=f"正在通过 pip 查询 {'、'.join(names)}")


_NO_SUCH = Message(
    en="the index has no such distribution for this Python", zh="包索引中没有适用于当前 Python 的这个软件包"
)


class WheelSupply:
    """Wheels by change and by what is installed beside it; a failure is remembered as well."""

    def __init__(self, pip: Index, progress: Callable[[Text], None]) -> None:
        self._pip = pip
        self._progress = progress
        self._chosen: dict[object, tuple[Chosen, ...] | NoReleaseError] = {}
        self._wheels: dict[Chosen, Wheel] = {}
        self._known: dict[Chosen, bool] = {}
        self._unreachable: NetworkError | None = None
        self._unknown: set[str] = set()
        """Distributions that the index does not have for this Python."""

    def __call__(self, world: World, change: InstallDistributions) -> tuple[Wheel, ...]:
        """The wheels. Raises NoReleaseError where nothing fits, NetworkError where the index cannot be reached."""
        packages = packages_of(world, python_paths(world))
        installed = {normalised(o.distribution): o.version for o in packages.owners() if o.installer != "conda"}
        key = (change, frozenset(installed.items()))
        if self._unreachable is not None:
            raise self._unreachable
        if key not in self._chosen:
            try:
                self._chosen[key] = self._choose(world, packages, change, installed)
            except NoReleaseError as error:
                self._chosen[key] = error
            except NetworkError as error:
                self._unreachable = error
                raise
        chosen = self._chosen[key]
        if isinstance(chosen, NoReleaseError):
            raise chosen
        try:
            return self._fetched(chosen)
        except NoReleaseError as error:
            self._chosen[key] = error
            if error.unknown and len(chosen) == 1:
                self._unknown.add(normalised(chosen[0].distribution))
            raise
        except NetworkError as error:
            self._unreachable = error
            raise

    def _choose(
        self, world: World, packages: Packages, change: InstallDistributions, installed: dict[str, str]
    ) -> tuple[Chosen, ...]:
        names = {normalised(_name(text)) for text in change.requirements}
        if names & self._unknown:
            raise NoReleaseError(_NO_SUCH, unknown=True)
        exact = [_EXACT.fullmatch(text) for text in change.requirements]
        if not change.dependencies and all(exact):
            return tuple(Chosen(distribution=m["name"], version=m["version"]) for m in exact if m is not None)
        if change.upgrade or any("<" in text for text in change.requirements):
            self._check_origin(names, installed)
        demands = requirements(world, packages, packages.folders)
        asked = [_later(text, installed) if change.upgrade else text for text in change.requirements]
        wanted = [_joined(text, demanded(demands, _name(text))) for text in asked]
        pins = [f"{name}=={version}" for name, version in installed.items() if name not in names and _is_plain(version)]
        self._progress(_asking(change.requirements))
        found: tuple[Chosen, ...] = ()
        attempts: tuple[tuple[list[str], list[str]], ...] = ((wanted, pins), (asked, []))
        for number, (texts, constraints) in enumerate(attempts):
            try:
                found = self._pip.resolve(texts, constraints, dependencies=change.dependencies, again=change.again)
                break
            except NetworkError:
                raise
            except NoReleaseError as error:
                if error.unknown and len(names) == 1:
                    self._unknown |= names
                if number == len(attempts) - 1 or names & self._unknown:
                    raise
        return tuple(
            item
            for item in found
            if normalised(item.distribution) in names or installed.get(normalised(item.distribution)) != item.version
        )

    def _check_origin(self, names: set[str], installed: dict[str, str]) -> None:
        """Another release of what is installed is taken only where the index has the installed one too.

        Else a package built at home would be replaced by a stranger's of the same name.
        """
        for name in names & installed.keys():
            pin = Chosen(distribution=name, version=installed[name].partition("+")[0])
            known = self._known.get(pin)
            if known is None:
                have = {normalised(wheel.distribution): wheel.version for wheel in self._wheels.values()}
                known = have.get(name) == pin.version or self._has(pin)
                self._known[pin] = known
            if not known:
                raise NoReleaseError(
                    Message(
                        en=f"the index does not have {pin.pin} for this Python: another project may have that name",
                        zh=f"包索引中没有适用于当前 Python 的 {pin.pin}：那里的同名软件包可能属于别的项目",
                    )
                )

    def _has(self, pin: Chosen) -> bool:
        self._progress(_asking((pin.pin,)))
        try:
            self._pip.resolve([pin.pin], [], dependencies=False, again=True)
        except NetworkError:
            raise
        except NoReleaseError as error:
            if error.unknown:
                self._unknown.add(pin.distribution)
            return False
        return True

    def _fetched(self, chosen: tuple[Chosen, ...]) -> tuple[Wheel, ...]:
        absent = [item for item in chosen if item not in self._wheels]
        if absent:
            if any(normalised(item.distribution) in self._unknown for item in absent):
                raise NoReleaseError(_NO_SUCH, unknown=True)
            names = [item.pin for item in absent]
            self._progress(Message(en=f"downloading {', '.join(names)}", zh=f"正在下载 {'、'.join(names)}"))
            for wheel in map(open_wheel, self._pip.download(absent)):
                item = next((c for c in absent if normalised(c.distribution) == normalised(wheel.distribution)), None)
                if item is not None:
                    self._wheels[item] = wheel
        missing = [item.pin for item in chosen if item not in self._wheels]
        if missing:
            raise NoReleaseError(
                Message(
                    en=f"pip brought no wheel of {', '.join(missing)}",
                    zh=f"pip 没有下载到 {'、'.join(missing)} 的 wheel",
                )
            )
        return tuple(self._wheels[item] for item in chosen)

    def close(self) -> None:
        """Let go of the files."""
        for wheel in self._wheels.values():
            wheel.archive.close()


def _name(requirement: str) -> str:
    match = _NAME.match(requirement)
    return match[0] if match else requirement


def _later(requirement: str, installed: dict[str, str]) -> str:
    version = installed.get(normalised(_name(requirement)))
    return (
        f"{requirement}>{version.partition('+')[0]}" if version and requirement == _name(requirement) else requirement
    )


def _joined(requirement: str, specifier: str) -> str:
    if not specifier or "==" in requirement:
        return requirement
    return f"{requirement}{',' if requirement != _name(requirement) else ''}{specifier}"


def _is_plain(version: str) -> bool:
    return re.fullmatch(r"[0-9][A-Za-z0-9.!+_-]*", version) is not None
