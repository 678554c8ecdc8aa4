"""What a python.org installation of CPython brings, by minor version.

Source: data/pythons.toml (contents of the embeddable packages).
"""

from __future__ import annotations

from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING
from whyload.base.versions import PythonVersion
from whyload.knowledge.reader import data_tables

if TYPE_CHECKING:
    from whyload.base.typing import Any


def bundled_files(version: PythonVersion, machine: Machine = Machine.AMD64) -> tuple[str, ...]:
    """Names beside python.exe."""
    names = [name for name in _row(version)["beside"] if not name.startswith("python3") or name == "python3.dll"]
    names.append(f"python{version.major}{version.minor}.dll")
    if version.free_threaded:  # the installer puts both builds into one folder
        names += [f"python{version.digits}.dll", f"python{version}.exe", f"pythonw{version}.exe"]
    if machine.bits == 32:
        names.remove("vcruntime140_1.dll")
    return tuple(names)


def extension_files(
    version: PythonVersion, machine: Machine = Machine.AMD64, *, embeddable: bool = False
) -> tuple[str, ...]:
    """Names in the DLLs folder of a full installation: extension modules, OpenSSL, libffi, SQLite and Tcl/Tk.

    The embeddable package has them beside python.exe, without Tk. A free-threaded build tags its modules.
    """
    row = _row(version)
    names = [f"{module}.pyd" for module in row["modules"]]
    if version.free_threaded:
        names += [f"{module}.cp{version.digits}-{_platform(machine)}.pyd" for module in row["modules"]]
    names += [_arm64(name) if machine is Machine.ARM64 else name for name in row["libraries"]]
    if not embeddable:
        names += data_tables("pythons")["tk"]
    return tuple(names)


def _row(version: PythonVersion) -> dict[str, Any]:
    """The entry of that minor, else of the nearest older one, else the oldest."""
    rows: list[dict[str, Any]] = data_tables("pythons")["python"]
    fitting = [row for row in rows if _minor(row) <= (version.major, version.minor)]
    return fitting[-1] if fitting else rows[0]


def _minor(row: dict[str, Any]) -> tuple[int, int]:
    major, minor = row["version"].split(".")
    return int(major), int(minor)


def _arm64(name: str) -> str:
    """CPython's OpenSSL files carry the processor's name on ARM64."""
    return name.replace(".dll", "-arm64.dll") if name.startswith(("libssl", "libcrypto")) else name


def _platform(machine: Machine) -> str:
    return {Machine.I386: "win32", Machine.ARM64: "win_arm64"}.get(machine, "win_amd64")
