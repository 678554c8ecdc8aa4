"""Cause: docs/causes.md `conda-channel-mix`."""

from __future__ import annotations

import json

import pytest

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import Files, world
from tests.testbed.pewriter import Dll
from whyload.findings.report import Report
from whyload.world.model import Layout

LIBRARY = "C:\\Python\\Library\\bin\\tiff.dll"


def environment(importer: str | None, library: str | None) -> Report:
    files: Files = {MODULE: module({"tiff.dll": ["f"]}), LIBRARY: Dll(name="tiff.dll", exports={"g": 1})}
    packages = (("pkg", "Lib/site-packages/pkg/_x.pyd", importer), ("libtiff", "Library/bin/tiff.dll", library))
    for name, file, channel in packages:
        meta = {"name": name, "version": "1", "files": [file], **({"channel": channel} if channel else {})}
        files[f"C:\\Python\\conda-meta\\{name}-1-0.json"] = json.dumps(meta)
    return ask(world(files, layout=Layout.CONDA, added=["C:\\Python\\Library\\bin"]))


@pytest.mark.parametrize("forge", ["conda-forge", "https://conda.example/conda-forge/win-64", "https://x/conda-forge"])
@pytest.mark.parametrize("main", ["defaults", "https://repo.example/pkgs/main/win-64", "pkgs/main"])
def test_fires_for_a_library_of_another_channel(forge: str, main: str) -> None:
    finding = only(environment(forge, main))
    assert (finding.code, str(finding.culprit), finding.symbol) == ("conda-channel-mix", LIBRARY, "f")
    assert "conda-forge" in finding.notes[0].en
    assert "defaults" in finding.notes[0].en


@pytest.mark.parametrize(
    ("importer", "library"),
    [("conda-forge", "https://x/conda-forge/noarch"), ("pkgs/main", "pkgs/msys2"), (None, "conda-forge"), (None, None)],
)
def test_stays_quiet_for_one_channel_or_an_unknown_one(importer: str | None, library: str | None) -> None:
    assert codes(environment(importer, library)) == ["missing-procedure"]
