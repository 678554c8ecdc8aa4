"""What pip said is read from its own messages, as its versions print them."""

from __future__ import annotations

import pytest

from whyload.world.pip_words import index_is_unreachable, last_error

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
