"""From a name to a file: the order of resolution (loader.md 2.2; Microsoft, "Dynamic-link library search order")."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge.systems import api_set_known
from whyload.loader.model import BAD_PARAMETER, NOT_HOSTED, OK, Status, Step, StepKind, Verdict
from whyload.loader.windows.arguments import Argument, NameKind
from whyload.loader.windows.candidates import examine, full_path, search
from whyload.loader.windows.doubts import doubt_of
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.loader.windows.directories import SearchFolder
    from whyload.loader.windows.process import Module, Process


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What a name resolves to: a file to be mapped, a module that is there already, or a failure."""

    status: Status
    steps: tuple[Step, ...]
    path: WinPath | None = None
    module: Module | None = None
    assumed: Message | None = None
    """Set where the answer rests on something that is not known."""


def resolve(
    process: Process, argument: Argument, folders: tuple[SearchFolder, ...], importer: WinPath | None
) -> Resolution:
    """R2.8 and R2.9: API set, loaded modules, KnownDLLs, then the folders; a full path is tried alone (R2.5)."""
    if argument.refused:
        step = Step(kind=StepKind.ARGUMENT, rule="R2.1", verdict=Verdict.REFUSED, detail=argument.refused)
        return Resolution(status=BAD_PARAMETER, steps=(step,))
    local = _local(process, argument)
    if local is not None:
        return local
    if argument.kind is NameKind.FULL and argument.path is not None:
        return _full(process, argument.path)
    steps: list[Step] = []
    if argument.kind is NameKind.BARE:
        early = _by_name(process, argument.text, importer, steps)
        if early is not None:
            return early
    found = search(process, folders, argument.text)
    steps += found.steps
    module = process.loaded_file(found.path) if found.path else None
    return Resolution(
        status=found.status,
        steps=tuple(steps),
        path=found.path,
        module=module,
        assumed=doubt_of(process, found, folders, argument.text),
    )


def _local(process: Process, argument: Argument) -> Resolution | None:
    """R2.11: with `.local` redirection the file beside the program, or in the folder of that name, comes first."""
    if process.local_folder is None or argument.kind is NameKind.RELATIVE:
        return None
    name = argument.path.name if argument.path is not None else argument.text
    step = examine(process, process.local_folder / name, StepKind.LOCAL, "R2.11")
    if step.verdict is not Verdict.TAKEN or step.path is None:
        return None
    return Resolution(status=OK, steps=(step,), path=step.path, module=process.loaded_file(step.path))


def _full(process: Process, path: WinPath) -> Resolution:
    module = process.loaded_file(path)
    if module is not None:
        step = Step(kind=StepKind.LOADED, rule="R2.18", verdict=Verdict.TAKEN, place=str(module.path), path=module.path)
        return Resolution(status=OK, steps=(step,), path=module.path, module=module)
    found = full_path(process, path)
    assumed = doubt_of(process, found, (), path.text)
    return Resolution(status=found.status, steps=found.steps, path=found.path, assumed=assumed)


def _by_name(process: Process, name: str, importer: WinPath | None, steps: list[Step]) -> Resolution | None:
    """The steps before any folder is searched; None where none of them decides."""
    is_set, host, certain = process.api_set(name, importer.name if importer else None)
    if is_set:
        return _api_set(process, name, host, certain)
    module = process.loaded_name(name)
    if module is not None:
        steps.append(
            Step(kind=StepKind.LOADED, rule="R2.18", verdict=Verdict.TAKEN, place=str(module.path), path=module.path)
        )
        return Resolution(status=OK, steps=tuple(steps), path=module.path, module=module)
    steps.append(Step(kind=StepKind.LOADED, rule="R2.18", verdict=Verdict.ABSENT, place="modules in the process"))
    if name.lower() in process.known_dlls:
        path = process.system32 / name
        there = process.files.presence(path) is not Presence.ABSENT  # R2.35: a section is made from the file at boot
        verdict = Verdict.TAKEN if there else Verdict.ABSENT
        steps.append(Step(kind=StepKind.KNOWNDLL, rule="R2.36", verdict=verdict, place=str(path), path=path))
        return Resolution(status=OK, steps=tuple(steps), path=path) if there else None
    steps.append(Step(kind=StepKind.KNOWNDLL, rule="R2.36", verdict=Verdict.NOT_LISTED, place="KnownDLLs, API sets"))
    return None


def _api_set(process: Process, name: str, host: WinPath | None, certain: bool) -> Resolution:
    if host is not None:
        module = process.loaded_file(host)
        ignored = process.ignored_runtime if host.name.lower() == "ucrtbase.dll" else ""  # R2.17
        step = Step(
            kind=StepKind.APISET, rule="R2.13", verdict=Verdict.TAKEN, place=str(host), path=host, detail=ignored
        )
        return Resolution(status=OK, steps=(step,), path=host, module=module)
    if certain:
        step = Step(kind=StepKind.APISET, rule="R2.14", verdict=Verdict.NOT_HOSTED, place="API set schema")
        return Resolution(status=NOT_HOSTED, steps=(step,))
    step = Step(
        kind=StepKind.APISET,
        rule="R2.13",
        verdict=Verdict.TAKEN,
        place="API set",
        detail=Message(en="assumed to be part of this Windows", zh="假定此 Windows 自带"),
    )
    known = api_set_known(name)
    assumed = Message(en=f"the API set {name} is assumed to be present", zh=f"假定 API 集 {name} 存在")
    return Resolution(status=OK, steps=(step,), assumed=None if known else assumed)
