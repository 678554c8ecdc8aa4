"""What reading a zip file ends with where it is damaged, encrypted or oddly packed.

Source: Python's documentation of `zipfile`, and what fuzzing showed: errors of the decompressors and of `struct`
come through.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib

UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
