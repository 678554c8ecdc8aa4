"""Delay imports that a run needed: what they name is looked for when a function of it is called, not before.

Source: loader.md R2.52; Microsoft, "Error handling and notification" of the delay-load helper: the process ends with
exception 0xC06D007E where the library was not found, with 0xC06D007F where it lacks the function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.facts.case import Case
from whyload.facts.subjects import Absence, absence
from whyload.knowledge.systems import is_api_set
from whyload.loader.model import Fault, FaultKind, Node
from whyload.loader.windows.playback import PlayedLoad

_ENDED_BY_HELPER = frozenset({0xC06D007E, 0x80000100})
"""The second is Wine's answer (EXCEPTION_WINE_STUB)."""


def missed_delay_imports(case: Case, said: str, load: PlayedLoad | None, ntstatus: int | None) -> Iterator[Absence]:
    """Absent delay imports of libraries that loaded: what the process died of while `load` was under way, or what the
    text `said` at the end of the run names.
    """
    died = ntstatus in _ENDED_BY_HELPER
    for played in [load] if died and load is not None else case.playback.loads:
        if played.tree.status:
            continue
        for fault in _absent(played.tree.root, ()):
            name = fault.node.name
            if _names(said, name) or (died and not is_api_set(name.lower())):
                yield absence(case, played, fault)


def _absent(node: Node, above: tuple[Node, ...]) -> Iterator[Fault]:
    chain = (*above, node)
    for child in node.delayed:
        if child.status.winerror == 126:
            yield Fault(kind=FaultKind.NOT_FOUND, node=child, chain=(*chain, child), status=child.status)
    for child in node.children:
        yield from _absent(child, chain)


def _names(text: str, library: str) -> bool:
    return bool(text) and re.search(rf"(?<![\w.-]){re.escape(library)}(?![\w-])", text, re.IGNORECASE) is not None
