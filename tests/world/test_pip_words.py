"""What pip said is read from its own messages, as its versions print them."""

from __future__ import annotations

import pytest

from whyload.world.pip_words import has_no_version, index_is_unreachable, last_error

NOT_RESOLVED = """\
WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by \
'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new \
connection: [Errno -3] Temporary failure in name resolution')': /simple/torch/
ERROR: Could not find a version that satisfies the requirement torch==2.4.1 (from versions: none)
ERROR: No matching distribution found for torch==2.4.1
"""
CERTIFICATE = """\
Could not fetch URL https://index.example/simple/torch/: There was a problem confirming the ssl certificate: \
HTTPSConnectionPool(host='index.example', port=443): Max retries exceeded with url: /simple/torch/ (Caused by \
SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'))) - skipping
ERROR: No matching distribution found for torch
"""
NOTHING_FITS = """\
ERROR: Could not find a version that satisfies the requirement torch==1.4 (from versions: 2.0.0, 2.0.1)
ERROR: No matching distribution found for torch==1.4
"""


NOT_THERE = """\
ERROR: Could not find a version that satisfies the requirement gamma (from versions: none)
ERROR: No matching distribution found for gamma
"""
LOG = "2026-11-30T18:35:37,440 Could not fetch URL http://127.0.0.1:9/simple/gamma/: {} - skipping\n"


@pytest.mark.parametrize(
    ("reason", "unreachable"),
    [
        ("connection error: [Errno 111] Connection refused", True),
        ("connection error: [WinError 10061] 由于目标计算机积极拒绝，无法连接。", True),
        ("connection error: [WinError 10061] Es konnte keine Verbindung hergestellt werden", True),
        ("timed out", True),
        ("503 Server Error: Service Unavailable for url: http://127.0.0.1:9/simple/gamma/", True),
        ("403 Client Error: Forbidden for url: http://127.0.0.1:9/simple/gamma/", True),
        ("404 Client Error: Not Found for url: http://127.0.0.1:9/simple/gamma/", False),
    ],
)
def test_with_few_retries_only_the_log_tells_it(reason: str, unreachable: bool) -> None:
    assert index_is_unreachable(NOT_THERE, LOG.format(reason)) is unreachable


def test_an_index_that_lets_nobody_in_is_nothing_to_one_that_answers() -> None:
    assert not index_is_unreachable(NOTHING_FITS, LOG.format("403 Client Error: Forbidden for url: x"))
    assert has_no_version(NOT_THERE)
    assert not has_no_version(NOTHING_FITS)


@pytest.mark.parametrize(("said", "unreachable"), [(NOT_RESOLVED, True), (CERTIFICATE, True), (NOTHING_FITS, False)])
def test_an_index_that_did_not_answer(said: str, unreachable: bool) -> None:
    assert index_is_unreachable(said) is unreachable


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (NOTHING_FITS, "No matching distribution found for torch==1.4"),
        ("ERROR: disk full\n\n[notice] A new release of pip is available\n", "disk full"),
        ("/usr/bin/python3: No module named pip\n", "/usr/bin/python3: No module named pip"),
        (" \n", None),
    ],
)
def test_the_error_that_ended_it(said: str, error: str | None) -> None:
    assert last_error(said) == error


def test_an_error_that_pip_did_not_foresee_is_told_by_the_end_of_its_traceback() -> None:
    said = (
        "ERROR: Exception:\nTraceback (most recent call last):\n"
        '  File "pip\\_internal\\network\\download.py", line 153, in __call__\n    content_file.write(chunk)\n'
        "OSError: [Errno 28] No space left on device\n"
    )
    assert last_error(said) == "OSError: [Errno 28] No space left on device"
