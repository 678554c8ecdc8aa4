"""What of a machine has to travel so that the same questions have the same answers elsewhere.

Nothing is chosen by hand: the questions are asked of a world that remembers what it was asked (world/snapshot), and
what they needed is the evidence. Of each library met the loader's tables are read whole, so that other questions about
the same files can be asked too.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator

from whyload.base.bytesource import ByteSource, positions
from whyload.base.dataclass import dataclass, replace
from whyload.base.errors import FormatError, UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.engine.bundle import ask_bundle
from whyload.engine.check import check_site
from whyload.engine.doctor.ask import ask_doctor
from whyload.engine.observed import answer_observed
from whyload.engine.simulate import packages_of
from whyload.engine.static import ask_import, ask_run
from whyload.facts.numpy_builds import NAMES
from whyload.facts.shadows import imported_by_program
from whyload.findings.report import Question, QuestionKind, Report
from whyload.formats.apiset import ApiSetSchema
from whyload.formats.pe import Image
from whyload.formats.pe.imports import ImportedLibrary
from whyload.formats.pe.sniff import sniff
from whyload.observe.events import Attempt, Event, ModuleStarted, Uncertain
from whyload.observe.observation import Observation
from whyload.startup.paths import python_paths
from whyload.startup.recorded import KeptStartups
from whyload.world.model import Layout, Presence, RunRequest, World
from whyload.world.snapshot.recording import LoggedSource, Privacy, RecordingFiles, RecordingRegistry, pieces_of
from whyload.world.snapshot.shape import RecordedImage

_SCANNED = 32 << 20
"""Bytes of an extension module, up to which its contents are searched for names that facts look for."""
_PROGRAMS = ("C:\\Program Files", "C:\\Program Files (x86)", "C:\\ProgramData")
_TOOLKITS = ("CUDA_PATH", "CUDNN", "CONDA_PREFIX")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A world whose views remember, after the questions were asked."""

    world: World
    files: RecordingFiles
    registry: RecordingRegistry
    startups: KeptStartups
    report: Report | None
    """The answer to the question, as this machine gives it."""

    def privacy(self) -> Privacy:
        """Which folders hold software, and names of modules that a file beside the program could hide."""
        folders = software_folders(self.world)
        tops = {name.partition(".")[0].lower() for folder in folders for name in self._packages(folder)}
        started = {name.partition(".")[0].lower() for name in self._started()}
        standard = {name.lower() for name in sys.stdlib_module_names}
        return Privacy(software=folders, modules=frozenset(tops | started | standard | {"__init__"}))

    def _packages(self, folder: WinPath) -> tuple[str, ...]:
        return self.files.listdir(folder) if folder.name.lower() == "site-packages" else ()

    def _started(self) -> Iterator[str]:
        for startup in self.startups.startups.values():
            yield from started_modules(startup.events)
        yield from imported_by_program(self.world)


def gather(world: World, question: Question | None, observation: Observation | None = None) -> Evidence:
    """Ask the question, then about the whole environment, and remember what that takes."""
    files, registry, startups = RecordingFiles(world.files), RecordingRegistry(world.registry), KeptStartups()
    watched = replace(
        world,
        files=files,
        registry=registry,
        readings=startups,
        python=replace(world.python, paths=python_paths(world)),
    )
    report = None if question is None else _asked(watched, question, observation)
    with contextlib.suppress(UsageError):  # an environment without native modules
        check_site(watched, "snapshot")
    ask_doctor(watched)
    for module in _unowned_packages(watched):
        ask_import(watched, Question(kind=QuestionKind.IMPORT, modules=(module,)))
    for folder in (*watched.python.paths, *_search_folders(watched)):
        files.listdir(folder)
    return Evidence(world=watched, files=files, registry=registry, startups=startups, report=report)


def _unowned_packages(world: World) -> Iterator[str]:
    """Packages in site-packages that no distribution has recorded."""
    packages = packages_of(world, world.python.paths)
    for folder in world.python.paths:
        names = world.files.listdir(folder) if folder.name.lower() == "site-packages" else ()
        for name in names:
            is_package = name.isidentifier() and world.files.presence(folder / name / "__init__.py") is Presence.FILE
            if is_package and packages.providing(name) is None:
                yield name


def _asked(world: World, question: Question, observation: Observation | None) -> Report:
    static = ask_recorded(world, question)
    return static if observation is None else answer_observed(world, question, observation)


def ask_recorded(world: World, question: Question) -> Report:
    """A question about a program or imports, without running anything."""
    if question.code is not None or question.script is not None:
        return ask_run(world, question)
    if question.modules:
        return ask_import(world, question)
    if world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        return ask_bundle(world)
    raise UsageError(Message(en="name a module, a script or -c CODE", zh="请指定模块、脚本或 -c CODE"))


def question_of(run: RunRequest | None) -> Question | None:
    """The program of a described world as a question."""
    if run is None or (run.code is None and run.script is None and run.module is None):
        return None
    script = str(run.script) if run.script is not None and run.code is None else None
    modules = (run.module,) if run.module and run.code is None and script is None else ()
    return Question(kind=QuestionKind.RUN, code=run.code, script=script, modules=modules)


def software_folders(world: World) -> tuple[WinPath, ...]:
    """Folders of Windows, Python, packages and installed programs; the current and the script's folder are none."""
    python = world.python
    found = [world.system.windir, python.prefix, python.base_prefix, *map(WinPath, _PROGRAMS)]
    found += [path for path in python.paths if path.name.lower() in ("site-packages", "dlls", "lib")]
    found += [
        WinPath(value)
        for name, value in world.environment.items()
        if value and name.upper().startswith(_TOOLKITS) and WinPath(value).is_absolute
    ]
    own = {world.process.cwd, *(path.parent for path in [world.run.script if world.run else None] if path)}
    frozen = python.layout in (Layout.FROZEN, Layout.PYINSTALLER)
    return tuple(dict.fromkeys(path for path in found if path.parent != path and (frozen or path not in own)))


def _search_folders(world: World) -> Iterable[WinPath]:
    yield from (world.system.system32, world.system.windir, world.python.base_prefix, world.python.prefix)
    yield world.process.cwd
    for entry in world.environment.get("PATH", "").split(";"):
        path = WinPath(entry.strip('" '))
        if path.is_absolute:
            yield path


def started_modules(events: Iterable[Event]) -> Iterator[str]:
    """Names of all modules whose code started, at any depth."""
    for event in events:
        if isinstance(event, ModuleStarted):
            yield event.module
        elif isinstance(event, Attempt):
            yield from started_modules((*event.body, *event.handler, *event.orelse))
        elif isinstance(event, Uncertain):
            yield from started_modules(event.body)


def record_image(path: WinPath, source: ByteSource) -> tuple[RecordedImage, bytes]:
    """The pieces of a file that the loader's questions need, with their bytes: headers and tables, no code but the few
    bytes at the entry point.
    """
    logged = LoggedSource(source)
    try:
        _read_tables(logged)
        if path.suffix == ".pyd" and source.size <= _SCANNED:
            logged.reads += [(at, len(name)) for name, at in positions(source, NAMES).items()]
        pieces = tuple(pieces_of(logged.reads, source.size))
        data = b"".join(source.read(offset, length) for offset, length in pieces)
    except OSError:
        return RecordedImage(path=path, size=source.size, unreadable=True), b""
    return RecordedImage(path=path, size=source.size, pieces=pieces), data


def _read_tables(source: ByteSource) -> None:
    try:
        image = Image(source)
    except FormatError:
        sniff(source)
        return
    readers: tuple[Callable[[], object], ...] = (
        lambda: [_read_library(library) for library in image.imports()],
        lambda: [_read_library(library) for library in image.delay_imports()],
        image.load_config,
        image.file_version,
        image.clr,
        lambda: [image.manifest(number) for number in (None, 1, 2, 3)],
        lambda: image.entry_code(16),
        lambda: ApiSetSchema.from_image(image),
        lambda: sum(1 for _ in image.exports() or ()),
    )
    for read in readers:
        with contextlib.suppress(FormatError):
            read()


def _read_library(library: ImportedLibrary) -> object:
    return library.is_unused, library.symbol_count, library.symbols()
