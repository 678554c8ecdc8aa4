"""The reader against pefile (R1.29: its limits lifted) and LIEF, on all native files of some wheels: zero differences.

LIEF judges all files, whatever their size. The official embeddable CPython joins for its forwarders (`python3.dll`)
and the Visual C++ runtime for its exports without names (`mfc140u.dll`). A few wheels are compared always; all of
them, with about a thousand files and 5 GB, by one command:

    WHYLOAD_TEST_ALL_WHEELS=1 python -m pytest tests/formats/pe/test_peers.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.formats.pe.peers import Answers, lief_says, lift_pefile_limits, pefile_says, whyload_says
from tests.testbed.wheels import embed, unpacked, wheel

pytestmark = pytest.mark.wheels

WHEELS = (
    "torch==2.4.0", "torch==2.4.1", "onnxruntime==1.17.1", "onnxruntime==1.22.1", "numpy==1.26.4",
    "msvc-runtime==14.40.33807",
)  # fmt: skip
MORE_WHEELS = (
    "PySide6-Essentials==6.7.2", "scipy==1.14.1", "scikit-learn==1.5.2", "pyarrow==17.0.0",
    "opencv-python==4.10.0.84", "onnxruntime-gpu==1.19.2", "nvidia-cudnn-cu12==9.1.0.70",
    "nvidia-cublas-cu12==12.4.5.8", "tensorflow-intel==2.17.0", "llvmlite==0.43.0", "mkl==2021.4.0",
    "ctranslate2==4.3.1", "PyQt5-Qt5==5.15.2", "shapely==2.0.6", "h5py==3.11.0", "pandas==2.2.3",
    "grpcio==1.66.1", "lightgbm==4.5.0", "faiss-cpu==1.8.0", "av==12.3.0", "pywin32==306",
)  # fmt: skip
EVERYTHING = os.environ.get("WHYLOAD_TEST_ALL_WHEELS") == "1"
NATIVE = (".dll", ".pyd", ".exe")


def native_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in NATIVE)


def compare(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> list[Answers]:
    lift_pefile_limits(monkeypatch)
    own, differences = [], []
    for path in files:
        answers = whyload_says(path)
        own.append(answers)
        for judge in (pefile_says, lief_says):
            differences += [(path.name, judge.__name__, field) for field in answers.differences(judge(path))]
    assert differences == []
    return own


@pytest.mark.parametrize("requirement", WHEELS)
def test_wheel(requirement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = compare(native_files(unpacked(wheel(requirement))), monkeypatch)
    assert answers
    assert sum(len(symbols) for answer in answers for _, symbols in answer.imports) > 100
    assert any(answer.exports for answer in answers)


@pytest.mark.skipif(not EVERYTHING, reason="only with WHYLOAD_TEST_ALL_WHEELS=1")
@pytest.mark.parametrize("requirement", MORE_WHEELS)
def test_every_wheel(requirement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(native_files(unpacked(wheel(requirement))), monkeypatch)


def test_embeddable_python(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = compare(native_files(embed("3.11")), monkeypatch)
    assert any(forwarder for answer in answers for _, _, _, forwarder in answer.exports)
    assert any(answer.version for answer in answers)
    assert any(answer.manifests for answer in answers)
