"""The CPythons of this machine, for tests that must hold in every version the probe is sent into."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MINORS = range(7, 16)


@functools.cache
def interpreters() -> dict[str, str]:
    """Executables by version (`3.7`); the one that runs the tests is always among them."""
    found = {f"3.{sys.version_info.minor}": sys.executable}
    for candidate in _candidates():
        version = _version(candidate)
        if version is not None:
            found.setdefault(version, candidate)
    return dict(sorted(found.items(), key=lambda item: int(item[0].partition(".")[2])))


def _candidates() -> Iterator[str]:
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for minor in MINORS:
        yield from (str(path) for path in sorted(root.glob(f"versions/3.{minor}.*/bin/python")))
        if on_path := shutil.which(f"python3.{minor}"):
            yield on_path


def _version(executable: str) -> str | None:
    code = "import sys; print('%d.%d' % sys.version_info[:2] if sys.implementation.name == 'cpython' else '')"
    try:
        done = subprocess.run([executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = done.stdout.strip()
    return text if text in {f"3.{minor}" for minor in MINORS} else None
