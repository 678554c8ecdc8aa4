"""Names in import tables are bytes in the ANSI code page of the machine.

Source: Microsoft, "Code Page Identifiers" and "RtlAnsiStringToUnicodeString": an ANSI string is in the current system
code page. That the loader reads import names by it is what ReactOS' loader shows; Wine's takes the bytes as they are.
"""

from __future__ import annotations

import codecs

from whyload.world.model import World

_KEY = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage"


def code_page(world: World) -> str | None:
    """Python's name of the ANSI code page of a world; None where the world does not tell, or Python has none."""
    values = world.registry.values(_KEY)
    number = values.get("ACP") if values else None
    name = "utf-8" if str(number) == "65001" else f"cp{number}"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


def import_name(name: str, page: str | None) -> str | None:
    """A name of latin-1 as that code page reads it; None where the page is not known or has no such signs."""
    try:
        return name.encode("latin-1").decode(page) if page else None
    except UnicodeDecodeError:
        return None
