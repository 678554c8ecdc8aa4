"""`sys.path` of a Python that is not running: from its layout, `._pth` and `.pth` files.

Source: loader.md R3.17, R3.18, R3.20; CPython `Modules/getpath.py` and `Lib/site.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.paths import WinPath
from whyload.world.model import Layout, Presence, PythonInstallation, World, read_text
from whyload.world.settings import MODULE_FILE, PATH_FILE, Settings, read_settings

_ISOLATED = ("-I", "-P")


def python_paths(world: World) -> tuple[WinPath, ...]:
    """Folders and archives of `sys.path`, the current or the script's folder first.

    The world's own list is taken where it has one. Lines of `.pth` files that are code are not followed here: see
    `path_file_code`.
    """
    python = world.python
    if python.paths:
        return python.paths
    if python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        return _unique(_frozen(world))
    pth = _isolating_file(world)
    if pth is not None:
        return _unique(_isolated(world, pth))
    return _unique([*_first(world), *_environment_paths(world), *_installed(world, python)])


def site_folders(world: World, paths: Iterable[WinPath]) -> tuple[WinPath, ...]:
    """The folders whose `.pth` files are read at start-up, out of `paths`; none without the site module."""
    if "-S" in _flags(world) or world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        return ()
    pth = _isolating_file(world)
    if pth is not None and not _imports_site(world, pth):
        return ()
    return tuple(path for path in paths if path.name.lower() == "site-packages")


def path_file_code(world: World, paths: Iterable[WinPath]) -> tuple[tuple[WinPath, str], ...]:
    """(file, line) for every line of a `.pth` file that Python executes, in order."""
    lines = []
    for folder in site_folders(world, paths):
        for file, line in _path_file_lines(world, folder):
            if line.startswith(("import ", "import\t")):
                lines.append((file, line))
    return tuple(lines)


def _flags(world: World) -> tuple[str, ...]:
    return world.run.flags if world.run else ()


def _first(world: World) -> list[WinPath]:
    if any(flag in _ISOLATED for flag in _flags(world)) or world.environment.get("PYTHONSAFEPATH"):
        return []
    if world.run is not None and world.run.code is None and world.run.script is not None:
        return [(world.process.cwd / str(world.run.script)).parent]
    return [world.process.cwd]


def _environment_paths(world: World) -> list[WinPath]:
    if any(flag in ("-E", "-I") for flag in _flags(world)):
        return []
    value = world.environment.get("PYTHONPATH", "")
    if value:
        value = kept_settings(world).value_of("PYTHONPATH", value) or ""
    return path_entries(world, value)


def path_entries(world: World, value: str) -> list[WinPath]:
    """The folders of a value of `PYTHONPATH`."""
    return [world.process.cwd / part for part in value.split(";") if part]


def kept_settings(world: World) -> Settings:
    """What the environment keeps, where its Python reads it at start-up."""
    folder = world.python.prefix / "Lib" / "site-packages"
    if "-S" in _flags(world) or world.files.presence(folder / PATH_FILE) is not Presence.FILE:
        return Settings()
    return read_settings(read_text(world.files, folder / MODULE_FILE) or "")


def relative_folders(world: World) -> dict[WinPath, str]:
    """R3.7: folders of `sys.path` that Python 3.8 and 3.9 keep relative, as their modules' files then are too."""
    if not (3, 8) <= world.python.version[:2] < (3, 10) or world.python.paths:
        return {}
    parts = world.environment.get("PYTHONPATH", "").split(";")
    folders = {world.process.cwd / part: part for part in parts if part and not WinPath(part).is_absolute}
    return {folder: part for folder, part in folders.items() if folder in _environment_paths(world)}


def _installed(world: World, python: PythonInstallation) -> Iterable[WinPath]:
    base = python.base_prefix
    yield base / f"python{python.version.major}{python.version.minor}.zip"
    yield base / "DLLs"
    yield base / "Lib"
    yield base
    if "-S" in _flags(world):
        return
    site = python.prefix / "Lib" / "site-packages"
    if python.venv is not None:
        yield python.venv
    if python.venv is None or _sees_base(world, python.venv):
        yield from _user_site(world, python)
    yield site
    yield from _path_file_folders(world, site)
    if python.venv is not None and _sees_base(world, python.venv):
        yield base / "Lib" / "site-packages"
        yield from _path_file_folders(world, base / "Lib" / "site-packages")


def _user_site(world: World, python: PythonInstallation) -> Iterable[WinPath]:
    if any(flag in ("-s", "-I") for flag in _flags(world)) or world.environment.get("PYTHONNOUSERSITE"):
        return
    version = f"Python{python.version.major}{python.version.minor}"
    if python.layout is Layout.STORE and (local := _local_data(world)):
        package = f"PythonSoftwareFoundation.Python.{python.version.major}.{python.version.minor}_qbz5n2kfra8p0"
        folder = WinPath(local) / "Packages" / package / "LocalCache" / "local-packages" / version / "site-packages"
    elif appdata := world.environment.get("PYTHONUSERBASE"):
        folder = WinPath(appdata) / version / "site-packages"
    elif appdata := world.environment.get("APPDATA"):
        folder = WinPath(appdata) / "Python" / version / "site-packages"
    else:
        return
    if world.files.presence(folder) is Presence.DIRECTORY:
        yield folder
        yield from _path_file_folders(world, folder)


def _local_data(world: World) -> str | None:
    """The folder of the user's own data, in its usual place where the variable is not known."""
    profile = world.environment.get("USERPROFILE")
    return world.environment.get("LOCALAPPDATA") or (f"{profile}\\AppData\\Local" if profile else None)


def _sees_base(world: World, venv: WinPath) -> bool:
    config = read_text(world.files, venv / "pyvenv.cfg") or ""
    return any(
        line.partition("=")[0].strip().lower() == "include-system-site-packages" and "true" in line.lower()
        for line in config.splitlines()
    )


def _path_file_lines(world: World, folder: WinPath) -> Iterable[tuple[WinPath, str]]:
    for name in world.files.listdir(folder):
        if name.lower().endswith(".pth") and not name.startswith("."):
            for line in (read_text(world.files, folder / name) or "").splitlines():
                if line.strip() and not line.startswith("#"):
                    yield folder / name, line.rstrip()


def _path_file_folders(world: World, folder: WinPath) -> Iterable[WinPath]:
    for _, line in _path_file_lines(world, folder):
        if not line.startswith(("import ", "import\t")):
            path = folder / line.strip()
            if world.files.presence(path) in (Presence.DIRECTORY, Presence.FILE):
                yield world.files.actual(path)


def _isolating_file(world: World) -> WinPath | None:
    python = world.python
    if python.layout not in (Layout.EMBED, Layout.FULL):
        return None
    folder = python.base_prefix
    stem = f"python{python.version.major}{python.version.minor}"
    for path in (folder / f"{stem}._pth", folder / f"{python.executable.stem}._pth"):
        if world.files.presence(path) is Presence.FILE:
            return path
    return None


def _isolating_lines(world: World, pth: WinPath) -> list[str]:
    lines = (line.strip() for line in (read_text(world.files, pth) or "").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _imports_site(world: World, pth: WinPath) -> bool:
    return any(line.split() == ["import", "site"] for line in _isolating_lines(world, pth))


def _isolated(world: World, pth: WinPath) -> Iterable[WinPath]:
    for line in _isolating_lines(world, pth):
        if not line.startswith("import "):
            yield pth.parent / line
    if _imports_site(world, pth):
        site = world.python.base_prefix / "Lib" / "site-packages"
        if world.files.presence(site) is Presence.DIRECTORY:
            yield site
            yield from _path_file_folders(world, site)


def _frozen(world: World) -> Iterable[WinPath]:
    folder = world.python.base_prefix
    for inside in (folder / "_internal", folder / "lib", folder):
        for archive in ("base_library.zip", "library.zip"):
            if world.files.presence(inside / archive) is Presence.FILE:
                yield inside / archive
                yield inside
                return
    inside = folder / "_internal"
    yield inside if world.files.presence(inside) is Presence.DIRECTORY else folder


def _unique(paths: Iterable[WinPath]) -> tuple[WinPath, ...]:
    return tuple(dict.fromkeys(paths))
