"""What only the running machine can say: processor, memory, drives, display driver, code integrity, event log.

The live world measures it, a snapshot carries it along, a world file may give it under `measured`. `None` means that it
is not known; `unmeasured` says why where there is more to say.
"""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum


class DriveKind(Enum):
    """What GetDriveTypeW says of a drive letter."""

    UNKNOWN = "unknown"
    ABSENT = "absent"
    REMOVABLE = "removable"
    FIXED = "fixed"
    NETWORK = "network"
    CDROM = "cdrom"
    RAMDISK = "ramdisk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """GlobalMemoryStatusEx, in bytes. The commit limit is physical memory plus the paging files."""

    physical: int
    physical_free: int
    commit_limit: int
    commit_free: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One NVIDIA GPU as the driver describes it; memory in MiB."""

    name: str
    memory: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NvidiaDriver:
    """What `nvidia-smi` says: the driver's version, the newest CUDA that it can run, the GPUs."""

    version: str | None = None
    cuda: str | None = None
    gpus: tuple[Gpu, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent:
    """One event of a Windows log, with its data by name (an unnamed item by its position, `0`, `1` …)."""

    log: str
    provider: str
    event_id: int
    time: str
    """UTC, ISO 8601, as the log has it."""
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All of it; what the provider does not know is None."""

    processor_features: Mapping[str, bool] | None = None
    """`sse3`, `ssse3`, `sse4.1`, `sse4.2`, `avx`, `avx2`, `avx512f`: usable, as the processor and Windows have them."""
    memory: Memory | None = None
    drives: Mapping[str, DriveKind] | None = None
    """By letter in upper case, without the colon."""
    ui_language: str | None = None
    """The person's display language, such as `zh-CN`."""
    code_integrity: int | None = None
    """Flags of SYSTEM_CODEINTEGRITY_INFORMATION (Microsoft, NtQuerySystemInformation)."""
    nvidia: NvidiaDriver | None = None
    """An empty value where the driver's tool is not there."""
    events: tuple[LogEvent, ...] | None = None
    """Of Defender, Code Integrity, side-by-side assemblies and application errors, newest first."""
    unmeasured: Mapping[str, str] = field(default_factory=dict)
    """Name of a field above and why it is None."""


UNMEASURED = Measured()
