"""What of the loader's rules is not analysed is said in the report, in both languages, and nothing is made up instead.

Source: loader.md R1.8 (ARM64X seen from x64), R2.41 to R2.44 (side-by-side assemblies), R2.56 (package graph).
"""

from __future__ import annotations

from dataclasses import replace

from tests.formats.pe.craft import ARM64, Piece, Row, Shape, load_config
from tests.formats.pe.craft import imports as import_table
from tests.rules.asking import MODULE, ask, module
from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine
from whyload.findings.model import Certainty
from whyload.findings.report import Report, Verdict
from whyload.world.model import Layout

ASSEMBLY = (
    b'<dependency><dependentAssembly><assemblyIdentity name="Microsoft.VC90.CRT"/></dependentAssembly></dependency>'
)
MANIFEST = b"<assembly>" + ASSEMBLY + b"</assembly>"


def said(report: Report, text: str) -> bool:
    """A reason with that word, which stands in the Chinese one too."""
    return any(text in item.why.en and text in item.why.zh for item in report.not_checked)


def test_an_arm64x_file_in_an_x64_process() -> None:
    piece = Piece(0x1000)
    hybrid = load_config(piece, chpe=0x1_8000_2000)
    table = import_table(piece, [("gone.dll", ["f"])])
    file = Shape(machine=ARM64, directories={10: hybrid, 1: table}, rows=[Row(start=0x1000, data=bytes(piece.data))])
    made = world({MODULE: module({"hybrid.dll": ["g"]}), f"{SITE}\\pkg\\hybrid.dll": file.build()})
    report = ask(replace(made, system=replace(made.system, machine=Machine.ARM64)))
    assert (report.verdict, report.findings) == (Verdict.UNKNOWN, ())
    assert said(report, "hybrid.dll")
    assert said(report, "ARM64X")


def test_an_import_that_a_side_by_side_assembly_may_have() -> None:
    report = ask(world({MODULE: module({"MSVCR90.dll": ["malloc"]}, manifest=MANIFEST)}))
    assert report.verdict is Verdict.FAILS
    assert report.findings[0].certainty is Certainty.LIKELY
    assert said(report, "Microsoft.VC90.CRT")


def test_an_assembly_that_may_not_be_installed() -> None:
    old = Dll(name="old.dll", exports={"f": 1}, manifest=MANIFEST, linker=(9, 0))
    report = ask(world({MODULE: module({"old.dll": ["f"]}), f"{SITE}\\pkg\\old.dll": old}))
    assert report.verdict is Verdict.LOADS
    assert said(report, "Microsoft.VC90.CRT")


def test_the_packages_of_a_packaged_python() -> None:
    report = ask(world({MODULE: module({})}, layout=Layout.STORE))
    assert any("not examined" in item.why.en for item in report.not_checked)
    assert not any("not examined" in item.why.en for item in ask(world({MODULE: module({})})).not_checked)
