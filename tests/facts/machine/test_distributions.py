"""What is installed, twice, half or by two installers."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from tests.facts.machine.machines import facts, machine, names
from tests.testbed.memory import SITE, Files, record
from whyload.engine.simulate import packages_of
from whyload.facts.machine.distributions import EnvironmentFacts, environment_facts
from whyload.startup.paths import python_paths
from whyload.world.model import Layout


def environment(files: Files, **how: Any) -> EnvironmentFacts:
    return facts(machine(files, **how)).environment


def test_a_distribution_is_counted() -> None:
    found = environment(record("Pkg", "1.0", {"pkg/a.dll": b"123", "pkg/__init__.py": ""}))
    (item,) = found.distributions
    assert (item.name, item.version, item.installer, item.native_files) == ("Pkg", "1.0", "pip", 1)
    assert (item.files, item.size, item.missing, item.altered) == (4, 3, (), ())


def test_files_that_are_gone_or_altered() -> None:
    files = record("pkg", "1.0", {"pkg/a.dll": b"123", "pkg/b.py": "", "pkg/c.py": "", "pkg/d.pyc": ""})
    files[f"{SITE}\\pkg/a.dll"] = b"1"
    del files[f"{SITE}\\pkg/b.py"], files[f"{SITE}\\pkg/d.pyc"]
    (item,) = environment(files).distributions
    assert (item.missing, item.missing_count) == ((f"{SITE}\\pkg\\b.py",), 1)
    assert item.altered == (f"{SITE}\\pkg\\a.dll",)


def test_files_of_other_contents_and_the_same_length() -> None:
    files = record("pkg", "1.0", {"pkg/a.dll": b"123", "pkg/b.dll": b"456"})
    digest = urlsafe_b64encode(sha256(b"123").digest()).rstrip(b"=").decode()
    wrong = urlsafe_b64encode(sha256(b"999").digest()).rstrip(b"=").decode()
    files[f"{SITE}\\pkg-1.0.dist-info\\RECORD"] = f"pkg/a.dll,sha256={digest},3\npkg/b.dll,sha256={wrong},3\n"
    made = machine(files)
    packages = packages_of(made, python_paths(made))
    quick, thorough = environment_facts(made, packages), environment_facts(made, packages, contents=True)
    assert (quick.contents_compared, quick.distributions[0].altered) == (False, ())
    assert (thorough.contents_compared, thorough.distributions[0].altered) == (True, (f"{SITE}\\pkg\\b.dll",))


def test_duplicates() -> None:
    found = environment({**record("pkg", "1.0", {"pkg.py": ""}), **record("Pkg", "2.0", {"pkg.py": ""})})
    assert [(item.name, sorted(item.versions)) for item in found.duplicates] == [("pkg", ["1.0 (pip)", "2.0 (pip)"])]


def test_two_that_overwrite_one_another() -> None:
    files = {
        **record("onnxruntime", "1.20.1", {"onnxruntime/capi/x.dll": b"1", "onnxruntime/a.py": ""}),
        **record("onnxruntime-gpu", "1.20.1", {"onnxruntime/capi/x.dll": b"1", "onnxruntime/a.py": ""}),
    }
    (overlap,) = environment(files).overlaps
    assert sorted(overlap.distributions) == ["onnxruntime 1.20.1", "onnxruntime-gpu 1.20.1"]
    assert names(overlap.files) == ["x.dll"]


def test_leftovers_and_half_removed_ones() -> None:
    files = record("whole", "1.0", {"whole/__init__.py": ""})
    files |= {f"{SITE}\\~umpy\\core.pyd": b"", f"{SITE}\\~umpy-1.0.dist-info\\METADATA": ""}
    files[f"{SITE}\\half-1.0.dist-info\\METADATA"] = "Name: half\n"
    gone = record("gone", "1.0", {f"gone/{number}.py": "" for number in range(8)})
    files |= {name: data for name, data in gone.items() if "dist-info" in name}
    found = environment(files)
    assert names(found.leftovers) == ["~umpy", "~umpy-1.0.dist-info"]
    assert sorted(names(found.half_removed)) == ["gone-1.0.dist-info", "half-1.0.dist-info"]
    assert [item.name for item in found.distributions] == ["gone", "half", "whole"]


def test_conda_and_pip() -> None:
    meta = {"name": "numpy", "version": "1.26.4", "channel": "conda-forge", "files": []}
    by_conda = record("numpy", "1.26.4", {"numpy/__init__.py": ""})
    by_conda[f"{SITE}\\numpy-1.26.4.dist-info\\INSTALLER"] = "conda"
    by_conda["C:\\Python\\conda-meta\\numpy-1.26.4-0.json"] = json.dumps(meta)
    assert environment(by_conda, layout=Layout.CONDA).conda_and_pip == ()
    both = {**by_conda, **record("numpy", "2.0.0", {"numpy/__init__.py": ""})}
    (clash,) = environment(both, layout=Layout.CONDA).conda_and_pip
    assert clash.versions == ("1.26.4 (conda)", "2.0.0 (pip)")


def test_an_editable_installation() -> None:
    files = record("mine", "0.1", {"mine.pth": "C:\\src\n"})
    files[f"{SITE}\\mine-0.1.dist-info\\direct_url.json"] = json.dumps(
        {"dir_info": {"editable": True}, "url": "file:///x"}
    )
    (item,) = environment(files).distributions
    assert item.editable
