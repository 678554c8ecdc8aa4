"""Portable Executable files: bytes to values (Microsoft, "PE Format"; loader.md section 1)."""

from whyload.formats.pe.exports import Export, ExportTable, Forwarder, parse_forwarder
from whyload.formats.pe.headers import BadImageError, Defect, Section
from whyload.formats.pe.image import Image
from whyload.formats.pe.imports import ImportedLibrary, ImportedSymbol
from whyload.formats.pe.incomplete import Cause, Incomplete, Table
from whyload.formats.pe.loadconfig import LoadConfig
from whyload.formats.pe.sniff import Kind, sniff

__all__ = [
    "BadImageError",
    "Cause",
    "Defect",
    "Export",
    "ExportTable",
    "Forwarder",
    "Image",
    "ImportedLibrary",
    "ImportedSymbol",
    "Incomplete",
    "Kind",
    "LoadConfig",
    "Section",
    "Table",
    "parse_forwarder",
    "sniff",
]
