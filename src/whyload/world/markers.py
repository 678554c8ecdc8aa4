"""Environment markers of a Windows Python that is not running here (PyPA, "Dependency specifiers")."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING
from whyload.base.versions import PythonVersion

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_MACHINES = {Machine.I386: "x86", Machine.ARM64: "ARM64"}


def marker_environment(python: PythonVersion, machine: Machine, extra: str = "", release: str = "11") -> dict[str, str]:
    """The variables of markers; `release` is Windows' own name."""
    version = f"{python.major}.{python.minor}"
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{version}.0",
        "os_name": "nt",
        "platform_machine": _MACHINES.get(machine, "AMD64"),
        "platform_python_implementation": "CPython",
        "platform_release": release,
        "platform_system": "Windows",
        "platform_version": "10.0",
        "python_full_version": f"{version}.0",
        "python_version": version,
        "sys_platform": "win32",
        "extra": extra,
    }


def demands_of(metadata: str) -> Iterator[str]:
    """The values of `Requires-Dist` in a METADATA file, as they are written (PyPA, "Core metadata specifications")."""
    for line in metadata.splitlines():
        if not line:
            return  # the description begins
        name, _, value = line.partition(":")
        if name.lower() == "requires-dist":
            yield value.strip()


def needs_of(metadata: str) -> list[Requirement]:
    """The same, read; lines that cannot be read are left out."""
    from packaging.requirements import InvalidRequirement, Requirement

    found = []
    for demand in demands_of(metadata):
        with suppress(InvalidRequirement):
            found.append(Requirement(demand))
    return found
