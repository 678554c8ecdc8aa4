"""Names in import tables are bytes in the ANSI code page of the machine.

Source: Microsoft, "Code Page Identifiers" and "RtlAnsiStringToUnicodeString": an ANSI string is in the current system
code page. That the loader reads import names by it is what ReactOS' loader shows; Wine's takes the bytes as they are.
"""

from __future__ import annotations

from whyload.world.model import World

_KEY = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage"


def import_name(name: str, world: World) -> str:
    """A name of latin-1 as that machine reads it; as it is where the code page is not known or has no such signs."""
    values = world.registry.values(_KEY)
    number = values.get("ACP") if values else None
    try:
        return name.encode("latin-1").decode("utf-8" if str(number) == "65001" else f"cp{number}")
    except (LookupError, UnicodeDecodeError):
        return name
