"""Asks every exporting file that won for every function that is imported from it (loader.md R1.20 to R1.24,
R2.48 to R2.50).
"""

from __future__ import annotations

from whyload.base.errors import FormatError
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.loader.images import initialiser_fails
from whyload.loader.model import EdgeKind, MissingSymbol
from whyload.loader.windows.load import Call, Draft, is_part_of_windows

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.formats.pe import Export, ExportTable, Forwarder, Image, ImportedLibrary, ImportedSymbol

_MOST_HOPS = 32


def bind(call: Call) -> None:
    """Check the imports of every file that this call mapped; dependencies before those that need them."""
    mapped = len(call.fresh)
    for draft in reversed(call.fresh[:mapped]):
        _bind_draft(call, draft)
    while mapped < len(call.fresh):  # what forwarders brought in
        mapped += 1
        _bind_draft(call, call.fresh[mapped - 1])


def _bind_draft(call: Call, draft: Draft) -> None:
    if draft.image is None or draft.path is None or is_part_of_windows(call.process, draft.path, draft.stand_in):
        return
    if call.process.sees_other_tables(draft.image):
        return
    _bind_file(call, draft, draft.image, draft.path)
    draft.initialiser_fails = draft.image.is_dll and initialiser_fails(draft.image)


def _bind_file(call: Call, draft: Draft, image: Image, path: WinPath) -> None:
    used = [entry for entry in image.imports() if not entry.is_unused]
    for entry, child in zip(used, list(draft.children), strict=False):
        exporter = child.path
        if child.status or exporter is None or not entry.symbol_count:
            continue
        _bind_library(call, draft, path, child, exporter, entry)


def _bind_library(
    call: Call, draft: Draft, importer: WinPath, child: Draft, exporter: WinPath, library: ImportedLibrary
) -> None:
    opened = call.process.images.open(exporter)
    if opened.image is None or opened.stand_in:
        return  # the exports are not known: never "missing"
    table, certain = _exports(call, opened.image, exporter)
    if table is None:
        if certain and (symbols := library.symbols()):
            first = symbols[0]
            draft.missing_symbols.append(
                MissingSymbol(
                    importer=importer,
                    library=exporter,
                    name=first.name,
                    ordinal=first.ordinal,
                    by_ordinal=first.name is None,
                    no_export_table=True,
                )
            )
        return
    trusted = is_part_of_windows(call.process, exporter, opened.stand_in)
    for symbol in library.symbols_beside(table):
        export = _find(table, symbol)
        if export is None:
            if certain:
                draft.missing_symbols.append(
                    MissingSymbol(
                        importer=importer,
                        library=exporter,
                        name=symbol.name,
                        ordinal=symbol.ordinal,
                        by_ordinal=symbol.name is None,
                    )
                )
        elif export.forwarder is not None and not trusted and call.all_mapped:
            _follow_forwarder(call, draft, child, exporter, symbol, export.forwarder)


def _exports(call: Call, image: Image, path: WinPath) -> tuple[ExportTable | None, bool]:
    """The table (None without one) and whether an absent function is certain: never for a table that cannot be read."""
    if call.process.sees_other_tables(image):
        return None, False
    try:
        table = image.exports()
    except FormatError as error:
        call.doubt(Message(en=f"{path.name}: {error}", zh=f"{path.name}：{error}"))
        return None, False
    return table, table is None or table.is_complete


def _find(table: ExportTable, symbol: ImportedSymbol) -> Export | None:
    if symbol.name is not None:
        return table.find(symbol.name, symbol.hint)
    return table.find_ordinal(symbol.ordinal or 0)


def _follow_forwarder(
    call: Call, draft: Draft, child: Draft, exporter: WinPath, symbol: ImportedSymbol, forwarder: Forwarder
) -> None:
    """R2.50: the target is loaded in the same context; R1.24: at most 32 hops."""
    holder, hop, by_ordinal = child, forwarder, symbol.name is None
    for _ in range(_MOST_HOPS):
        target = _target(call, holder, exporter, hop, by_ordinal)
        if target.status or target.path is None:
            return
        opened = call.process.images.open(target.path)
        if opened.image is None or opened.stand_in or is_part_of_windows(call.process, target.path, opened.stand_in):
            return
        table, certain = _exports(call, opened.image, target.path)
        found = None
        if table is not None:
            found = table.find(hop.name) if hop.name is not None else table.find_ordinal(hop.ordinal or 0)
        if found is None and not certain:
            return
        if found is None:
            draft.missing_symbols.append(
                MissingSymbol(
                    importer=draft.path or exporter,
                    library=target.path,
                    name=hop.name,
                    ordinal=hop.ordinal,
                    by_ordinal=by_ordinal,
                )
            )
            return
        if found.forwarder is None:
            return
        holder, exporter, hop = target, target.path, found.forwarder
    draft.missing_symbols.append(
        MissingSymbol(
            importer=draft.path or exporter,
            library=child.path or exporter,
            name=symbol.name,
            ordinal=symbol.ordinal,
            by_ordinal=by_ordinal,
            circular=True,
        )
    )


def _target(call: Call, holder: Draft, exporter: WinPath, forwarder: Forwarder, by_ordinal: bool) -> Draft:
    known = next((c for c in holder.children if c.name.lower() == forwarder.module.lower()), None)
    if known is not None:
        return known
    target = call.request(forwarder.module, EdgeKind.FORWARDER, exporter, holder.folders or call.fresh[0].folders)
    target.by_ordinal = by_ordinal
    holder.children.append(target)
    return target
