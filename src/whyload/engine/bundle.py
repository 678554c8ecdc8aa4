"""A frozen application that is only described: its native files are examined in the bundle's own search context."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.engine.answer import described_error, facts_of, system_label, unexplained, with_said
from whyload.engine.judge import judge, merge
from whyload.engine.simulate import case_of, started_process
from whyload.facts.runtimes import old_runtimes
from whyload.facts.subjects import subjects_of
from whyload.findings.model import Finding, Severity
from whyload.findings.report import NotChecked, Question, QuestionKind, Report, Verdict, not_checked
from whyload.loader.windows.arguments import extension_flags
from whyload.loader.windows.load import load
from whyload.loader.windows.playback import Playback, PlayedLoad
from whyload.loader.windows.process import Process
from whyload.observe.events import LibraryLoad, Via
from whyload.world.model import Presence, World

_DEEPEST = 12


def ask_bundle(world: World) -> Report:
    """An `error` for an extension module or a DLL that one reaches, and for what the error text names; else a
    `warning`.
    """
    process = started_process(world)
    root = world.python.executable.parent
    files = sorted(native_files(world, root))
    _add_library_folders(process, files)
    played = [_load(process, path) for path in files]
    playback = Playback(loads=tuple(played), failure=None, modules=())
    case = case_of(world, process, playback, str(world.python.executable))
    reached = {node.path for item in played if _is_module(item) for node in item.tree.root.walk() if node.path}
    old = old_runtimes(case)
    findings: list[Finding] = []
    unchecked: list[NotChecked] = []
    fails = False
    for item in sorted(played, key=lambda item: not _is_module(item)):
        found, broken = judge([*subjects_of(case, item), *(runtime for runtime in old if runtime.load is item)])
        serious = _is_module(item) or WinPath(item.event.name) in reached or _named(world, item)
        fails = fails or (serious and (bool(item.tree.status) or any(runtime.load is item for runtime in old)))
        unchecked += broken
        if item.tree.status and not found:
            unchecked.append(unexplained(item))
        for finding in found:
            merge(findings, replace(finding, severity=Severity.ERROR if serious else Severity.WARNING))
    error = described_error(case)
    findings, unchecked = with_said(error, findings, unchecked)
    fails = fails or (error is not None and any(finding.severity is Severity.ERROR for finding in findings))
    findings.sort(key=lambda finding: finding.severity is not Severity.ERROR)
    return Report(
        question=Question(kind=QuestionKind.RUN, file=str(world.python.executable)),
        world=world.kind.value,
        python=str(world.python.executable),
        system=system_label(world),
        verdict=Verdict.FAILS if fails else Verdict.LOADS,
        findings=tuple(findings),
        loads=tuple(item for item in played if item.tree.status),
        facts=facts_of(case),
        not_checked=(*(not_checked(what, why) for what, why in world.unknown), *unchecked),
        labels=(root / "_internal", root),
    )


def native_files(world: World, folder: WinPath, depth: int = 0) -> list[WinPath]:
    """Every `.pyd` and `.dll` below a folder."""
    found: list[WinPath] = []
    for name in world.files.listdir(folder):
        path = folder / name
        if path.suffix in (".pyd", ".dll"):
            found.append(path)
        elif depth < _DEEPEST and world.files.presence(path) is Presence.DIRECTORY:
            found += native_files(world, path, depth + 1)
    return found


def _add_library_folders(process: Process, files: list[WinPath]) -> None:
    """Folders named `*.libs` are added by the packages that brought them (delvewheel)."""
    for folder in dict.fromkeys(path.parent for path in files):
        if folder.name.lower().endswith(".libs"):
            process.added.append(folder)


def _load(process: Process, path: WinPath) -> PlayedLoad:
    flags = extension_flags(process.world.python.version[:2])
    event = LibraryLoad(name=str(path), via=Via.IMPORT, flags=flags)
    before = len(process.modules)
    tree = load(process, event.name, event.flags)
    process.forget(before)
    return PlayedLoad(event=event, tree=tree, optional=False)


def _is_module(item: PlayedLoad) -> bool:
    return item.event.name.lower().endswith(".pyd")


def _named(world: World, item: PlayedLoad) -> bool:
    name = WinPath(item.event.name).stem.lower()
    return world.traceback is not None and name in world.traceback.lower()
