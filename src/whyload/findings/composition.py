"""Makes a finding from a fault: chain, owner, error numbers and the searched places are filled in the same
way for every cause.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.model import Certainty, Evidence, Finding, Severity
from whyload.loader.model import EdgeKind, Fault, Node, Status
from whyload.observe.events import Via

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.case import Case
    from whyload.facts.ownership import Owner
    from whyload.loader.windows.playback import PlayedLoad
    from whyload.remedies.model import Remedy


def compose(
    case: Case,
    load: PlayedLoad,
    fault: Fault,
    *,
    code: str,
    headline: Message,
    culprit: WinPath | None,
    object_name: str | None,
    found_at: WinPath | None = None,
    symbol: str | None = None,
    notes: tuple[Message, ...] = (),
    remedies: tuple[Remedy, ...] = (),
    certainty: Certainty | None = None,
    owner_of: WinPath | None = None,
    affected: tuple[WinPath, ...] = (),
) -> Finding:
    """A finding of severity error for one fault of one load."""
    file = owner_of or culprit
    return Finding(
        code=code,
        severity=Severity.ERROR,
        certainty=certainty or certainty_of(load),
        headline=headline,
        culprit=culprit,
        object=object_name,
        found_at=found_at,
        symbol=symbol,
        chain=chain_of(case, load, fault),
        line=load.event.place.line if load.event.place is not None else None,
        edge=_edge(fault),
        owner=case.packages.owner(file) if file else None,
        os_error=_status(load, fault),
        evidence=evidence_of(case, load, fault),
        notes=notes,
        remedies=remedies,
        affected=affected,
    )


def _status(load: PlayedLoad, fault: Fault) -> Status | None:
    if load.event.via is Via.FIND_LIBRARY:
        return None  # Windows was never asked
    return load.tree.status if load.tree.status else fault.status


_EDGES = {
    EdgeKind.REQUEST: Message(en="request", zh="请求"),
    EdgeKind.IMPORT_TABLE: Message(en="import table", zh="导入表"),
    EdgeKind.DELAY_IMPORT: Message(en="delay import", zh="延迟导入"),
    EdgeKind.FORWARDER: Message(en="forwarder", zh="转发"),
}


def _edge(fault: Fault) -> Message | None:
    if fault.symbol is not None or fault.node.importer is None:
        return None
    edge, count = _EDGES[fault.node.edge], fault.node.symbol_count
    if not count:
        return edge
    return Message(en=f"{edge.en}, {count} function{'s' if count != 1 else ''}", zh=f"{edge.zh}，{count} 个函数")


def certainty_of(load: PlayedLoad) -> Certainty:
    """Proved by the simulation, unless something it rests on is not known: the files, or how the program came there."""
    return Certainty.LIKELY if load.tree.uncertain or load.event.is_likely else Certainty.PROVED


def chain_of(case: Case, load: PlayedLoad, fault: Fault) -> tuple[str, ...]:
    """From the question over the Python file that asks for the library down to the name at fault."""
    chain = [case.subject]
    if load.event.place is not None and load.event.place.file is not None:
        chain.append(str(load.event.place.file))
    chain += [str(node.path or node.name) for node in fault.chain]
    if fault.symbol is not None:
        chain += [str(fault.symbol.library), fault.symbol.text]
    return tuple(item for index, item in enumerate(chain) if index == 0 or item != chain[index - 1])


_BY_HELPER = Message(en="the delay-load helper, flags 0x0", zh="延迟加载辅助函数，标志 0x0")


def evidence_of(case: Case, load: PlayedLoad, fault: Fault) -> tuple[Evidence, ...]:
    """Every place searched for the name, also in the earlier try where a package tries twice."""
    how = _BY_HELPER if fault.node.edge is EdgeKind.DELAY_IMPORT else way_of(load)
    found = [Evidence(kind="search", steps=_searched(fault).steps, subject=how)]
    for played in case.playback.loads:
        if played is load or played.event.name.lower() != load.event.name.lower():
            continue
        for node in _failed(played, fault.node.name)[:1]:
            found.insert(-1, Evidence(kind="search", steps=node.steps, subject=way_of(played)))
    return tuple(found)


def _searched(fault: Fault) -> Node:
    """The request whose search matters: for a missing function the one that led to the file that lacks it."""
    if fault.symbol is None:
        return fault.node
    return next((child for child in fault.node.children if child.path == fault.symbol.library), fault.node)


def _failed(load: PlayedLoad, name: str) -> list[Node]:
    return [fault.node for fault in load.tree.faults if fault.node.name.lower() == name.lower()]


def way_of(load: PlayedLoad) -> Message:
    """Who loads, and with which flags."""
    via, flags = load.event.via.value, f"0x{load.event.flags:X}"
    if load.event.via is Via.FIND_LIBRARY:
        return Message(en=via, zh=via)
    return Message(en=f"{via}, flags {flags}", zh=f"{via}，标志 {flags}")


def owner_label(owner: Owner | None) -> str:
    """`torch 2.4.0`, or nothing."""
    return f"{owner.distribution} {owner.version}" if owner else ""


def plain(
    case: Case,
    *,
    code: str,
    headline: Message,
    culprit: WinPath | None,
    object_name: str | None,
    certainty: Certainty,
    found_at: WinPath | None = None,
    notes: tuple[Message, ...] = (),
    remedies: tuple[Remedy, ...] = (),
    severity: Severity = Severity.ERROR,
) -> Finding:
    """A finding that no load call stands behind."""
    return Finding(
        code=code,
        severity=severity,
        certainty=certainty,
        headline=headline,
        culprit=culprit,
        object=object_name,
        found_at=found_at,
        chain=(case.subject, *([str(culprit)] if culprit else ())),
        owner=case.packages.owner(culprit) if culprit else None,
        notes=notes,
        remedies=remedies,
    )
