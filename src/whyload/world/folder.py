"""The folder world: a folder that stands for drive `C:`, and a file that describes the rest
(docs/contract.md, section 2).
"""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.errors import UsageError
from whyload.base.message import Message, Text, message
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING, Any
from whyload.base.versions import PythonVersion, parse_python_version, version_of_python_dll
from whyload.knowledge.systems import Profile, parse_profile
from whyload.world.description import Description
from whyload.world.disk import FolderFiles
from whyload.world.files import KnownRegistry, LayeredFiles, UnknownBelow
from whyload.world.measured import UNMEASURED, Measured
from whyload.world.model import (
    Environment,
    FileView,
    Layout,
    Preload,
    Presence,
    ProcessState,
    PythonInstallation,
    RunRequest,
    SystemInfo,
    World,
    WorldKind,
)
from whyload.world.profile import profile_files, python_files
from whyload.world.store_python import NO_PACKAGE, behind_alias, is_alias, store_pythons

if TYPE_CHECKING:
    from whyload.world.disk import HostPath

_ASSUMED_PROFILE = "windows-11"
_SYSTEM_DLLS = Message(en="system DLLs", zh="系统 DLL")
_NOT_GIVEN = Message(en="the description does not give it", zh="描述中没有给出")
_USUAL_PYTHONS = ("C:\\Python", "C:\\Program Files\\Python3", "C:\\miniconda3", "C:\\Users")


def open_folder_world(root: HostPath, world_file: HostPath | None = None) -> World:
    """The world of `--root root --world world_file`.

    Raises UsageError where the folder or the description cannot be read, naming the key that is wrong.
    """
    description = Description.read(world_file) if world_file else Description({}, "the world file")
    return folder_world(root, description)


def folder_world(root: HostPath, description: Description) -> World:
    """The same, from a description that is already read."""
    disk = FolderFiles(root)
    unknown: list[tuple[Text, Text]] = []
    system, files = _system(disk, description, unknown)
    python = _python(files, description, unknown)
    files = _with_python(files, python, unknown)
    environment, cwd = _environment(description, unknown), description.path("cwd")
    if cwd is None:
        unknown.append((Message(en="current folder", zh="当前目录"), _NOT_GIVEN))
    return World(
        kind=WorldKind.FOLDER,
        files=files,
        registry=KnownRegistry(_registry(description)),
        environment=environment,
        system=system,
        python=python,
        process=_process(description, python, cwd or WinPath("C:\\")),
        run=_run(description),
        traceback=description.text("traceback"),
        measured=_measured(description),
        unknown=tuple(unknown),
    )


def _profile(named: str, description: Description) -> Profile:
    try:
        return parse_profile(named)
    except UsageError as error:
        raise description.error("profile", message(error.said)) from None


def _system(
    disk: FolderFiles, description: Description, unknown: list[tuple[Text, Text]]
) -> tuple[SystemInfo, FileView]:
    named = description.text("profile")
    os_part = description.table("os")
    whole = disk.presence(WinPath("C:\\Windows\\System32\\kernel32.dll")) is Presence.FILE
    profile = _profile(named, description) if named else None
    files: FileView = disk
    if profile is not None:
        files = LayeredFiles([disk, profile_files(profile)])
        if profile.partly_known:
            unknown.append((_SYSTEM_DLLS, profile.partly_known))
    elif not whole:
        system32 = WinPath("C:\\Windows\\System32")
        files = LayeredFiles([disk, profile_files(parse_profile(_ASSUMED_PROFILE)), UnknownBelow(system32)])
        unknown.append(
            (
                _SYSTEM_DLLS,
                Message(
                    en=f"no Windows under the folder and no profile given: assumed those of {_ASSUMED_PROFILE}",
                    zh=f"该目录下没有 Windows，也没有指定配置：假定与 {_ASSUMED_PROFILE} 相同",
                ),
            )
        )
    build = os_part.number("build")
    edition = os_part.text("edition")
    return (
        SystemInfo(
            build=build if build is not None else profile.build if profile else None,
            edition=edition or (profile.edition if profile else None),
            profile=named,
            vc_runtime=profile.vc_runtime.version if profile and profile.vc_runtime else None,
        ),
        files,
    )


def _python(files: FileView, description: Description, unknown: list[tuple[Text, Text]]) -> PythonInstallation:
    executable = description.path("python") or _find_python(files)
    if executable is None:
        executable = WinPath("C:\\Python\\python.exe")
        unknown.append(
            (
                Message(en="interpreter", zh="解释器"),
                Message(
                    en=f"none is given and none was found: assumed {executable}",
                    zh=f"没有指定，也没有找到：假定为 {executable}",
                ),
            )
        )
    executable = _started(files, executable, description, unknown)
    layout = description.choice("layout", {item.value: item for item in Layout}) or _guess_layout(files, executable)
    return PythonInstallation(
        executable=executable,
        version=_version(files, executable, description, unknown),
        layout=layout,
        venv=description.path("venv"),
    )


def _started(
    files: FileView, executable: WinPath, description: Description, unknown: list[tuple[Text, Text]]
) -> WinPath:
    """The program behind an execution alias of the Microsoft Store; any other is itself."""
    if not is_alias(executable):
        return executable
    text = description.text("python_version")
    program = behind_alias(files, executable, parse_python_version(text) if text else None)
    if program is None:
        unknown.append((str(executable), NO_PACKAGE))
    return program or executable


def _with_python(files: FileView, python: PythonInstallation, unknown: list[tuple[Text, Text]]) -> FileView:
    """The files with python.org's own where the interpreter is not under the folder: it ran, so they are somewhere."""
    folder = python.executable.parent
    own = any(version_of_python_dll(name) for name in files.listdir(folder))
    if python.layout is not Layout.FULL or own or files.presence(python.executable) is not Presence.ABSENT:
        return files
    unknown.append(
        (
            Message(en="interpreter", zh="解释器"),
            Message(
                en=f"it is not under the folder: assumed the files of python.org's {python.version}",
                zh=f"该目录下没有它：假定为 python.org 版 {python.version} 自带的文件",
            ),
        )
    )
    return LayeredFiles([files, python_files(python.version, python.machine, folder)])


def _version(
    files: FileView, executable: WinPath, description: Description, unknown: list[tuple[Text, Text]]
) -> PythonVersion:
    text = description.text("python_version")
    if text:
        version = parse_python_version(text)
        if version is None:
            raise description.error(
                "python_version", Message(en=f"not a Python version: {text!r}", zh=f"不是 Python 版本号：{text!r}")
            )
        return version
    for folder in (executable.parent, executable.parent / "_internal"):
        for name in files.listdir(folder):
            if version := version_of_python_dll(name):
                return version
    unknown.append(
        (
            Message(en="Python version", zh="Python 版本"),
            Message(
                en="neither given nor evident beside the interpreter: assumed 3.11",
                zh="没有指定，解释器旁边也看不出来：假定为 3.11",
            ),
        )
    )
    return PythonVersion(3, 11)


def _find_python(files: FileView) -> WinPath | None:
    for usual in _USUAL_PYTHONS:
        top = WinPath(usual)
        for folder in (top, *(top.parent / name for name in files.listdir(top.parent))):
            if folder.key.startswith(top.key) and files.presence(folder / "python.exe") is Presence.FILE:
                return folder / "python.exe"
    for user in files.listdir(WinPath("C:\\Users")):
        programs = WinPath("C:\\Users") / user / "AppData\\Local\\Programs\\Python"
        for name in files.listdir(programs):
            if files.presence(programs / name / "python.exe") is Presence.FILE:
                return programs / name / "python.exe"
    return next(reversed(store_pythons(files)), None)


def _guess_layout(files: FileView, executable: WinPath) -> Layout:
    """R3.28: a conda environment has `conda-meta`; R5.1: a program of another name is a frozen one."""
    folder = executable.parent
    if files.presence(folder / "conda-meta") is Presence.DIRECTORY:
        return Layout.CONDA
    if "\\windowsapps\\" in executable.key:
        return Layout.STORE
    if executable.name.lower() not in ("python.exe", "pythonw.exe"):
        return Layout.FROZEN
    return Layout.EMBED if any(name.lower().endswith("._pth") for name in files.listdir(folder)) else Layout.FULL


def _environment(description: Description, unknown: list[tuple[Text, Text]]) -> Environment:
    values = description.table("env").strings()
    default = description.text("default_path")
    path = next((value for name, value in values.items() if name.upper() == "PATH"), None)
    if path is None and default is None:
        unknown.append(("PATH", _NOT_GIVEN))
    if default is not None:
        values = {name: value for name, value in values.items() if name.upper() != "PATH"}
        values["PATH"] = f"{path};{default}" if path else default
    return Environment(values)


def _registry(description: Description) -> Mapping[str, Mapping[str, object]]:
    table = description.table("registry")
    return {key: table.table(key).values for key in table.values}


def _measured(description: Description) -> Measured:
    given = description.table("measured")
    if not given.values:
        return UNMEASURED
    from whyload.base.values import ValueShapeError, typed

    try:
        return typed(Measured, given.values, given.place)
    except ValueShapeError as error:
        raise given.failed(error.said) from None


def _process(description: Description, python: PythonInstallation, cwd: WinPath) -> ProcessState:
    process = description.table("process")
    preload = [_preload(process, item, index) for index, item in enumerate(process.items("preload"))]
    added = [
        process.as_path(item, f"added_dll_directories[{i}]")
        for i, item in enumerate(process.items("added_dll_directories"))
    ]
    return ProcessState(
        application=process.path("application") or python.executable,
        cwd=cwd,
        added_dll_directories=tuple(added),
        set_dll_directory=process.text("set_dll_directory"),
        preload=tuple(preload),
    )


def _preload(process: Description, item: Any, index: int) -> Preload:
    place = f"preload[{index}]"
    entry = process.below(item, place) if isinstance(item, dict) else None
    file = entry.text("file") if entry else None
    if entry is None or file is None:
        raise process.error(place, Message(en="needs a table with `file`", zh="应为含有 `file` 的对象"))
    return Preload(file=file, flags=entry.flags("flags", 0x1100))


def _run(description: Description) -> RunRequest | None:
    run = description.table("run")
    code, script, module = run.text("code"), run.path("script"), run.text("module")
    if code is None and script is None and module is None:
        return None
    flags = tuple(str(item) for item in run.items("flags"))
    return RunRequest(code=code, script=script, module=module, flags=flags)
