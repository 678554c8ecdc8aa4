"""A Wine prefix that has what a fresh Windows has, and the programs and environment to use it.

Source of truth: Wine's documentation (`WINEPREFIX`, `WINEDLLOVERRIDES`); what a fresh Windows lacks is what Microsoft's
Visual C++ and DirectX redistributables and the vendors' OpenCL and Vulkan runtimes bring.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.testbed.cache import UnavailableError, prepared
from tests.testbed.pewriter import Dll, build

RECIPE = 1
"""Counts up when the template is made in another way."""
NOT_IN_WINDOWS = re.compile(
    r"(msvc[rpm](7|8|9|1[0-4])\d.*|msvcirt|msvcrtd|ucrtbased|msvc[pr].*_app|vcruntime.*|vccorlib.*|concrt.*"
    r"|vcomp.*|vcamp.*|mfc\d.*|atl\d+|d3dx(9|10|11)_.*|d3dcompiler_(3|4[0-6]).*|xinput1_[123]|x3daudio.*"
    r"|xaudio2_[0-7]|xapofx.*|opencl|openal32|vulkan-1|winevulkan)\.dll",
    re.IGNORECASE,
)
NATIVE_ONLY = (
    *(f"msvcp140{part}" for part in ("", "_1", "_2", "_atomic_wait", "_codecvt_ids")),
    *(f"vcruntime140{part}" for part in ("", "_1", "_threads")),
    *(f"{name}140" for name in ("concrt", "vcamp", "vccorlib", "vcomp")),
    *(f"{name}{version}" for version in (90, 100, 110, 120) for name in ("msvcr", "msvcp", "vcomp")),
    *("opencl", "vulkan-1"),
)
"""Wine would take its own copy of these before the file that the search finds."""
DEFAULT_PATH = "C:\\windows\\system32;C:\\windows;C:\\windows\\system32\\wbem"
"""What stands behind `WINEPATH` in the machine's PATH."""


@functools.cache
def wine_program() -> Path | None:
    """The 64-bit Wine: `WHYLOAD_TEST_WINE`, the one on PATH, or Debian's, which lies beside PATH."""
    configured = os.environ.get("WHYLOAD_TEST_WINE") or shutil.which("wine64")
    folders = ("/usr/lib/wine", "/usr/lib/x86_64-linux-gnu/wine", "/opt/wine-stable/bin")
    candidates = [configured, *(f"{folder}/wine64" for folder in folders), shutil.which("wine")]
    return next((Path(name) for name in candidates if name and Path(name).is_file()), None)


def wine_server() -> Path:
    """The server that belongs to `wine_program`."""
    program = wine_program()
    beside = program.with_name("wineserver") if program else None
    if beside is not None and beside.exists():
        return beside
    return Path(shutil.which("wineserver") or "wineserver")


def base_environment(prefix: Path) -> dict[str, str]:
    """The variables of every process that runs in `prefix`."""
    kept = {name: value for name, value in os.environ.items() if name in ("HOME", "USER", "LANG")}
    overrides = f"winedbg.exe=d;winemenubuilder.exe=d;mscoree=;mshtml=;{','.join(NATIVE_ONLY)}=n;msvcp_win,zlib1=n,b"
    return kept | {
        "PATH": "/usr/bin:/bin",
        "WINEPREFIX": str(prefix),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": overrides,
        "DISPLAY": "",
        "LC_ALL": "C.UTF-8",
    }


def quietly(program: Path, *args: str, env: Mapping[str, str]) -> int:
    """Run a program without input or output; its exit code."""
    nothing = subprocess.DEVNULL
    return subprocess.run(
        [program, *args], env=env, stdin=nothing, stdout=nothing, stderr=nothing, timeout=300, check=False
    ).returncode


def template() -> Path:
    """A prefix that has what a fresh Windows has, made once: about 15 seconds."""
    program = wine_program()
    if program is None:
        raise UnavailableError("Wine is not installed (Debian and Ubuntu: apt-get install wine wine64)")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]

    def make(folder: Path) -> None:
        environment = base_environment(folder) | {"WINEDLLOVERRIDES": "mscoree=;mshtml=;winemenubuilder.exe=d"}
        if quietly(program, "wineboot.exe", "-i", env=environment) != 0:
            raise RuntimeError(f"{program} could not make a prefix in {folder}")
        quietly(wine_server(), "-k", env=environment)
        quietly(wine_server(), "-w", env=environment)
        system32 = folder / "drive_c" / "windows" / "system32"
        for file in list(system32.iterdir()):
            if NOT_IN_WINDOWS.fullmatch(file.name):
                file.unlink()
        # Windows has this one, Wine 8 has not; programs written in Rust ask it for random numbers
        entropy = Dll(name="bcryptprimitives.dll", exports={"ProcessPrng": "advapi32.SystemFunction036"})
        if not (system32 / entropy.name).exists():
            (system32 / entropy.name).write_bytes(build(entropy))

    return prepared(f"wine/{version}-{RECIPE}", make)
