"""The reader against pefile (R1.29: its limits lifted) and LIEF, on all native files of some wheels: zero differences.

LIEF judges all files, whatever their size. The official embeddable CPython joins for its forwarders (`python3.dll`) and
the Visual C++ runtime for its exports without names (`mfc140u.dll`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.pe.peers import Answers, lief_says, lift_pefile_limits, pefile_says, whyload_says
from tests.testbed.wheels import embed, unpacked, wheel

pytestmark = pytest.mark.wheels

WHEELS = (
    "torch==2.4.0", "torch==2.4.1", "onnxruntime==1.17.1", "onnxruntime==1.22.1", "numpy==1.26.4",
    "msvc-runtime==14.40.33807",
)  # fmt: skip
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


def test_embeddable_python(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = compare(native_files(embed("3.11")), monkeypatch)
    assert any(forwarder for answer in answers for _, _, _, forwarder in answer.exports)
    assert any(answer.version for answer in answers)
    assert any(answer.manifests for answer in answers)
