"""Profiles of clean systems: their grammar, and what each edition has and lacks."""

from __future__ import annotations

import pytest

from whyload.base.errors import UsageError
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.knowledge.systems import (
    api_set_host,
    api_set_known,
    api_set_names,
    default_known_dlls,
    is_api_set,
    parse_profile,
    system_names,
)


@pytest.mark.parametrize(
    ("text", "system", "release", "build", "edition"),
    [
        ("windows-10", "windows-10", None, None, None),
        ("windows-11", "windows-11", None, None, None),
        ("Windows-11-23H2", "windows-11", "23h2", 22631, None),
        ("windows-10-22h2", "windows-10", "22h2", 19045, None),
        ("windows-11-24h2", "windows-11", "24h2", 26100, None),
        ("windows-11-26h2", "windows-11", "26h2", 26300, None),
        ("windows-11-30h2", "windows-11", "30h2", None, None),
        ("windows-10-n", "windows-10-n", None, None, "N"),
        ("windows-11-n-23h2", "windows-11-n", "23h2", 22631, "N"),
        ("windows-11-23h2-n", "windows-11-n", "23h2", 22631, "N"),
        ("windows-server", "windows-server", None, None, "Server"),
        ("windows-server-2022", "windows-server", "2022", 20348, "Server"),
        ("windows-server-core-ltsc2019", "windows-server-core", "ltsc2019", 17763, "Server Core"),
        ("nanoserver-1809", "nanoserver", "1809", 17763, "Nano Server"),
    ],
)
def test_grammar(text: str, system: str, release: str | None, build: int | None, edition: str | None) -> None:
    profile = parse_profile(text)
    assert profile.name == text
    assert (profile.system, profile.release, profile.build, profile.edition) == (system, release, build, edition)
    assert profile.vc_runtime is None
    assert profile.cuda is None


def test_additions() -> None:
    profile = parse_profile("windows-11-23h2+vcredist")
    assert profile.release == "23h2"
    assert profile.vc_runtime is not None
    assert profile.vc_runtime.version[:2] == (14, 51)
    assert {"msvcp140.dll", "vcomp140.dll", "vcruntime140_threads.dll"} <= set(profile.vc_runtime.files)

    profile = parse_profile("windows-10+cuda=12.4+vcredist=14.38")
    assert profile.vc_runtime is not None
    assert profile.vc_runtime.version[:2] == (14, 38)
    assert profile.cuda is not None
    assert profile.cuda.folder == WinPath("C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v12.4\\bin")
    assert {"cudart64_12.dll", "cublas64_12.dll", "cufft64_11.dll"} <= set(profile.cuda.files)


def test_the_runtime_is_that_of_the_machine() -> None:
    for machine, there in ((Machine.AMD64, True), (Machine.I386, False)):
        runtime = parse_profile("windows-11+vcredist", machine).vc_runtime
        assert runtime is not None
        assert ("vcruntime140_1.dll" in runtime.files) is there


@pytest.mark.parametrize(
    "text",
    [
        "",
        "windows",
        "windows-12",
        "linux",
        "windows-11-",
        "windows-11-99h9",
        "windows-11-home",
        "windows-server-n",
        "nanoserver-n",
        "windows-11+",
        "windows-11+foo",
        "windows-11+foo=1",
        "windows-11+vcredist=",
        "windows-11+vcredist=abc",
        "windows-11+vcredist=99.1",
        "windows-11+vcredist=14",
        "windows-11+vcredist+vcredist=14.38",
        "windows-11+cuda",
        "windows-11+cuda=12",
        "windows-11+cuda=12.7",
        "+vcredist",
    ],
)
def test_anything_else_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="known are"):
        parse_profile(text)


def test_the_error_names_every_system() -> None:
    with pytest.raises(UsageError) as caught:
        parse_profile("windows-95")
    assert all(name in str(caught.value) for name in system_names())


@pytest.mark.parametrize("system", system_names())
def test_names_are_in_one_set_only(system: str) -> None:
    profile = parse_profile(system)
    assert not profile.system_dlls & profile.missing
    assert not profile.system_dlls & profile.uncertain
    assert not profile.missing & profile.uncertain
    assert {"kernel32.dll", "ntdll.dll", "ucrtbase.dll", "ws2_32.dll", "bcrypt.dll"} <= profile.system_dlls
    assert not {"vcruntime140.dll", "msvcp140.dll", "vcomp140.dll", "nvcuda.dll"} & (
        profile.system_dlls | profile.uncertain
    )
    assert profile.known_dlls <= profile.system_dlls


def test_clients_have_the_media_stack_and_n_editions_lack_it() -> None:
    media = {"mf.dll", "mfplat.dll", "mfreadwrite.dll"}
    for system in ("windows-10", "windows-11"):
        assert media <= parse_profile(system).system_dlls
        assert parse_profile(system).partly_known is None
        for edition in (f"{system}-n", "windows-server", "windows-server-core", "nanoserver"):
            profile = parse_profile(edition)
            assert media <= profile.missing
            assert profile.partly_known


def test_server_core_and_nano_server() -> None:
    core = parse_profile("windows-server-core")
    assert {"avicap32.dll", "msvfw32.dll", "opengl32.dll", "oledlg.dll"} <= core.missing
    assert "gdiplus.dll" in core.system_dlls
    nano = parse_profile("nanoserver")
    assert {"gdiplus.dll", "netapi32.dll", "dxgi.dll"} <= nano.missing
    assert "user32.dll" in nano.uncertain


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("windows-10", False),
        ("windows-10-1909", False),
        ("windows-10-2004", True),
        ("windows-10-22h2", True),
        ("windows-11", True),
    ],
)
def test_dxcore_came_with_windows_10_2004(text: str, there: bool) -> None:
    assert ("dxcore.dll" in parse_profile(text).system_dlls) is there


def test_a_later_windows_10_is_partly_known() -> None:
    profile = parse_profile("windows-10-22h2")
    assert profile.partly_known
    assert "opencl.dll" in profile.uncertain  # in the list of Windows 11, not in that of an early Windows 10


# -- API sets and KnownDLLs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("api-ms-win-core-path-l1-1-0.dll", True),
        ("EXT-MS-WIN-NTUSER-WINDOW-L1-1-0", True),
        ("api-something.dll", True),
        ("apisetschema.dll", False),
        ("C:\\x\\api-ms-win-crt-heap-l1-1-0.dll", False),
    ],
)
def test_is_api_set(name: str, expected: bool) -> None:
    assert is_api_set(name) is expected


def test_hosts_of_api_sets() -> None:
    assert api_set_host("api-ms-win-crt-runtime-l1-1-0.dll") == "ucrtbase.dll"
    assert api_set_host("API-MS-WIN-CRT-MATH-L1-1-0") == "ucrtbase.dll"
    assert api_set_host("api-ms-win-core-path-l1-1-0.dll") is None


def test_the_last_number_of_a_contract_is_ignored() -> None:
    assert api_set_known("api-ms-win-core-path-l1-1-0.dll") is True
    assert api_set_known("API-MS-Win-Core-Path-L1-1-9") is True
    assert api_set_known("api-ms-win-crt-conio-l1-1-0.dll") is True
    assert api_set_known("api-ms-win-core-path-l1-2-0.dll") is None
    assert api_set_known("api-ms-win-made-up-l1-1-0.dll") is None
    assert "api-ms-win-core-synch-l1-2-0.dll" in api_set_names()


def test_known_dlls() -> None:
    known = default_known_dlls()
    assert {"kernel32.dll", "ntdll.dll", "msvcrt.dll", "ole32.dll", "ucrtbase.dll", "ws2_32.dll"} <= known
    assert not {"vcruntime140.dll", "msvcp140.dll", "zlib1.dll", "dbghelp.dll", "version.dll", "dxgi.dll"} & known
