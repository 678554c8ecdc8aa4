"""Checks a distribution as a whole: every top-level module is imported, then every native module that this
did not load.
"""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.engine.answer import answer
from whyload.engine.judge import judge, merge
from whyload.engine.simulate import packages_of, run_events
from whyload.engine.static import answer_startup, played
from whyload.facts.case import Case
from whyload.facts.ownership import RecordEntry
from whyload.facts.packages import Packages
from whyload.facts.subjects import subjects_of
from whyload.findings.model import Finding, Severity
from whyload.findings.report import Question, QuestionKind, Report, Verdict, not_checked
from whyload.loader.windows.arguments import extension_flags
from whyload.loader.windows.load import load
from whyload.loader.windows.playback import PlayedLoad
from whyload.observe.events import LibraryLoad, Via
from whyload.startup.finder import suffixes
from whyload.startup.paths import python_paths
from whyload.startup.program import read_import
from whyload.world.clean_machine import Target, requirement_world
from whyload.world.model import World
from whyload.world.wheel import Wheel

_NEVER_IMPORTED = frozenset(
    {"test", "tests", "docs", "doc", "examples", "benchmarks", "bin", "share", "scripts", "include", "lib"}
)


def check_wheels(wheels: tuple[Wheel, ...], target: Target, label: str) -> Report:
    """The first wheel on a clean machine on which the others are installed too."""
    world = requirement_world(wheels, target)
    return check_distribution(world, label, wheels[0].distribution)


def check_distribution(world: World, label: str, name: str | None = None) -> Report:
    """An installed distribution of a world. Raises UsageError where it is not installed there."""
    packages = packages_of(world, python_paths(world))
    owner = packages.distribution(name or label)
    if owner is None:
        raise UsageError(Message(en=f"{label}: not installed in that world", zh=f"{label}：那台机器上没有安装"))
    modules = top_level_modules(packages, owner.distribution)
    reports: list[Report] = []
    for module in modules:
        question = Question(kind=QuestionKind.CHECK, modules=(module,), targets=(label,))
        reports.append(_check_module(world, question, owner.distribution, packages))
    if not modules:
        reports.append(_check_libraries(world, label, owner.distribution))
    return _merged(reports, Question(kind=QuestionKind.CHECK, modules=tuple(modules), targets=(label,)))


def check_site(world: World, label: str) -> Report:
    """Every distribution with native modules in a world. Raises UsageError where there is none."""
    packages = packages_of(world, python_paths(world))
    reports: list[Report] = []
    modules: list[str] = []
    for owner in packages.owners():
        if any(entry.path.suffix == ".pyd" for entry in packages.files_of(owner)):
            for module in top_level_modules(packages, owner.distribution):
                question = Question(kind=QuestionKind.CHECK, modules=(module,), targets=(label,))
                reports.append(_check_module(world, question, owner.distribution, packages))
                modules.append(module)
    if not reports:
        raise UsageError(
            Message(
                en=f"{label}: no installed distribution with native modules in it",
                zh=f"{label}：其中没有带原生模块的已安装软件包",
            )
        )
    return _merged(reports, Question(kind=QuestionKind.CHECK, modules=tuple(modules), targets=(label,)))


def top_level_modules(packages: Packages, distribution: str) -> tuple[str, ...]:
    """Names that a distribution can be imported by, its own name first; below a namespace package dotted ones."""
    owner = packages.distribution(distribution)
    names: dict[str, None] = {}
    for entry in sorted(packages.files_of(owner) if owner else (), key=_init_first):
        parts = _below_site(entry.path)
        if not parts or not parts[-1].lower().endswith((".py", ".pyd")):
            continue
        stem = parts[-1].partition(".")[0]
        module = ".".join(parts[:-1] if stem == "__init__" else (*parts[:-1], stem))
        native = parts[-1].lower().endswith(".pyd")
        if module and not _covered(module, names) and (stem == "__init__" or native or len(parts) == 1):
            names[module] = None
    usable = [name for name in names if all(part.isidentifier() for part in name.split(".")) and not _is_odd(name)]
    own = normalised(distribution)
    return tuple(sorted(usable, key=lambda name: (normalised(name) != own, name)))


def _init_first(entry: RecordEntry) -> tuple[int, bool]:
    return entry.path.key.count("\\"), entry.path.name.lower() != "__init__.py"


def _below_site(path: WinPath) -> tuple[str, ...]:
    parts = path.text.split("\\")
    lower = [part.lower() for part in parts]
    return tuple(parts[lower.index("site-packages") + 1 :]) if "site-packages" in lower else ()


def _covered(module: str, names: dict[str, None]) -> bool:
    """A package that is imported anyway covers what lies in it."""
    parts = module.split(".")
    return any(".".join(parts[:count]) in names for count in range(1, len(parts) + 1))


def _is_odd(name: str) -> bool:
    return name.partition(".")[0].lower() in _NEVER_IMPORTED


def _check_module(world: World, question: Question, distribution: str, packages: Packages) -> Report:
    startup, case = played(
        world, question.modules[0], lambda watch: read_import(world, question.modules, watch=watch), packages
    )
    report = answer_startup(question, startup, case)
    if case.playback.failure is not None or report.errors:
        return report
    rest = _remaining(case, distribution, question.modules[0])
    findings = [finding for load in rest for finding in _warnings(case, load)]
    verdict = Verdict.DEGRADED if findings else report.verdict
    return replace(report, findings=(*report.findings, *findings), verdict=verdict)


def _check_libraries(world: World, label: str, distribution: str) -> Report:
    """A distribution of libraries without a module: each is loaded by its full path, as ctypes would."""
    question = Question(kind=QuestionKind.CHECK, targets=(label,))
    case = run_events(world, (), label)
    report = answer(question, case)
    findings: list[Finding] = []
    owner = case.packages.distribution(distribution)
    examined = False
    for entry in case.packages.files_of(owner) if owner else ():
        if entry.path.suffix == ".dll":
            examined = True
            event = LibraryLoad(name=str(entry.path), via=Via.CTYPES, flags=0x1100)
            tree = load(case.process, event.name, event.flags)
            findings += _warnings(case, PlayedLoad(event=event, tree=tree, optional=True))
    verdict = Verdict.DEGRADED if findings else Verdict.LOADS if examined else Verdict.UNKNOWN
    nothing = (
        ()
        if examined
        else (
            not_checked(
                label, Message(en="it has no module and no library that could be loaded", zh="其中没有可加载的模块或库")
            ),
        )
    )
    return replace(report, findings=tuple(findings), verdict=verdict, not_checked=(*report.not_checked, *nothing))


def _remaining(case: Case, distribution: str, module: str) -> list[PlayedLoad]:
    """Native modules of the distribution, below one top-level module, that the import did not load: loaded
    one by one.
    """
    owner = case.packages.distribution(distribution)
    endings = tuple(suffix for suffix, _ in suffixes(case.world.python) if suffix.endswith(".pyd"))
    known = {load.tree.root.path for load in case.playback.loads}
    failed = []
    for entry in case.packages.files_of(owner) if owner else ():
        path = entry.path
        if path in known or not _belongs(path, module) or not _importable(path.name, endings):
            continue
        event = LibraryLoad(name=str(path), via=Via.IMPORT, flags=extension_flags(case.world.python.version[:2]))
        tree = load(case.process, event.name, event.flags)
        if tree.status:
            failed.append(PlayedLoad(event=event, tree=tree, optional=True))
    return failed


def _belongs(path: WinPath, module: str) -> bool:
    inside = ".".join((*_below_site(path)[:-1], path.name.partition(".")[0])).lower()
    return f"{inside}.".startswith(f"{module.lower()}.")


def _importable(name: str, endings: tuple[str, ...]) -> bool:
    """The module's name is what precedes the suffix: it must be one without a tag of another Python."""
    stem = next((name[: -len(ending)] for ending in endings if name.lower().endswith(ending)), None)
    return stem is not None and "." not in stem


def _warnings(case: Case, load: PlayedLoad) -> list[Finding]:
    findings, _ = judge(subjects_of(case, load))
    return [replace(finding, severity=Severity.WARNING) for finding in findings]


def _merged(reports: list[Report], question: Question) -> Report:
    """One report: a cause that several modules share is said once."""
    findings: list[Finding] = []
    for report in reports:
        for finding in report.findings:
            merge(findings, finding)
    verdicts = [report.verdict for report in reports]
    order = (Verdict.FAILS, Verdict.DEGRADED, Verdict.UNKNOWN, Verdict.LOADS)
    if Verdict.LOADS in verdicts and verdicts[0] is not Verdict.UNKNOWN:
        order = (Verdict.FAILS, Verdict.DEGRADED, Verdict.LOADS, Verdict.UNKNOWN)
    not_checked = tuple(dict.fromkeys(item for report in reports for item in report.not_checked))
    return replace(
        reports[0],
        question=question,
        findings=tuple(findings),
        verdict=min(verdicts, key=order.index),
        loads=tuple(load for report in reports for load in report.loads),
        not_checked=not_checked,
    )
