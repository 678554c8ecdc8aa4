"""Machines in memory with a registry and measures, and their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.testbed.memory import Content, world
from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.engine.simulate import packages_of
from whyload.facts.machine.all import MachineFacts, machine_facts
from whyload.facts.machine.natives import NativeFacts
from whyload.loader.images import ImageStore
from whyload.startup.paths import python_paths
from whyload.world.files import KnownRegistry
from whyload.world.measured import UNMEASURED, Measured
from whyload.world.model import World

Keys = Mapping[str, Mapping[str, object]]


def machine(
    files: Mapping[str, Content] | None = None, keys: Keys | None = None, measured: Measured = UNMEASURED, **how: Any
) -> World:
    """A machine; keywords as for `world`."""
    made = world(files or {}, **how)
    return replace(made, registry=KnownRegistry(keys or {}), measured=measured)


def facts(made: World) -> MachineFacts:
    """All facts about it; its native files are those below site-packages that RECORD lists."""
    paths = python_paths(made)
    packages = packages_of(made, paths)
    natives = [entry.path for owner in packages.owners() for entry in packages.natives_of(owner)]
    none = NativeFacts(files=0, modules=0, folders=0, failed=(), lacking=())
    return machine_facts(made, ImageStore(made.files), packages, paths, natives, made.python.machine, none)


def names(paths: tuple[WinPath, ...]) -> list[str]:
    """The base names of some paths."""
    return [path.name for path in paths]
