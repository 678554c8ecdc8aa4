"""Lines of a RECORD file. Source: PyPA, "Recording installed projects"."""

from __future__ import annotations

import re


def record_fields(line: str) -> tuple[str, str, str]:
    """Path, digest and size of one line as texts, empty where they are left out."""
    if line.startswith('"'):
        name, _, rest = line[1:].partition('",')
        digest, _, size = rest.rpartition(",")
        return name.replace('""', '"'), digest, size
    head, _, size = line.rpartition(",")
    name, _, digest = head.rpartition(",")
    return name, digest, size


def normalised(name: str) -> str:
    """A distribution's name for comparison (PyPA, "Name normalization")."""
    return re.sub(r"[-_.]+", "-", name).lower()
