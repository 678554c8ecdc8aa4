"""Which torch belongs to a release of torchvision, torchaudio, torchcodec."""

from __future__ import annotations

import itertools

import pytest

from whyload.knowledge.reader import data_tables
from whyload.knowledge.torch_pairs import is_paired, paired_packages, torch_for


@pytest.mark.parametrize(
    ("package", "version", "torch"),
    [
        ("torchvision", "0.19.1+cu121", "2.4"),  # metadata of the wheel: Requires-Dist: torch==2.4.1
        ("torchvision", "0.14.1", "1.13"),
        ("torchaudio", "0.13.1", "1.13"),
        ("torchaudio", "2.2.0", "2.2"),
        ("torchcodec", "0.7", "2.8"),  # the table of its README
        ("torchcodec", "0.0.3", "2.4"),
        ("torchvision", "0.4.1", None),
        ("torchvision", "0.20.0.dev20240901", None),
        ("xformers", "0.0.27", None),
    ],
)
def test_the_torch_that_a_release_is_built_for(package: str, version: str, torch: str | None) -> None:
    assert torch_for(package, version) == torch


@pytest.mark.parametrize(
    ("version", "torch", "paired"),
    [
        ("0.15.2", "2.0.1+cu118", True),
        ("0.15.2", "2.1.0", False),
        ("0.12.0", "1.1.0", False),  # and not 1.11
        ("0.15.2", "2.1.0a0", None),
        ("0.99", "2.1.0", None),
    ],
)
def test_what_belongs_together(version: str, torch: str, paired: bool | None) -> None:
    assert is_paired("torchvision", version, torch) is paired


def test_the_tables_are_ordered_and_without_gaps() -> None:
    for row in data_tables("torch_pairs")["pair"]:
        own = [tuple(map(int, release.split("."))) for release, _ in row["fits"]]
        torch = [tuple(map(int, release.split("."))) for _, release in row["fits"]]
        assert own == sorted(set(own), reverse=True)
        assert torch == sorted(torch, reverse=True)
        assert all(a == b or (a[0] == b[0] and a[1] == b[1] + 1) or b == (1, 13) for a, b in itertools.pairwise(torch))
    assert "torchvision" in paired_packages()
