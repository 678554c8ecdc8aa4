"""Cause: docs/causes.md `conda-pip-mix`."""

from __future__ import annotations

import json

import pytest

from tests.rules.asking import ask, codes, module, only
from tests.testbed.memory import SITE, Content, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.findings.report import Report
from whyload.observe.events import LibraryLoad, Place, Via
from whyload.world.model import Layout

RUNTIME = "C:\\Python\\msvcp140.dll"


def environment(importer: Dll, library: str, content: Content, installer: str = "pip\n") -> Report:
    files: Files = record("pkg", "1.0", {"pkg/_x.pyd": importer})
    info = next(name for name in files if name.endswith("INSTALLER"))
    files[info] = installer
    files[f"C:\\Python\\{library}"] = content
    meta = {"name": "vs2015_runtime", "version": "14.27", "files": [library]}
    files["C:\\Python\\conda-meta\\vs2015_runtime-14.27-0.json"] = json.dumps(meta)
    return ask(world(files, layout=Layout.CONDA))


def old_runtime(installer: str = "pip\n") -> Report:
    runtime = Dll(name="msvcp140.dll", exports={"_Mtx_lock": 1}, version=(14, 27, 29016, 0))
    return environment(module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 40)), "msvcp140.dll", runtime, installer)


def test_fires_for_an_old_runtime_of_conda_under_a_wheel() -> None:
    finding = only(old_runtime())
    assert (finding.code, str(finding.culprit), finding.object) == ("conda-pip-mix", RUNTIME, "msvcp140.dll")
    assert finding.remedies[0].commands == ("conda update -p C:\\Python vs2015_runtime",)


def test_fires_for_a_function_that_the_library_of_conda_lacks() -> None:
    library = Dll(name="hdf5.dll", exports={"g": 1})
    finding = only(environment(module({"hdf5.dll": ["f"]}), "hdf5.dll", library))
    assert (finding.code, finding.object, finding.symbol) == ("conda-pip-mix", "hdf5.dll", "f")


@pytest.mark.parametrize("installer", ["conda\n", ""])
def test_stays_quiet_where_both_are_of_conda_or_that_is_not_known(installer: str) -> None:
    assert codes(old_runtime(installer)) == ["old-vc-runtime"]


@pytest.mark.parametrize(("installer", "code"), [("pip\n", "conda-pip-mix"), ("conda\n", "missing-dependency")])
def test_a_package_that_counts_on_a_library_of_conda(installer: str, code: str) -> None:
    files: Files = record("shapely", "1.7.0", {"shapely/geos.py": ""})
    files[next(name for name in files if name.endswith("INSTALLER"))] = installer
    place = Place(file=WinPath(f"{SITE}\\shapely\\geos.py"), line=145)
    load = LibraryLoad(name="C:\\Python\\Library\\bin\\geos_c.dll", via=Via.CTYPES, flags=0x1100, place=place)
    finding = only(ask(world(files, layout=Layout.CONDA), (load,)))
    assert (finding.code, finding.culprit, finding.object) == (code, place.file, "geos_c.dll")
