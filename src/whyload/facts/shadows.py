"""Modules of the user's own that hide an installed package of the same name."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.facts.case import Case
from whyload.facts.packages import Owner
from whyload.startup.finder import ModuleKind, find_module
from whyload.world.model import World, read_text


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowedModule:
    """`module` is found in `file`, before the one that `owner` installed."""

    case: Case
    module: str
    file: WinPath
    """The folder of a package, the file of a module."""
    owner: Owner


def shadowed_modules(case: Case, modules: tuple[str, ...]) -> list[ShadowedModule]:
    """Of the modules asked for, named by the program or started: those that lie beside the program."""
    found = []
    own = {folder for folder in (case.script_folder, case.process.cwd) if folder is not None}
    tops = dict.fromkeys(
        name.partition(".")[0] for name in (*modules, *imported_by_program(case.world), *case.playback.modules)
    )
    for name in tops:
        module = find_module(case.world, name, case.paths)
        if module is None or module.file is None or module.kind is ModuleKind.STANDARD:
            continue
        package = module.kind is ModuleKind.PACKAGE
        file = module.file.parent if package else module.file
        if file.parent not in own:
            continue
        owner = case.packages.providing(name)
        if owner is not None and case.packages.owner(module.file) is None:
            found.append(ShadowedModule(case=case, module=name, file=file, owner=owner))
    return found


def imported_by_program(world: World) -> tuple[str, ...]:
    """Modules that the program's own source imports at any level."""
    import ast

    run = world.run
    if run is not None and run.imports is not None:
        return run.imports
    code = run.code if run else None
    if run is not None and run.script is not None:
        code = read_text(world.files, run.script)
    try:
        tree = ast.parse(code or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    return tuple(names)
