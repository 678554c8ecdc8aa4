"""Errors as people paste them: CPython's and Windows' own words (loader.md R3.3, R3.23; knowledge/data/errors.toml)."""

from __future__ import annotations

import pytest

from whyload.facts.error_text import ending_of_run, ending_of_text
from whyload.observe.observation import ExceptionInfo, Observation, Outcome

TORCH = "C:\\p\\torch\\lib\\c10.dll"


@pytest.mark.parametrize(
    ("text", "winerror", "file", "module"),
    [
        (f'OSError: [WinError 1114] … Error loading "{TORCH}" or one of its dependencies.', 1114, TORCH, None),
        ("ImportError: DLL load failed while importing _x: 页面文件太小，无法完成操作。", 1455, None, "_x"),
        ("ImportError: DLL load failed with error code 1455 while importing _x", 1455, None, "_x"),
        ("FileNotFoundError: Could not find module 'C:\\a.dll' (or one of its dependencies).", None, "C:\\a.dll", None),
        ("OSError: cannot load library 'gobject-2.0-0': error 0x7e", 126, "gobject-2.0-0", None),
    ],
)
def test_what_an_error_names(text: str, winerror: int | None, file: str | None, module: str | None) -> None:
    ending = ending_of_text(f'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n{text}\n')
    assert (ending.winerror, ending.file, ending.module, ending.raised) == (winerror, file, module, True)
    assert ending.text.startswith(text.partition(":")[0])


@pytest.mark.parametrize("status", ["0xC000001D", "-1073741795", "3221225501"])
def test_the_status_of_a_process_however_it_is_written(status: str) -> None:
    ending = ending_of_text(f"Process finished with exit code {status}")
    assert (ending.ntstatus, ending.raised) == (0xC000001D, True)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized.", None),
        ("Windows fatal exception: access violation\n\nCurrent thread 0x1 (most recent call first):", 0xC0000005),
        ("Windows fatal exception: code 0xc000001d\n\nCurrent thread 0x1 (most recent call first):", 0xC000001D),
        ("Fatal Python error: init_import_site: Failed to import the site module", None),
    ],
)
def test_a_process_that_ends_without_an_exception(text: str, status: int | None) -> None:
    ending = ending_of_text(text)
    assert (ending.raised, ending.ntstatus) == (True, status)


def test_a_warning_ends_nothing() -> None:
    ending = ending_of_text('LoadLibrary failed with error 126 "" when trying to load "C:\\x.dll"\nUserWarning: x\n')
    assert (ending.raised, ending.winerror) == (False, None)


def test_the_last_error_of_a_chain_is_the_one_that_ended_it() -> None:
    text = (
        "OSError: [WinError 126] x\n\nDuring handling of the above exception:\n\nImportError: cannot import name 'y'\n"
    )
    ending = ending_of_text(text)
    assert (ending.text, ending.winerror) == ("ImportError: cannot import name 'y'", 126)


def test_a_run_that_was_watched() -> None:
    error = ExceptionInfo(type="OSError", text=f'[WinError 225] x Error loading "{TORCH}"', winerror=225)
    ending = ending_of_run(Observation(outcome=Outcome.RAISED, exit_status=1, exceptions=(error,)))
    assert ending is not None
    assert (ending.winerror, ending.file, ending.ntstatus) == (225, TORCH, None)


def test_a_run_that_came_to_a_good_end_has_no_error() -> None:
    assert ending_of_run(Observation(outcome=Outcome.FINISHED, exit_status=0)) is None


def test_a_process_that_died() -> None:
    ending = ending_of_run(Observation(outcome=Outcome.DIED, exit_status=0xC0000005))
    assert ending is not None
    assert (ending.ntstatus, ending.raised) == (0xC0000005, True)
