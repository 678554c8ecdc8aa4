"""Cause: docs/causes.md `not-a-library-file`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, module, only
from tests.testbed.memory import SITE, world

PATH = f"{SITE}\\pkg\\a.dll"


@pytest.mark.parametrize(
    "content",
    [
        "<!DOCTYPE html><html><body>Not Found</body></html>" * 40,
        "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n",
        "PK\x03\x04" + "x" * 2000,
    ],
)
def test_fires(content: str) -> None:
    finding = only(ask(world({MODULE: module({"a.dll": ["f"]}), PATH: content})))
    assert (finding.code, str(finding.culprit), finding.object) == ("not-a-library-file", PATH, "a.dll")


@pytest.mark.parametrize(
    ("content", "said"), [("PK\x03\x04" + "x" * 2000, "而是 zip 压缩包"), ("plain words", "而是文本文件")]
)
def test_what_it_is_instead_in_chinese(content: str, said: str) -> None:
    finding = only(ask(world({MODULE: module({"a.dll": ["f"]}), PATH: content})))
    assert finding.headline.zh.endswith(said)
