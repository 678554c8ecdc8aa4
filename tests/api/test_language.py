"""The default language; source: POSIX, "Internationalization Variables"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whyload.api.language import default_language
from whyload.cli.main import main


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.Big5"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
        ({"LANG": "C", "LC_MESSAGES": "zh_CN"}, "zh"),
    ],
)
def test_the_variables_of_the_system(environment: dict[str, str], language: str) -> None:
    assert default_language(environment) == language


def test_texts_follow_the_system_and_json_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    main(["import", "nothing_of_that_name", "--root", str(tmp_path), "-v"])
    assert "描述中没有给出" in capsys.readouterr().out
    main(["import", "nothing_of_that_name", "--root", str(tmp_path), "--json"])
    values = json.loads(capsys.readouterr().out)
    assert "the description does not give it" in [item["why"] for item in values["not_checked"]]
    main(["import", "nothing_of_that_name", "--root", str(tmp_path), "--json", "--lang", "zh"])
    values = json.loads(capsys.readouterr().out)
    assert "描述中没有给出" in [item["why"] for item in values["not_checked"]]


def test_the_person_decides(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    main(["cause", "missing-openmp", "--lang", "en"])
    assert "OpenMP runtime is missing" in capsys.readouterr().out


def test_a_page_as_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    main(["cause", "missing-openmp", "--format", "markdown", "--lang", "zh"])
    assert capsys.readouterr().out.startswith("# `missing-openmp`\n\n缺少 OpenMP 运行库。\n")
