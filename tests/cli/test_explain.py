"""`whyload explain`: exit codes, formats, where the text comes from."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import jsonschema
import pytest

from whyload.cli.main import main
from whyload.report.explanation_json import explanation_schema

TEXT = (
    'OSError: [WinError 126] 找不到指定的模块。 Error loading "C:\\Python\\Lib\\site-packages\\torch\\lib\\fbgemm.dll" '
    "or one of its dependencies.\ntorch: 2.4.0\nWindows 11\n"
)


@pytest.fixture
def report(tmp_path: Path) -> str:
    file = tmp_path / "error.txt"
    file.write_text(TEXT, encoding="utf-8")
    return str(file)


def test_json_is_of_the_schema(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--json", report]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.validate(answer, explanation_schema())
    assert answer["schema"] == "whyload.explain/1"
    first = answer["candidates"][0]
    assert first["code"] == "missing-openmp"
    assert first["certainty"] == "likely"
    assert first["object"] == "libomp140.x86_64.dll"
    assert "whyload torch" in first["ask"]
    assert answer["read"]["winerror"] == 126
    assert answer["read"]["versions"] == {"torch": "2.4.0"}
    assert answer["read"]["os"] == "Windows 11"
    assert answer["read"]["languages"] == ["zh-CN"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["explain", "--json", "-"], ["explain", "--json"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode("utf-16"))))
        assert main(arguments) == 0
        assert json.loads(capsys.readouterr().out)["candidates"][0]["code"] == "missing-openmp"


def test_a_text_that_is_about_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "error.txt"
    file.write_text("ModuleNotFoundError: No module named 'requests'\n", encoding="utf-8")
    assert main(["explain", "--json", str(file)]) == 3
    answer = json.loads(capsys.readouterr().out)
    assert answer["candidates"] == []
    jsonschema.validate(answer, explanation_schema())
    assert main(["explain", str(file)]) == 3
    assert "native library" in capsys.readouterr().out


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(tmp_path / "absent.txt")]) == 2
    assert "absent.txt" in capsys.readouterr().err
    assert main(["explain", str(tmp_path)]) == 2


@pytest.mark.parametrize(
    ("beginning", "said"),
    [
        (b"PK\x03\x04\x14\x00", "`whyload import --snapshot FILE`"),
        (b"\x1f\x8b\x08\x00", "unpack"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "picture"),
        (b"MZ\x90\x00\x03\x00", "`whyload load FILE`"),
        (b"\x7fELF\x02\x01", "library"),
    ],
)
def test_a_file_that_is_no_text(
    beginning: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "given"
    file.write_bytes(beginning + b"\0" * 100)
    assert main(["explain", str(file)]) == 2
    complaint = capsys.readouterr().err
    assert str(file) in complaint
    assert said in complaint


def test_markdown_and_chinese(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--format", "markdown", "--lang", "zh", report]) == 0
    text = capsys.readouterr().out
    assert "1. **`missing-openmp`**（很可能）" in text or "1. **`missing-openmp`** (很可能)" in text
    assert "python -m pip install torch==2.4.1" in text


def test_html_is_for_reports(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--format", "html", report]) == 2
    assert "markdown" in capsys.readouterr().err


def test_into_a_file(report: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "answer.json"
    assert main(["explain", "--json", "-o", str(target), report]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads(target.read_text(encoding="utf-8"))["candidates"]


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "explain"]) == 0
    assert json.loads(capsys.readouterr().out) == explanation_schema()
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "whyload.report/1"


def test_control_characters_of_a_text_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "error.txt"
    file.write_bytes(b"OMP: Error #15: Initializing libiomp5md.dll, but found \x07a\x1b[2Jb.dll already initialized.\n")
    main(["explain", str(file)])
    assert not {"\x07", "\x1b"} & set(capsys.readouterr().out)
