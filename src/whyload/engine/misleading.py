"""Remedies that take out of the way what leads a load astray and belongs to no distribution of the environment."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.facts.build_caches import in_build_cache
from whyload.facts.leftovers import Remains, remains_around
from whyload.facts.packages import Packages
from whyload.findings.model import Finding
from whyload.remedies.by_pip import pip, with_pip
from whyload.remedies.change import InstallDistributions, RemoveLeftover
from whyload.remedies.choose import by_hand, clear_build_cache, remove_leftovers, set_variable
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
    own = [path for path in paths if packages.owner(path) is None]
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


def users_own(finding: Finding, world: World, packages: Packages) -> Iterator[Remedy]:
    """The file at fault lies in the user's own `site-packages`, which every environment of that Python may see.

    Source: CPython, `site`: the user's folder comes before the installation's own.
    """
    culprit = finding.culprit
    owner = packages.owner(culprit) if culprit is not None else None
    if culprit is None or owner is None or not is_elsewhere(culprit, world, packages):
        return
    folder = next(folder for folder in packages.folders if culprit.is_below(folder))
    pin, name, call = f"{owner.distribution}=={owner.version}", owner.distribution, pip(world.python, world)
    infos = [item.info for item in packages.installed() if normalised(item.owner.distribution) == normalised(name)]
    if any(info is not None and not info.is_below(folder) for info in infos):
        yield by_hand(
            f"remove-{name}",
            f"remove {pin} from `{folder}`, which comes before the one of this environment",
            f"从 `{folder}` 中卸载 {pin}：它排在此环境自己的版本之前",
            f"{call} uninstall -y {name}",
        )
        return
    yield by_hand(
        f"remove-{name}",
        f"remove {pin} from `{folder}`, and install it in this environment",
        f"从 `{folder}` 中卸载 {pin}，再把它安装到此环境中",
        f"{call} uninstall -y {name}",
        f"{call} install {name}",
    )


def is_elsewhere(path: WinPath, world: World, packages: Packages) -> bool:
    """In a folder of packages that is neither the environment's nor one of `PYTHONPATH`."""
    named = set(path_entries(world, world.environment.get("PYTHONPATH", "")))
    others = [f for f in packages.folders if not f.is_below(world.python.prefix) and f not in named]
    return any(path.is_below(folder) for folder in others)
