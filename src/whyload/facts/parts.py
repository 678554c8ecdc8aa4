"""Libraries of packages that did not load and that the program goes on without, and what it will miss of them.

Source: PyTorch, `torch/library.py` (`register_fake`, `impl_abstract`): the operator has to be there, else the
registration ends with `RuntimeError: operator NAME does not exist`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import read_text

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.case import Case
    from whyload.loader.windows.playback import PlayedLoad

_REGISTERS = regular(
    r"^@torch\.(?:library\.(?:register_fake|impl_abstract)|_custom_ops\.impl_abstract)\(\s*[\"'](\w+)::(\w+)[\"']",
    re.MULTILINE,
)
_OPERATORS_OF = frozenset({"c10.dll", "torch_cpu.dll"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LostPart:
    """A library that a package has installed, that did not load, and whose error was caught."""

    load: PlayedLoad
    operator: str | None = None
    """`name::operator` of torch that a module imported later wants, and that this library would have brought."""


def lost_parts(case: Case) -> Iterator[LostPart]:
    """Those that are known to be asked for, and that no later attempt loads, in order."""
    for failure in case.playback.caught:
        load = failure.load
        path = load.tree.root.path if load is not None else None
        if load is None or path is None or not load.tree.status or load.is_conditional or load.event.is_likely:
            continue
        if not load.tree.uncertain and not _came_later(case, path) and case.packages.entry(path) is not None:
            yield LostPart(load=load, operator=_missed_operator(case, load, path))


def _came_later(case: Case, path: WinPath) -> bool:
    return any(load.tree.root.path == path and not load.tree.status for load in case.playback.loads)


def _missed_operator(case: Case, load: PlayedLoad, path: WinPath) -> str | None:
    if _OPERATORS_OF.isdisjoint(child.name.lower() for child in load.tree.root.children):
        return None
    package, files = path.parent, case.world.files
    start = read_text(files, package / "__init__.py") or ""
    for name in files.listdir(package):
        if name.lower().endswith(".py") and name[:-3] in start:
            for space, operator in _REGISTERS.findall(read_text(files, package / name) or ""):
                if space == package.name:
                    return f"{space}::{operator}"
    return None
