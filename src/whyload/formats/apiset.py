"""The API set schema: virtual DLL names and the DLLs that host them, versions 2 (Windows 7), 4 (8.1) and 6 (10 and
later) (loader.md 2.3).

Source: the layouts were verified on files of those systems; Microsoft, "API set loader operation" for the meaning.
"""

from __future__ import annotations

import struct

from whyload.base.dataclass import dataclass
from whyload.base.errors import FormatError
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.formats.pe import Image

_PLACE = "API set schema"
_MOST_ENTRIES = 65_536
_MOST_VALUES = 256
"""Real contracts have at most a handful of hosts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """Where a version keeps things. An entry ends in the offset of its values."""

    header: struct.Struct
    """Up to and with the count of entries, its last number."""
    entry: struct.Struct
    name: tuple[int, int]
    """Which numbers of an entry are offset and length of the name that is looked up."""
    values: int
    """Which number of an entry is the offset of its values."""
    count: int | None
    """Which number of an entry is their count; None where it stands before them, last of `values_header` bytes."""
    values_header: int
    value: struct.Struct
    """Its last four numbers: offset and length of the importer's name, then of the host's."""


_LAYOUTS = {
    2: _Layout(
        header=struct.Struct("<2I"), entry=struct.Struct("<3I"), name=(0, 1), values=2, count=None, values_header=4,
        value=struct.Struct("<4I"),
    ),
    4: _Layout(
        header=struct.Struct("<4I"), entry=struct.Struct("<6I"), name=(1, 2), values=5, count=None, values_header=8,
        value=struct.Struct("<5I"),
    ),
    6: _Layout(
        header=struct.Struct("<4I"), entry=struct.Struct("<6I"), name=(1, 3), values=4, count=5, values_header=0,
        value=struct.Struct("<5I"),
    ),
}  # fmt: skip


class ApiSetSchema:
    """Contract names and their hosts: in version 6 without the last number, before it without the prefix."""

    def __init__(self, data: bytes) -> None:
        """Read the section `.apiset`. Raises FormatError where its version is none of these or it runs out of data."""
        self._data = data
        self._values: dict[str, tuple[int, int]] = {}
        try:
            self.version: int = struct.unpack_from("<I", data)[0]
            layout = _LAYOUTS.get(self.version)
            if layout is None:
                raise FormatError(f"version {self.version} is not read", place=_PLACE)
            self._layout = layout
            self._read_entries(layout)
        except struct.error:
            raise FormatError("runs out of the section", place=_PLACE) from None

    def _read_entries(self, layout: _Layout) -> None:
        head = layout.header.unpack_from(self._data)
        first = struct.unpack_from("<I", self._data, 16)[0] if self.version == 6 else layout.header.size
        for index in range(min(head[-1], _MOST_ENTRIES)):
            entry = layout.entry.unpack_from(self._data, first + layout.entry.size * index)
            name, values = self._text(*(entry[at] for at in layout.name)), entry[layout.values]
            if layout.count is not None:
                count = entry[layout.count]
            else:
                count = struct.unpack_from("<I", self._data, values + layout.values_header - 4)[0]
            self._values[name.lower()] = (values + layout.values_header, min(count, _MOST_VALUES))

    @classmethod
    def from_image(cls, image: Image) -> ApiSetSchema | None:
        """The schema in `apisetschema.dll`; None where that file has none that can be read."""
        data = image.section_data(".apiset", 4 << 20)
        if data is None:
            return None
        try:
            return cls(data)
        except FormatError:
            return None

    def _text(self, offset: int, length: int) -> str:
        return self._data[offset : offset + length].decode("utf-16-le", "replace")

    def __len__(self) -> int:
        return len(self._values)

    def host(self, name: str, importer: str | None = None) -> str | None:
        """The host's file name; "" where the contract is known but not hosted (R2.14), None where it is not
        in the schema.

        `importer` is the base name of the importing module: a few contracts have a host of their own for it.
        """
        stem = name.lower().removesuffix(".dll")
        # R2.16: from Windows 10 on the last number does not count; before, it had to match
        key = stem.rpartition("-")[0] if self.version == 6 else stem.partition("-")[2]
        if key not in self._values:
            return None
        offset, count = self._values[key]
        default = ""
        try:
            for index in range(count):
                at = offset + self._layout.value.size * index
                alias, alias_length, value, value_length = self._layout.value.unpack_from(self._data, at)[-4:]
                if importer and self._text(alias, alias_length).lower() == importer.lower():
                    return self._text(value, value_length)
                if index == 0:
                    default = self._text(value, value_length)
        except struct.error:
            return None
        return default
