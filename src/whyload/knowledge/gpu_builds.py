"""Which CUDA and cuDNN a package was built with that takes both from the machine.

Source: data/gpu_builds.toml (each entry names its own), and the tags that such packages have in names or versions.
"""

from __future__ import annotations

import functools
import re

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.knowledge.reader import data_tables
from whyload.knowledge.releases import concerns

_IN_NAME = regular(r"-cu(?:da)?(\d{2,3})(?:x|mkl)?$")
_IN_VERSION = regular(r"(?:\+|-)cu(?:da)?(\d{2,3}?)(?:\d{2,3})?\b|\.post(\d{2,3})$")
_WITH_CUDNN = frozenset({"87", "97", "107"})
"""Paddle's tags of old: the toolkit without its minor, then the major of cuDNN."""
_ALL_MINORS_ALIKE = 11
"""From CUDA 11 on, the libraries of all minor versions have one name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuBuild:
    """What a release was built with."""

    package: str
    cuda: str
    """`10.1`, or `11` where any minor does."""
    cudnn: int | None

    def takes(self, toolkit: str) -> bool:
        """Whether the libraries of a toolkit (`10.1`, `11.x`) have the names that it asks for."""
        wanted, had = self.cuda.split("."), toolkit.split(".")
        if wanted[0] != had[0]:
            return False
        exact = int(wanted[0]) < _ALL_MINORS_ALIKE and len(wanted) > 1 and len(had) > 1 and had[1].isdigit()
        return not exact or wanted[1] == had[1]


def gpu_build(package: str, version: str | None) -> GpuBuild | None:
    """What the release of a package was built with; None where that is not known."""
    if any(
        package == own or package.startswith(f"{own}-") for own in data_tables("gpu_builds")["own_tags"]["packages"]
    ):
        return _by_tag(package, version)
    row = next(
        (
            row
            for row in data_tables("gpu_builds")["build"]
            if package in row["packages"] and version is not None and concerns(row["versions"], version)
        ),
        None,
    )
    return GpuBuild(package=package, cuda=row["cuda"], cudnn=row["cudnn"]) if row is not None else None


def _by_tag(package: str, version: str | None) -> GpuBuild | None:
    match = _IN_NAME.search(package) or _IN_VERSION.search(version or "")
    if match is None:
        return None
    tag = next(group for group in match.groups() if group)
    if tag in _WITH_CUDNN:
        return GpuBuild(package=package, cuda=f"{tag[:-1]}.0", cudnn=int(tag[-1]))
    return GpuBuild(package=package, cuda=_dotted(tag), cudnn=None)


@functools.cache
def _dotted(tag: str) -> str:
    """`101` is 10.1, `92` is 9.2, `12` is any 12."""
    if len(tag) == 3 or not re.match(r"1", tag):
        return f"{tag[:-1]}.{tag[-1]}"
    return tag
