"""Where else a library of some name lies, and whether that copy fits (docs/causes.md, "Which code when a file
of the name exists elsewhere"; loader.md R6.3).
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import Layout, Presence

if TYPE_CHECKING:
    from whyload.base.machine import Machine
    from whyload.base.paths import WinPath
    from whyload.base.versions import FileVersion
    from whyload.facts.packages import Packages
    from whyload.loader.windows.process import Process


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A file of the wanted name, somewhere."""

    path: WinPath
    machine: Machine | None
    fits: bool
    """It is an image that this process could map; True where its contents are not known."""
    found_by: Message
    """Which kind of folder it lies in: PATH, a variable, the environment …"""


class Copies:
    """Looks in PATH, the current folder, the program's folder, this environment and the toolkit folders of
    `CUDA_PATH*`.
    """

    def __init__(self, process: Process, packages: Packages, script_folder: WinPath | None = None) -> None:
        self._process = process
        self._packages = packages
        self._folders = list(_folders(process, script_folder))
        self._libraries: list[tuple[Message, WinPath]] | None = None
        self._versions: dict[str, list[Copy]] = {}

    def of(self, name: str, importer: WinPath | None = None) -> list[Copy]:
        """Every copy, in the order of the places above; the folder of the importing file comes first."""
        found: dict[str, Copy] = {}
        beside = [(_BESIDE, importer.parent)] if importer is not None else []
        for label, folder in (*beside, *self._folders):
            path = folder / name
            if self._process.files.presence(path) is Presence.FILE:
                found.setdefault(path.key, self._copy(path, label))
        for entry in self._packages.named(name):
            if self._process.files.presence(entry.path) is Presence.FILE:
                found.setdefault(entry.path.key, self._copy(entry.path, _ENVIRONMENT))
        return list(found.values())

    def fitting(self, name: str) -> Copy | None:
        """The first copy that this process could use."""
        return next((copy for copy in self.of(name) if copy.fits), None)

    def other_versions(self, name: str) -> list[Copy]:
        """The same library with another version in its name (`cublas64_11.dll` where `cublas64_12.dll` is wanted)."""
        from whyload.knowledge.libraries import same_library

        key = name.lower()
        if key not in self._versions:
            found: dict[str, Copy] = {}
            for label, path in self._every_library():
                if same_library(name, path.name) and path.name.lower() != key and path.key not in found:
                    found[path.key] = self._copy(path, label)
            self._versions[key] = [copy for copy in found.values() if copy.fits]
        return self._versions[key]

    def _every_library(self) -> list[tuple[Message, WinPath]]:
        """Each DLL in the places above, listed once."""
        if self._libraries is None:
            files = self._process.files
            self._libraries = [
                (label, folder / name)
                for label, folder in self._folders
                for name in files.listdir(folder)
                if name.lower().endswith(".dll")
            ]
            recorded = (entry.path for _, entry in self._packages.libraries())
            self._libraries += [(_ENVIRONMENT, path) for path in recorded if files.presence(path) is Presence.FILE]
        return self._libraries

    def version(self, path: WinPath) -> FileVersion | None:
        """The version resource of a file."""
        image = self._process.images.open(path).image
        return image.file_version() if image else None

    def _copy(self, path: WinPath, label: Message) -> Copy:
        opened = self._process.images.open(path)
        fits = opened.damage is None and (opened.machine is None or self._process.runs_here(opened.machine))
        return Copy(path=self._process.files.actual(path), machine=opened.machine, fits=fits, found_by=label)


_BESIDE = Message(en="beside the file that needs it", zh="与需要它的文件在同一目录")
_ENVIRONMENT = Message(en="environment", zh="当前环境")
_UNMATCHED = Message(
    en="in a PATH entry with quotes or spaces around it, which Windows ignores",
    zh="在 PATH 中带引号或首尾有空格的条目里，Windows 不会用到这样的条目",
)


def _name(text: str) -> Message:
    return Message(en=text, zh=text)


def _folders(process: Process, script_folder: WinPath | None) -> list[tuple[Message, WinPath]]:
    python = process.world.python
    found = [(_name("PATH"), folder) for folder in process.path_folders()]
    found += [(_UNMATCHED, folder) for folder in process.unmatched_path_folders()]
    found.append((Message(en="current folder", zh="当前目录"), process.cwd))
    if script_folder is not None:
        found.append((Message(en="folder of the program", zh="程序所在目录"), script_folder))
    below = ["", "Library\\bin", "Library\\mingw-w64\\bin", "Library\\usr\\bin", "DLLs", "Scripts", "bin"]
    prefixes = {python.prefix, python.base_prefix}
    if python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        below = ["", "_internal", "lib"]
    found += [(_ENVIRONMENT, prefix / part) for prefix in sorted(prefixes) for part in below]
    for variable in sorted(process.environment):
        if variable.upper().startswith("CUDA_PATH"):
            root = process.absolute(process.environment[variable])
            found += [(_name(variable), root / part) for part in ("bin", "bin\\x64", "")]
    return found
