"""What is measured on: published wheels, unpacked, and two described machines with torch on them.

Source of truth: the package index (`tests/testbed/wheels.py`); `WHYLOAD_TEST_WHEELS` names folders with wheels that are
there already.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.testbed.cache import link_tree
from tests.testbed.wheels import embed, unpacked, wheel

WHEELS = (
    "torch==2.4.1", "numpy==1.26.4", "scipy==1.14.1", "pandas==2.2.3", "pyarrow==17.0.0", "opencv-python==4.10.0.84",
    "onnxruntime==1.22.1", "h5py==3.11.0", "PySide6-Essentials==6.7.2", "scikit-learn==1.5.2",
    "msvc-runtime==14.44.35112", "intel-openmp==2021.4.0", "PyQt6-Qt6==6.7.3", "PyQt6==6.7.1", "rasterio==1.4.1",
    "av==12.3.0", "pyproj==3.7.0", "numba==0.60.0", "llvmlite==0.43.0", "matplotlib==3.9.2", "faiss-cpu==1.8.0",
    "shiboken6==6.7.3", "pillow==10.4.0", "lxml==5.3.0", "shapely==2.0.6", "tbb==2021.13.1", "fonttools==4.54.1",
    "ctranslate2==4.4.0", "lightgbm==4.5.0", "grpcio==1.66.1", "protobuf==5.28.2", "cryptography==43.0.1",
    "numexpr==2.10.1",
)  # fmt: skip
LARGE_WHEELS = ("nvidia-cublas-cu12==12.4.5.8", "nvidia-cudnn-cu12==8.9.7.29", "nvidia-cufft-cu12==11.2.1.3")
"""Libraries of hundreds of megabytes; downloading them takes a while (1.3 GB)."""
TORCH_NEEDS = (
    "filelock==3.16.0", "sympy==1.13.1", "mpmath==1.3.0", "networkx==3.3", "jinja2==3.1.4", "fsspec==2024.9.0",
    "MarkupSafe==2.1.5", "typing_extensions==4.12.2",
)  # fmt: skip
NATIVE = (".dll", ".pyd", ".exe")
SITE = "Python/Lib/site-packages"
_WORLD = {
    "python": "C:/Python/python.exe",
    "python_version": "3.11",
    "layout": "full",
    "cwd": "C:/Python",
    "profile": "windows-11-23h2+vcredist",
    "env": {"PATH": "C:\\Windows\\System32;C:\\Windows"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """`folders` are the unpacked wheels, `files` the native files in them, in a fixed order."""

    folders: tuple[Path, ...]
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Bytes of all native files."""
        return sum(path.stat().st_size for path in self.files)


def corpus(requirements: tuple[str, ...] = WHEELS) -> Corpus:
    """The wheels, downloaded and unpacked where they are not yet."""
    folders = tuple(unpacked(wheel(requirement)) for requirement in requirements)
    files = (path for folder in folders for path in sorted(folder.rglob("*")))
    return Corpus(folders=folders, files=tuple(path for path in files if path.suffix.lower() in NATIVE))


def torch_machine(version: str, folder: Path) -> tuple[Path, Path]:
    """A folder that stands for a machine with this torch, and its description."""
    root, description = folder / f"torch-{version}", folder / f"torch-{version}.json"
    link_tree(embed("3.11"), root / "Python")
    for marker in (root / "Python").glob("*._pth"):  # an ordinary installation, not the embeddable one
        marker.unlink()
    for requirement in (f"torch=={version}", *TORCH_NEEDS):
        link_tree(unpacked(wheel(requirement)) / "site", root / SITE)
    description.write_text(json.dumps(_WORLD))
    return root, description


def tool(name: str) -> str | None:
    """Where a program of the system is."""
    return shutil.which(name)
