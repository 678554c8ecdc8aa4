"""How an interpreter is started, and what it says of itself.

A virtual environment's `python.exe` is a small launcher: it starts the base interpreter with `__PYVENV_LAUNCHER__` set
(loader.md R3.16). The process image decides where DLLs are searched, so it is the base interpreter that is started.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.machine import Machine
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.base.versions import PythonVersion

LAUNCHER_VARIABLE = "__PYVENV_LAUNCHER__"
_PYTHON_DLL = regular(r"python3\d+t?(_d)?\.dll", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How to start an interpreter. Paths are the operating system's own."""

    image: str
    """The file to start; it becomes the process image."""
    launcher: str | None = None
    """The environment's own `python.exe`, for `__PYVENV_LAUNCHER__`; None where `image` is started as it is."""
    venv: str | None = None
    """The virtual environment's folder."""

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """`variables` for the child: without the launcher variable of this process, with that of the target."""
        child = {name: value for name, value in variables.items() if name.upper() != LAUNCHER_VARIABLE}
        if self.launcher is not None:
            child[LAUNCHER_VARIABLE] = self.launcher
        return child


def misled_by(variables: Mapping[str, str]) -> Message:
    """A word on `PYTHONHOME` for an interpreter that does not start: set for one Python, it takes the library from all
    others. Empty where it is not set.
    """
    home = variables.get("PYTHONHOME")
    if not home:
        return Message(en="", zh="")
    return Message(
        en=f"; PYTHONHOME is set to {home}: unset it, or set it for that Python alone",
        zh=f"；PYTHONHOME 设成了 {home}：请取消该变量，或只为那个 Python 设置",
    )


def find_launch(python: str | None = None, *, windows: bool = os.name == "nt") -> Launch:
    """How to start `python` (a path, or a name on PATH; None: the interpreter that runs whyload).

    Raises UsageError where there is no such interpreter, or where an environment's base interpreter is gone.
    """
    executable = _executable(python)
    settings = _venv_settings(executable)
    if settings is None:
        return Launch(image=str(executable))
    venv, values = settings
    if not windows or _carries_runtime(executable.parent):
        return Launch(image=str(executable), venv=str(venv))
    return Launch(image=str(_base_interpreter(executable, values)), launcher=str(executable), venv=str(venv))


def _executable(python: str | None) -> Path:
    if python is None:
        if not sys.executable:
            raise UsageError(
                Message(
                    en="this Python does not know its own executable; name the interpreter with --python EXE",
                    zh="当前 Python 不知道自己的可执行文件在哪里；请用 --python EXE 指定解释器",
                )
            )
        return Path(sys.executable)
    path = Path(python)
    if path.name == python and not path.is_file():
        import shutil

        path = Path(shutil.which(python) or python)
    path = path.absolute()
    if path.is_dir():
        raise UsageError(
            Message(
                en=f"--python takes an interpreter, not a folder: {path}",
                zh=f"--python 要指定解释器，而不是目录：{path}",
            )
        )
    if not os.path.lexists(path):  # a Store alias is a link that cannot be followed
        raise UsageError(Message(en=f"no such interpreter: {path}", zh=f"没有这个解释器：{path}"))
    return path


def _venv_settings(executable: Path) -> tuple[Path, dict[str, str]] | None:
    for folder in (executable.parent, executable.parent.parent):
        try:
            text = (folder / "pyvenv.cfg").read_text("utf-8-sig", "replace")
        except OSError:
            continue
        pairs = (line.partition("=") for line in text.splitlines())
        return folder, {key.strip().lower(): value.strip() for key, sep, value in pairs if sep}
    return None


def _carries_runtime(folder: Path) -> bool:
    """True where pythonXY.dll lies beside the environment's executable: it is no launcher then (`venv --symlinks`)."""
    try:
        return any(_PYTHON_DLL.fullmatch(entry.name) for entry in folder.iterdir())
    except OSError:
        return False


def _base_interpreter(executable: Path, values: Mapping[str, str]) -> Path:
    candidates = []
    if values.get("home"):
        candidates = [Path(values["home"], executable.name), Path(values["home"], "python.exe")]
    if values.get("executable"):
        candidates.append(Path(values["executable"]))
    for candidate in candidates:
        if os.path.lexists(candidate):
            return candidate
    home = values.get("home")
    raise UsageError(
        Message(
            en=f"the base interpreter of the environment is gone: {executable} ({home or 'no `home` in pyvenv.cfg'})",
            zh=f"虚拟环境的基础解释器已不存在：{executable}（{home or 'pyvenv.cfg 中没有 `home`'}）",
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpreterFacts:
    """What an interpreter says of itself. Paths are its own texts."""

    version_text: str
    version: tuple[int, int, int]
    implementation: str = "cpython"
    executable: str = ""
    image: str = ""
    """The process image (GetModuleFileName), which is not `executable` in a virtual environment."""
    prefix: str = ""
    base_prefix: str = ""
    exec_prefix: str = ""
    base_exec_prefix: str = ""
    bits: int = 64
    sys_path: tuple[str, ...] = ()
    """`sys.path` when the question starts."""
    flags: Mapping[str, int]
    windows: tuple[int, int, int] | None = None

    @property
    def python_version(self) -> PythonVersion:
        """Major, minor, and whether it is a free-threaded build (said in `sys.version`)."""
        return PythonVersion(self.version[0], self.version[1], "free-threading build" in self.version_text)

    @property
    def machine(self) -> Machine:
        """The processor that the interpreter was built for, as `sys.version` names it."""
        text = self.version_text.lower()
        for word, machine in (("(amd64)", Machine.AMD64), ("(arm64)", Machine.ARM64), ("(arm)", Machine.ARMNT)):
            if word in text:
                return machine
        return Machine.I386 if "(intel)" in text or self.bits == 32 else Machine.UNKNOWN


def interpreter_facts(values: Mapping[str, object]) -> InterpreterFacts:
    """The facts in a record of the probe; what is missing or odd there gets the default."""
    flags = values.get("flags")
    return InterpreterFacts(
        version_text=str(values.get("version") or ""),
        version=_three(values.get("version_info")) or (0, 0, 0),
        implementation=str(values.get("implementation") or "cpython"),
        executable=str(values.get("executable") or ""),
        image=str(values.get("image") or ""),
        prefix=str(values.get("prefix") or ""),
        base_prefix=str(values.get("base_prefix") or ""),
        exec_prefix=str(values.get("exec_prefix") or ""),
        base_exec_prefix=str(values.get("base_exec_prefix") or ""),
        bits=32 if values.get("bits") == 32 else 64,
        sys_path=_texts(values.get("sys_path")),
        flags={str(k): int(v) for k, v in flags.items() if isinstance(v, int)} if isinstance(flags, Mapping) else {},
        windows=_three(values.get("windows")),
    )


def own_facts() -> InterpreterFacts:
    """The same for the interpreter that runs whyload. Its first `sys.path` entry is the command's and is left out."""
    windows = getattr(sys, "getwindowsversion", None)
    safe = getattr(sys.flags, "safe_path", False) or sys.flags.isolated
    return interpreter_facts(
        {
            "version": sys.version,
            "version_info": list(sys.version_info[:3]),
            "implementation": sys.implementation.name,
            "executable": sys.executable,
            "image": getattr(sys, "_base_executable", sys.executable),
            "prefix": sys.prefix,
            "base_prefix": sys.base_prefix,
            "exec_prefix": sys.exec_prefix,
            "base_exec_prefix": sys.base_exec_prefix,
            "bits": 64 if sys.maxsize > 2**32 else 32,
            "sys_path": list(sys.path) if safe else ["", *sys.path[1:]],
            "windows": list(windows()[:3]) if windows else None,
        }
    )


def _three(value: object) -> tuple[int, int, int] | None:
    if not isinstance(value, (list, tuple)) or len(value) < 3 or not all(isinstance(part, int) for part in value[:3]):
        return None
    return value[0], value[1], value[2]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()
