"""Environment markers of a Windows Python that is not running here (PyPA, "Dependency specifiers")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whyload.base.machine import Machine
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


def needs_of(metadata: str) -> list[Requirement]:
    """`Requires-Dist` of a METADATA file; lines that cannot be read are left out."""
    from packaging.requirements import InvalidRequirement, Requirement

    found = []
    for line in metadata.splitlines():
        if not line:
            break  # the description begins
        name, _, value = line.partition(":")
        if name.lower() == "requires-dist":
            try:
                found.append(Requirement(value.strip()))
            except InvalidRequirement:
                continue
    return found
