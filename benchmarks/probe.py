"""What watching costs a program: `python -m benchmarks.probe`. Processor time of a 2 s import, with and without.

The modules are made here, so that nothing has to be downloaded; the target (issue and docs/performance.md) is 15 %.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from whyload.observe.observation import ask_code
from whyload.observe.run import observe
from whyload.world.interpreter import find_launch

MODULES = 1200
ROUNDS = 7


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        make_package(Path(folder) / "big")
        code = f"import sys; sys.path.insert(0, {folder!r}); import big"
        plain = seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True))
        watched = seconds(lambda: observe(ask_code(code), find_launch()))
    print(
        f"import of {MODULES} modules: {plain:.2f} s, watched {watched:.2f} s: {100 * (watched / plain - 1):.1f} % more"
    )


def make_package(folder: Path) -> None:
    """A package of modules that each do about a millisecond of work."""
    folder.mkdir()
    functions = "".join(f"def f{i}(a, b=1, *c, **d):\n    return [a for x in c if x]\n" for i in range(40))
    body = f"import os, sys\n{functions}x = sum(i * i for i in range(6000))\n"
    for number in range(MODULES):
        (folder / f"m{number}.py").write_text(body)
    (folder / "__init__.py").write_text("".join(f"from . import m{number}\n" for number in range(MODULES)))


def seconds(run: Callable[[], object]) -> float:
    """Processor time of the best of some rounds, that of ended children included; the first one fills the caches."""
    run()
    return min(_once(run) for _ in range(ROUNDS))


def _once(run: Callable[[], object]) -> float:
    before = os.times()
    run()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


if __name__ == "__main__":
    main()
