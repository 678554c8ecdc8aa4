"""Opens the machine that whyload runs on as a world, for its own interpreter or for another one."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from whyload.base.dataclass import replace
from whyload.base.errors import UsageError
from whyload.base.machine import Machine
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion, version_of_python_dll
from whyload.world.interpreter import InterpreterFacts, Launch, find_launch, own_facts
from whyload.world.live.files import LiveFiles
from whyload.world.live.measure import measure
from whyload.world.live.registry import LiveRegistry
from whyload.world.model import (
    Environment,
    FileView,
    Layout,
    Presence,
    ProcessState,
    PythonInstallation,
    Registry,
    SystemInfo,
    World,
    WorldKind,
)

_CURRENT_VERSION = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
_SYSTEM_ENVIRONMENT = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment"
_PROCESSORS = {"AMD64": Machine.AMD64, "ARM64": Machine.ARM64, "X86": Machine.I386, "ARM": Machine.ARMNT}


def open_live_world(
    python: str | None = None, *, facts: InterpreterFacts | None = None, thorough: bool = False
) -> World:
    """This machine, seen from the interpreter `python` (None: the one that runs whyload).

    `facts` is what that interpreter says of itself (`Observation.python`). Without them another interpreter is judged
    by the files around it: its processor is unknown then, and `sys.path` is left empty. With `thorough` other
    programs of Windows are asked too (event logs, display driver), which takes a second. Raises UsageError on systems
    other than Windows, and where there is no such interpreter.
    """
    if os.name != "nt":
        raise UsageError(
            Message(
                en="live examination works on Windows only for now; use --root or check",
                zh="目前只能在 Windows 上检查本机；请使用 --root 或 check",
            )
        )
    launch = find_launch(python)
    variables = launch.environment(os.environ)
    if facts is None and python is None:
        facts = own_facts()
    windows = WinPath(os.environ.get("SYSTEMROOT") or os.environ.get("WINDIR") or "C:\\Windows")
    files = LiveFiles(windows if "PROCESSOR_ARCHITEW6432" in os.environ and sys.maxsize < 2**32 else None)
    world = live_world(
        launch, facts, variables, cwd=str(Path.cwd()), files=files, registry=LiveRegistry(), windows=windows
    )
    return replace(world, measured=measure(windows, world.system.build, thorough=thorough))


def live_world(
    launch: Launch,
    facts: InterpreterFacts | None,
    variables: Mapping[str, str],
    *,
    cwd: str,
    files: FileView,
    registry: Registry,
    windows: WinPath,
) -> World:
    """The world, from its parts."""
    unknown: list[tuple[Text, Text]] = []
    installation = _installation(launch, facts, files, WinPath(cwd), unknown)
    return World(
        kind=WorldKind.LIVE,
        files=files,
        registry=registry,
        environment=Environment(variables),
        system=_system(windows, registry, variables, facts),
        python=installation,
        process=ProcessState(application=installation.executable, cwd=WinPath(cwd)),
        unknown=tuple(unknown),
    )


def _installation(
    launch: Launch, facts: InterpreterFacts | None, files: FileView, cwd: WinPath, unknown: list[tuple[Text, Text]]
) -> PythonInstallation:
    image = WinPath(facts.image if facts and facts.image else launch.image)
    venv = WinPath(launch.venv) if launch.venv else None
    if facts is None:
        unknown.append(
            (
                Message(en="interpreter", zh="解释器"),
                Message(
                    en="it was not started: its version is taken from the files beside it",
                    zh="没有启动它：版本取自旁边的文件",
                ),
            )
        )
        return PythonInstallation(
            executable=image,
            version=_version_beside(image, files, unknown),
            machine=Machine.UNKNOWN,
            layout=_layout(image, files),
            venv=venv,
        )
    if venv is None and facts.prefix and facts.base_prefix and WinPath(facts.prefix) != WinPath(facts.base_prefix):
        venv = WinPath(facts.prefix)
    return PythonInstallation(
        executable=image,
        version=facts.python_version,
        machine=facts.machine,
        layout=_layout(image, files),
        venv=venv,
        paths=tuple(_absolute(entry, cwd) for entry in facts.sys_path),
        implementation=facts.implementation,
        version_text=facts.version_text or None,
    )


def _absolute(entry: str, cwd: WinPath) -> WinPath:
    return cwd / entry if entry else cwd


def _version_beside(image: WinPath, files: FileView, unknown: list[tuple[Text, Text]]) -> PythonVersion:
    for name in files.listdir(image.parent):
        if version := version_of_python_dll(name):
            return version
    unknown.append(
        (
            Message(en="Python version", zh="Python 版本"),
            Message(
                en=f"no pythonXY.dll beside {image}: assumed the version of whyload's own Python",
                zh=f"{image} 旁边没有 pythonXY.dll：假定与运行 whyload 的 Python 相同",
            ),
        )
    )
    return PythonVersion(sys.version_info.major, sys.version_info.minor)


def _layout(image: WinPath, files: FileView) -> Layout:
    """How this Python was installed, by what lies beside the process image."""
    folder = image.parent
    if "\\windowsapps\\" in image.key:
        return Layout.STORE
    if files.presence(folder / "conda-meta") is Presence.DIRECTORY:
        return Layout.CONDA
    names = [name.lower() for name in files.listdir(folder)]
    if image.name.lower() not in ("python.exe", "pythonw.exe", "python_d.exe") and not re.match(
        r"python[\dwt._d]*\.exe", image.name.lower()
    ):
        return Layout.PYINSTALLER if "_internal" in names else Layout.FROZEN
    return Layout.EMBED if any(name.endswith("._pth") for name in names) else Layout.FULL


def _system(
    windows: WinPath, registry: Registry, variables: Mapping[str, str], facts: InterpreterFacts | None
) -> SystemInfo:
    """Build and edition as the registry has them; the processor is the machine's: the process may be emulated."""
    current = registry.values(_CURRENT_VERSION) or {}
    build = str(current.get("CurrentBuildNumber") or current.get("CurrentBuild") or "")
    environment = Environment(variables)
    processor = (registry.values(_SYSTEM_ENVIRONMENT) or {}).get("PROCESSOR_ARCHITECTURE")
    processor = processor or environment.get("PROCESSOR_ARCHITEW6432") or environment.get("PROCESSOR_ARCHITECTURE")
    edition = current.get("EditionID")
    return SystemInfo(
        windir=windows,
        build=int(build) if build.isdigit() else facts.windows[2] if facts and facts.windows else None,
        edition=str(edition) if edition else None,
        machine=_PROCESSORS.get(str(processor).upper(), Machine.AMD64),
    )
