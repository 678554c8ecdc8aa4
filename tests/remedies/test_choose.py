"""Remedies from knowledge entries: filled in for the interpreter at hand, never a lone DLL, never System32."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.testbed.memory import world
from whyload.facts.ownership import Owner
from whyload.knowledge.libraries import identify
from whyload.remedies.by_pip import pip
from whyload.remedies.choose import for_defect, for_library, other_build, reinstall
from whyload.remedies.model import Remedy, Safety, Verified
from whyload.world.model import Layout, World

NAMES = ["msvcp140.dll", "vcomp140.dll", "libiomp5md.dll", "libomp140.x86_64.dll", "cublas64_12.dll", "cudnn64_9.dll",
         "nvcuda.dll", "mfplat.dll", "python312.dll", "vcruntime140d.dll", "msvcr120.dll", "mkl_rt.1.dll"]  # fmt: skip


def remedies(name: str, machine: World, wanted_by: tuple[str, str] | None = ("pkg", "1.0")) -> tuple[Remedy, ...]:
    library = identify(name)
    assert library is not None
    return for_library(library, machine, wanted_by)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("layout", [Layout.FULL, Layout.CONDA])
def test_every_remedy_is_complete(name: str, layout: Layout) -> None:
    found = remedies(name, world({}, layout=layout))
    assert found
    for remedy in found:
        text = " ".join((remedy.title.en, remedy.title.zh, *remedy.commands))
        assert "{" not in text, "a field was not filled in"
        assert remedy.verified is Verified.NO
        assert any("\u4e00" <= char <= "\u9fff" for char in remedy.title.zh)
        assert "regsvr32" not in text
        assert "System32" not in " ".join(remedy.commands)


PKG = Owner(distribution="pkg", version="1.0")


def test_a_remedy_about_a_package_needs_one() -> None:
    assert not any("None" in c for r in remedies("libomp140.x86_64.dll", world({}), None) for c in r.commands)


def test_conda_gets_conda_commands() -> None:
    commands = [c for r in remedies("msvcp140.dll", world({}, layout=Layout.CONDA)) for c in r.commands]
    assert any(command.startswith("conda install") for command in commands)


def test_pip_of_the_environment() -> None:
    machine = world({}, venv="C:\\my project\\.venv")
    assert pip(machine.python, machine) == '"C:\\my project\\.venv\\Scripts\\python.exe" -m pip'
    assert reinstall(PKG, machine).commands[0].endswith("--no-deps --no-cache-dir pkg==1.0")
    assert "pkg" in other_build("pkg", machine).commands[0]


def test_a_defective_release_is_replaced_by_the_fixed_one() -> None:
    found = for_defect("torch", "2.4.0", "libomp140.x86_64.dll", world({}))
    assert [remedy.commands[0].rpartition(" ")[2] for remedy in found] == ["torch==2.4.1"]
    assert for_defect("torch", "2.4.1", "libomp140.x86_64.dll", world({})) == ()


def test_who_installed_a_package_reinstalls_it() -> None:
    assert reinstall(Owner(distribution="pkg", version="1.0", installer="conda"), world({})).commands == (
        "conda install --force-reinstall pkg=1.0",
    )
    assert reinstall(Owner(distribution="torch", version="2.4.0+cu121"), world({})).commands == ()


def test_a_build_from_another_index_is_not_replaced_by_the_one_of_the_usual_index() -> None:
    remedy = for_defect("torch", "2.4.0+cu121", "libomp140.x86_64.dll", world({}))[0]
    assert remedy.safety is not Safety.SAFE
    assert "torch==2.4.1+cu121" in remedy.commands[0]


@pytest.mark.parametrize(
    ("edition", "offered"),
    [("ProfessionalN", True), ("CoreN", True), ("N", True), (None, True), ("Core", False), ("Education", False),
     ("ServerStandard", False)],
)  # fmt: skip
def test_the_media_feature_pack_is_for_n_editions(edition: str | None, offered: bool) -> None:
    machine = world({})
    machine = replace(machine, system=replace(machine.system, edition=edition))
    found = any(remedy.id == "install-media-feature-pack" for remedy in remedies("mfplat.dll", machine))
    assert found is offered
