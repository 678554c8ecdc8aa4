"""A whole program over an environment: finds every native file, and (with `names`) reads what each one imports.

Source of truth: target 9 of docs/performance.md.
"""

from __future__ import annotations

import os
import sys

_NATIVE = (".dll", ".pyd", ".exe")


def native_files(folders: list[str]) -> list[str]:
    """Paths below the folders, without following links."""
    found: list[str] = []
    stack = list(folders)
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                elif entry.name.lower().endswith(_NATIVE):
                    found.append(entry.path)
    return found


def main() -> None:
    """Argument 1: `bare` or `names`; the others: folders."""
    files = native_files(sys.argv[2:])
    if sys.argv[1] == "names":
        from benchmarks.contenders import JOBS

        JOBS["names whyload"](files)


if __name__ == "__main__":
    main()
