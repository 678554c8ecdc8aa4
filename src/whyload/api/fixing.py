"""`fix`: the question is asked in a real run, remedies are chosen by trying them on an overlay, and turned into steps.

Nothing is changed here: `cli` applies the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from whyload.api.live import ask_live_import, ask_live_run, live_world
from whyload.api.wheels import WheelSupply
from whyload.api.worlds import WorldChoice
from whyload.base.dataclass import dataclass
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.engine import static
from whyload.engine.plan import Plan, PlannedRemedy, Planner
from whyload.engine.rehearsal import doubted_by, own_paths, with_setting
from whyload.engine.repair import damaged
from whyload.engine.simulate import packages_of
from whyload.findings.report import Question, QuestionKind, Report
from whyload.remedies.change import (
    ClearBuildCache,
    InstallDistributions,
    RemoveDistribution,
    RemoveLeftover,
    Setting,
)
from whyload.remedies.resolver import Pip, ask_places, find_pip
from whyload.startup.paths import python_paths
from whyload.world.disk import close_every_file
from whyload.world.interpreter import find_launch
from whyload.world.model import Presence, World
from whyload.world.places import EnvironmentPlaces
from whyload.world.settings import MODULE_FILE, PATH_FILE, PATH_LINE, Settings, read_settings
from whyload.world.wheel import Wheel, WheelFiles, destinations


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What is to work: modules, or a program as `run` takes it."""

    modules: tuple[str, ...] = ()
    code: str | None = None
    script: str | None = None
    module: str | None = None
    arguments: tuple[str, ...] = ()

    @property
    def question(self) -> Question:
        """The same as the simulation is asked."""
        if self.modules:
            return Question(kind=QuestionKind.IMPORT, modules=self.modules)
        modules = (self.module,) if self.module else ()
        return Question(kind=QuestionKind.RUN, code=self.code, script=self.script, modules=modules)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStep:
    """One change of files of the environment: see `world.apply.transaction.Step`, which it becomes."""

    title: Text
    remove: tuple[Path, ...] = ()
    brings: tuple[Path, ...] = ()
    run: Callable[[], None] | None = None
    write: tuple[tuple[Path, bytes], ...] = ()
    clear: tuple[Path, ...] = ()


def ask(program: Program, choice: WorldChoice) -> Report:
    """Run the program in a fresh process and say what happened."""
    if program.modules:
        return ask_live_import(program.modules, choice)
    return ask_live_run(
        choice,
        code=program.code,
        script=program.script,
        module=program.module,
        arguments=program.arguments,
        show=lambda text: None,
    )


def environment_places(choice: WorldChoice) -> EnvironmentPlaces:
    """Where the environment keeps its files, as its interpreter says."""
    return ask_places(find_launch(choice.python))


class Fixer:
    """Plans for one environment. `scratch` is a folder for downloads; `close` lets go of all files."""

    def __init__(
        self,
        program: Program,
        choice: WorldChoice,
        places: EnvironmentPlaces,
        scratch: Path,
        progress: Callable[[Text], None],
    ) -> None:
        self._program = program
        self._choice = choice
        self._scratch = scratch
        self._progress = progress
        self._launch = find_launch(choice.python)
        self.places = places
        self._pip: Pip | None = None
        self._supply: WheelSupply | None = None
        self._world: World | None = None

    def plan(self, report: Report, tried: frozenset[object]) -> Plan:
        """What to do about the errors of a real run; one that nothing explains is also looked at by simulation."""
        self._world = live_world(self._choice)
        if not report.errors:
            report = static.ask(self._world, self._program.question)
        planner = Planner(lambda world: static.ask(world, self._program.question), self._wheels, tried)
        return planner.plan(self._world, report)

    def _wheels(self, world: World, change: InstallDistributions) -> tuple[Wheel, ...]:
        if self._supply is None:
            self._supply = WheelSupply(self.pip, self._progress)
        return self._supply(world, change)

    @property
    def pip(self) -> Pip:
        """pip for this environment. Raises UsageError where there is none."""
        if self._pip is None:
            self._pip = find_pip(self._launch, self.places, self._scratch)
        return self._pip

    def steps(self, planned: PlannedRemedy) -> tuple[FileStep, ...]:
        """The changes of a remedy as changes of files, on the environment as it is now."""
        world = self._world if self._world is not None else live_world(self._choice)
        found = []
        for change in planned.remedy.changes:
            if isinstance(change, InstallDistributions):
                repair = change.only_damaged
                step = self._repair(world, planned, change) if repair else self._install(world, planned.wheels)
                found.append(step)
            elif isinstance(change, RemoveDistribution):
                found.append(FileStep(title=change.text, remove=self._recorded(world, change.distribution)))
            elif isinstance(change, RemoveLeftover):
                found.append(FileStep(title=change.text, remove=(Path(change.path.text),)))
            elif isinstance(change, ClearBuildCache):
                found.append(FileStep(title=change.text, clear=(Path(change.path.text),)))
            elif isinstance(change, Setting):
                found.append(FileStep(title=change.text, write=self._settings(change)))
        return tuple(found)

    def _repair(self, world: World, planned: PlannedRemedy, change: InstallDistributions) -> FileStep:
        packages = packages_of(world, python_paths(world))
        new = WheelFiles(planned.wheels, WinPath(str(self.places.site)), WinPath(str(self.places.prefix)))
        doubted = doubted_by(planned.finding)
        paths = [path for w in planned.wheels for path in damaged(world.files, packages, w, new, doubted)]

        def put_back() -> None:
            for path in paths:
                Path(path.text).parent.mkdir(parents=True, exist_ok=True)
                new.extract(path, Path(path.text))

        there = [path for path in paths if world.files.presence(path) is not Presence.ABSENT]
        return FileStep(
            title=change.text,
            remove=tuple(Path(world.files.actual(path).text) for path in there),
            brings=tuple(Path(path.text) for path in paths),
            run=put_back,
        )

    def _install(self, world: World, wheels: tuple[Wheel, ...]) -> FileStep:
        gone = [path for wheel in wheels for path in self._recorded(world, wheel.distribution)]
        brought = [path for wheel in wheels for path in destinations(wheel, self.places.schemes)]
        pins = [f"{wheel.distribution}=={wheel.version}" for wheel in wheels]
        folder = self._gathered(wheels)
        return FileStep(
            title=Message(en=f"install {', '.join(pins)}", zh=f"安装 {'、'.join(pins)}"),
            remove=tuple(dict.fromkeys(gone)),
            brings=tuple(brought),
            run=lambda: self.pip.install(folder, pins),
        )

    def _gathered(self, wheels: tuple[Wheel, ...]) -> Path:
        """A folder with just these wheels: pip takes from it alone."""
        import os
        import shutil
        import tempfile

        folder = Path(tempfile.mkdtemp(dir=self._scratch, prefix="install-"))
        for wheel in wheels:
            try:
                os.link(wheel.path, folder / wheel.path.name)
            except OSError:
                shutil.copyfile(wheel.path, folder / wheel.path.name)
        return folder

    def _recorded(self, world: World, distribution: str) -> tuple[Path, ...]:
        packages = packages_of(world, python_paths(world))
        return tuple(Path(world.files.actual(path).text) for path in own_paths(world, packages, distribution))

    def _settings(self, change: Setting) -> tuple[tuple[Path, bytes], ...]:
        site = self.places.site
        try:
            have = read_settings((site / MODULE_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            have = Settings()
        new = with_setting(have, change)
        return (site / MODULE_FILE, new.source().encode("utf-8")), (site / PATH_FILE, PATH_LINE.encode("ascii"))

    def release(self) -> None:
        """Let go of every file of the environment, so that it can be replaced."""
        self._world = None
        close_every_file()

    def close(self) -> None:
        """Let go of the wheels too."""
        self.release()
        if self._supply is not None:
            self._supply.close()
