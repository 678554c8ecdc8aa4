"""Every reader that meets bytes from outside, each as one function of bytes.

Source of truth: style.md's rule for damaged bytes: only the one error of the reader may come out (`FormatError` for
files of libraries, `WhyloadError` for what a person gives us), within a bound of work and memory.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.formats.pe.craft import Row, Shape, everything
from tests.formats.pe.test_damage import ask_everything
from tests.formats.test_apiset import ENTRIES, section
from tests.testbed.memory import SITE, SYSTEM32, Files, MemoryFiles, world
from tests.testbed.pewriter import Dll, build
from whyload.base.bytesource import BytesSource
from whyload.base.errors import FormatError, WhyloadError
from whyload.base.paths import WinPath
from whyload.engine.simulate import started_process
from whyload.engine.static import ask_import
from whyload.facts.error_text import ending_of_text
from whyload.facts.packages import Packages
from whyload.findings.report import Question, QuestionKind
from whyload.formats.apiset import ApiSetSchema
from whyload.formats.pe import Image
from whyload.knowledge.errors import match_error_texts
from whyload.knowledge.reader import toml_loads
from whyload.loader.windows.load import load
from whyload.observe.failures import failed_loads
from whyload.observe.observation import Observation, Outcome
from whyload.observe.reading import Ending, read_observation
from whyload.startup.paths import path_file_code, python_paths
from whyload.startup.program import read_code
from whyload.world.folder import open_folder_world
from whyload.world.interpreter import find_launch
from whyload.world.settings import Settings, read_settings
from whyload.world.wheel import WheelFiles, open_wheel

LARGEST = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A reader: `run` raises nothing but what is a defect; `seeds` are healthy inputs to start from."""

    run: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]


def _pe(data: bytes) -> None:
    ask_everything(data)


def _load(data: bytes) -> None:
    """The whole loader, with the file in the place of a dependency and of what a forwarder leads to."""
    files: Files = {
        f"{SITE}\\x.pyd": Dll(name="x.pyd", imports={"y.dll": ["f"], "z.dll": ["g"]}),
        f"{SITE}\\y.dll": data,
    }
    made = world({**files, f"{SITE}\\z.dll": Dll(name="z.dll", exports={"g": "y.f"}), f"{SYSTEM32}\\late.dll": data})
    process = started_process(made)
    for name in (f"{SITE}\\x.pyd", f"{SITE}\\y.dll"):
        load(process, name, 0x1100)


def _api_set(data: bytes) -> None:
    with contextlib.suppress(FormatError):
        schema = ApiSetSchema(data)
        for name in ("api-ms-win-core-io-l1-1-0.dll", "ext-ms-win-gone-l1-1-0"):
            schema.host(name)
            schema.host(name, "kernel32.dll")


def _api_set_image(data: bytes) -> None:
    with contextlib.suppress(FormatError):
        ApiSetSchema.from_image(Image(BytesSource(data)))


def _record(data: bytes) -> None:
    info = f"{SITE}\\p-1.dist-info"
    files = {f"{info}\\RECORD": data, f"{info}\\METADATA": data, f"{SITE}\\p\\x.dll": data}
    files[f"{info}\\INSTALLER"] = files[f"{info}\\direct_url.json"] = data
    _ask(Packages(MemoryFiles(files), (WinPath(SITE),), None))


def _conda_record(data: bytes) -> None:
    files = {"C:\\Python\\conda-meta\\p-1-0.json": data, "C:\\Python\\conda-meta\\history": data}
    _ask(Packages(MemoryFiles(files), (WinPath(SITE),), WinPath("C:\\Python")))


def _ask(packages: Packages) -> None:
    packages.named("x.dll")
    packages.libraries()
    packages.providing("p")
    packages.altered(WinPath(f"{SITE}\\p\\x.dll"))
    for owner in packages.owners():
        packages.files_of(owner)


def _world_file(suffix: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"world{suffix}"
        file.write_bytes(data)
        with contextlib.suppress(WhyloadError):
            made = open_folder_world(Path(folder), file)
            load(started_process(made), "x.dll", 0x1000)


def _toml(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        toml_loads(data.decode("utf-8", "replace"))


def _text(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    match_error_texts(text)
    ending_of_text(text)
    failed_loads(Observation(outcome=Outcome.DIED, exit_status=1, stderr=text, stdout=text, loaded=()))


def _wheel(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "p-1-cp311-cp311-win_amd64.whl"
        file.write_bytes(data)
        with contextlib.suppress(WhyloadError):
            wheel = open_wheel(file)
            files = WheelFiles((wheel,), WinPath(SITE), WinPath("C:\\Python"))
            for name in files.listdir(WinPath(f"{SITE}\\p")):
                source = files.source(WinPath(f"{SITE}\\p") / name)
                with contextlib.suppress(WhyloadError):
                    if source is not None:
                        Image(source).imports()
            _ask(Packages(files, (WinPath(SITE),), None))


def _source(data: bytes) -> None:
    """Code of a program, and of a package that is imported."""
    text = data.decode("utf-8", "replace")
    read_code(world({}), text)
    ask_import(
        world({f"{SITE}\\p\\__init__.py": data, f"{SITE}\\p\\n.pyd": Dll(name="n.pyd")}),
        Question(kind=QuestionKind.IMPORT, modules=("p",)),
    )


def _path_files(data: bytes) -> None:
    made = world({f"{SITE}\\p.pth": data, f"{SITE}\\q.pth": "x\n", "C:\\v\\pyvenv.cfg": data}, venv="C:\\v")
    path_file_code(made, python_paths(made))
    isolated = world({"C:\\Python\\python311._pth": data, f"{SITE}\\p.pth": data})
    path_file_code(isolated, python_paths(isolated))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pyvenv.cfg").write_bytes(data)
        (Path(folder) / "python.exe").write_bytes(b"")
        with contextlib.suppress(WhyloadError):
            find_launch(str(Path(folder) / "python.exe"), windows=True)


def _settings(data: bytes) -> None:
    """What an earlier whyload left in the environment, or somebody else."""
    read_settings(data.decode("utf-8", "replace"))


def _journal(data: bytes) -> None:
    """What a child process, which may be hostile, wrote of its run."""
    read_observation(data, Ending(exit_status=1))


def _small_wheel(compression: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as packed:
        packed.writestr("p-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: p\nVersion: 1\n")
        packed.writestr("p-1.dist-info/RECORD", "p/x.dll,sha256=abc,1024\np-1.dist-info/RECORD,,\n")
        packed.writestr("p/x.dll", build(Dll(name="x.dll", exports={"f": 1}, imports={"y.dll": ["g"]})))
        packed.writestr("p/y.dll", build(Dll(name="y.dll", exports={"g": 1})))
        packed.writestr("p-1.data/scripts/z.dll", b"text")
    return target.getvalue()


_WORLD = {
    "python": "C:/Python/python.exe", "python_version": "3.11", "layout": "full", "cwd": "C:/", "profile": "windows-11",
    "env": {"PATH": "C:\\x"}, "registry": {"HKLM\\A": {"b": 1}}, "run": {"code": "import p", "flags": ["-I"]},
    "process": {"application": "C:/Python/python.exe", "added_dll_directories": ["C:\\a"],
                "preload": [{"file": "C:\\a.dll", "flags": "0x1100"}], "set_dll_directory": "C:\\b"},
}  # fmt: skip
_SOURCES = (
    "import os\nfrom . import n\ntry:\n    os.add_dll_directory(os.path.join(os.path.dirname(__file__), 'lib'))\n"
    "except OSError as e:\n    raise ImportError(str(e)) from e\n",
    "import ctypes, glob, sys\nfor f in sorted(glob.glob('*.dll')):\n    ctypes.CDLL(f, winmode=0)\n"
    "def g(a, *b, c=1, **d):\n    return [x for x in b if x] + [f'{a!r}']\nclass C(object):\n    x: int = g(1, 2)\n"
    "with open('x') as h:\n    exec(compile(h.read(), 'x', 'exec'))\nmatch sys.argv:\n    case [x]:\n        del x\n",
    "import importlib\nimportlib.import_module('p.n')\nwhile True:\n    break\nelse:\n    pass\nlambda: (yield)\n",
)
_TEXTS = (
    'Traceback (most recent call last):\n  File "x.py", line 1\nImportError: DLL load failed while importing x: '
    "The specified module could not be found.\n",
    '[WinError 126] 找不到指定的模块。 Error loading "C:\\\\torch\\\\lib\\\\fbgemm.dll" or one of its dependencies.\n',
    'LoadLibrary failed with error 126 "" when trying to load "C:\\\\ort\\\\p.dll"\n0xC0000135 error 0x7e',
)
_JOURNAL = (
    b'{"kind": "begin", "sys_path": ["a"]}\n{"kind": "load", "name": "C:\\\\a.dll", "flags": 4352, "via": "import"}\n'
    b'{"kind": "facts", "version": "3.11", "environment": {"PATH": "x"}, "modules": ["C:\\\\a.dll"]}\n'
    b'{"kind": "failure", "chain": [{"type": "OSError", "text": "x", "frames": [{"file": "a", "line": 1}]}]}\n'
    b'{"kind": "end", "loaded": ["C:\\\\b.dll"], "cwd": "C:\\\\"}\n'
)

TARGETS: dict[str, Target] = {
    "pe": Target(run=_pe, seeds=lambda: [everything(True), everything(False)]),
    "load": Target(run=_load, seeds=lambda: [everything(True), build(Dll(name="y.dll", exports={"f": 1}))]),
    "apiset": Target(run=_api_set, seeds=lambda: [section(ENTRIES, version) for version in (2, 4, 6)]),
    "apiset-image": Target(
        run=_api_set_image,
        seeds=lambda: [Shape(rows=[Row(start=0x1000, name=b".apiset", data=section(ENTRIES))]).build()],
    ),
    "record": Target(run=_record, seeds=lambda: [b"p/x.dll,sha256=abc,12\n", b'"a,b.dll","sha256=x",7\r\n../../q,,\n']),
    "conda": Target(run=_conda_record, seeds=lambda: [b'{"name": "p", "version": "1", "files": ["bin/x.dll"]}']),
    "world-json": Target(run=lambda data: _world_file(".json", data), seeds=lambda: [json.dumps(_WORLD).encode()]),
    "world-toml": Target(
        run=lambda data: _world_file(".toml", data),
        seeds=lambda: [b'python = "C:/Python/python.exe"\n[env]\nPATH = "C:/x"\n[process]\npreload = [{file = "a"}]\n'],
    ),
    "toml": Target(run=_toml, seeds=lambda: [b'[a.b]\nc = [1, 2.5, "x", 1979-05-27]\n[[d]]\ne = {f = true}\n']),
    "text": Target(run=_text, seeds=lambda: [text.encode() for text in _TEXTS]),
    "wheel": Target(run=_wheel, seeds=lambda: [_small_wheel(zipfile.ZIP_STORED), _small_wheel(zipfile.ZIP_DEFLATED)]),
    "source": Target(run=_source, seeds=lambda: [text.encode() for text in _SOURCES]),
    "path-files": Target(run=_path_files, seeds=lambda: [b"sub\nimport x; x.y()\n", b"home = C:\\Python\nv = 3\n"]),
    "settings": Target(
        run=_settings,
        seeds=lambda: [Settings(folders=("C:\\a",), path=("C:\\b",), variables=(("A", "b"),)).source().encode()],
    ),
    "journal": Target(run=_journal, seeds=lambda: [_JOURNAL]),
}  # fmt: skip
"""By the name that the command takes."""
