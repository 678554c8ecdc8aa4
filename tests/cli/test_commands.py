"""Commands, formats, exit codes and errors: docs/contract.md, section 1."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.testbed.memory import _ALWAYS
from tests.testbed.pewriter import Dll, build
from whyload import __version__
from whyload.cli.main import main
from whyload.report.schema import report_schema

SITE = "Python/Lib/site-packages"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    drive = tmp_path / "C"
    for name, dll in _ALWAYS.items():
        path = drive / name[3:].replace("\\", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(build(dll))
    put(drive, f"{SITE}/bad/__init__.py", b"from . import _x\n")
    put(drive, f"{SITE}/bad/_x.pyd", build(Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]})))
    put(drive, f"{SITE}/good/__init__.py", b"from . import _x\n")
    put(drive, f"{SITE}/good/_x.pyd", build(Dll(name="_x.pyd", pyinit="_x")))
    world = {"python": "C:/Python/python.exe", "python_version": "3.11", "cwd": "C:/", "env": {"PATH": ""}}
    (tmp_path / "world.json").write_text(json.dumps({**world, "run": {"code": "import good, bad"}}))
    return drive


def put(drive: Path, name: str, data: bytes) -> None:
    path = drive / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def options(root: Path) -> list[str]:
    return ["--root", str(root), "--world", str(root.parent / "world.json")]


def test_a_module_that_loads(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["good", *options(root)]) == 0
    assert capsys.readouterr().out.startswith("good: loads")


def test_a_module_that_does_not(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "bad", *options(root), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, report_schema())
    assert [(f["code"], f["object"]) for f in report["findings"]] == [("missing-dependency", "gone.dll")]
    assert report["question"]["modules"] == ["bad"]


def test_options_may_come_first(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", *options(root), "good"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "loads"


def test_without_a_module_the_worlds_program_is_examined(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", *options(root), "--json"]) == 1
    question = json.loads(capsys.readouterr().out)["question"]
    assert (question["kind"], question["code"]) == ("run", "import good, bad")


def test_run_in_a_described_world(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *options(root), "-c", "import good"]) == 0
    assert main(["run", *options(root), "-m", "bad"]) == 1
    put(root, "app/main.py", b"import good\nimport bad\n")
    assert main(["run", *options(root), "C:\\app\\main.py", "--flag"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(("how", "flags"), [("import", "0x1100"), ("ctypes", "0x1100"), ("winmode=0", "0x0")])
def test_load(root: Path, capsys: pytest.CaptureFixture[str], how: str, flags: str) -> None:
    file = "C:\\Python\\Lib\\site-packages\\bad\\_x.pyd"
    assert main(["load", file, "--how", how, *options(root), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["question"]["flags"] == flags
    assert (report["load"]["winerror"], report["load"]["missing"]) == (126, ["gone.dll"])


def test_a_program_is_started_with_its_imports(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = Dll(name="a.exe", is_dll=False, imports={"mine.dll": ["f"]})
    put(root, "app/a.exe", build(program))
    assert main(["load", "C:\\app\\a.exe", "--how", "exe", *options(root), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["load"]["missing"] == ["mine.dll"]
    put(root, "app/mine.dll", build(Dll(name="mine.dll", exports={"f": 1})))
    assert main(["load", "C:\\app\\a.exe", "--how", "exe", *options(root), "--json"]) == 0
    capsys.readouterr()


def test_a_relative_file_is_taken_from_the_current_folder(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = "Python\\Lib\\site-packages\\good\\_x.pyd"
    assert main(["load", file, *options(root)]) == 0
    assert main(["load", file, "--how", "ctypes", *options(root)]) == 0
    assert main(["load", file, "--flags", "0x1100", *options(root)]) == 1  # the loader refuses that: 87
    assert "87" in capsys.readouterr().out


def test_load_names_every_file_in_the_process(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = "C:\\Python\\Lib\\site-packages\\good\\_x.pyd"
    assert main(["load", file, "--flags", "0x8", *options(root), "--json"]) == 0
    load = json.loads(capsys.readouterr().out)["load"]
    assert load["modules"][-1] == file
    assert "C:\\Python\\python311.dll" in load["modules"]
    assert load["ntstatus"] == "0x00000000"


def test_batch(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    base = {"root": str(root), "world": str(root.parent / "world.json"), "flags": "0x1100"}
    good = {**base, "id": "1", "file": "C:\\Python\\Lib\\site-packages\\good\\_x.pyd"}
    bad = {**base, "id": 2, "file": "C:\\Python\\Lib\\site-packages\\bad\\_x.pyd"}
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(map(json.dumps, (good, bad))) + "\n\n"))
    assert main(["load", "--batch", "-"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(answer["id"], answer["load"]["winerror"]) for answer in answers] == [("1", 0), (2, 126)]
    for answer in answers:
        jsonschema.validate(answer, report_schema())


def test_a_question_of_a_batch_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "questions"
    file.write_text('{"id": 1}\nnot json\n{"id": 3, "root": 5, "file": "a.dll"}\n')
    assert main(["load", "--batch", str(file)]) == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["id"] for answer in answers] == [1, None, 3]
    assert all(answer["error"] for answer in answers)


def test_tree(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "C:\\Python\\Lib\\site-packages\\bad\\_x.pyd", *options(root)]) == 1
    assert "gone.dll  not found" in capsys.readouterr().out
    assert main(["tree", "good", *options(root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["question"]["kind"] == "tree"


def test_a_tree_that_ends_before_the_first_library_says_why(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{SITE}/other/_y.cp38-win_amd64.pyd"
    put(root, f"{SITE}/other/__init__.py", b"from . import _y\n")
    put(root, name, build(Dll(name="_y.cp38-win_amd64.pyd", pyinit="_y")))
    assert main(["tree", "other", *options(root)]) == 1
    assert "error[python-version-mismatch]" in capsys.readouterr().out
    assert main(["tree", "nosuch", *options(root)]) == 3
    assert "No module named 'nosuch'" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("slash", ["/", "\\"])
def test_a_library_of_another_machine_is_checked(root: Path, slash: str, capsys: pytest.CaptureFixture[str]) -> None:
    def path(package: str) -> str:
        return f"C:/Python/Lib/site-packages/{package}/_x.pyd".replace("/", slash)

    assert main(["check", path("good"), path("bad"), *options(root), "--json"]) == 1
    good, bad = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (good["verdict"], good["question"]["kind"], good["findings"]) == ("loads", "check", [])
    assert [(finding["code"], finding["object"]) for finding in bad["findings"]] == [("missing-dependency", "gone.dll")]


@pytest.mark.skipif(os.name == "nt", reason="a pipe without a reader is another error there")
@pytest.mark.parametrize("argv", [["--version"], ["--help"], ["schema"]])
def test_nobody_reads_to_the_end(argv: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as stream:
        command = [sys.executable, "-m", "whyload", *argv]
        ended = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_cause_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cause", "missing-openmp"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("missing-openmp\n")
    assert "libomp140.x86_64.dll" in page
    assert main(["cause", "--lang", "zh"]) == 0
    assert "missing-vc-runtime" in capsys.readouterr().out
    assert main(["cause", "no-such-code"]) == 2
    assert capsys.readouterr().err.startswith("whyload: no such cause")


def test_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(capsys.readouterr().out))


def test_output_goes_to_a_file(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report.md"
    assert main(["good", *options(root), "--format", "markdown", "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert target.read_text(encoding="utf-8").startswith("## whyload")
    assert main(["good", *options(root), "-o", str(tmp_path / "no" / "such" / "folder")]) == 2


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"whyload {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["x", "--root", "/no/such/folder"], "no such folder"),
        (["x", "--world", "w.json"], "give both"),
        (["x", "--root", "/", "--python", "p.exe"], "--python is for this machine"),
        (["load", "x.dll", "--root", "/", "--flags", "many"], "--flags"),
        (["load", "x.dll", "--root", "/", "--how", "magic"], "--how"),
        (["load", "--root", "/"], "name a file"),
        (["run", "--root", "/"], "name a script"),
        (["import", "--root", "/"], "name a module"),
        (["check", "torch==1", "--os", "windows-99"], "windows-99"),
        (["check", "torch==1", "--python-version", "x"], "--python-version"),
        (["check", "/no/such.whl"], "not the file name of a wheel"),
        (["check", "/no/such-1-py3-none-any.whl"], "no such file"),
        (["check", "a/b"], "no such file"),
        (["check", "a b c"], "not a requirement"),
        (["load", "--batch", "/no/such"], "cannot read"),
        (["run", "app.py", "--root", "/"], "--root must stand before the script"),
        (["run", "app.py", "--world=w.json"], "--world=w.json must stand before the script"),
        (["run", "C:\\no\\such.py", "--root", "/tmp"], "must stand before"),
        (["check", ""], "the target is empty"),
        (["check", "numpy==1", "--python-version", "2.7"], "not a version of Python 3"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("whyload: ")
    assert captured.err.count("\n") == 1
    assert text in captured.err


def test_a_file_that_is_no_image(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(root, f"{SITE}/text.pyd", b"not a library" * 400)
    assert main(["load", "C:\\Python\\Lib\\site-packages\\text.pyd", *options(root), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["load"]["winerror"], report["findings"][0]["code"]) == (193, "not-a-library-file")


def test_options_behind_two_dashes_are_the_scripts_own(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(root, "app.py", b"import good\n")
    assert main(["run", *options(root), "--", "C:\\app.py", "--root", "x"]) == 0
    assert capsys.readouterr().out.startswith("C:\\app.py: loads")


def test_the_line_is_that_of_the_file_that_asks(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(root, f"{SITE}/bad/__init__.py", b"\n\nfrom . import _x\n")
    put(root, "app.py", b"import good\nimport bad\n")
    assert main(["run", *options(root), "C:\\app.py"]) == 1
    assert "C:\\app.py -> bad\\__init__.py:3 -> bad\\_x.pyd" in capsys.readouterr().out


def test_a_script_that_is_not_there(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *options(root), "C:\\gone.py"]) == 2
    assert "no such script: C:\\gone.py" in capsys.readouterr().err


def test_questions_with_odd_bytes(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A byte order mark, a line separator within a text and bytes that are no UTF-8: each is one line, one answer."""
    question = {"id": "a\u2028b", "root": str(root), "world": str(root.parent / "world.json"), "file": "C:\\x.dll"}
    lines = json.dumps(question, ensure_ascii=False).encode("utf-8-sig") + b"\n\xff\xfe garbage\n[1]\n"
    (tmp_path / "questions").write_bytes(lines)
    assert main(["load", "--batch", str(tmp_path / "questions")]) == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]
    assert [answer["id"] for answer in answers] == ["a\u2028b", None, None]
    assert "error" not in answers[0]
    assert "error" in answers[1]
    assert "error" in answers[2]


def test_a_program_without_standard_streams(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pythonw.exe` has none: sys.stdout and sys.stdin are None."""
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stdin", None)
    assert main(["good", *options(root)]) == 0
    assert main(["load", "--batch", "-"]) == 0


class _Full(io.StringIO):
    def flush(self) -> None:
        raise OSError(28, "No space left on device")


def test_a_disk_that_is_full(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdout", _Full())
    assert main(["good", *options(root)]) == 2
    assert capsys.readouterr().err == "whyload: cannot write the report: No space left on device\n"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e9", "soon"])
def test_a_timeout_that_is_none(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["x", "--timeout", seconds]) == 2
    assert "--timeout" in capsys.readouterr().err


@pytest.mark.parametrize("text", ['{"process": {"preload_flags": 1e999}}', '{"a": ' + "[" * 100_000, "[1]", "{"])
def test_a_world_file_that_is_none(text: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root.parent / "world.json").write_text(text)
    assert main(["good", *options(root)]) in (0, 2)
    assert "defect" not in capsys.readouterr().err


def test_a_snapshot_is_written_and_asked(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "s.zip")
    assert main(["snapshot", "-o", file, *options(root), "bad"]) == 0
    assert file in capsys.readouterr().out
    assert main(["import", "--snapshot", file, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, report_schema())
    assert [(f["code"], f["object"]) for f in report["findings"]] == [("missing-dependency", "gone.dll")]
    assert report["question"]["world"] == "snapshot"
    assert main(["good", "--snapshot", file]) == 0
    assert main(["check", "--snapshot", file, "bad"]) == 2  # no distribution of that name
    assert main(["tree", "--snapshot", file, "bad"]) == 1
    assert main(["run", "--snapshot", file, "-m", "bad"]) == 1
    capsys.readouterr()


def test_a_snapshot_of_the_worlds_program(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "s.zip")
    assert main(["snapshot", "-o", file, *options(root)]) == 0
    assert main(["import", "--snapshot", file, "--json"]) == 1
    assert json.loads(capsys.readouterr().out.partition("\n")[2])["question"]["code"] == "import good, bad"


@pytest.mark.parametrize(
    "arguments",
    [
        ["snapshot", "good"],
        ["import", "--snapshot", "nowhere.zip"],
        ["import", "--snapshot", "x.zip", "--python", "python.exe"],
        ["snapshot", "--snapshot", "x.zip", "-o", "y.zip"],
    ],
)
def test_wrong_use_of_snapshots(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_snapshot_that_cannot_be_written(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snapshot", "-o", str(tmp_path / "no" / "s.zip"), *options(root), "good"]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_doctor(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *options(root)]) == 1
    text = capsys.readouterr().out
    assert "environment: C:\\Python" in text
    assert "extension modules: 2, of which 1 load" in text
    assert "error[missing-dependency]: `bad\\_x.pyd` cannot load because `gone.dll` was not found" in text
    assert text.endswith("something is broken (errors: 1)\n")
    assert main(["doctor", *options(root), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, report_schema())
    assert report["question"]["kind"] == "doctor"
    (root / SITE / "bad/_x.pyd").unlink()
    assert main(["doctor", *options(root)]) == 0
    assert capsys.readouterr().out.endswith("every native module loads\n")


def test_doctor_says_where_it_looked(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *options(root), "-v"]) == 1
    text = capsys.readouterr().out
    assert "  interpreter.dll: from C:\\Python\n" in text
    assert "  hardware.memory: not known: only the running machine says it\n" in text


def test_doctor_as_markdown_names_nobody(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = json.loads((root.parent / "world.json").read_text())
    environment = {
        "PATH": "C:\\Users\\Xaver Quux\\tools;C:\\Windows\\System32",
        "USERNAME": "Xaver Quux",
        "COMPUTERNAME": "QUUXBOX",
        "CUDA_PATH": "C:\\Users\\Xaver Quux\\cuda",
        "PIP_TOKEN": "ghp_0123456789abcdefghij",
    }
    (root.parent / "world.json").write_text(json.dumps({**world, "env": environment}))
    assert main(["doctor", *options(root), "--format", "markdown"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("## whyload doctor: something is broken\n")
    assert "| PATH |" in text
    assert not [word for word in ("Quux", "QUUX", "ghp_") if word in text]


def test_doctor_as_a_page(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = json.loads((root.parent / "world.json").read_text())
    (root.parent / "world.json").write_text(json.dumps({**world, "env": {"PATH": "C:\\<b>gone</b>"}}))
    assert main(["doctor", *options(root), "--format", "html"]) == 1
    page = capsys.readouterr().out
    assert "<tr><td>PATH</td><td>1 entry" in page
    assert "<b>gone" not in page
    assert "&lt;b&gt;gone" in page


def test_the_page_of_a_broken_environment_says_so_in_its_title(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *options(root), "--format", "html"]) == 1
    page = capsys.readouterr().out
    assert "something is broken</title>" in page
    assert "does not load</title>" not in page


def test_doctor_in_chinese(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *options(root), "--lang", "zh"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("环境：C:\\Python")
    assert "扩展模块 2 个，可加载 1 个" in text
    assert text.endswith("存在问题（1 个错误）\n")


def test_markdown_names_nobody(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]})
    put(root, "Users/marvin.paranoid/_x.pyd", build(broken))
    question = ["load", *options(root), "C:\\Users\\marvin.paranoid\\_x.pyd"]
    assert main(question) == 1
    assert "marvin" in capsys.readouterr().out
    assert main([*question, "--format", "markdown"]) == 1
    written = capsys.readouterr().out
    assert "`C:\\Users\\user\\_x.pyd`" in written
    assert "marvin" not in written


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["app.py"], "whyload run app.py"),
        (["import", "C:\\lib\\some.dll"], "whyload load C:\\lib\\some.dll"),
        (["import", "some/folder"], "not the name of a module"),
        (["import", ""], "empty"),
        (["check", "gone.dll"], "no such file: gone.dll"),
        (["cause", "Missing_OpenMP"], "did you mean missing-openmp?"),
        (["cause", "missing-openmp", "--json"], "no option `--json`"),
        (["cause", "missing-openmp", "--format", "json"], "`json` is none of text, markdown"),
        (["undo", "--json"], "no option `--json`"),
        (["snapshot", "--json", "-o", "a.zip"], "no option `--json`"),
        (["check", "x", "--root", ".", "--os", "windows-11"], "--os describes a clean machine"),
        (["check", "x", "--root", ".", "--snapshot", "a.zip"], "leave --root out"),
    ],
)
def test_the_wrong_word_is_answered_with_the_right_one(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert text in err


def test_an_error_stream_that_takes_nothing_changes_no_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("sys.stderr", Full())
    assert main(["cause", "nothing-of-the-kind"]) == 2


def test_ctrl_c_is_one_line_wherever_it_comes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_argv: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("whyload.cli.arguments.parse", interrupted)
    assert main(["cause"]) == 3
    assert capsys.readouterr().err == "whyload: interrupted\n"


def test_several_targets_are_a_report_a_line_and_one_that_is_none_loses_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    targets = [str(root / SITE / name / "_x.pyd") for name in ("good", "gone", "bad")]
    assert main(["check", *targets, "--json"]) == 2
    out, err = capsys.readouterr()
    reports = [json.loads(line) for line in out.splitlines()]
    assert [report["question"]["targets"] for report in reports] == [[targets[0]], [targets[2]]]
    assert [report["verdict"] for report in reports] == ["loads", "fails"]
    assert targets[1] in err
    assert main(["check", *targets, "--format", "html"]) == 2


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("WHYLOAD_CACHE", str(tmp_path / "file"))
    assert main(["check", "numpy==1.26.4", "--no-deps"]) == 2
    err = capsys.readouterr().err
    assert "the cache cannot be written" in err
    assert "WHYLOAD_CACHE" in err


def test_no_room_for_temporary_files_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(_arguments: object) -> int:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr("whyload.cli.cause_command.run", nothing)
    assert main(["cause"]) == 2
    assert capsys.readouterr().err.startswith("whyload: cannot go on: No usable temporary directory found")
