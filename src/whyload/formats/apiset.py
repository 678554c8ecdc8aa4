"""The API set schema, version 6: virtual names and the DLLs that host them (loader.md 2.3).

Source: the layout was verified on files of Windows 10; Microsoft, "API set loader operation" for the meaning.
"""

from __future__ import annotations

import struct

from whyload.base.errors import FormatError
from whyload.formats.pe import Image

_HEADER = struct.Struct("<7I")
_ENTRY = struct.Struct("<6I")
_VALUE = struct.Struct("<5I")
_MOST_ENTRIES = 65_536


class ApiSetSchema:
    """Contract names (without the last number) and their hosts."""

    def __init__(self, data: bytes) -> None:
        """Read the section `.apiset`. Raises FormatError where it is not version 6 or runs out of the data."""
        self._data = data
        self._values: dict[str, tuple[int, int]] = {}
        try:
            version, _, _, count, entries, _, _ = _HEADER.unpack_from(data)
            if version != 6:
                raise FormatError(f"version {version} is not read", place="API set schema")
            for index in range(min(count, _MOST_ENTRIES)):
                _, name, _, hashed, values, value_count = _ENTRY.unpack_from(data, entries + _ENTRY.size * index)
                self._values[self._text(name, hashed).lower()] = (values, value_count)
        except struct.error:
            raise FormatError("runs out of the section", place="API set schema") from None

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
        stem = name.lower().removesuffix(".dll").rpartition("-")[0]  # R2.16: the last number does not count
        if stem not in self._values:
            return None
        offset, count = self._values[stem]
        default = ""
        try:
            for index in range(count):
                _, alias, alias_length, value, value_length = _VALUE.unpack_from(
                    self._data, offset + _VALUE.size * index
                )
                alias_text = self._text(alias, alias_length).lower()
                if importer and alias_text == importer.lower():
                    return self._text(value, value_length)
                if index == 0:
                    default = self._text(value, value_length)
        except struct.error:
            return None
        return default
