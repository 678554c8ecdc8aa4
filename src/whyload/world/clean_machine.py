"""The world of `check`: a clean machine of a profile with python.org's Python, on which something was put."""

from __future__ import annotations

from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.machine import PLATFORM_TAGS, Machine
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.knowledge.systems import Profile
from whyload.world.disk import FolderFiles
from whyload.world.files import KnownRegistry, LayeredFiles
from whyload.world.markers import marker_environment
from whyload.world.model import (
    Environment,
    FileView,
    Layout,
    ProcessState,
    PythonInstallation,
    SystemInfo,
    World,
    WorldKind,
)
from whyload.world.profile import PYTHON_FOLDER, SITE_PACKAGES, profile_files, python_files
from whyload.world.wheel import Wheel, WheelFiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The machine that the wheels are for."""

    python: PythonVersion
    platform: str = "win_amd64"
    profile: Profile

    @property
    def machine(self) -> Machine:
        """The processor of its Python."""
        return PLATFORM_TAGS[self.platform]

    def marker_environment(self, extra: str = "") -> dict[str, str]:
        """PEP 508 environment of the target."""
        release = "10" if self.profile.system.startswith("windows-10") else "11"
        return marker_environment(self.python, self.machine, extra, release)


def requirement_world(wheels: tuple[Wheel, ...], target: Target) -> World:
    """The clean machine with those wheels installed."""
    return clean_machine(WheelFiles(wheels, SITE_PACKAGES, PYTHON_FOLDER), target)


def folder_on_clean_machine(folder: Path, mount: WinPath, target: Target, frozen: str | None = None) -> World:
    """The clean machine with a real folder at `mount`; `frozen` names the program of a frozen application."""
    return clean_machine(FolderFiles(folder, mount), target, mount / frozen if frozen else None)


def clean_machine(content: FileView, target: Target, program: WinPath | None = None) -> World:
    """A machine of the target's profile on which `content` was put."""
    layers = [content, profile_files(target.profile)]
    if program is None:
        layers.insert(1, python_files(target.python, target.machine))
    files = LayeredFiles(layers)
    python = PythonInstallation(
        executable=program or PYTHON_FOLDER / "python.exe",
        version=target.python,
        machine=target.machine,
        layout=Layout.PYINSTALLER if program else Layout.FULL,
    )
    profile = target.profile
    unknown: list[tuple[Text, Text]] = [
        (
            Message(en="exports of system DLLs", zh="系统 DLL 的导出函数"),
            Message(en="a profile lists system DLLs by name only", zh="系统配置中只有系统 DLL 的名称"),
        )
    ]
    if profile.partly_known:
        unknown.append((Message(en="system DLLs", zh="系统 DLL"), profile.partly_known))
    return World(
        kind=WorldKind.REQUIREMENT,
        files=files,
        registry=KnownRegistry({}),
        environment=Environment(_clean_environment(profile)),
        system=SystemInfo(
            build=profile.build,
            edition=profile.edition,
            profile=profile.name,
            machine=_system_machine(target),
            vc_runtime=profile.vc_runtime.version if profile.vc_runtime else None,
        ),
        python=python,
        process=ProcessState(application=python.executable, cwd=WinPath("C:\\Users\\me")),
        unknown=tuple(unknown),
    )


def _system_machine(target: Target) -> Machine:
    return Machine.ARM64 if target.machine is Machine.ARM64 else Machine.AMD64


def _clean_environment(profile: Profile) -> dict[str, str]:
    path = ["C:\\Windows\\system32", "C:\\Windows", "C:\\Windows\\System32\\Wbem"]
    values = {"SystemRoot": "C:\\Windows", "ProgramFiles": "C:\\Program Files", "USERPROFILE": "C:\\Users\\me"}
    if profile.cuda is not None:
        root = profile.cuda.folder.parent
        path.insert(0, str(profile.cuda.folder))
        values["CUDA_PATH"] = str(root)
        values[f"CUDA_PATH_{root.name.upper().replace('.', '_')}"] = str(root)
    values["PATH"] = ";".join(path)
    return values
