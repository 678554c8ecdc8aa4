"""How far the reader follows a file before it says "incomplete" (loader.md R1.28).

Source: loader.md section 1.7, a survey of about 1,070 published files; the budgets at the end bound the work on a
hostile file and lie far above what any of those needs. Reaching a limit is always recorded (see `incomplete`), never
silent.
"""

from __future__ import annotations

SECTIONS = 96
DESCRIPTORS = 4096
FUNCTIONS_PER_DESCRIPTOR = 262_144
EXPORTS = 1_048_576
NAME_BYTES = 65_534
RESOURCE_DEPTH = 8
RESOURCE_ENTRIES = 65_536
RESOURCE_BYTES = 4 << 20

IMPORTED_FUNCTIONS = 400_000
"""Functions of all descriptors of one file together."""
NAME_BYTES_TOTAL = 32 << 20
"""Bytes of all imported names of one file together."""
READS = 8192
"""Read calls for one file."""
BYTES_READ = 256 << 20
"""Bytes read from one file."""
