"""A whole program over one library: which libraries it needs, and those in turn, as far as they lie in its folder.

Source of truth: target 7 of docs/performance.md, which was set with a program that did this and no more.
"""

from __future__ import annotations

import os
import sys

from benchmarks.source import Source
from whyload.formats.pe import Image


def closure(file: str) -> tuple[int, int]:
    """(files of its folder that are reached, names of others)."""
    folder, first = os.path.split(file)
    here = {name.lower(): name for name in os.listdir(folder)}  # noqa: PTH208 - pathlib costs 3 ms to import
    reached, others, waiting = {first.lower()}, set[str](), [first]
    while waiting:
        image = Image(Source(f"{folder}/{waiting.pop()}"))
        for library in (*image.imports(), *image.delay_imports()):
            name = library.file_name.lower()
            if name in reached:
                continue
            if name in here:
                reached.add(name)
                waiting.append(here[name])
            else:
                others.add(name)
    return len(reached), len(others)


if __name__ == "__main__":
    print(*closure(sys.argv[1]))
