"""Remedies for a finding, the least harm first: what the rules name, then what follows from who owns which file.

Every one is tried on an overlay before it is proposed, so this list may be generous.
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.engine.misleading import compiled_here, leftovers, python_path, users_own
from whyload.facts.cuda_here import CudaHere, cuda_here
from whyload.facts.ownership import Owner
from whyload.facts.packages import Packages
from whyload.facts.requirements import Requirement
from whyload.findings.model import Finding
from whyload.knowledge.releases import Release, release_of, releases
from whyload.remedies.by_pip import again, install, remove, upgrade, with_pip
from whyload.remedies.change import InstallDistributions, RemoveDistribution
from whyload.remedies.choose import with_conda
from whyload.remedies.model import Remedy, Safety
from whyload.world.model import World

_WRONG_FILES = frozenset(
    {"python-abi-mismatch", "python-version-mismatch", "arch-mismatch", "bitness-mismatch", "wrong-platform-binary"}
    | {"not-a-library-file", "corrupt-install", "antivirus-quarantine", "dllmain-failed", "missing-procedure"}
)
"""Causes that say that the files of a distribution are not those of its release for this Python."""
_OF_CUDA = frozenset(
    {"cuda-version-mismatch", "wrong-cudnn-version", "missing-cuda-toolkit", "missing-cudnn", "driver-too-old"}
)
_OWN_DISTRIBUTIONS = frozenset({"pip", "setuptools", "wheel", "whyload"})


def candidates(
    finding: Finding, world: World, packages: Packages, demands: tuple[Requirement, ...]
) -> tuple[tuple[Remedy, ...], tuple[Remedy, ...]]:
    """Remedies without those that change the same: first what speaks for itself, then other releases and removals.

    Those that a person must do keep their place.
    """
    owners = _owners(finding, packages)
    if any(owner.installer == "conda" for owner in owners):
        return _once((*finding.remedies, *_by_conda(finding, owners)), set()), ()
    elsewhere = tuple(users_own(finding, world, packages))
    if elsewhere:
        return elsewhere, ()
    near = (
        *compiled_here(finding, world),
        *_unmet(owners, world, demands),
        *(_again(owners[:1], world) if finding.code in _WRONG_FILES else ()),
        *_fitting_lines(finding, world, packages),
        *finding.remedies,
        *python_path(finding, world),
        *leftovers(finding, world, packages),
        *_overwritten(finding, world, packages),
    )
    far = (
        *_releases(owners[:1], world),
        *_removals(finding, owners, world, packages, demands),
        *_releases(owners[1:], world),
    )
    seen: set[object] = set()
    return _once(near, seen), _once(far, seen)


def _once(remedies: tuple[Remedy, ...], seen: set[object]) -> tuple[Remedy, ...]:
    found = []
    for remedy in remedies:
        key = remedy.changes or remedy.id
        if key not in seen:
            seen.add(key)
            found.append(remedy)
    return tuple(found)


def _owners(finding: Finding, packages: Packages) -> list[Owner]:
    """Who owns the file at fault, then the files on the way to it, from the fault upwards."""
    paths = [finding.culprit, *(WinPath(item) for item in reversed(finding.chain)), finding.found_at]
    found = [packages.owner(path) for path in paths if path is not None and path.is_absolute]
    return list(dict.fromkeys(owner for owner in (finding.owner, *found) if owner is not None))


def _by_conda(finding: Finding, owners: list[Owner]) -> Iterator[Remedy]:
    """What conda brought is conda's to change: the command for just that package, channel and environment."""
    owner = next(owner for owner in owners if owner.installer == "conda")
    name = owner.distribution
    if finding.code in _WRONG_FILES:
        title = Message(
            en=f"reinstall {name} {owner.version} with conda", zh=f"用 conda 重新安装 {name} {owner.version}"
        )
        yield with_conda(owner, "install --force-reinstall", "reinstall", title)
    yield with_conda(
        owner, "update", "conda-update", Message(en=f"update {name} with conda", zh=f"用 conda 更新 {name}")
    )


def _unmet(owners: list[Owner], world: World, demands: tuple[Requirement, ...]) -> Iterator[Remedy]:
    """What the distributions at fault require themselves, directly or through others, and what is not there."""
    reached = {normalised(owner.distribution) for owner in owners}
    while True:
        more = {normalised(d.distribution) for d in demands if normalised(d.by.distribution) in reached}
        if more <= reached:
            break
        reached |= more
    unmet = [d for d in demands if not d.satisfied and normalised(d.by.distribution) in reached]
    absent = tuple(dict.fromkeys(demand.text for demand in unmet if demand.installed is None))
    if len(absent) > 1:
        names = ", ".join(absent)
        title = Message(en=f"install {names}, which installed packages require", zh=f"安装已有的包所需要的 {names}")
        yield with_pip(world, "install-requirements", title, InstallDistributions(requirements=absent))
    for demand in unmet:
        yield install(
            world,
            demand.text,
            f"install {demand.text}, which {demand.by.distribution} {demand.by.version} requires",
            f"安装 {demand.by.distribution} {demand.by.version} 所要求的 {demand.text}",
        )


def _overwritten(finding: Finding, world: World, packages: Packages) -> Iterator[Remedy]:
    """Several distributions brought the same file: all but one go, and that one is installed again."""
    claims = packages.claims(finding.culprit) if finding.culprit is not None else []
    owners = list(dict.fromkeys(entry.owner for entry in claims))
    if len(owners) < 2:
        return
    for kept in owners:
        others = [o for o in owners if normalised(o.distribution) != normalised(kept.distribution)]
        names = ", ".join(other.distribution for other in others)
        if not others or "+" in kept.version:
            continue
        wanted = f"{kept.distribution}=={kept.version}"
        yield with_pip(
            world,
            f"keep-only-{kept.distribution}",
            Message(
                en=f"uninstall {names}, which installed the same files, then reinstall {wanted}",
                zh=f"{names} 安装了同名文件：先卸载它们，再重新安装 {wanted}",
            ),
            *(RemoveDistribution(distribution=other.distribution) for other in others),
            InstallDistributions(requirements=(wanted,), again=True, dependencies=False),
            safety=Safety.ASKS_FIRST,
        )


def _again(owners: list[Owner], world: World) -> Iterator[Remedy]:
    """The damaged files of the release again, then all of it: its files are not what they should be."""
    for owner in owners:
        if _is_replaceable(owner):
            pin = f"{owner.distribution}=={owner.version}"
            change = InstallDistributions(requirements=(pin,), only_damaged=True, dependencies=False)
            yield with_pip(world, f"repair-{owner.distribution}", change.text, change)
            yield again(world, pin)


def _fitting_lines(finding: Finding, world: World, packages: Packages) -> Iterator[Remedy]:
    """The newest release line of the package that is built for the CUDA and cuDNN that are there, and that the driver
    runs; where it runs nothing that is there, the newest that it runs.
    """
    owner = finding.owner
    if owner is None or finding.code not in _OF_CUDA or not _is_replaceable(owner):
        return
    here, own = cuda_here(world, packages), release_of(owner.distribution, owner.version)
    lines = [
        line
        for line in reversed(releases(owner.distribution))
        if line.cuda_major is not None
        and line.versions
        and world.python.version in line.pythons
        and here.runs(line.cuda_major) is not False
        and (own is None or line.minor != own.minor)
    ]
    fitting = next((line for line in lines if _fits(line, here)), None)
    too_new = own is not None and own.cuda_major is not None and here.runs(own.cuda_major) is False
    line = fitting or (lines[0] if too_new and lines else None)
    if line is None:
        return
    wanted = f"{owner.distribution}=={line.minor}.*"
    what = f"CUDA {line.cuda_major}" + (f", cuDNN {line.cudnn_major}" if line.cudnn_major else "")
    en, zh = "on this machine", "本机已有的"
    if fitting is None:
        en, zh = "that the display driver runs", "显卡驱动所支持的"
    yield install(
        world,
        wanted,
        f"install {wanted}, which is built for the {what} {en}",
        f"安装 {wanted}，它是为{zh} {what} 构建的",
    )


def _fits(line: Release, here: CudaHere) -> bool:
    """Where there is no cuDNN at all, one will be brought for whatever line."""
    return line.cuda_major in here.cuda and (not here.cudnn or line.cudnn_major in here.cudnn)


def _is_replaceable(owner: Owner) -> bool:
    """Not what works on the environment itself, nor a build that came from an index of its own."""
    return normalised(owner.distribution) not in _OWN_DISTRIBUTIONS and "+" not in owner.version


def _releases(owners: list[Owner], world: World) -> Iterator[Remedy]:
    """A later release, an earlier one, of every distribution on the way."""
    for owner in filter(_is_replaceable, owners):
        name, version = owner.distribution, owner.version
        yield upgrade(world, name, f"upgrade-{name}", safety=Safety.ASKS_FIRST)
        for bound in _bounds(version):
            yield install(
                world,
                f"{name}<{bound}",
                f"use an earlier release of {name} ({name}<{bound})",
                f"换用 {name} 的较早版本（{name}<{bound}）",
                safety=Safety.ASKS_FIRST,
            )


def _bounds(version: str) -> list[str]:
    """Upper bounds for earlier releases: below this one, below its minor, below its major."""
    parts = version.split(".")
    found = [version]
    if len(parts) > 2:
        found.append(".".join(parts[:2]))
    if parts[0].isdigit() and int(parts[0]) > 0 and len(parts) > 1:
        found.append(parts[0])
    return list(dict.fromkeys(found))


def _removals(
    finding: Finding, owners: list[Owner], world: World, packages: Packages, demands: tuple[Requirement, ...]
) -> Iterator[Remedy]:
    """The distribution that brought the wrong file, where nothing that is installed requires it.

    Only where another one is on the way, or would be asked in its stead: it has a package of that name.
    """
    owner = packages.owner(finding.culprit) if finding.culprit is not None else None
    if owner is None or normalised(owner.distribution) in _OWN_DISTRIBUTIONS:
        return
    if len(owners) < 2 and not _stands_in_front(finding, owner, packages):
        return
    if any(normalised(demand.distribution) == normalised(owner.distribution) for demand in demands):
        return
    name = owner.distribution
    title = Message(
        en=f"uninstall {name} {owner.version}, which no installed package requires",
        zh=f"卸载 {name} {owner.version}（已安装的包都不需要它）",
    )
    yield remove(world, name, title)


def _stands_in_front(finding: Finding, owner: Owner, packages: Packages) -> bool:
    """One of the folders of the file at fault has the name of a package that another distribution brings."""
    folders = finding.culprit.text.split("\\")[1:-1] if finding.culprit is not None else []
    others = map(packages.providing, folders)
    return any(other is not None and other != owner for other in others)
