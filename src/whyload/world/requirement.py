"""A requirement and what it needs, as wheels for a machine that is not this one.

Dependencies are followed with the markers of the target: pip evaluates them for the machine it runs on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.record import normalised
from whyload.world.clean_machine import Target
from whyload.world.resolution import Resolver, parsed
from whyload.world.wheel import Wheel
from whyload.world.wheel_cache import Progress


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
    resolver = Resolver(target, progress, cache, network=network)
    wanted = parsed(requirement)
    return resolver.settle(lambda: resolver.take(wanted, dependencies=dependencies))


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
    wanted = tuple(map(parsed, requirements))
    there = {normalised(name): version for name, version in installed.items()}
    for requirement in wanted:
        there.pop(normalised(requirement.name), None)
    resolver = Resolver(target, progress, cache, installed=there, held=held)

    def take_all() -> None:
        for requirement in wanted:
            resolver.take(requirement, dependencies=dependencies)

    return resolver.settle(take_all)


def add_dependencies(
    wheel: Wheel, target: Target, progress: Progress, *, cache: Path | None = None, network: bool = True
) -> tuple[Wheel, ...]:
    """A wheel at hand and the wheels of what it needs."""
    _check_tags(wheel, target)
    resolver = Resolver(target, progress, cache, network=network)
    return resolver.settle(lambda: resolver.take_wheel(wheel))


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
