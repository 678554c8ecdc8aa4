"""The world of `check`: a clean machine of a profile, python.org's Python, and wheels that pip brings for
that target.

Dependencies are followed with the markers of the target, not of this machine: pip evaluates them for the
machine it runs on.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.errors import NetworkError, UsageError
from whyload.base.machine import PLATFORM_TAGS, Machine
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.base.typing import TYPE_CHECKING
from whyload.base.versions import PythonVersion
from whyload.knowledge.systems import Profile
from whyload.world.disk import FolderFiles
from whyload.world.files import KnownRegistry, LayeredFiles
from whyload.world.home import home_folder
from whyload.world.markers import demands_of, marker_environment
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
from whyload.world.pip_words import index_is_unreachable, last_error
from whyload.world.profile import PYTHON_FOLDER, SITE_PACKAGES, profile_files, python_files
from whyload.world.wheel import Wheel, WheelFiles, open_wheel

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet

Progress = Callable[[str], None]
_RESOLUTION_LASTS = 24 * 3600
_MOST_DISTRIBUTIONS = 200


class NoWheelError(UsageError):
    """The index has no wheel that fits the target and what else is asked for."""


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


def cache_folder() -> Path:
    """Where downloads are kept: `WHYLOAD_CACHE`, or the user's cache folder."""
    named = os.environ.get("WHYLOAD_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home_folder("WHYLOAD_CACHE")) / "whyload" / "Cache"
    if sys.platform == "darwin":
        return home_folder("WHYLOAD_CACHE") / "Library" / "Caches" / "whyload"
    return Path(os.environ.get("XDG_CACHE_HOME") or home_folder("WHYLOAD_CACHE") / ".cache") / "whyload"


def fetch(
    requirement: str,
    target: Target,
    progress: Progress,
    *,
    dependencies: bool = True,
    cache: Path | None = None,
    network: bool = True,
) -> tuple[Wheel, ...]:
    """The wheels of a requirement and of what it needs, for the target; the asked one first. They stay in `cache`, or
    in the user's cache folder; without `network` they have to be there.

    Raises UsageError where the requirement cannot be read or has no wheel for the target, NetworkError where the index
    cannot be reached.
    """
    resolver = _Resolver(target, progress, cache, network=network)
    return resolver.run(_parsed(requirement), dependencies=dependencies)


def fetch_beside(
    requirements: Iterable[str],
    target: Target,
    progress: Progress,
    *,
    installed: Mapping[str, str],
    held: bool = True,
    dependencies: bool = True,
    cache: Path | None = None,
) -> tuple[Wheel, ...]:
    """The wheels of the requirements, and of what they need beyond what is installed (version by name).

    `held`: what is installed stays as it is. Raises as `fetch` does, and where something held would have to move.
    """
    resolver = _Resolver(target, progress, cache, installed={normalised(n): v for n, v in installed.items()}, held=held)
    for requirement in map(_parsed, requirements):
        resolver.installed.pop(normalised(requirement.name), None)
        resolver.run(requirement, dependencies=dependencies)
    return tuple(resolver.chosen.values())


def add_dependencies(
    wheel: Wheel, target: Target, progress: Progress, *, cache: Path | None = None, network: bool = True
) -> tuple[Wheel, ...]:
    """A wheel at hand and the wheels of what it needs."""
    _check_tags(wheel, target)
    resolver = _Resolver(target, progress, cache, network=network)
    resolver.chosen[normalised(wheel.distribution)] = wheel
    resolver.follow(wheel, frozenset())
    return tuple(resolver.chosen.values())


def _parsed(text: str) -> Requirement:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        return Requirement(text)
    except InvalidRequirement as error:
        raise UsageError(f"not a requirement: {text!r} ({str(error).splitlines()[0]})") from None


class _Resolver:
    """Breadth first: the newest wheel that satisfies what is known so far, then what that wheel needs."""

    def __init__(
        self,
        target: Target,
        progress: Progress,
        cache: Path | None,
        *,
        installed: Mapping[str, str] | None = None,
        held: bool = False,
        network: bool = True,
    ) -> None:
        self._network = network
        self.installed = dict(installed or {})
        self._held = held
        self._target = target
        self._progress = progress
        self._cache = cache or cache_folder()
        self._constraints: dict[str, SpecifierSet] = {}
        self.chosen: dict[str, Wheel] = {}

    def run(self, requirement: Requirement, *, dependencies: bool) -> tuple[Wheel, ...]:
        wheel = self._choose(requirement)
        if dependencies:
            self.follow(wheel, frozenset(requirement.extras))
        return tuple(self.chosen.values())

    def follow(self, wheel: Wheel, extras: frozenset[str]) -> None:
        waiting: list[tuple[Wheel, frozenset[str]]] = [(wheel, extras)]
        done: set[tuple[str, frozenset[str]]] = set()
        while waiting:
            current, wanted = waiting.pop(0)
            if (current.path.name, wanted) in done:
                continue
            done.add((current.path.name, wanted))
            if len(self.chosen) > _MOST_DISTRIBUTIONS:
                raise UsageError(f"more than {_MOST_DISTRIBUTIONS} distributions are needed; name fewer at once")
            needed = [requirement for requirement in self._needs(current, wanted) if not self._is_met(requirement)]
            waiting += [(self._choose(requirement), frozenset(requirement.extras)) for requirement in needed]

    def _needs(self, wheel: Wheel, extras: frozenset[str]) -> Iterable[Requirement]:
        for requirement in map(_parsed, demands_of(wheel.text("METADATA") or "")):
            if self._applies(requirement, extras):
                yield requirement

    def _applies(self, requirement: Requirement, extras: frozenset[str]) -> bool:
        from packaging.markers import UndefinedComparison, UndefinedEnvironmentName

        marker = requirement.marker
        try:
            return marker is None or any(
                marker.evaluate(self._target.marker_environment(extra)) for extra in (*extras, "")
            )
        except (UndefinedComparison, UndefinedEnvironmentName) as error:
            raise UsageError(f"the marker of {requirement} cannot be evaluated: {error}") from None

    def _is_met(self, requirement: Requirement) -> bool:
        """By what is installed already. Raises UsageError where that would have to move and is held."""
        have = self.installed.get(normalised(requirement.name))
        if have is None:
            return False
        met = requirement.specifier.contains(have, prereleases=True)
        if not met and self._held:
            raise NoWheelError(f"{requirement} is needed, and {requirement.name} {have} is installed")
        return met

    def _choose(self, requirement: Requirement) -> Wheel:
        key = normalised(requirement.name)
        specifier = requirement.specifier
        if key in self._constraints:
            specifier = specifier & self._constraints[key]
        self._constraints[key] = specifier
        have = self.chosen.get(key)
        if have is None or not specifier.contains(have.version, prereleases=True):
            file = self._file(f"{requirement.name}{specifier}")
            self.chosen[key] = open_wheel(file)
        return self.chosen[key]

    def _file(self, requirement: str) -> Path:
        return _wheel_file(requirement, self._target, self._progress, self._cache, network=self._network)


def _wheel_file(requirement: str, target: Target, progress: Progress, cache: Path, *, network: bool) -> Path:
    """A wheel for one requirement, from the cache where it was resolved lately, else through pip.

    Several processes may do this at once: a file comes into the cache whole, under its last name.
    """
    folder = cache / "wheels"
    wanted = f"{requirement} {target.python} {target.platform}"
    note = cache / "resolved" / hashlib.sha256(wanted.encode()).hexdigest()[:32]
    pinned = "==" in requirement and "*" not in requirement
    try:
        fresh = pinned or not network or time.time() - note.stat().st_mtime < _RESOLUTION_LASTS
        known = folder / note.read_text(encoding="utf-8").strip()
        if fresh and known.is_file():
            return known
    except OSError:
        pass
    if not network:
        raise NetworkError(f"no wheel of {requirement} is in the cache ({cache}), and the network is not to be asked")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        note.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the cache cannot be written: {cache} ({error.strerror}); name another folder with WHYLOAD_CACHE"
        ) from None
    progress(f"downloading {requirement} for Python {target.python} on {target.platform}")
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        _pip_download(requirement, target, Path(scratch))
        found = sorted(Path(scratch).glob("*.whl"))
        if not found:
            raise UsageError(f"pip brought no wheel for {requirement}")
        file = folder / found[0].name
        try:
            found[0].replace(file)
        except PermissionError:  # Windows: another process brought it meanwhile, and reads it
            if not file.is_file():
                raise
    part = note.with_suffix(f".{os.getpid()}")
    part.write_text(file.name, encoding="utf-8")
    part.replace(note)
    return file


def _pip_download(requirement: str, target: Target, folder: Path) -> None:
    digits = target.python.digits
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder)]
    command += ["--platform", target.platform, "--implementation", "cp"]
    command += ["--python-version", f"{target.python.major}.{target.python.minor}"]
    for abi in (f"cp{digits}", "none", *(() if target.python.free_threaded else ("abi3",))):
        command += ["--abi", abi]
    log = folder / "pip.log"
    command += ["--log", str(log)]
    try:
        done = subprocess.run([*command, requirement], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"pip cannot be started: {error}") from None
    if done.returncode:
        written = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
        _explain_pip(requirement, target, done.stderr.decode("utf-8", "replace"), written)


def _explain_pip(requirement: str, target: Target, errors: str, log: str) -> None:
    if "No module named pip" in errors:
        raise UsageError("pip is not installed for the Python that runs whyload; it is needed to download wheels")
    if index_is_unreachable(errors, log):
        raise NetworkError(f"cannot download {requirement}: the package index cannot be reached")
    if "No matching distribution" in errors:
        versions = re.search(r"from versions: ([^)]*)\)", errors)
        some = f" (there are: {versions[1][-200:]})" if versions and versions[1] not in ("", "none") else ""
        raise NoWheelError(f"{requirement}: no wheel for Python {target.python} on {target.platform}{some}")
    reason = f"pip cannot download {requirement}: {(last_error(errors) or 'it said nothing')[-300:]}"
    raise NoWheelError(reason) if "ResolutionImpossible" in errors else UsageError(reason)


def _check_tags(wheel: Wheel, target: Target) -> None:
    from packaging.tags import Tag, compatible_tags, cpython_tags

    version, digits = target.python[:2], target.python.digits
    fitting: set[Tag] = {*cpython_tags(version, [f"cp{digits}"], [target.platform])}
    fitting.update(compatible_tags(version, f"cp{digits}", [target.platform]))
    parts = [part.split(".") for part in wheel.tags]
    if not any(
        Tag(python, abi, platform) in fitting for python in parts[0] for abi in parts[1] for platform in parts[2]
    ):
        wanted = f"Python {target.python} on {target.platform}"
        raise UsageError(f"{wheel.path.name}: not for {wanted} but for {'-'.join(wheel.tags)}")


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
