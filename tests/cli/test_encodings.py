"""In which encoding whyload writes; the variable is Python's (its documentation of PYTHONIOENCODING)."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("chosen", "arguments", "encoding"),
    [
        (None, ["cause", "--lang", "zh"], "utf-8"),
        ("gbk", ["cause", "--lang", "zh"], "gbk"),
        ("gbk:strict", ["check", "--help", "--lang", "zh"], "gbk"),
        (":replace", ["cause", "--lang", "zh"], "utf-8"),
        ("utf-8", ["cause", "--lang", "zh"], "utf-8"),
        ("gbk", ["explain", "--json", "--lang", "zh"], "utf-8"),
    ],
)
def test_the_encoding_of_pipes(chosen: str | None, arguments: list[str], encoding: str) -> None:
    """UTF-8, or what the person chose: the pipe of a console of code page 936 takes GBK. JSON is UTF-8 (RFC 8259)."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
    variables |= {} if chosen is None else {"PYTHONIOENCODING": chosen}
    command = [sys.executable, "-m", "whyload", *arguments]
    said = "ImportError: DLL load failed while importing _x: 找不到指定的模块。".encode("gbk")
    done = subprocess.run(command, input=said, capture_output=True, env=variables, check=False)
    assert done.stderr == b""
    assert re.search("[\u4e00-\u9fff]{2}", done.stdout.decode(encoding))


def test_an_error_in_the_encoding_that_was_chosen() -> None:
    variables = {**os.environ, "PYTHONIOENCODING": "gbk"}
    command = [sys.executable, "-m", "whyload", "check", "--lang", "zh"]
    done = subprocess.run(command, capture_output=True, env=variables, check=False)
    assert done.returncode == 2
    assert done.stderr.decode("gbk").startswith("whyload：缺少参数 TARGET")


def test_letters_that_the_encoding_does_not_have_are_replaced() -> None:
    variables = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "whyload", "check", "--help", "--lang", "zh"]
    done = subprocess.run(command, capture_output=True, env=variables, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?whyload check [??] TARGET" in done.stdout
