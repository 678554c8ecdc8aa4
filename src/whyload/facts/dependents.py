"""Which other files of a folder fail for the same reason: they import the absent name, or a file that does."""

from __future__ import annotations

from whyload.base.errors import FormatError
from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import WorldKind

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.case import Case

_MOST_FILES = 300


def dependents(case: Case, culprit: WinPath, name: str) -> tuple[WinPath, ...]:
    """Native files beside `culprit` that fail with it, in the order of their names.

    Only import tables are read. In wheels nothing is looked for: every file would have to be inflated.
    """
    if case.world.kind is WorldKind.REQUIREMENT:
        return ()
    folder = culprit.parent
    files = [folder / item for item in case.world.files.listdir(folder) if item.lower().endswith((".dll", ".pyd"))]
    imports = {path: _imports(case, path) for path in files[:_MOST_FILES]}
    failing = {name.lower(), culprit.name.lower()}
    found: set[WinPath] = set()
    grown = True
    while grown:
        grown = False
        for path, names in imports.items():
            if path != culprit and path not in found and names & failing:
                found.add(path)
                failing.add(path.name.lower())
                grown = True
    return tuple(sorted(found))


def _imports(case: Case, path: WinPath) -> frozenset[str]:
    image = case.process.images.open(path).image
    if image is None:
        return frozenset()
    try:
        names = [case.process.import_name(entry.name) for entry in image.imports() if not entry.is_unused]
        return frozenset(name.lower() for name in names)
    except FormatError:
        return frozenset()
