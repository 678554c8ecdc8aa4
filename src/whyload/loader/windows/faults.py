"""From a finished tree to the faults in it, the one that Windows reports first (loader.md R2.46, R6.2)."""

from __future__ import annotations

from whyload.loader.model import (
    INIT_FAILED,
    NO_ORDINAL,
    NO_PROCEDURE,
    EdgeKind,
    Fault,
    FaultKind,
    Node,
    Verdict,
)

_BY_VERDICT = {
    Verdict.REFUSED: FaultKind.BAD_PARAMETER,
    Verdict.DAMAGED: FaultKind.DAMAGED,
    Verdict.DENIED: FaultKind.DENIED,
    Verdict.DIRECTORY: FaultKind.DENIED,
    Verdict.INCOMPATIBLE: FaultKind.WRONG_MACHINE,
    Verdict.MISMATCH: FaultKind.WRONG_MACHINE,
}


def find_faults(root: Node) -> tuple[Fault, ...]:
    """Mapping faults in load order, then functions that are missing, then initialisers that fail."""
    mapping: list[Fault] = []
    symbols: list[Fault] = []
    starting: list[Fault] = []
    _collect(root, (), mapping, symbols, starting)
    return (*mapping, *symbols, *starting)


def _collect(
    node: Node, above: tuple[Node, ...], mapping: list[Fault], symbols: list[Fault], starting: list[Fault]
) -> None:
    chain = (*above, node)
    if node.status:
        if node.edge is EdgeKind.FORWARDER:
            symbols.append(_of_forwarder(node, chain))
        else:
            mapping.append(Fault(kind=_kind(node), node=node, chain=chain, status=node.status))
    for child in node.children:
        _collect(child, chain, mapping, symbols, starting)
    for symbol in node.missing_symbols:
        kind = FaultKind.NO_EXPORT_TABLE if symbol.no_export_table else FaultKind.MISSING_SYMBOL
        symbols.append(Fault(kind=kind, node=node, chain=chain, status=symbol.status, symbol=symbol))
    if node.initialiser_fails:
        starting.append(Fault(kind=FaultKind.INIT_FAILED, node=node, chain=chain, status=INIT_FAILED))


def _of_forwarder(node: Node, chain: tuple[Node, ...]) -> Fault:
    """R2.49: a target that is nowhere is a missing function, as the import asked for it; a bad file stays one."""
    kind = _kind(node)
    if kind is not FaultKind.NOT_FOUND:
        return Fault(kind=kind, node=node, chain=chain, status=node.status)
    status = NO_ORDINAL if node.by_ordinal else NO_PROCEDURE
    return Fault(kind=FaultKind.FORWARDER_TARGET_MISSING, node=node, chain=chain, status=status)


def _kind(node: Node) -> FaultKind:
    for step in reversed(node.steps):
        if step.verdict in _BY_VERDICT:
            return _BY_VERDICT[step.verdict]
    return FaultKind.NOT_FOUND
