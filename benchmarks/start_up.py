"""What an added DLL folder costs whenever Python starts: `python -m benchmarks.start_up [COMMAND OF AN INTERPRETER]`.

Source of truth: docs/performance.md (under 2 ms; nothing is done where the folder is gone). Every figure is a start in
a process of its own, in which `site` reads a folder with or without the settings that `whyload fix` writes.
"""

from __future__ import annotations

import json
import shlex
import statistics
import subprocess
import sys

from whyload.world.settings import MODULE_FILE, PATH_FILE, PATH_LINE, Settings

ROUNDS = 31
LIMIT = 2.0
"""Milliseconds."""
_PREPARE = """
import json, os, sys, tempfile
folders = []
for files in json.loads(sys.argv[1]):
    folder = tempfile.mkdtemp(prefix='whyload-start-up-')
    for name, text in files.items():
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as stream:
            stream.write(text.replace('@HERE@', folder.replace(chr(92), chr(92) * 2)))
    folders.append(folder)
print(json.dumps(folders))
"""
_START = """
import os, site, sys, time
begin = time.perf_counter()
site.addsitedir(sys.argv[1])
print((time.perf_counter() - begin) * 1000)
"""
_REMOVE = "import shutil, sys; [shutil.rmtree(name, ignore_errors=True) for name in sys.argv[1:]]"


def _files(settings: Settings | None) -> dict[str, str]:
    """A folder of packages; without settings a `.pth` file that does nothing."""
    if settings is None:
        return {PATH_FILE: "import sys\n"}
    return {MODULE_FILE: settings.source(), PATH_FILE: PATH_LINE}


CASES = {
    "nothing": None,
    "one folder": Settings(folders=("@HERE@",)),
    "a folder that is gone": Settings(folders=("@HERE@/gone",)),
    "five folders and two variables": Settings(folders=("@HERE@",) * 5, variables=(("A", "1"), ("B", None))),
}


def _ask(python: list[str], code: str, *arguments: str) -> str:
    done = subprocess.run([*python, "-S", "-c", code, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def measure(python: list[str]) -> dict[str, float]:
    """The median milliseconds of each case, the rounds of all cases mixed."""
    folders = json.loads(_ask(python, _PREPARE, json.dumps([_files(case) for case in CASES.values()])))
    try:
        for folder in folders:
            _ask(python, _START, folder)  # the module is compiled once
        rounds = [[float(_ask(python, _START, folder)) for folder in folders] for _ in range(ROUNDS)]
    finally:
        _ask(python, _REMOVE, *folders)
    return {name: statistics.median(column) for name, column in zip(CASES, zip(*rounds, strict=True), strict=True)}


def main() -> int:
    """Print the figures; exit code 1 where a folder costs more than it may."""
    python = shlex.split(sys.argv[1]) if len(sys.argv) > 1 else [sys.executable, "-I"]
    figures = measure(python)
    base = figures.pop("nothing")
    for name, value in figures.items():
        print(f"{name:32} {value - base:+7.3f} ms")
    return int(max(figures.values()) - base > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
