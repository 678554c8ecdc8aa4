"""What lies in an environment and belongs to no distribution: remains of installations that were cut off.

Sources: pip's `_internal/utils/temp_dir.py` (AdjacentTempDirectory: what is uninstalled is first renamed to `~` and
other marks in the place of the first letters); PyPA, "Recording installed projects".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.base.regular import regular
from whyload.facts.packages import Packages
from whyload.world.model import FileView

_MARKS = "-~.=%0123456789"
_INFO = regular(r"(?P<name>.+?)-(?P<version>[^-]+)\.dist-info", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remains:
    """A folder or module in site-packages that no record lists, and what was left beside it."""

    top: WinPath
    paths: tuple[WinPath, ...]
    """With `top`: records without a list of files, and what pip had renamed."""
    distribution: str | None = None
    version: str | None = None
    """What it was, as far as what was left says it."""


def is_set_aside(name: str) -> bool:
    """pip renamed it to remove it, and did not come to that."""
    return name.startswith("~")


def remains_around(files: FileView, packages: Packages, path: WinPath, folders: tuple[WinPath, ...]) -> Remains | None:
    """What is left of the package in whose folder a file lies; None where the file, or another below it, is recorded.

    `folders` are those that distributions are installed into.
    """
    site = next((folder for folder in folders if path.is_below(folder)), None)
    if site is None or packages.entry(path) is not None:
        return None
    top = site / path.relative_to(site).partition("\\")[0]
    if packages.has_below(top):
        return None
    found = list(_of_package(files, packages, site, top.name.partition(".")[0]))
    info = next((match for _, match in found if match is not None), None)
    paths = tuple(dict.fromkeys((top, *(path for path, _ in found))))
    if info is None:
        return Remains(top=top, paths=paths)
    return Remains(top=top, paths=paths, distribution=info["name"], version=info["version"])


def _of_package(
    files: FileView, packages: Packages, site: WinPath, package: str
) -> Iterator[tuple[WinPath, re.Match[str] | None]]:
    """Records without a list of files, then what pip set aside, each with the name and version that it tells."""
    for item in packages.installed():
        info = item.info
        if info is not None and not item.is_whole and info.parent == site and _same(item.owner.distribution, package):
            yield info, _INFO.fullmatch(info.name)
    for name in files.listdir(site):
        stem, rest = name[: len(package)], name[len(package) :]
        if is_set_aside(name) and rest[:1] in ("", "-", ".") and _was_called(stem, package):
            yield site / name, _INFO.fullmatch(package + rest)


def _same(distribution: str, package: str) -> bool:
    return normalised(distribution) == normalised(package)


def _was_called(renamed: str, package: str) -> bool:
    """`~umpy`, `~-mpy`: as long as the old name, with marks where its first letters were."""
    rest = renamed.lstrip(_MARKS)
    return bool(rest) and package.lower().endswith(rest.lower())
