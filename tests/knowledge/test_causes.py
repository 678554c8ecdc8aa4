"""The closed list of causes."""

from __future__ import annotations

import re

from whyload.knowledge.causes import cause, causes

CODES = """
missing-vc-runtime missing-debug-runtime missing-openmp missing-cuda-toolkit missing-cudnn
missing-nvidia-driver windows-edition-missing-feature frozen-app-missing-file corrupt-install
antivirus-quarantine missing-dependency missing-shared-object dependency-not-on-search-path
env-variable-misdirects path-shadowing old-vc-runtime cuda-version-mismatch wrong-cudnn-version driver-too-old
torch-abi-mismatch numpy-abi-mismatch missing-procedure undefined-symbol conda-pip-mix conda-channel-mix
duplicate-openmp glibc-too-old glibcxx-too-old libc-mismatch-musl windows-too-old bitness-mismatch
arch-mismatch wrong-platform-binary not-a-library-file python-version-mismatch python-abi-mismatch
dllmain-failed unsupported-cpu-instruction static-tls-exhausted executable-stack-or-selinux
paging-file-too-small application-control-policy code-signature file-locked-or-permission name-shadowing
circular-import build-failed build-tool-missing stale-build-cache
"""


def test_the_list_and_its_order() -> None:
    assert [known.code for known in causes()] == CODES.split()


def test_meanings_in_two_languages() -> None:
    for known in causes():
        assert known.meaning
        assert re.search("[一-鿿]", known.meaning_zh)
        assert known.group
        assert re.search("[一-鿿]", known.group_zh)


def test_by_code() -> None:
    found = cause("missing-openmp")
    assert found is not None
    assert found.code == "missing-openmp"
    assert cause("healthy") is None
