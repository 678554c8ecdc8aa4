"""A small environment on disk with a build cache beside it, and a session of every kind of step."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from whyload.world.apply.state import EnvironmentState
from whyload.world.apply.transaction import Step, Transaction
from whyload.world.places import EnvironmentPlaces

OLD = {
    "site/alpha/__init__.py": "version = 1\n",
    "site/alpha/core.pyd": "old library",
    "site/alpha/data/table.bin": "table",
    "site/alpha/__pycache__/__init__.cpython-311.pyc": "compiled",
    "site/alpha-1.0.dist-info/RECORD": "alpha/__init__.py,,\n",
    "site/alpha-1.0.dist-info/INSTALLER": "pip\n",
    "site/alpha.libs/helper.dll": "helper",
    "site/beta.py": "beta\n",
    "site/__pycache__/beta.cpython-311.pyc": "compiled beta",
    "site/beta-0.1.dist-info/RECORD": "beta.py,,\n",
    "site/gamma/keep.txt": "somebody else's",
    "scripts/alpha.exe": "old launcher",
    "scripts/other.exe": "another launcher",
    "share/alpha/readme": "read me",
    "share/other/readme": "not ours",
}


def make(root: Path) -> EnvironmentPlaces:
    """Write the files, some of them with an old time, and an empty folder of alpha's."""
    for name, text in OLD.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii", newline="")
        os.utime(path, ns=(1_600_000_000_123_456_700, 1_600_000_000_123_456_700))
    (root / "site" / "alpha" / "empty").mkdir()
    for cached in (cache(root) / "fused" / "fused.pyd", cache(root) / "module.f-1.py311.nbi"):
        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_text("compiled for another", encoding="ascii")
    site = root / "site"
    return EnvironmentPlaces(prefix=root, site=site, platform_site=site, scripts=root / "scripts", pip="24.2")


def cache(root: Path) -> Path:
    """A build cache, which no environment holds."""
    return root.with_name(f"{root.name}-cache")


def picture(root: Path) -> dict[str, object]:
    """Every file with its bytes and its time, every folder, by relative path; the build cache's too."""
    found: dict[str, object] = {}
    for path in sorted([*root.rglob("*"), *cache(root).rglob("*")]):
        name = str(path.relative_to(root.parent))
        found[name] = "folder" if path.is_dir() else (path.read_bytes(), path.stat().st_mtime_ns)
    return found


def _bring(root: Path) -> None:
    new = {
        "site/alpha/__init__.py": "version = 2\n",
        "site/alpha/core.pyd": "new library",
        "site/alpha/extra/more.py": "more\n",
        "site/alpha-2.0.dist-info/RECORD": "alpha/__init__.py,,\n",
        "site/delta/__init__.py": "a dependency\n",
        "site/delta-1.0.dist-info/RECORD": "delta/__init__.py,,\n",
        "scripts/alpha.exe": "new launcher",
        "scripts/alpha-tool.exe": "one more",
        "share/alpha/readme": "read me too",
    }
    for name, text in new.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text, encoding="ascii")


def steps(places: EnvironmentPlaces, bring: Callable[[Path], None] = _bring) -> list[Step]:
    """Replace alpha and bring delta; remove beta; write a settings file; clear a cache, which is built anew."""
    root, site = places.prefix, places.site
    built = cache(root) / "fused" / "fused.pyd"
    cached = (built.parent, cache(root) / "module.f-1.py311.nbi", cache(root) / "gone")

    def build() -> None:
        built.parent.mkdir()
        built.write_text("compiled anew", encoding="ascii")

    old = [root / name for name in OLD if "/alpha" in name and "pycache" not in name]
    brings = [site / "alpha" / "extra" / "more.py", site / "alpha-2.0.dist-info" / "RECORD"]
    brings += [site / "delta" / "__init__.py", site / "delta-1.0.dist-info" / "RECORD"]
    return [
        Step(
            title="install alpha==2.0",
            remove=(*old, site / "alpha-1.0.dist-info"),
            brings=tuple(brings),
            run=lambda: bring(root),
        ),
        Step(title="remove beta", remove=(site / "beta.py", site / "beta-0.1.dist-info")),
        Step(title="settings", write=((site / "_whyload.pth", b"import x\n"), (site / "gamma" / "keep.txt", b"mine"))),
        Step(title="cache", clear=cached, run=build),
    ]


def apply(places: EnvironmentPlaces, state: EnvironmentState, bring: Callable[[Path], None] = _bring) -> Path:
    """The whole session; its folder."""
    session = state.new_session()
    transaction = Transaction(session, places)
    transaction.begin("alpha", "run")
    for step in steps(places, bring):
        transaction.take(step)
    transaction.finish()
    return session
