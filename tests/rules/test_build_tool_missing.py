"""Cause: docs/causes.md `build-tool-missing`."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, codes, healthy, only, saying


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("RuntimeError: Ninja is required to load C++ extensions", "ninja"),
        ("OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.", "nvcc"),
        ("error: Microsoft Visual C++ 14.0 or greater is required.\nRuntimeError: x", "cl.exe"),
        ("RuntimeError: Could not find MSVC/GCC/CLANG installation on this computer.", "cl.exe"),
    ],
)
def test_fires_for_the_tool_that_the_builder_names(text: str, tool: str) -> None:
    finding = only(ask(saying(healthy(), text)))
    assert (finding.code, finding.object) == ("build-tool-missing", tool)


def test_stays_quiet_for_other_words() -> None:
    assert codes(ask(saying(healthy(), "RuntimeError: ninja is a nice word"))) == []
