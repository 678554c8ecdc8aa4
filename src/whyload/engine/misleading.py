"""Remedies that take out of the way what leads a load astray and belongs to no distribution of the environment."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.facts.build_caches import in_build_cache
from whyload.facts.leftovers import Remains, remains_around
from whyload.facts.packages import Packages
from whyload.findings.model import Finding
from whyload.remedies.by_pip import with_pip
from whyload.remedies.change import InstallDistributions, RemoveLeftover
from whyload.remedies.choose import clear_build_cache, remove_leftovers, set_variable
from whyload.remedies.model import Remedy, Safety
from whyload.startup.paths import path_entries, python_paths, site_folders
from whyload.world.model import World

_COMPILED_FOR_OTHERS = frozenset(
    {"python-abi-mismatch", "python-version-mismatch", "arch-mismatch", "bitness-mismatch", "not-a-library-file"}
    | {"corrupt-install", "dllmain-failed", "missing-procedure", "missing-dependency", "torch-abi-mismatch"}
    | {"numpy-abi-mismatch", "wrong-platform-binary"}
)
"""Causes that say of a file that was compiled here that it was compiled for something else."""


def compiled_here(finding: Finding, world: World) -> Iterator[Remedy]:
    """The file at fault was compiled on first use: it is made anew."""
    culprit = finding.culprit
    if culprit is not None and finding.code in _COMPILED_FOR_OTHERS and in_build_cache(world, culprit):
        yield clear_build_cache(culprit.parent)


def leftovers(finding: Finding, world: World, packages: Packages) -> Iterator[Remedy]:
    """Files at fault that no distribution has recorded, then the whole package that they are what is left of."""
    folders = _own_folders(world, packages)
    paths = dict.fromkeys(path for path in _files(finding) if any(path.is_below(folder) for folder in folders))
    own = [path for path in paths if packages.entry(path) is None]
    for path in own:
        if path.suffix == ".dll" or (path.suffix == ".pyd" and _has_another(world, path)):
            yield remove_leftovers(path)
    found = [remains_around(world.files, packages, path, folders) for path in own]
    for remains in dict.fromkeys(item for item in found if item is not None):
        if remains.distribution is not None and remains.version is not None:
            yield _whole_again(world, remains)
        yield remove_leftovers(*remains.paths)


def _has_another(world: World, module: WinPath) -> bool:
    """Beside it lies the same module under another tag, which Python then takes."""
    stem = module.name.partition(".")[0].lower()
    names = (name.lower() for name in world.files.listdir(module.parent) if name.lower() != module.name.lower())
    return any(name.partition(".")[0] == stem and name.endswith((".pyd", ".py")) for name in names)


def _own_folders(world: World, packages: Packages) -> tuple[WinPath, ...]:
    """Of the folders that distributions lie in, those of the environment itself."""
    folders = dict.fromkeys((*site_folders(world, python_paths(world)), *packages.folders))
    return tuple(folder for folder in folders if folder.is_below(world.python.prefix))


def _files(finding: Finding) -> Iterator[WinPath]:
    """The files that a finding is about, the one at fault first."""
    for path in (finding.culprit, finding.found_at, *map(WinPath, reversed(finding.chain))):
        if path is not None and path.is_absolute:
            yield path


def _whole_again(world: World, remains: Remains) -> Remedy:
    pin = f"{remains.distribution}=={remains.version}"
    return with_pip(
        world,
        f"complete-{remains.distribution}",
        Message(
            en=f"an installation of {pin} was interrupted: remove what is left of it, then reinstall it",
            zh=f"{pin} 的安装曾被中断：清除残留文件并重新安装",
        ),
        *(RemoveLeftover(path=path) for path in remains.paths),
        InstallDistributions(requirements=(pin,), again=True, dependencies=False),
        safety=Safety.ASKS_FIRST,
    )


def python_path(finding: Finding, world: World) -> Iterator[Remedy]:
    """The file at fault is found by way of `PYTHONPATH`, before the environment's own packages."""
    value = world.environment.get("PYTHONPATH", "")
    entries = dict(zip(path_entries(world, value), (part for part in value.split(";") if part), strict=True))
    strange = [path for path in _files(finding) if not path.is_below(world.python.prefix)]
    guilty = [folder for folder in entries if any(path.is_below(folder) for path in strange)]
    if guilty:
        kept = ";".join(text for folder, text in entries.items() if folder not in guilty)
        names = ", ".join(f"`{folder}`" for folder in guilty)
        yield set_variable(
            "PYTHONPATH",
            kept or None,
            Message(
                en=f"remove {names} from PYTHONPATH for this environment: its contents are not for this Python",
                zh=f"在此环境中把 {names} 从 PYTHONPATH 中去掉：其中的内容不适用于这个 Python",
            ),
        )
