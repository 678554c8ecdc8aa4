"""What a program lives without: parts of packages whose error is caught."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, codes, module, only
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.findings.certainty import Certainty
from whyload.findings.model import Severity
from whyload.findings.report import Verdict
from whyload.observe.events import Attempt, Event, LibraryLoad, ModuleStarted, Uncertain, Via

FAST = f"{SITE}\\pkg\\_fast.pyd"
HERE = f"{SITE}\\pkg\\_here.pyd"


def load(path: str, *, is_likely: bool = False) -> LibraryLoad:
    return LibraryLoad(name=path, via=Via.CTYPES, flags=0x1100, is_likely=is_likely)


def files(imports: dict[str, list[str | int]]) -> Files:
    made = {"pkg/_fast.pyd": module(imports), "pkg/_here.pyd": module({})}
    return record("pkg", "1.0", made)


def lived_without(*body: Event) -> tuple[Event, ...]:
    """`import pkg`, which opens libraries: with a try statement around `body` that catches OSError and goes on."""
    return ModuleStarted(module="pkg", file=None), Attempt(body=body, catches=("OSError",)), load(HERE)


def test_a_part_that_does_not_load_is_a_warning() -> None:
    report = ask(world(files({"gone.dll": ["f"]})), lived_without(load(FAST)))
    finding = only(report)
    assert (finding.code, finding.object, str(finding.culprit)) == ("missing-dependency", "gone.dll", FAST)
    assert finding.severity is Severity.WARNING
    assert finding.certainty is Certainty.PROVED
    assert report.verdict is Verdict.DEGRADED
    assert report.exit_code == 0


def test_a_part_that_is_not_installed_is_no_part() -> None:
    made = record("pkg", "1.0", {"pkg/_here.pyd": module({})})
    report = ask(world(made), lived_without(load(FAST)))
    assert (report.verdict, codes(report)) == (Verdict.LOADS, [])


def test_a_part_that_has_vanished_is_named() -> None:
    made = {path: content for path, content in files({}).items() if not path.endswith("_fast.pyd")}
    report = ask(world(made), lived_without(load(FAST)))
    assert report.verdict is Verdict.DEGRADED
    assert only(report).code in ("antivirus-quarantine", "corrupt-install")


def test_a_file_that_nothing_has_installed_says_nothing() -> None:
    made: Files = {FAST: module({"gone.dll": ["f"]}), HERE: module({})}
    report = ask(world(made), lived_without(load(FAST)))
    assert (report.verdict, codes(report)) == (Verdict.LOADS, [])


def test_what_a_later_attempt_loads_is_not_lost() -> None:
    made = files({"late.dll": ["f"]}) | {f"{SITE}\\pkg\\libs\\late.dll": Dll(name="late.dll", exports={"f": 1})}
    first = load(f"{SITE}\\pkg\\libs\\late.dll")
    report = ask(world(made), (*lived_without(load(FAST)), first, load(FAST)))
    assert (report.verdict, codes(report)) == (Verdict.LOADS, [])


@pytest.mark.parametrize("is_guessed", [True, False])
def test_what_may_never_be_asked_for_is_not_lost(is_guessed: bool) -> None:
    asked = load(FAST, is_likely=is_guessed)
    body = asked if is_guessed else Uncertain(condition="has_gpu()", body=(asked,))
    report = ask(world(files({"gone.dll": ["f"]})), lived_without(body))
    assert (report.verdict, codes(report)) == (Verdict.LOADS, [])


def vision(registers: str) -> Files:
    """A package of operators for another torch, with a module that is imported next."""
    torch = record("torch", "2.4.1", {"torch/lib/torch_cpu.dll": Dll(name="torch_cpu.dll", exports={"here": 1})})
    text = f"import torch\n\n\n@torch.library.{registers}\ndef _(boxes):\n    return boxes\n"
    made: dict[str, bytes | str | Dll] = {
        "pkg/__init__.py": "from . import _extension, _meta\n",
        "pkg/_meta.py": text,
        "pkg/_fast.pyd": module({"torch_cpu.dll": ["gone"]}),
        "pkg/_here.pyd": module({}),
    }
    return torch | record("pkg", "0.20.1", made)


@pytest.mark.parametrize("function", ["register_fake", "impl_abstract"])
def test_an_operator_that_is_missed_at_once_ends_the_import(function: str) -> None:
    machine = world(vision(f'{function}("pkg::nms")'), added=[f"{SITE}\\torch\\lib"])
    report = ask(machine, lived_without(load(FAST)))
    finding = only(report)
    assert (finding.code, finding.symbol, finding.severity) == ("torch-abi-mismatch", "gone", Severity.ERROR)
    assert report.verdict is Verdict.FAILS
    assert any("operator pkg::nms does not exist" in note.en for note in finding.notes)


@pytest.mark.parametrize("registers", ['register_fake("other::nms")', 'define("pkg::nms", "(Tensor x) -> Tensor")'])
def test_another_operator_or_a_definition_needs_nothing_of_the_part(registers: str) -> None:
    report = ask(world(vision(registers), added=[f"{SITE}\\torch\\lib"]), lived_without(load(FAST)))
    assert report.verdict is Verdict.DEGRADED
    assert only(report).severity is Severity.WARNING
