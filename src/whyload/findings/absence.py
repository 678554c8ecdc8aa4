"""The finding for a library that was not found; each cause adds its code, its notes and its remedies."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.facts.dependents import dependents
from whyload.facts.variables import gone_toolkit
from whyload.findings.composition import compose
from whyload.findings.cuda_choice import cuda_remedies, is_of_cuda
from whyload.knowledge.libraries import Family
from whyload.knowledge.releases import find_defects
from whyload.remedies.choose import for_defect, for_library

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.copies import Copy
    from whyload.facts.subjects import Absence
    from whyload.findings.model import Certainty, Finding
    from whyload.remedies.model import Remedy


def absent(
    absence: Absence,
    code: str,
    *,
    notes: tuple[Message, ...] = (),
    remedies: tuple[Remedy, ...] | None = None,
    culprit: WinPath | None = None,
    found_at: WinPath | None = None,
    certainty: Certainty | None = None,
) -> Finding:
    """A finding of that code; without `remedies` those that the knowledge base has for the library."""
    case = absence.case
    culprit = culprit or absence.importer or _calling_file(absence)
    affected = dependents(case, absence.importer, absence.name) if absence.importer else ()
    return compose(
        case,
        absence.load,
        absence.fault,
        code=code,
        headline=headline(absence),
        culprit=culprit,
        object_name=absence.name,
        found_at=found_at,
        notes=(*other_names(absence), *library_notes(absence), *defect_notes(absence), *toolkit_notes(absence), *notes),
        remedies=known_remedies(absence) if remedies is None else remedies,
        certainty=certainty,
        affected=affected,
    )


def other_version(absence: Absence, other: Copy, code: str) -> Finding:
    """The finding where another version of the wanted library is around."""
    note = Message(
        en=f"`{other.path}` is here, but it is another version and cannot replace it",
        zh=f"本机有 `{other.path}`，但那是另一个版本，不能代替它",
    )
    return absent(absence, code, notes=(note,), found_at=other.path)


def headline(absence: Absence) -> Message:
    """Which file cannot load for want of which name."""
    name = absence.name
    if absence.importer is None:
        asked = _calling_file(absence)
        if asked is None:
            name = absence.fault.node.name
            return Message(en=f"`{name}` was not found", zh=f"找不到 `{name}`")
        where = absence.case.label(asked)
        return Message(
            en=f"`{where}` asks for `{name}`, which was not found", zh=f"`{where}` 要加载 `{name}`，但找不到它"
        )
    file = absence.case.label(absence.importer)
    return Message(
        en=f"`{file}` cannot load because `{name}` was not found", zh=f"`{file}` 无法加载，因为找不到 `{name}`"
    )


def other_names(absence: Absence) -> tuple[Message, ...]:
    """The further names that the same file lacks."""
    more = [f"`{name}`" for name in absence.names if name.lower() != absence.name.lower()]
    if not more:
        return ()
    if absence.importer is None:
        return (Message(en=f"it also tries: {', '.join(more)}", zh=f"它还会尝试：{'、'.join(more)}"),)
    return (Message(en=f"also missing: {', '.join(more)}", zh=f"同时缺少：{'、'.join(more)}"),)


def library_notes(absence: Absence) -> tuple[Message, ...]:
    """What the knowledge base says of a library with that name, and what is worth knowing before one gets it."""
    library = absence.library
    if library is None:
        return ()
    what = Message(
        en=f"`{absence.name}`:{'' if library.verified else ' probably'} {library.what}",
        zh=f"`{absence.name}`：{'' if library.verified else '可能是'}{library.what_zh}",
    )
    if library.advice is None:
        return (what,)
    return what, Message(en=library.advice, zh=library.advice_zh or library.advice)


def defect_notes(absence: Absence) -> tuple[Message, ...]:
    """What is known of this release."""
    owner = absence.case.packages.owner(absence.importer) if absence.importer else None
    if owner is None:
        return ()
    defects = find_defects(owner.distribution, owner.version, absence.name)
    return tuple(Message(en=defect.text, zh=defect.text_zh) for defect in defects)


def toolkit_notes(absence: Absence) -> tuple[Message, ...]:
    """A variable that sends the search for CUDA libraries to a folder that is gone."""
    if absence.library is None or absence.library.family not in (Family.CUDA, Family.CUDNN):
        return ()
    gone = gone_toolkit(absence.case)
    if gone is None:
        return ()
    variable, folder = gone
    return (
        Message(
            en=f"`{variable}` points to `{folder}`, which does not exist", zh=f"`{variable}` 指向的 `{folder}` 不存在"
        ),
    )


def known_remedies(absence: Absence) -> tuple[Remedy, ...]:
    """Another release where this one is known to be defective, then what the knowledge base has for the library."""
    world = absence.case.world
    owner = absence.case.packages.owner(absence.importer) if absence.importer else None
    found = for_defect(owner.distribution, owner.version, absence.name, world) if owner else ()
    if absence.library is None:
        return found
    if is_of_cuda(absence):
        return found + cuda_remedies(absence)
    wanted_by = (owner.distribution, owner.version) if owner else None
    return found + tuple(
        r for r in for_library(absence.library, world, wanted_by) if not found or r.id != "upgrade-package"
    )


def _calling_file(absence: Absence) -> WinPath | None:
    place = absence.load.event.place
    return place.file if place else None
