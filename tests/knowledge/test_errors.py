"""Error numbers and the sentences of Windows."""

from __future__ import annotations

import pytest

from whyload.knowledge.errors import match_error_texts, ntstatus, win32_error, win32_errors


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ImportError: DLL load failed while importing x: The specified module could not be found.", 126),
        ("DLL load failed while importing x: 找不到指定的模块。", 126),
        ("DLL load failed while importing x: 找不到指定的程序", 127),
        ("OSError: [WinError 193] %1 is not a valid Win32 application", 193),
        ("动态链接库（DLL）初始化例程失败。", 1114),
        ("%1 n'est pas une application Win32 valide.", 193),
        ("Das angegebene\n Modul wurde nicht gefunden", 126),
        ("[WinError 1455] 页面文件太小，无法完成操作。", 1455),
    ],
)
def test_sentences_in_any_language(text: str, code: int) -> None:
    matches = match_error_texts(text)
    assert matches
    assert matches[0].error.code == code


def test_no_sentence_no_match() -> None:
    assert match_error_texts("ModuleNotFoundError: No module named 'x'") == ()
    assert match_error_texts("") == ()


def test_several_sentences_come_in_order() -> None:
    text = "The specified procedure could not be found. Then: The specified module could not be found."
    assert [match.error.code for match in match_error_texts(text)] == [127, 126]


def test_codes_ascend_and_have_an_english_sentence() -> None:
    codes = [error.code for error in win32_errors()]
    assert codes == sorted(set(codes))
    assert all(error.text("en") for error in win32_errors())
    error = win32_error(126)
    assert error is not None
    assert error.name == "ERROR_MOD_NOT_FOUND"
    assert error.text("es") == "No se puede encontrar el módulo especificado."
    assert error.text("xx") is None
    assert win32_error(0) is None


def test_exit_codes_of_a_process() -> None:
    signed, unsigned = ntstatus(-1073741515), ntstatus(3221225781)
    assert signed is not None
    assert signed == unsigned
    assert signed.name == "STATUS_DLL_NOT_FOUND"
    assert ntstatus(0) is None
