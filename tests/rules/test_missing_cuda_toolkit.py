"""Cause: docs/causes.md `missing-cuda-toolkit`, `cuda-version-mismatch`; names: NVIDIA's toolkit."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import world
from tests.testbed.pewriter import Dll

CUDA = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.8"


def test_fires() -> None:
    finding = only(ask(world({MODULE: module({"cublas64_12.dll": ["f"], "cudart64_12.dll": ["g"]})})))
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-cuda-toolkit", MODULE, "cublas64_12.dll")


def test_stays_quiet_where_another_version_is_around() -> None:
    files = {
        MODULE: module({"cublas64_12.dll": ["f"]}),
        f"{CUDA}\\bin\\cublas64_11.dll": Dll(name="cublas64_11.dll", exports={"f": 1}),
    }
    finding = only(ask(world(files, environment={"CUDA_PATH": CUDA})))
    assert (finding.code, finding.object) == ("cuda-version-mismatch", "cublas64_12.dll")
    assert str(finding.found_at) == f"{CUDA}\\bin\\cublas64_11.dll"


def test_stays_quiet_where_the_library_lies_elsewhere() -> None:
    files = {
        MODULE: module({"cudart64_110.dll": ["f"]}),
        f"{CUDA}\\bin\\cudart64_110.dll": Dll(name="cudart64_110.dll", exports={"f": 1}),
    }
    assert codes(ask(world(files, environment={"CUDA_PATH_V11_8": CUDA}))) == ["dependency-not-on-search-path"]


def test_a_variable_that_names_a_toolkit_that_is_gone_is_said() -> None:
    finding = only(ask(world({MODULE: module({"cublas64_12.dll": ["f"]})}, environment={"CUDA_PATH": CUDA})))
    assert finding.code == "missing-cuda-toolkit"
    assert any("CUDA_PATH" in note.en and CUDA in note.en for note in finding.notes)
    assert not any(
        "CUDA_PATH" in note.en for note in only(ask(world({MODULE: module({"cudart64_12.dll": ["f"]})}))).notes
    )
