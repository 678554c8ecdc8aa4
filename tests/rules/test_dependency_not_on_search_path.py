"""Cause: docs/causes.md `dependency-not-on-search-path`; CPython 3.8 "What's New": PATH is not searched any more."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, importing, module, only
from tests.testbed.memory import SITE, record, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine

GDAL = Dll(name="gdal.dll", exports={"f": 1})


def test_fires_for_a_copy_on_path() -> None:
    files = {MODULE: module({"gdal.dll": ["f"]}), "C:\\gdal\\bin\\gdal.dll": GDAL}
    finding = only(ask(world(files, path=["C:\\gdal\\bin"])))
    assert (finding.code, str(finding.culprit), finding.object) == ("dependency-not-on-search-path", MODULE, "gdal.dll")
    assert str(finding.found_at) == "C:\\gdal\\bin\\gdal.dll"


def test_fires_for_a_copy_in_another_package() -> None:
    files = {MODULE: module({"gdal.dll": ["f"]}), **record("gdal", "3.0", {"osgeo/gdal.dll": GDAL})}
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.found_at)) == ("dependency-not-on-search-path", f"{SITE}\\osgeo\\gdal.dll")


def test_a_copy_that_does_not_fit_does_not_count() -> None:
    wrong = Dll(name="gdal.dll", machine=Machine.I386)
    files = {MODULE: module({"gdal.dll": ["f"]}), "C:\\gdal\\bin\\gdal.dll": wrong}
    assert codes(ask(world(files, path=["C:\\gdal\\bin"]))) == ["missing-dependency"]


def test_a_search_that_includes_path_finds_it() -> None:
    files = {MODULE: module({"gdal.dll": ["f"]}), "C:\\gdal\\bin\\gdal.dll": GDAL}
    assert codes(ask(world(files, path=["C:\\gdal\\bin"]), importing(flags=0x8))) == []


def test_an_added_folder_is_searched() -> None:
    files = {MODULE: module({"gdal.dll": ["f"]}), "C:\\gdal\\bin\\gdal.dll": GDAL}
    assert codes(ask(world(files, added=["C:\\gdal\\bin"]))) == []
