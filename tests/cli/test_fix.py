"""`fix` and `undo` from the command line; the environment is real files, the run and the plan are given."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.testbed.pewriter import Dll, build
from tests.world.apply.environment import make, picture
from whyload.api.fixing import FileStep
from whyload.base.dataclass import replace
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.cli import fix_command, undo_command
from whyload.cli.main import main
from whyload.engine.plan import Plan, PlannedRemedy
from whyload.findings.model import Certainty, Finding, Severity
from whyload.findings.report import Question, QuestionKind, Report, Verdict
from whyload.remedies.change import RemoveDistribution
from whyload.remedies.model import Remedy, Safety
from whyload.remedies.resolver import InstallError
from whyload.report.schema import report_schema
from whyload.world.apply.state import EnvironmentState
from whyload.world.apply.undo import open_sessions
from whyload.world.places import EnvironmentPlaces

TITLE = Message(en="a library is gone", zh="缺少一个库")


def fault(name: str) -> Finding:
    return Finding(
        code="missing-dependency",
        severity=Severity.ERROR,
        certainty=Certainty.PROVED,
        headline=TITLE,
        object=name,
    )


def report(*names: str) -> Report:
    return Report(
        question=Question(kind=QuestionKind.IMPORT, modules=("alpha",)),
        world="live",
        python="C:\\Python\\python.exe",
        system="Windows",
        verdict=Verdict.FAILS if names else Verdict.LOADS,
        findings=tuple(map(fault, names)),
    )


def remedy(name: str, safety: Safety = Safety.SAFE) -> Remedy:
    changes = () if safety is Safety.BY_HAND else (RemoveDistribution(distribution=name),)
    title = Message(en=f"remove {name}", zh=f"卸载 {name}")
    return Remedy(id=f"remove-{name}", title=title, safety=safety, changes=changes)


class Stage:
    """What the run shows, one report after the other, and what is planned for each fault."""

    def __init__(self, places: EnvironmentPlaces) -> None:
        self.places = places
        self.shown: list[Report | BaseException] = []
        self.plans: dict[str, list[Remedy]] = {}
        self.tried: list[frozenset[object]] = []

    def ask(self, _program: object, _choice: object) -> Report:
        answer = self.shown.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def fixer(self, *_given: object) -> Stage:
        return self

    def plan(self, shown: Report, tried: frozenset[object]) -> Plan:
        self.tried.append(tried)
        found = Plan()
        name = shown.errors[0].object or ""
        for item in self.plans.get(name, []):
            planned = PlannedRemedy(finding=shown.errors[0], remedy=item)
            if not item.can_be_applied:
                found.by_hand.append(planned)
            elif item.changes not in tried and not found.steps:
                found.steps.append(planned)
        return found

    def steps(self, planned: PlannedRemedy) -> tuple[FileStep, ...]:
        if planned.remedy.id == "remove-broken":

            def fail() -> None:
                raise InstallError("pip said no")

            return (FileStep(title="install", brings=(self.places.site / "new.py",), run=fail),)
        return (FileStep(title=planned.remedy.title.en, remove=(self.places.site / f"{planned.remedy.id[7:]}.py",)),)

    def release(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    places = make(tmp_path / "env")
    (places.site / "delta.py").write_text("delta")
    made = Stage(places)
    monkeypatch.setenv("WHYLOAD_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(fix_command, "ask", made.ask)
    monkeypatch.setattr(fix_command, "Fixer", made.fixer)
    for module in (fix_command, undo_command):
        monkeypatch.setattr(module, "environment_places", lambda _choice: made.places)
    return made


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, dict[str, Any]]]:
    def call(*arguments: str) -> tuple[int, dict[str, Any]]:
        code = main([*arguments, "--json"])
        said = json.loads(capsys.readouterr().out)
        jsonschema.validate(said, report_schema())
        return code, said

    return call


Run = Callable[..., tuple[int, dict[str, Any]]]


def test_what_works_needs_nothing(stage: Stage, run: Run) -> None:
    stage.shown = [report()]
    code, said = run("fix", "alpha", "--yes")
    assert (code, said["fix"]["outcome"]) == (0, "nothing-to-do")


def test_it_is_applied_checked_and_taken_back(stage: Stage, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    before = picture(stage.places.prefix)
    stage.shown, stage.plans = [report("x.dll"), report()], {"x.dll": [remedy("beta")]}
    code, said = run("fix", "alpha", "--yes", "--python", "py.exe")
    assert (code, said["verdict"], said["fix"]["outcome"]) == (0, "loads", "fixed")
    (done,) = said["fix"]["remedies"]
    assert done["verified"] == "applied"
    assert done["changes"][0]["kind"] == "remove"
    assert said["fix"]["undo"] == 'whyload undo --python "py.exe"'
    assert not (stage.places.site / "beta.py").exists()
    assert main(["undo", "--yes"]) == 0
    assert "undone: remove beta" in capsys.readouterr().out
    assert picture(stage.places.prefix) == before
    assert main(["undo", "--yes"]) == 2


def test_faults_behind_one_another_are_one_fix_and_one_undo(stage: Stage, run: Run) -> None:
    before = picture(stage.places.prefix)
    stage.shown = [report("x.dll"), report("y.dll"), report()]
    stage.plans = {"x.dll": [remedy("beta")], "y.dll": [remedy("delta")]}
    _, said = run("fix", "alpha", "--yes")
    assert said["fix"]["outcome"] == "fixed"
    assert len(said["fix"]["remedies"]) == 2
    assert main(["undo", "--yes"]) == 0
    assert picture(stage.places.prefix) == before


def test_what_does_not_help_is_taken_back_and_not_tried_again(stage: Stage, run: Run) -> None:
    stage.shown = [report("x.dll"), report("x.dll"), report()]
    stage.plans = {"x.dll": [remedy("beta"), remedy("delta")]}
    _, said = run("fix", "alpha", "--yes")
    assert said["fix"]["outcome"] == "fixed"
    assert (stage.places.site / "beta.py").exists()
    assert not (stage.places.site / "delta.py").exists()
    assert stage.tried == [frozenset(), frozenset({remedy("beta").changes})]


def test_nothing_that_helps_leaves_everything_as_it_was(stage: Stage, run: Run) -> None:
    before = picture(stage.places.prefix)
    stage.shown, stage.plans = [report("x.dll"), report("x.dll")], {"x.dll": [remedy("beta")]}
    code, said = run("fix", "alpha", "--yes")
    assert (code, said["fix"]["outcome"], said["fix"]["undo"]) == (1, "taken-back", None)
    assert picture(stage.places.prefix) == before


def test_what_only_a_person_can_do_is_shown(stage: Stage, run: Run) -> None:
    stage.shown, stage.plans = [report("x.dll")], {"x.dll": [remedy("driver", Safety.BY_HAND)]}
    _, said = run("fix", "alpha", "--yes")
    assert said["fix"]["outcome"] == "by-hand"
    assert [item["id"] for item in said["fix"]["by_hand"]] == ["remove-driver"]


@pytest.mark.parametrize(("option", "outcome"), [(["--dry-run"], "planned"), ([], "declined")])
def test_nothing_is_changed_without_consent(option: list[str], outcome: str, stage: Stage, run: Run) -> None:
    before = picture(stage.places.prefix)
    stage.shown, stage.plans = [report("x.dll")], {"x.dll": [remedy("beta")]}
    code, said = run("fix", "alpha", *option)
    assert (code, said["fix"]["outcome"]) == (1, outcome)
    assert [item["id"] for item in said["fix"]["remedies"]] == ["remove-beta"]
    assert picture(stage.places.prefix) == before


@pytest.mark.parametrize("end", [KeyboardInterrupt(), UsageError("the interpreter does not start")])
def test_an_end_in_the_middle_takes_it_back(end: BaseException, stage: Stage) -> None:
    before = picture(stage.places.prefix)
    stage.shown, stage.plans = [report("x.dll"), end], {"x.dll": [remedy("beta")]}
    assert main(["fix", "alpha", "--yes"]) in (2, 3)
    assert picture(stage.places.prefix) == before
    assert open_sessions(EnvironmentState(stage.places.prefix)) == []


def test_an_installer_that_fails_leaves_nothing_and_the_next_remedy_is_tried(stage: Stage, run: Run) -> None:
    before = picture(stage.places.prefix)
    stage.shown, stage.plans = [report("x.dll"), report()], {"x.dll": [remedy("broken"), remedy("beta")]}
    _, said = run("fix", "alpha", "--yes")
    assert said["fix"]["outcome"] == "fixed"
    assert [(item["id"], item["why"]) for item in said["fix"]["refused"]] == [("remove-broken", "pip said no")]
    assert main(["undo", "--yes"]) == 0
    assert picture(stage.places.prefix) == before


def test_a_session_that_was_cut_off_has_to_go_first(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    state = EnvironmentState(stage.places.prefix)
    (state.new_session() / "journal.jsonl").write_text('{"event": "begin", "roots": []}\n')
    stage.shown = [report("x.dll")]
    assert main(["fix", "alpha", "--yes"]) == 2
    assert "run `whyload undo` first" in capsys.readouterr().err
    assert main(["undo", "--yes"]) == 0


def test_two_at_once_are_kept_apart(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.shown = [report("x.dll")]
    with EnvironmentState(stage.places.prefix).locked():
        assert main(["fix", "alpha", "--yes"]) == 2
        assert main(["undo", "--yes"]) == 2
    assert "another whyload is at work" in capsys.readouterr().err


def test_an_environment_of_the_system_is_left_alone(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.places = replace(stage.places, managed=True)
    stage.shown = [report("x.dll")]
    assert main(["fix", "alpha", "--yes"]) == 2
    assert "virtual environment" in capsys.readouterr().err


def test_an_interpreter_that_no_longer_starts_is_no_hindrance(
    stage: Stage, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = picture(stage.places.prefix)
    stage.shown, stage.plans = [report("x.dll"), report()], {"x.dll": [remedy("beta")]}
    run("fix", "alpha", "--yes")

    def broken(_choice: object) -> EnvironmentPlaces:
        raise UsageError("it does not start")

    monkeypatch.setattr(undo_command, "environment_places", broken)
    (stage.places.prefix / "python.exe").touch()
    assert main(["undo", "--yes", "--python", str(stage.places.prefix / "python.exe")]) == 0
    (stage.places.prefix / "python.exe").unlink()
    assert picture(stage.places.prefix) == before


def test_a_changed_environment_is_not_taken_back(stage: Stage, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    stage.shown, stage.plans = [report("x.dll"), report()], {"x.dll": [remedy("beta")]}
    run("fix", "alpha", "--yes")
    (stage.places.site / "beta.py").write_text("installed since")
    assert main(["undo", "--yes"]) == 2
    assert "changed since" in capsys.readouterr().err
    assert (stage.places.site / "beta.py").read_text() == "installed since"
    assert main(["undo", "--yes", "--force"]) == 0
    assert (stage.places.site / "beta.py").read_text() == "beta\n"


def test_the_plan_is_shown_before_it_is_asked(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.shown, stage.plans = [report("x.dll")], {"x.dll": [remedy("beta")]}
    main(["fix", "alpha", "--lang", "zh"])
    said = capsys.readouterr()
    assert "计划 1（安全、尚未试过）：卸载 beta" in said.err
    assert "逐字节恢复" in said.err
    assert "未作任何更改" in said.out


def test_a_described_world_was_never_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["undo", "--yes", "--root", str(tmp_path)]) == 2
    assert "recorded world" in capsys.readouterr().err


@pytest.fixture
def described(tmp_path: Path) -> list[str]:
    """A machine on which `pkg` needs a library that lies in a folder of PATH: the options that name it."""
    root = tmp_path / "c"
    site = root / "Python" / "Lib" / "site-packages"
    (site / "pkg").mkdir(parents=True)
    (root / "tools").mkdir()
    (site / "pkg" / "__init__.py").write_text("from . import _x\n", encoding="ascii")
    extension = Dll(name="_x.pyd", pyinit="_x", imports={"helper.dll": ["f"]})
    (site / "pkg" / "_x.pyd").write_bytes(build(extension))
    (root / "tools" / "helper.dll").write_bytes(build(Dll(name="helper.dll", exports={"f": 1})))
    told = {"python": "C:/Python/python.exe", "python_version": "3.11", "env": {"PATH": "C:\\tools"}}
    (tmp_path / "world.json").write_text(json.dumps({**told, "run": {"code": "import pkg"}}), encoding="ascii")
    return ["--root", str(root), "--world", str(tmp_path / "world.json")]


@pytest.mark.parametrize("given", [["pkg"], [], ["-c", "import pkg"], ["pkg", "--yes"]])
def test_for_a_described_world_the_plan_is_shown(
    given: list[str], described: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = picture(tmp_path / "c")
    assert main(["fix", *given, *described, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    jsonschema.validate(answer, report_schema())
    (planned,) = answer["fix"]["remedies"]
    assert (answer["fix"]["outcome"], answer["fix"]["undo"], planned["verified"]) == ("planned", None, "simulated")
    assert [(change["kind"], change["target"]) for change in planned["changes"]] == [("add-folder", "C:\\tools")]
    assert picture(tmp_path / "c") == before


def test_for_a_recorded_world_too(described: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "snapshot.zip")
    assert main(["snapshot", "-o", file, *described]) == 0
    capsys.readouterr()
    for given in ([], ["-c", "import pkg"]):
        assert main(["fix", *given, "--snapshot", file, "--json"]) == 1
        answer = json.loads(capsys.readouterr().out)
        (planned,) = answer["fix"]["remedies"]
        assert (answer["fix"]["outcome"], planned["verified"]) == ("planned", "simulated")
        assert planned["changes"][0]["kind"] == "add-folder"


def test_a_described_world_that_works_needs_nothing(described: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "-c", "pass", *described]) == 0
    assert "nothing to do" in capsys.readouterr().out


def test_a_program_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "--yes"]) == 2
    assert "name modules or a script" in capsys.readouterr().err
