"""Which minor release of torch a release of torchvision, torchaudio or torchcodec is built for.

Source: data/torch_pairs.toml (the tables of those packages, each entry names its own).
"""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.knowledge.reader import data_tables

_RELEASE = regular(r"(\d{1,2}\.\d{1,2})(?!\d)(?![.\d]*(?:a\d|b\d|rc|\.?dev))")
"""The minor release of a version; none of one that was built on the way to a release."""


def paired_packages() -> tuple[str, ...]:
    """The packages whose partner is known."""
    return tuple(row["package"] for row in data_tables("torch_pairs")["pair"])


def torch_for(package: str, version: str) -> str | None:
    """`2.4` for torchvision 0.19.1; None where the package or the release is unknown."""
    release = _minor(version)
    return next((torch for own, torch in _fits(package) if own == release), None)


def release_for(package: str, torch: str) -> str | None:
    """`0.19` of torchvision for torch 2.4.1, the newest where there are several; None where that is unknown."""
    wanted = _minor(torch)
    return next((own for own, fits in _fits(package) if fits == wanted), None)


def _fits(package: str) -> list[list[str]]:
    """Pairs of a minor release of the package and torch's, newest first."""
    rows = (row["fits"] for row in data_tables("torch_pairs")["pair"] if row["package"] == package)
    return next(rows, [])


def is_paired(package: str, version: str, torch: str) -> bool | None:
    """Whether the two belong together; None where that is not known, as of builds between releases."""
    wanted, have = torch_for(package, version), _minor(torch)
    return None if wanted is None or have is None else wanted == have


def _minor(version: str) -> str | None:
    match = _RELEASE.match(version)
    return match[1] if match else None
