"""Processor, memory, paging files and drives.

Sources: Microsoft, IsProcessorFeaturePresent, GlobalMemoryStatusEx, "Introduction to page files" (PagingFiles),
GetDriveTypeW; the registry key that holds the processor's own name.
"""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.facts.machine.sources import SESSION_MANAGER, Sources, text
from whyload.world.measured import DriveKind, Memory
from whyload.world.model import World

_PROCESSOR = "HKLM\\HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0"
_PAGING = f"{SESSION_MANAGER}\\Memory Management"
_ONLY_LIVE = "only the running machine says it"


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareFacts:
    """Sizes in bytes. None: not known; `unknown` says why."""

    processor: str | None = None
    features: Mapping[str, bool] | None = None
    memory: Memory | None = None
    paging_files: tuple[str, ...] | None = None
    """As configured: file, least and greatest size in MiB (0 0: Windows decides)."""
    drives: Mapping[str, DriveKind] | None = None
    read_from: Mapping[str, str] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)


def hardware_facts(world: World) -> HardwareFacts:
    """What is known of the hardware."""
    notes, measured = Sources(), world.measured
    why = measured.unmeasured
    name = text(world.registry.values(_PROCESSOR), "ProcessorNameString")
    return HardwareFacts(
        processor=notes.take("processor", name.strip() if name else None, _PROCESSOR),
        features=notes.take(
            "features",
            measured.processor_features,
            "IsProcessorFeaturePresent",
            why.get("processor_features", _ONLY_LIVE),
        ),
        memory=notes.take("memory", measured.memory, "GlobalMemoryStatusEx", why.get("memory", _ONLY_LIVE)),
        paging_files=notes.take("paging_files", _paging_files(world), _PAGING),
        drives=notes.take("drives", measured.drives, "GetDriveTypeW", why.get("drives", _ONLY_LIVE)),
        read_from=notes.read_from,
        unknown=notes.unknown,
    )


def _paging_files(world: World) -> tuple[str, ...] | None:
    values = world.registry.values(_PAGING)
    if not values:
        return None
    files = values.get("PagingFiles")
    lines = files if isinstance(files, list | tuple) else [files]
    return tuple(line for line in lines if isinstance(line, str) and line.strip())
