"""Every copy of the Visual C++ runtime that can win, and what its installer wrote down.

Source: Microsoft, "Redistributing Visual C++ Files" (`SOFTWARE\\Microsoft\\VisualStudio\\14.0\\VC\\Runtimes\\ARCH`:
Installed, Version), "Microsoft Visual C++ Redistributable latest supported downloads".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.paths import WinPath
from whyload.base.versions import FileVersion, parse_file_version
from whyload.facts.machine.copies import LibraryCopy, copies
from whyload.facts.machine.sources import Sources, number, text
from whyload.facts.packages import Packages
from whyload.knowledge.libraries import Family, identify
from whyload.loader.images import ImageStore
from whyload.world.model import World

_KEY = "Microsoft\\VisualStudio\\14.0\\VC\\Runtimes"
_ARCHITECTURES = ("X64", "X86", "ARM64")


@dataclass(frozen=True, slots=True, kw_only=True)
class Redistributable:
    """One architecture's entry in the registry."""

    architecture: str
    installed: bool
    version: FileVersion | None
    read_from: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VcRuntimeFacts:
    """`installed` is None where the registry is not known."""

    installed: tuple[Redistributable, ...] | None = None
    copies: tuple[LibraryCopy, ...] = ()
    system_version: FileVersion | None = None
    """Of the runtime in System32, from its files or from the profile of the machine."""
    read_from: Mapping[str, str] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)


def vc_runtime_facts(
    world: World, images: ImageStore, packages: Packages, natives: Iterable[WinPath]
) -> VcRuntimeFacts:
    """What is known. `natives` are the native files of the environment."""
    notes = Sources()
    found = copies(world, images, packages, natives, is_vc_runtime)
    in_system = [copy for copy in found if copy.place == "System32" and copy.path.name.lower() == "msvcp140.dll"]
    in_system += [copy for copy in found if copy.place == "System32" and copy.path.name.lower() == "vcruntime140.dll"]
    stated = next((copy.version for copy in in_system if copy.version is not None), None)
    version = stated or world.system.vc_runtime
    source = str(in_system[0].path) if stated else f"profile {world.system.profile}"
    return VcRuntimeFacts(
        installed=notes.take("installed", _installed(world), f"HKLM\\SOFTWARE\\{_KEY}"),
        copies=found,
        system_version=notes.take("system_version", version, source, "no runtime with a version in System32"),
        read_from=notes.read_from,
        unknown=notes.unknown,
    )


def is_vc_runtime(name: str) -> bool:
    """Is it a library of the Visual C++ runtime?"""
    known = identify(name)
    return known is not None and known.family is Family.VC_RUNTIME


def _installed(world: World) -> tuple[Redistributable, ...] | None:
    found: dict[str, Redistributable] = {}
    known = False
    for software in ("SOFTWARE", "SOFTWARE\\WOW6432Node"):
        for architecture in _ARCHITECTURES:
            key = f"HKLM\\{software}\\{_KEY}\\{architecture}"
            values = world.registry.values(key)
            known = known or values is not None
            if values:
                version = parse_file_version(text(values, "Version") or "")
                installed = number(values, "Installed") != 0
                found.setdefault(
                    architecture,
                    Redistributable(architecture=architecture, installed=installed, version=version, read_from=key),
                )
    return tuple(found.values()) if known else None
