"""The Python of an environment: exact version, who built it, virtual environment, ABI.

Sources: CPython `PC/python_ver_rc.h` (FILEVERSION is major, minor, 1000 * micro + release level, API version), PEP 514
(`SOFTWARE\\Python\\COMPANY\\TAG`), PEP 405 (`pyvenv.cfg`), PEP 3149 and loader.md R3.9 (tags of file names); conda's
`conda-meta`; uv's documentation, "Python versions" (folders of python-build-standalone).
"""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.paths import WinPath
from whyload.base.versions import FileVersion
from whyload.facts.machine.sources import Sources, text
from whyload.facts.packages import Packages
from whyload.formats.pe import Image
from whyload.loader.images import ImageStore
from whyload.startup.finder import suffixes
from whyload.world.model import Layout, Presence, World, read_text

_LEVELS = {10: "a", 11: "b", 12: "rc"}
_ORIGINS = {
    Layout.EMBED: "python.org, embeddable",
    Layout.STORE: "Microsoft Store",
    Layout.FROZEN: "frozen application",
    Layout.PYINSTALLER: "frozen application (PyInstaller)",
}
_COMPANIES = {"PythonCore": "python.org", "ContinuumAnalytics": "Anaconda", "Astral": "python-build-standalone (uv)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpreterFacts:
    """None: not known; `unknown` says why."""

    executable: WinPath
    """The process image: the base interpreter, in a virtual environment too."""
    dll: WinPath | None = None
    version: str | None = None
    """All of it, such as `3.11.9` or `3.13.0rc2`."""
    build: str | None = None
    """What `sys.version` adds to the version: build date and compiler."""
    bits: int | None = None
    processor: str | None = None
    implementation: str = "cpython"
    origin: str | None = None
    """Who built or brought it."""
    layout: Layout = Layout.FULL
    free_threaded: bool = False
    debug: bool | None = None
    extension_suffixes: tuple[str, ...] = ()
    """The ends of file names that it takes for extension modules."""
    prefix: WinPath
    base_prefix: WinPath
    venv: WinPath | None = None
    venv_made_by: str | None = None
    """`venv`, `virtualenv 20.26.1`, `uv 0.4.1`."""
    sees_base_packages: bool | None = None
    """Of a virtual environment: `include-system-site-packages`."""
    home_is_there: bool | None = None
    """Of a virtual environment: the base interpreter that `pyvenv.cfg` names exists."""
    paths: tuple[WinPath, ...] = ()
    """`sys.path`."""
    read_from: Mapping[str, str] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)


def interpreter_facts(
    world: World, images: ImageStore, packages: Packages, paths: tuple[WinPath, ...]
) -> InterpreterFacts:
    """What is known of the interpreter. `paths` is `sys.path`."""
    notes, python = Sources(), world.python
    dll = _dll(world)
    image = images.open(dll).image if dll is not None else None
    machine = images.open(python.executable).machine or (image.machine if image is not None else python.machine)
    asked = python.version_text or ""
    settings = _settings(world, python.venv) if python.venv is not None else {}
    cfg = str(python.venv / "pyvenv.cfg") if python.venv is not None else ""
    return InterpreterFacts(
        executable=python.executable,
        dll=notes.take("dll", dll, str(python.base_prefix), f"no {python.dll} beside {python.executable}"),
        version=_version(asked, image, dll, settings, notes),
        build=notes.take("build", asked.partition(" ")[2] or None, "sys.version", "the interpreter was not asked"),
        bits=notes.take("bits", machine.bits or None, "the process image"),
        processor=notes.take("processor", machine.label if machine.bits else None, "the process image"),
        implementation=python.implementation,
        origin=_origin(world, packages, asked, notes),
        layout=python.layout,
        free_threaded=python.version.free_threaded,
        debug=notes.take("debug", _debug(dll), "the name of its DLL"),
        extension_suffixes=tuple(suffix for suffix, _ in suffixes(python) if suffix.endswith(".pyd")),
        prefix=python.prefix,
        base_prefix=python.base_prefix,
        venv=python.venv,
        venv_made_by=_maker(settings) if settings else None,
        sees_base_packages=_sees_base(settings) if settings else None,
        home_is_there=notes.take("home_is_there", _home_is_there(world, settings), cfg) if settings else None,
        paths=paths,
        read_from=notes.read_from,
        unknown=notes.unknown,
    )


def _dll(world: World) -> WinPath | None:
    python = world.python
    for folder in (python.base_prefix, python.base_prefix / "_internal"):
        for name in (python.dll, python.dll.replace(".dll", "_d.dll")):
            if world.files.presence(folder / name) is Presence.FILE:
                return world.files.actual(folder / name)
    return None


def _debug(dll: WinPath | None) -> bool | None:
    return None if dll is None else dll.stem.lower().endswith("_d")


def _version(
    asked: str, image: Image | None, dll: WinPath | None, settings: Mapping[str, str], notes: Sources
) -> str | None:
    if asked:
        return notes.take("version", asked.split(" ")[0].rstrip("+"), "sys.version")
    stated = image.file_version() if image is not None else None
    if stated is not None and dll is not None:
        return notes.take("version", _whole_version(stated), f"version resource of {dll}")
    given = settings.get("version_info") or settings.get("version")
    return notes.take("version", given, "pyvenv.cfg", "the interpreter was not asked, its DLL has no version resource")


def _whole_version(stated: FileVersion) -> str:
    micro, rest = divmod(stated.build, 1000)
    level, serial = divmod(rest, 10)
    return f"{stated.major}.{stated.minor}.{micro}" + (f"{_LEVELS[level]}{serial}" if level in _LEVELS else "")


def _origin(world: World, packages: Packages, asked: str, notes: Sources) -> str | None:
    python = world.python
    if python.layout is Layout.CONDA:
        return _conda_origin(world, packages, notes)
    if python.layout in _ORIGINS:
        return notes.take("origin", _ORIGINS[python.layout], "the files around it")
    lower = python.base_prefix.key
    if "gcc" in asked.lower() or "\\msys64\\" in f"{lower}\\" or "\\mingw" in lower:
        return notes.take("origin", "MSYS2 (MinGW)", "sys.version" if "gcc" in asked.lower() else "its folder")
    if "-windows-x86_64" in lower or "-windows-aarch64" in lower or "-windows-i686" in lower:
        return notes.take("origin", "python-build-standalone (uv)", "its folder")
    if "\\pyenv-win\\" in lower:
        return notes.take("origin", "python.org (pyenv-win)", "its folder")
    return _registered(world, notes)


def _registered(world: World, notes: Sources) -> str | None:
    """PEP 514: every installation writes where it is."""
    for hive in ("HKLM", "HKCU"):
        for company in world.registry.subkeys(f"{hive}\\SOFTWARE\\Python") or ():
            for tag in world.registry.subkeys(f"{hive}\\SOFTWARE\\Python\\{company}") or ():
                key = f"{hive}\\SOFTWARE\\Python\\{company}\\{tag}\\InstallPath"
                folder = text(world.registry.values(key), "")
                if folder is not None and WinPath(folder) == world.python.base_prefix:
                    return notes.take("origin", _COMPANIES.get(company, company), key)
    return notes.take("origin", None, "the registry", "no installation is registered for its folder")


def _conda_origin(world: World, packages: Packages, notes: Sources) -> str | None:
    python = packages.distribution("python")
    channel = python.channel if python is not None else None
    source = str(world.python.base_prefix / "conda-meta")
    return notes.take("origin", f"conda ({channel})" if channel else "conda", source)


def _settings(world: World, venv: WinPath) -> dict[str, str]:
    lines = (read_text(world.files, venv / "pyvenv.cfg") or "").splitlines()
    pairs = (line.partition("=") for line in lines)
    return {key.strip().lower(): value.strip() for key, sep, value in pairs if sep}


def _maker(settings: Mapping[str, str]) -> str:
    for name in ("uv", "virtualenv"):
        if name in settings:
            return f"{name} {settings[name]}".strip()
    return "venv"


def _sees_base(settings: Mapping[str, str]) -> bool:
    return settings.get("include-system-site-packages", "").lower() == "true"


def _home_is_there(world: World, settings: Mapping[str, str]) -> bool | None:
    home = WinPath(settings.get("home", ""))
    if not home.is_absolute:
        return None
    found = world.files.presence(home / "python.exe")
    return None if found is Presence.UNKNOWN else found is Presence.FILE
