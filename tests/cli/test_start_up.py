"""What starting costs, counted in modules and never in time (docs/performance.md, target 12)."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SLOW = frozenset({
    "asyncio", "ctypes", "email", "http", "importlib.metadata", "inspect", "json", "logging", "multiprocessing",
    "pathlib", "socket", "subprocess", "tomllib", "urllib", "zipfile",
})  # fmt: skip
ROOMS = ("api", "engine", "facts", "findings", "formats", "knowledge", "loader", "observe", "remedies", "report",
         "rules", "startup", "world")  # fmt: skip
RUN = """
import sys
before = set(sys.modules)
try:
    {code}
except SystemExit:
    pass
import json
print("\\n" + json.dumps(sorted(set(sys.modules) - before - set(json.__dict__["__name__"].split()))))
"""


def loaded(code: str) -> frozenset[str]:
    """Modules that a fresh isolated interpreter loads for this code, beyond what it has at its start."""
    script = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "try:\n"
        f"    {code}\n"
        "except SystemExit:\n"
        "    pass\n"
        "after = sorted(set(sys.modules) - before)\n"
        "import json\n"
        "sys.stderr.write(json.dumps(after))\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    names: list[str] = json.loads(done.stderr)
    return frozenset(names)


def program(*arguments: str) -> frozenset[str]:
    """Modules of the whole program with these arguments."""
    return loaded(f"import runpy; sys.argv[1:] = {list(arguments)!r}; runpy.run_module('whyload', alter_sys=True)")


def roots(modules: frozenset[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def third_party(modules: frozenset[str]) -> set[str]:
    return roots(modules) - sys.stdlib_module_names - {"whyload", "__mp_main__"}
