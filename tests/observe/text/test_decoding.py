"""Bytes as text: what PowerShell, Notepad and consoles of other languages write."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whyload.observe.text.decoding import decode

TEXT = "OSError: [WinError 126] 找不到指定的模块。 Error loading c10.dll\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.encode("gbk"),
        TEXT.encode("gb18030"),
    ],
    ids=["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "le-bare", "be-bare", "utf-32", "gbk", "gb18030"],
)
def test_one_text_in_many_encodings(data: bytes) -> None:
    assert decode(data) == TEXT


@pytest.mark.parametrize(
    ("sentence", "encoding"),
    [
        ("指定されたモジュールが見つかりません。", "cp932"),
        ("지정된 모듈을 찾을 수 없습니다.", "cp949"),
        ("Не найден указанный модуль.", "cp1251"),
        ("Не найден указанный модуль.", "cp866"),
        ("Le module spécifié est introuvable.", "cp1252"),
        ("Nie można odnaleźć określonego modułu.", "cp1250"),
        ("找不到指定的模組。", "big5"),
    ],
)
def test_the_code_page_is_the_one_in_which_a_known_sentence_appears(sentence: str, encoding: str) -> None:
    assert sentence in decode(f"ImportError: DLL load failed: {sentence}\n".encode(encoding))


def test_a_character_that_was_cut_at_the_end() -> None:
    assert decode(TEXT.encode()[:-1] + "模".encode()[:2]).startswith(TEXT[:-1])


@given(st.binary(max_size=2000))
def test_any_bytes_give_a_text(data: bytes) -> None:
    assert isinstance(decode(data), str)


@pytest.mark.parametrize(
    ("remark", "encoding", "is_read"),
    [
        ("在 Windows 上打包，部署到 Linux", "gb18030", True),
        ("前天还能用，昨天更新了显卡驱动", "gb18030", True),
        ("Программа собрана на другом компьютере", "cp1251", False),
        ("nach dem Update läuft es nicht mehr, früher ging es", "cp1252", False),
        ("déjà réinstallé, même problème", "cp1252", False),
    ],
)
def test_a_remark_in_chinese_beside_an_english_error(remark: str, encoding: str, is_read: bool) -> None:
    text = f"ImportError: DLL load failed while importing _foo\nnote: {remark}"
    assert (decode(text.encode(encoding)) == text) == is_read
    if not is_read:
        assert "\ufffd" in decode(text.encode(encoding)), "a wrong alphabet would be worse than none"


@pytest.mark.parametrize(
    "text",
    [
        "モジュールに対する読み込み違反がおきました",
        "起動すると DLL が見つかりません",
        "找不到指定的模块",
        "모듈을 찾을 수 없습니다",
        "Módulo não encontrado é",
    ],
)
def test_languages_in_gb18030(text: str) -> None:
    assert decode(text.encode("gb18030")) == text
