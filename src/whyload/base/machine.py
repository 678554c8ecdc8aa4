"""Processor architectures, as the Machine field of a COFF header names them (Microsoft, "PE Format")."""

from __future__ import annotations

from whyload.base.enumeration import IntEnum
from whyload.base.message import Message


class Machine(IntEnum):
    """Machine types that a Windows image for Python can carry; the value is the field's."""

    UNKNOWN = 0
    I386 = 0x014C
    ARMNT = 0x01C4
    AMD64 = 0x8664
    ARM64 = 0xAA64
    ARM64EC = 0xA641
    ARM64X = 0xA64E

    @property
    def bits(self) -> int:
        """Width of a pointer in bits; 0 where it is unknown."""
        if self is Machine.UNKNOWN:
            return 0
        return 32 if self in (Machine.I386, Machine.ARMNT) else 64

    @property
    def label(self) -> str:
        """The name that people use for it."""
        return _LABELS[self]

    @property
    def in_words(self) -> Message:
        """The same in both languages."""
        return Message(en=self.label, zh=_LABELS_ZH.get(self, self.label))


_LABELS = {
    Machine.UNKNOWN: "unknown processor",
    Machine.I386: "32-bit x86",
    Machine.ARMNT: "32-bit ARM",
    Machine.AMD64: "64-bit x64",
    Machine.ARM64: "ARM64",
    Machine.ARM64EC: "ARM64EC",
    Machine.ARM64X: "ARM64X",
}

_LABELS_ZH = {
    Machine.UNKNOWN: "未知处理器",
    Machine.I386: "32 位 x86",
    Machine.ARMNT: "32 位 ARM",
    Machine.AMD64: "64 位 x64",
}

_BY_VALUE = {machine.value: machine for machine in Machine}

PLATFORM_TAGS = {"win_amd64": Machine.AMD64, "win32": Machine.I386, "win_arm64": Machine.ARM64}
"""Platform tags of wheels and the machine of the process that uses them."""

PLATFORM_TAG = {machine: tag for tag, machine in PLATFORM_TAGS.items()}
"""The platform tag of the wheels for a machine."""


def machine_of(value: int) -> Machine:
    """The architecture for a header's Machine field; `UNKNOWN` for a value that has no name here."""
    return _BY_VALUE.get(value, Machine.UNKNOWN)
