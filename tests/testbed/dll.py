"""What a library of the test bed is made of.

Source of truth: Microsoft, "PE Format"; the loader rules need files of every such shape.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from whyload.base.machine import Machine

Symbol: TypeAlias = "str | int"
"""A name, or an ordinal."""


class DllMain(enum.Enum):
    """What the entry point answers."""

    ABSENT = "none"
    TRUE = "true"
    FALSE = "false"


@dataclass(frozen=True, slots=True)
class Call:
    """An imported function, plain or delayed, to be called."""

    dll: str
    function: Symbol

    @property
    def slot(self) -> str:
        """Label of the slot that holds its address."""
        return f"slot {self.dll.lower()}!{self.function}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dll:
    """A library as it shall be."""

    name: str
    machine: Machine = Machine.AMD64
    exports: Mapping[Symbol, int | str | Call] = field(default_factory=dict)
    """Name or ordinal: a number that the function returns, a forwarder (`other.f`, `other.#3`), a call it makes."""
    imports: Mapping[str, Sequence[Symbol]] = field(default_factory=dict)
    """An empty list gives a descriptor that imports nothing."""
    unused: Mapping[str, Sequence[Symbol]] = field(default_factory=dict)
    """Descriptors that name functions but whose first address slot is zero (R1.16)."""
    delay: Mapping[str, Sequence[Symbol]] = field(default_factory=dict)
    dllmain: DllMain = DllMain.ABSENT
    pyinit: str | None = None
    """Last component of a Python module's name; adds `PyInit_<name>`."""
    python_dll: str = "python3.dll"
    init_calls: Sequence[Call] = ()
    """Functions that `PyInit_<name>` calls before it makes the module."""
    version: tuple[int, int, int, int] | None = None
    manifest: bytes | None = None
    linker: tuple[int, int] = (14, 38)
    dependent_load_flags: int = 0
    timestamp: int = 0x60000000
    is_dll: bool = True
    padding: int = 0
    """Bytes added to the read-only data."""
