"""A machine in memory: files as bytes, everything else as a test wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tests.testbed.dll import Call, Symbol
from tests.testbed.pewriter import Dll, build
from whyload.base.bytesource import ByteSource, BytesSource
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.world.files import KnownRegistry, NamedFiles
from whyload.world.model import (
    Environment,
    Layout,
    Presence,
    ProcessState,
    PythonInstallation,
    RunRequest,
    SystemInfo,
    World,
    WorldKind,
)

Content: TypeAlias = "bytes | str | Dll"
Files: TypeAlias = dict[str, Content]

SITE = "C:\\Python\\Lib\\site-packages"
SYSTEM32 = "C:\\Windows\\System32"
_KERNEL32: dict[Symbol, int | str | Call] = {
    "GetTickCount": 1,
    "ResolveDelayLoadedAPI": 1,
    "DelayLoadFailureHook": 1,
    "LoadLibraryA": 1,
    "LoadLibraryW": 1,
    "LoadLibraryExW": 1,
    "AddDllDirectory": 1,
    "SetDllDirectoryW": 1,
    "SetDefaultDllDirectories": 1,
    "GetProcAddress": 1,
    "RaiseException": 1,
}
_PYTHON = PythonVersion(3, 11)
_ALWAYS = {
    f"{SYSTEM32}\\kernel32.dll": Dll(name="kernel32.dll", exports=_KERNEL32),
    f"{SYSTEM32}\\ntdll.dll": Dll(name="ntdll.dll", exports={"f": 1}),
    f"{SYSTEM32}\\ucrtbase.dll": Dll(name="ucrtbase.dll", exports={"malloc": 1}),
    "C:\\Python\\python.exe": Dll(name="python.exe", is_dll=False, imports={"python311.dll": ["Py_Main"]}),
    "C:\\Python\\python311.dll": Dll(name="python311.dll", exports={"Py_Main": 1, "PyModule_Create2": 1}),
    "C:\\Python\\python3.dll": Dll(name="python3.dll", exports={"PyModule_Create2": "python311.PyModule_Create2"}),
    "C:\\Python\\vcruntime140.dll": Dll(name="vcruntime140.dll", exports={"memcpy": 1}),
}


class MemoryFiles:
    """A file view over bytes."""

    def __init__(self, files: Mapping[str, Content]) -> None:
        self._contents = {WinPath(path).key: _content(path, data) for path, data in files.items()}
        folders: dict[WinPath, list[str]] = {}
        for path in map(WinPath, files):
            folders.setdefault(path.parent, []).append(path.name)
        self._names = NamedFiles(folders)

    def presence(self, path: WinPath) -> Presence:
        return self._names.presence(path)

    def actual(self, path: WinPath) -> WinPath:
        return self._names.actual(path)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        return self._names.listdir(folder)

    def source(self, path: WinPath) -> ByteSource | None:
        data = self._contents.get(path.key)
        return None if data is None else BytesSource(data)

    def size(self, path: WinPath) -> int | None:
        data = self._contents.get(path.key)
        return None if data is None else len(data)

    def identity(self, path: WinPath) -> object:
        return path.key


def _content(path: str, data: Content) -> bytes:
    if isinstance(data, Dll):
        return build(data)
    return data.encode() if isinstance(data, str) else data


def record(distribution: str, version: str, files: Mapping[str, Content]) -> Files:
    """`files` (below site-packages) with the RECORD that an installer writes for them."""
    info = f"{distribution}-{version}.dist-info"
    lines = [f"{name},sha256=x,{len(_content(name, data))}" for name, data in files.items()]
    lines += [f"{info}/RECORD,,", f"{info}/METADATA,,"]
    made: Files = {f"{SITE}\\{name}": data for name, data in files.items()}
    made[f"{SITE}\\{info}\\RECORD"] = "\n".join(lines) + "\n"
    made[f"{SITE}\\{info}\\METADATA"] = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    made[f"{SITE}\\{info}\\INSTALLER"] = "pip\n"
    return made


def world(
    files: Mapping[str, Content],
    *,
    without: Sequence[str] = (),
    path: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    layout: Layout = Layout.FULL,
    python: PythonVersion = _PYTHON,
    venv: str | None = None,
    cwd: str = "C:\\work",
    added: Sequence[str] = (),
    run: RunRequest | None = None,
) -> World:
    """A Windows machine with Python 3.11 in `C:\\Python` and those files."""
    kept = {name: data for name, data in {**_ALWAYS, **files}.items() if name not in without}
    executable = WinPath("C:\\Python\\python.exe")
    values = dict(environment or {})
    values["PATH"] = ";".join([*path, SYSTEM32])
    return World(
        kind=WorldKind.FOLDER,
        files=MemoryFiles(kept),
        registry=KnownRegistry({}),
        environment=Environment(values),
        system=SystemInfo(build=22631),
        python=PythonInstallation(
            executable=executable, version=python, layout=layout, venv=WinPath(venv) if venv else None
        ),
        process=ProcessState(
            application=executable, cwd=WinPath(cwd), added_dll_directories=tuple(map(WinPath, added))
        ),
        run=run,
    )
