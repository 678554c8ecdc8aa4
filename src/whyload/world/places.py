"""Where an environment keeps its files, as its own interpreter says. Paths are the operating system's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentPlaces:
    """The folders of `sysconfig`'s installation scheme."""

    prefix: Path
    site: Path
    """`purelib`."""
    platform_site: Path
    """`platlib`; nearly always the same folder."""
    scripts: Path
    pip: str | None = None
    """Version of the pip that is installed there."""
    managed: bool = False
    """Its distribution forbids pip to change it (PEP 668)."""

    @property
    def roots(self) -> tuple[Path, ...]:
        """Folders that a distribution's files may lie in, the deepest first."""
        return tuple(sorted({self.site, self.platform_site, self.scripts, self.prefix}, key=lambda p: -len(p.parts)))

    @property
    def schemes(self) -> dict[str, Path]:
        """The folders by the keys of wheels."""
        return {
            "purelib": self.site,
            "platlib": self.platform_site,
            "scripts": self.scripts,
            "data": self.prefix,
            "headers": self.prefix / "Include",
        }


def places_of(values: Mapping[str, object]) -> EnvironmentPlaces:
    """The places out of what the interpreter printed. Raises UsageError where something is missing."""

    def folder(name: str) -> Path:
        value = values.get(name)
        if not isinstance(value, str) or not value:
            raise UsageError(
                Message(
                    en=f"the interpreter does not say where its {name} lies", zh=f"解释器没有说明它的 {name} 在哪里"
                )
            )
        return Path(value)

    pip = values.get("pip")
    return EnvironmentPlaces(
        prefix=folder("data"),
        site=folder("purelib"),
        platform_site=folder("platlib"),
        scripts=folder("scripts"),
        pip=pip if isinstance(pip, str) else None,
        managed=values.get("managed") is True,
    )
