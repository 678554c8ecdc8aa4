"""A frozen application that is only described: its native files are examined in the bundle's own search context."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.engine.answer import described_error, facts_of, system_label, unexplained, with_said
from whyload.engine.judge import judge, merge
from whyload.engine.simulate import case_of, started_process
from whyload.engine.unpacked import unpacked_folders
from whyload.facts.case import Case
from whyload.facts.runtimes import old_runtimes
from whyload.facts.subjects import subjects_of
from whyload.facts.unavailable import unbundled_module
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
    `warning`. A library that lies elsewhere in the bundle is worth a warning too: the code of the program, which is
    packed, may add its folder or load it first.
    """
    process = started_process(world)
    root = world.python.executable.parent
    files = sorted(native_files(world, root))
    left = unpacked_folders(world) if not files else ()
    if left:
        root = left[-1]
        process.set_directory = str(root)  # R5.2: both put the folder there for the program and what it loads
        files = sorted(native_files(world, root))
    _add_library_folders(process, files)
    played = [_load(process, path) for path in files]
    playback = Playback(loads=tuple(played), failure=None, modules=())
    case = case_of(world, process, playback, str(world.python.executable))
    bundle = _Bundle(case, files)
    bundle.unchecked += [_unpacked(case, left)] if left else []
    for item in sorted(played, key=lambda item: not _is_module(item)):
        bundle.add(item)
    bundle.add_said()
    return Report(
        question=Question(kind=QuestionKind.RUN, file=str(world.python.executable)),
        world=world.kind.value,
        python=str(world.python.executable),
        system=system_label(world),
        verdict=bundle.verdict,
        findings=tuple(sorted(bundle.findings, key=lambda finding: finding.severity is not Severity.ERROR)),
        loads=tuple(item for item in played if item.tree.status),
        facts=facts_of(case),
        not_checked=(*(not_checked(what, why) for what, why in world.unknown), *bundle.unchecked),
        labels=(root / "_internal", root),
    )


class _Bundle:
    """What is found of a bundle's files, one after the other."""

    def __init__(self, case: Case, files: list[WinPath]) -> None:
        self._case = case
        self._names = {path.name.lower() for path in files}
        modules = (item for item in case.playback.loads if _is_module(item))
        self._reached = {node.path for item in modules for node in item.tree.root.walk() if node.path}
        self._old = old_runtimes(case)
        self._fails = False
        self.findings: list[Finding] = []
        self.unchecked: list[NotChecked] = [] if files else [_packed(case)]

    @property
    def verdict(self) -> Verdict:
        """Where no file lies beside the program, nothing is known of it."""
        return Verdict.FAILS if self._fails else Verdict.LOADS if self._names else Verdict.UNKNOWN

    def add(self, item: PlayedLoad) -> None:
        """What the load of one file shows."""
        old = [runtime for runtime in self._old if runtime.load is item]
        found, broken = judge([*subjects_of(self._case, item), *old])
        named = _named(self._case.world, item)
        serious = named or _is_module(item) or WinPath(item.event.name) in self._reached
        self.unchecked += broken
        if item.tree.status and not found:
            self.unchecked.append(unexplained(item))
            self._fails = self._fails or serious
        for finding in found:
            self._keep(finding, serious=serious and (named or not self._is_elsewhere(finding)))

    def add_said(self) -> None:
        """What the error text says by itself, and a module that it names and that the bundle does not hold."""
        error = described_error(self._case)
        if error is None:
            return
        module = unbundled_module(self._case, error.ending.text)
        for finding in judge([module])[0] if module is not None else ():
            self._keep(finding, serious=True)
        self.findings, self.unchecked = with_said(error, self.findings, self.unchecked)
        self._fails = self._fails or any(finding.severity is Severity.ERROR for finding in self.findings)

    def _keep(self, finding: Finding, *, serious: bool) -> None:
        self._fails = self._fails or serious
        merge(self.findings, replace(finding, severity=Severity.ERROR if serious else Severity.WARNING))

    def _is_elsewhere(self, finding: Finding) -> bool:
        """The finding is about the absence of a library that lies in another folder of the bundle."""
        is_absent = finding.os_error is not None and finding.os_error.winerror == 126 and finding.symbol is None
        return is_absent and (finding.object or "").lower() in self._names


def _packed(case: Case) -> NotChecked:
    return not_checked(
        str(case.world.python.executable),
        Message(
            en="no native file is beside it: a one-file program is examined in the folder that it unpacks to while "
            "it runs (below TEMP: `_MEI…` for PyInstaller, `onefile_…` for Nuitka), and no such folder is there",
            zh="旁边没有任何原生文件：单文件打包的程序要在它运行时解压到的目录中检查"
            "（在 TEMP 下：PyInstaller 为 `_MEI…`，Nuitka 为 `onefile_…`），这里没有这样的目录",
        ),
    )


def _unpacked(case: Case, folders: tuple[WinPath, ...]) -> NotChecked:
    chosen, more = folders[-1], len(folders) - 1
    also, also_zh = (f"; {more} more of the kind are there", f"；另有 {more} 个同类目录") if more else ("", "")
    return not_checked(
        str(case.world.python.executable),
        Message(
            en=f"a program packed into one file: examined is what was unpacked to `{chosen}`; which program left that"
            f" folder behind, and whether all of it is still there, is not known{also}",
            zh=f"单文件打包的程序：检查的是解压到 `{chosen}` 的内容；它由哪个程序留下、是否完整均未知{also_zh}",
        ),
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
