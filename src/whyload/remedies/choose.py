"""Which remedy fits a fault: taken from knowledge entries, filled in for the interpreter and the package at hand."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.knowledge.libraries import Library, RemedyEntry
from whyload.knowledge.releases import find_defects
from whyload.remedies.model import Remedy, Safety
from whyload.world.model import Layout, PythonInstallation, World, WorldKind


def pip(python: PythonInstallation, world: World) -> str:
    """How pip is called in that environment; a plain `python` where it is only described."""
    if world.kind is WorldKind.REQUIREMENT:
        return "python -m pip"
    executable = python.venv / "Scripts\\python.exe" if python.venv else python.executable
    text = f'"{executable}"' if " " in executable.text else executable.text
    return f"{text} -m pip"


def for_library(library: Library, world: World, wanted_by: tuple[str, str] | None = None) -> tuple[Remedy, ...]:
    """The remedies that the knowledge base has for an absent library; `wanted_by` is the package and its version."""
    found = (_from_entry(entry, world, wanted_by) for entry in library.remedies if _applies(entry, world))
    return tuple(remedy for remedy in found if remedy is not None)


def _applies(entry: RemedyEntry, world: World) -> bool:
    """Some remedies are for one edition, or for a Python that is no virtual environment."""
    python, edition = world.python, (world.system.edition or "").lower()
    restrictions = {
        "full-installation": python.venv is None and python.layout is not Layout.CONDA,
        "client-n": edition in ("", "n") or edition.endswith("n"),
        "server": edition in ("", "server"),
        "server-core": "core" in edition,
    }
    return restrictions.get(entry.when or "", True)


def _from_entry(entry: RemedyEntry, world: World, wanted_by: tuple[str, str] | None) -> Remedy | None:
    conda = world.python.layout is Layout.CONDA
    commands = entry.conda_commands if conda and entry.conda_commands else entry.commands
    fields = {
        "{python}": pip(world.python, world).removesuffix(" -m pip"),
        "{python_tag}": f"cp{world.python.version.digits}",
    }
    if wanted_by is not None:
        fields |= {"{dist}": wanted_by[0], "{version}": wanted_by[1]}
    filled = tuple(_fill(command, fields) for command in commands)
    if any("{dist}" in command or "{version}" in command for command in filled):
        return None  # it is about the package that wants the library, and no package does
    return Remedy(
        id=entry.id,
        title=Message(en=_fill(entry.title, fields), zh=_fill(entry.title_zh, fields)),
        safety=Safety(entry.safety),
        commands=filled,
    )


def _fill(command: str, fields: dict[str, str]) -> str:
    for field, value in fields.items():
        command = command.replace(field, value)
    return command


def for_defect(distribution: str, version: str, library: str, world: World) -> tuple[Remedy, ...]:
    """Another release of the package, where this one is known to lack the library."""
    found = []
    for defect in find_defects(distribution, version, library):
        if defect.fixed_in:
            wanted = f"{distribution}=={defect.fixed_in}"
            found.append(
                Remedy(
                    id=f"upgrade-{distribution}",
                    title=Message(en=f"install {wanted}", zh=f"安装 {wanted}"),
                    safety=Safety.SAFE,
                    commands=(f"{pip(world.python, world)} install {wanted}",),
                )
            )
    return tuple(found)


def reinstall(distribution: str, version: str, world: World) -> Remedy:
    """The same release again, from the index and not from pip's cache."""
    wanted = f"{distribution}=={version}"
    return Remedy(
        id="reinstall",
        title=Message(en=f"reinstall {wanted}", zh=f"重新安装 {wanted}"),
        safety=Safety.SAFE,
        commands=(f"{pip(world.python, world)} install --force-reinstall --no-deps --no-cache-dir {wanted}",),
    )


def other_build(distribution: str, world: World) -> Remedy:
    """A wheel for this very Python."""
    version = world.python.version
    return Remedy(
        id="reinstall",
        title=Message(
            en=f"install the build of {distribution} for Python {version}",
            zh=f"安装适用于 Python {version} 的 {distribution}",
        ),
        safety=Safety.SAFE,
        commands=(f"{pip(world.python, world)} install --force-reinstall --no-cache-dir {distribution}",),
    )


def add_folder(folder: WinPath) -> Remedy:
    """Tell the loader of a folder from the program itself."""
    return Remedy(
        id="add-dll-directory",
        title=Message(
            en=f"call `os.add_dll_directory` with `{folder}` before the import",
            zh=f"在导入之前用 `{folder}` 调用 `os.add_dll_directory`",
        ),
        safety=Safety.BY_HAND,
        commands=(f'import os; os.add_dll_directory(r"{folder}")',),
    )


def by_hand(identifier: str, en: str, zh: str) -> Remedy:
    """Something that only the person can do."""
    return Remedy(id=identifier, title=Message(en=en, zh=zh), safety=Safety.BY_HAND)
