"""One command: makes a virtual environment with whyload and the peers if there is none, and measures in it.

Source of truth: the targets of docs/performance.md. Standard library only until the environment stands.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ("pefile>=2023.2.7", "lief>=0.15", "packaging>=22")
_INSIDE = "WHYLOAD_BENCHMARK_INSIDE"


def environment() -> Path:
    """The interpreter of the environment, made where it is missing or incomplete."""
    folder = Path(os.environ.get("WHYLOAD_BENCHMARK_VENV", ROOT / ".venv-benchmark"))
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    check = "import lief, packaging, pefile, whyload"
    if python.exists() and subprocess.run([str(python), "-I", "-c", check], capture_output=True).returncode == 0:
        return python
    print(f"preparing {folder}", file=sys.stderr)
    venv.EnvBuilder(with_pip=True, clear=True).create(folder)
    (folder / ".gitignore").write_text("*\n")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *PEERS, "--editable", str(ROOT)], check=True)
    return python


def main() -> int:
    """Measure here if this is the environment, else start over in it."""
    if os.environ.get(_INSIDE) == "1":
        from benchmarks.run import run

        return run(sys.argv[1:])
    command = [str(environment()), "-m", "benchmarks", *sys.argv[1:]]
    # compiled modules are kept, as they are wherever whyload is installed
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, cwd=ROOT, env={**variables, _INSIDE: "1"}).returncode


if __name__ == "__main__":
    sys.exit(main())
