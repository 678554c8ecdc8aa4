"""The sentences of Windows in thirteen languages, as consoles, editors and screenshots hand them on."""

from __future__ import annotations

import pytest

from whyload.knowledge.errors import win32_error
from whyload.observe.text.decoding import decode
from whyload.observe.text.sentences import read_errors, read_statuses

CODES = (126, 127, 193, 1114, 1455)
LANGUAGES = ("en", "zh-CN", "zh-TW", "de", "fr", "es", "pt-BR", "ru", "ja", "ko", "it", "pl", "tr")
SENTENCES = [
    pytest.param(code, text, id=f"{code}-{language}")
    for code in (*CODES, 4551)
    for language, text in getattr(win32_error(code), "texts", ())
]
SAME = {("zh-TW", 127): 127}
CODE_PAGES = {
    "zh-CN": "gbk",
    "zh-TW": "big5",
    "ja": "cp932",
    "ko": "cp949",
    "ru": "cp1251",
    "pl": "cp1250",
    "tr": "cp1254",
}


def codes(text: str) -> set[int]:
    return {error.code for error in read_errors(f"ImportError: DLL load failed while importing _x: {text}\n")}


def test_every_language_has_every_sentence() -> None:
    for code in CODES:
        error = win32_error(code)
        assert error is not None
        assert {language for language, _ in error.texts} >= set(LANGUAGES)


@pytest.mark.parametrize(("code", "sentence"), SENTENCES)
def test_as_windows_writes_it(code: int, sentence: str) -> None:
    assert codes(sentence) == {code}


@pytest.mark.parametrize(("code", "sentence"), SENTENCES)
def test_stops_quotes_blanks_and_letters(code: int, sentence: str) -> None:
    bare = sentence.rstrip(".。")
    variations = (
        bare,
        bare + "。",
        bare + " .",
        bare + "...",
        sentence.replace("’", "'"),
        sentence.replace("'", "’"),
        sentence.replace(",", "，").replace("(", "（").replace(")", "）"),
        sentence.replace(" ", "\u00a0"),
        sentence.replace(" ", "  "),
        sentence.upper() if sentence.isascii() else sentence,
        sentence.replace("%1", "C:\\x\\_y.pyd"),
        f'"{sentence}"',
    )
    for variation in variations:
        assert code in codes(variation), variation


@pytest.mark.parametrize(("code", "sentence"), SENTENCES)
def test_lines_broken_anywhere(code: int, sentence: str) -> None:
    for place in range(1, len(sentence), max(len(sentence) // 7, 1)):
        assert code in codes(sentence[:place] + "\n    " + sentence[place:])


def garbled() -> list[object]:
    found: list[object] = []
    for code in (*CODES, 4551):
        for language, sentence in getattr(win32_error(code), "texts", ()):
            if sentence.isascii():
                continue
            written = [CODE_PAGES.get(language, "cp1252"), "utf-8"]
            for page in written:
                for read in ("utf-8", "cp1252", "latin-1", "gbk", "cp437", "ascii"):
                    if read == page:
                        continue
                    try:
                        text = sentence.encode(page).decode(read, "replace")
                    except UnicodeEncodeError:
                        continue
                    if sum(char.isalpha() for char in text) >= 8:  # else nothing is left of it
                        found.append(pytest.param(code, text, id=f"{code}-{language}-{page}-{read}"))
    return found


@pytest.mark.parametrize(("code", "text"), garbled())
def test_written_in_one_code_page_and_read_in_another(code: int, text: str) -> None:
    assert code in codes(text)


@pytest.mark.parametrize(("code", "sentence"), SENTENCES)
def test_bytes_of_the_code_page_of_its_language(code: int, sentence: str) -> None:
    language = next(language for language, text in getattr(win32_error(code), "texts", ()) if text == sentence)
    page = CODE_PAGES.get(language.replace("_alt2", ""), "cp1252")
    data = f"OSError: {sentence} Error loading x\n".encode(page, "replace")
    assert code in {error.code for error in read_errors(decode(data))}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("OSError: [WinError 126] something in an unknown language", 126),
        ("WindowsError: [Error 193] irgendwas", 193),
        ("LoadLibrary failed with error 126", 126),
        ("Could not load library cudnn_ops_infer64_8.dll. Error code 126", 126),
        ("cannot load library 'libcairo-2.dll': error 0x7e", 126),
        ("HRESULT 0x8007007E", 126),
        ("错误代码 1114", 1114),
    ],
)
def test_numbers(text: str, code: int) -> None:
    assert [error.code for error in read_errors(text)] == [code]


@pytest.mark.parametrize(
    "text", ["exit code 127", "Exit status 126", "returned 1 error, 126 files", "HTTP error 404", "npm ERR! errno 126"]
)
def test_other_numbers_are_no_errors_of_windows(text: str) -> None:
    assert read_errors(text) == ()


def test_a_word_that_a_garbled_sentence_leaves_is_no_error() -> None:
    """Of `%1 不是有效的 Win32 应用程序。` nothing but `Win32` is left where every other letter was lost."""
    assert read_errors("在 Windows 上安装失败，win32 版（dll）") == ()
    assert read_errors("Ошибка установки: Windows, Win32, (DLL)") == ()


@pytest.mark.parametrize(
    "text",
    [
        r"C:\t\_MEI1\VCRUNTIME140.dll is either not designed to run on Windows or it contains an error.",
        r"C:\t\x.dll 没有被指定在 Windows 上运行，或者它包含错误。",
    ],
)
def test_the_dialog_bad_image(text: str) -> None:
    assert [error.code for error in read_errors(text)] == [193]
    assert [error.code for error in read_errors(f"{text} Error status 0xc0e90002.")] == [4551]  # a policy forbids it


def test_what_a_process_ended_with() -> None:
    assert read_statuses("Process finished with exit code -1073741515 (0xC0000135)") == (0xC0000135,)
    assert read_statuses("exit code 3221225477") == (0xC0000005,)
    assert read_statuses("exit code 1, 0xC0FFEE00") == ()
