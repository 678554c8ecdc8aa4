"""Resource trees for the PE writer: version information and manifests.

Source of truth: Microsoft, "PE Format" (resource directory) and its pages on VS_VERSIONINFO and StringFileInfo.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tests.testbed.linker import Directory, Fix, Linker, Section

VERSION, MANIFEST = 16, 24
LANGUAGE = 0x409


def version_information(version: tuple[int, int, int, int], file_name: str) -> bytes:
    """A VS_VERSIONINFO with the fixed part and three strings."""
    high, low = version[0] << 16 | version[1], version[2] << 16 | version[3]
    fixed = struct.pack("<13I", 0xFEEF04BD, 0x10000, high, low, high, low, 0x3F, 0, 0x40004, 2, 0, 0, 0)
    text = ".".join(map(str, version))
    strings = {"FileVersion": text, "OriginalFilename": file_name, "ProductVersion": text}
    entries = [_node(key, (value + "\0").encode("utf-16-le"), (), textual=True) for key, value in strings.items()]
    table = _node("040904B0", b"", entries, textual=True)
    return _node("VS_VERSION_INFO", fixed, [_node("StringFileInfo", b"", [table], textual=True)], textual=False)


def _node(key: str, value: bytes, children: Sequence[bytes], *, textual: bool) -> bytes:
    """One block: length, value length, type, key, value, children; each part starts at a multiple of 4."""
    body = bytearray(6) + (key + "\0").encode("utf-16-le")
    for part in (value, *children):
        body += bytes(-len(body) % 4) + part
    struct.pack_into("<HHH", body, 0, len(body), len(value) // 2 if textual else len(value), int(textual))
    return bytes(body)


def add_resources(linker: Linker, resources: dict[tuple[int, int], bytes]) -> None:
    """The resource directory; keys are (type, identifier), and each has one language."""
    section = Section.RSRC
    types = sorted({kind for kind, _ in resources})
    tree: list[tuple[str, list[tuple[int, str]]]] = [("root", [(kind, f"type {kind}") for kind in types])]
    for kind in types:
        names = sorted(name for k, name in resources if k == kind)
        tree.append((f"type {kind}", [(name, f"name {kind}/{name}") for name in names]))
    tree += [(f"name {kind}/{name}", [(LANGUAGE, f"leaf {kind}/{name}")]) for kind, name in sorted(resources)]
    offsets, position = {}, 0
    for label, entries in tree:
        offsets[label] = 0x80000000 | position
        position += 16 + 8 * len(entries)
    for kind, name in sorted(resources):
        offsets[f"leaf {kind}/{name}"] = position
        position += 16
    linker.label(section, "resources")
    for _, entries in tree:
        linker.put(section, struct.pack("<IIHHHH", 0, 0, 0, 0, 0, len(entries)))
        for identifier, target in entries:
            linker.put(section, struct.pack("<II", identifier, offsets[target]))
    for key, data in sorted(resources.items()):
        linker.refer(section, Fix.RVA, f"resource {key}")
        linker.put(section, struct.pack("<III", len(data), 0, 0))
    for key, data in sorted(resources.items()):
        linker.align(section, 4)
        linker.label(section, f"resource {key}")
        linker.put(section, data)
    linker.label(section, "resources end")
    linker.directory(Directory.RESOURCE, "resources", "resources end")
