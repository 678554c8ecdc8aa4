"""Error numbers and the sentences of Windows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from whyload.knowledge.errors import match_error_texts, ntstatus, status_numbers, win32_error, win32_errors, winerror_of


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


def _table() -> list[tuple[list[int], list[int], list[str]]]:
    """The rows of loader.md 2.10: statuses, Win32 codes, the sentence of each code (`idem`: that of the row above)."""
    text = (Path(__file__).parents[2] / "docs" / "loader.md").read_text(encoding="utf-8")
    part = text.partition("### 2.10")[2].partition("- **R2.54**")[0]
    rows, last = [], ""
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not cells[0].startswith("0x"):
            continue
        last = last if cells[2] == "idem" else cells[2]
        sentences = last.split(" / ") if " / " in cells[1] else [last]
        rows.append((_statuses(cells[0]), [int(code) for code in cells[1].split(" / ")], sentences))
    return rows


def _statuses(cell: str) -> list[int]:
    """`0xC0000361–0xC0000364` is four statuses, `0xC0000481/82` two."""
    found: list[int] = []
    for first, last, tail in re.findall(r"0x([0-9A-F]{8})(?:–0x([0-9A-F]{8})|/([0-9A-F]{2})\b)?", cell):
        end = int(last, 16) if last else int(first[:6] + tail, 16) if tail else int(first, 16)
        found += range(int(first, 16), end + 1)
    return found


def test_row_77_every_status_and_its_sentence() -> None:
    rows = _table()
    assert len(rows) > 20
    for statuses, codes, sentences in rows:
        wanted = codes if len(codes) > 1 else codes * len(statuses)
        assert [winerror_of(status) for status in statuses] == wanted
        for code, sentence in zip(codes, sentences, strict=True):
            error = win32_error(code)
            assert error is not None
            for part in sentence.strip("().").split("…"):
                if part.strip() and part != "no package identity":
                    assert part.strip().rstrip(".") in (error.text("en") or ""), code


@pytest.mark.parametrize(
    ("code", "winerror"),
    [
        (3221225781, 126),
        (-1073741515, 126),
        (3221225595, 193),
        (3221225785, 127),
        (3221225794, 1114),
        (3221225477, 998),
        (0x800700C1, 193),
        (0x8007007E, 126),
        (0x800711C7, 4551),
        (-2147024770, 126),
        (0, None),
        (1, None),
        (0x80004005, None),
    ],
)
def test_row_78_other_encodings_r2_55(code: int, winerror: int | None) -> None:
    assert winerror_of(code) == winerror


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("exit code: 0xC0000135", [0xC0000135]),
        ("Exception Code: c0000005", [0xC0000005]),
        ("Process finished with exit code -1073741515 (0xC0000135)", [0xC0000135]),
        ("returned 3221225477 and then 3221225501", [0xC0000005, 0xC000001D]),
        ("0xC06D007E, -1066598273", [0xC06D007E, 0xC06D007F]),
        ("at 0xC0DE0001", [0xC0DE0001]),
        ("commit c0ffee12, 0xC00001350, 132212254700", []),
    ],
)
def test_statuses_however_they_are_written(text: str, codes: list[int]) -> None:
    assert list(status_numbers(text)) == codes
