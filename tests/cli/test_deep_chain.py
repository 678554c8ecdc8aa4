"""Libraries that need one another in a chain of thousands: followed as far as is said, and reported in every format."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testbed.pewriter import Dll, build

LENGTH = 3000
SITE = "C:\\Python\\Lib\\site-packages"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine with a chain of libraries."""
    folder: Path = tmp_path_factory.mktemp("chain")
    site = folder / "Python" / "Lib" / "site-packages"
    site.mkdir(parents=True)
    for number in range(LENGTH):
        dll = Dll(name=f"d{number}.dll", exports={"f": 1}, imports={f"d{number + 1}.dll": ["f"]})
        (site / f"d{number}.dll").write_bytes(build(dll))
    return folder


@pytest.mark.parametrize("format", ["json", "text", "html", "markdown"])
def test_the_program_answers(root: Path, tmp_path: Path, format: str) -> None:
    world = tmp_path / "world.json"
    world.write_text(json.dumps({"python": "C:/Python/python.exe", "python_version": "3.11", "profile": "windows-11"}))
    command = [sys.executable, "-m", "whyload", "tree", "--root", str(root), "--world", str(world), "-v"]
    done = subprocess.run(
        [*command, "--format", format, f"{SITE}\\d0.dll"], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (3, ""), done.stderr[-500:]
    assert "d300.dll" in done.stdout
    assert "d301.dll" not in done.stdout
