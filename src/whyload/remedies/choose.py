"""Which remedy fits a fault: taken from knowledge entries, filled in for the interpreter and the package at hand."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.machine import PLATFORM_TAG
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING, Protocol
from whyload.knowledge.cuda import Toolkit, driver_of_major, driver_of_toolkit
from whyload.knowledge.releases import find_defects
from whyload.loader.windows.arguments import SEARCH_DEFAULT_DIRS, SEARCH_USER_DIRS
from whyload.remedies.by_pip import again, install, pip, with_pip
from whyload.remedies.change import (
    AddFolder,
    ClearBuildCache,
    InstallDistributions,
    PutOnPath,
    RemoveLeftover,
    RenameFile,
    SetVariable,
)
from whyload.remedies.commands import as_one_word
from whyload.remedies.model import Remedy, Safety
from whyload.world.model import Layout, World

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.knowledge.libraries import Library, RemedyEntry

_N_EDITIONS = frozenset({"n", "kn", "coren", "professionaln", "enterprisen", "educationn", "professionalworkstationn"})
"""EditionID values of the editions without Media Foundation, and the profiles' own word."""


def for_library(library: Library, world: World, wanted_by: tuple[str, str] | None = None) -> tuple[Remedy, ...]:
    """The remedies that the knowledge base has for an absent library; `wanted_by` is the package and its version."""
    found = (_from_entry(entry, world, wanted_by) for entry in library.remedies if _applies(entry, world))
    return tuple(remedy for remedy in found if remedy is not None)


def _applies(entry: RemedyEntry, world: World) -> bool:
    """Some remedies are for one edition, or for a Python that is no virtual environment."""
    python, edition = world.python, (world.system.edition or "").lower().replace(" ", "")
    server = edition.startswith("server")
    restrictions = {
        "full-installation": python.venv is None and python.layout in (Layout.FULL, Layout.EMBED),
        "client-n": not edition or edition in _N_EDITIONS,
        "server": not edition or (server and "core" not in edition),
        "server-core": not edition or (server and "core" in edition),
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
    if not filled and entry.safety != Safety.BY_HAND.value:
        return None  # it has commands for another kind of installation only
    return Remedy(
        id=entry.id,
        title=Message(en=_fill(entry.title, fields), zh=_fill(entry.title_zh, fields)),
        safety=Safety(entry.safety),
        commands=filled,
        rights=entry.rights,
    )


def _fill(command: str, fields: dict[str, str]) -> str:
    for field, value in fields.items():
        command = command.replace(field, value)
    return command


def for_defect(distribution: str, version: str, library: str, world: World) -> tuple[Remedy, ...]:
    """Another release of the package, where this one is known to lack the library."""
    fixed = (defect.fixed_in for defect in find_defects(distribution, version, library))
    return tuple(_release(distribution, version, release, world) for release in fixed if release)


def _release(distribution: str, version: str, fixed: str, world: World) -> Remedy:
    """Another release. A local version such as `+cu121` is on an index of its own, which only the person knows."""
    build = version.partition("+")[2]
    wanted = f"{distribution}=={fixed}+{build}" if build else f"{distribution}=={fixed}"
    if not build:
        return install(world, wanted, f"install {wanted}", f"安装 {wanted}", identifier=f"upgrade-{distribution}")
    return by_hand(
        f"upgrade-{distribution}",
        f"install {wanted} from the index that the installed build came from",
        f"从当前版本所用的索引安装 {wanted}",
        f"{pip(world.python, world)} install {wanted} --index-url INDEX",
    )


class Installation(Protocol):
    """An installed distribution: its name and version, and who brought it (of conda: from which channel)."""

    @property
    def distribution(self) -> str:
        """Its name."""

    @property
    def version(self) -> str:
        """Its version."""

    @property
    def installer(self) -> str | None:
        """`pip`, `uv`, `conda` …; None where that is not known."""

    @property
    def channel(self) -> str | None:
        """Of conda."""


def with_conda(installed: Installation, verb: str, identifier: str, title: Message) -> Remedy:
    """What conda does, from the channel that the package came from; a person has to run it."""
    channel = f" -c {installed.channel}" if installed.channel else ""
    pin = f"{installed.distribution}={installed.version}" if verb != "update" else installed.distribution
    return Remedy(id=identifier, title=title, safety=Safety.ASKS_FIRST, commands=(f"conda {verb}{channel} {pin}",))


def reinstall(installed: Installation, world: World) -> Remedy:
    """The same release again, by whoever installed it; not from a cache."""
    distribution, version = installed.distribution, installed.version
    wanted = f"{distribution}=={version}"
    if installed.installer == "conda":
        title = Message(en=f"reinstall {distribution} with conda", zh=f"用 conda 重新安装 {distribution}")
        return with_conda(installed, "install --force-reinstall", "reinstall", title)
    if "+" in version:
        return by_hand(
            "reinstall",
            f"reinstall {wanted} from the index that it came from",
            f"从原来的索引重新安装 {wanted}",
        )
    return again(world, wanted)


def other_build(distribution: str, world: World) -> Remedy:
    """A wheel for this very Python."""
    version = world.python.version
    title = Message(
        en=f"install the build of {distribution} for Python {version}",
        zh=f"安装适用于 Python {version} 的 {distribution}",
    )
    return with_pip(world, "reinstall", title, InstallDistributions(requirements=(distribution,), again=True))


def release_beside(distribution: str, release: str, partner: str, version: str, world: World) -> Remedy:
    """The minor release of a package that belongs to the installed version of another one, which stays as it is."""
    wanted, kept = f"{distribution}~={release}.0", f"{partner}=={version}"
    en, zh = (
        f"install {distribution} {release}, which belongs to {partner} {version}",
        (f"安装与 {partner} {version} 配套的 {distribution} {release}"),
    )
    identifier = f"install-{distribution}-{release}"
    if "+" in version:
        command = f'{pip(world.python, world)} install "{wanted}" "{kept}" --index-url INDEX'
        en, zh = f"{en}, from the index that {partner} came from", f"{zh}（使用安装 {partner} 时的索引）"
        return by_hand(identifier, en, zh, command)
    change = InstallDistributions(requirements=(wanted, kept))
    return with_pip(world, identifier, Message(en=en, zh=zh), change)


def put_in_view(flags: int, folder: WinPath) -> Remedy:
    """R2.20, R3.15: an added folder counts only where the load asks for added folders; other loads search PATH."""
    return add_folder(folder) if flags & (SEARCH_USER_DIRS | SEARCH_DEFAULT_DIRS) else put_on_path(folder)


def add_folder(folder: WinPath) -> Remedy:
    """Tell the loader of a folder: for the whole environment, or from the program itself."""
    return Remedy(
        id="add-dll-directory",
        title=Message(
            en=f"add `{folder}` to the DLL folders of this environment (`whyload fix` can do it), or pass it to "
            "`os.add_dll_directory` before the import",
            zh=f"把 `{folder}` 加入此环境的 DLL 目录（`whyload fix` 可代劳），或在导入之前用 `os.add_dll_directory` "
            "添加它",
        ),
        safety=Safety.SAFE,
        commands=(f'import os; os.add_dll_directory(r"{folder}")',),
        changes=(AddFolder(folder=folder),),
    )


def put_on_path(folder: WinPath) -> Remedy:
    """For loads that search PATH and know no added folders."""
    return Remedy(
        id="put-on-path",
        title=Message(
            en=f"put `{folder}` first on PATH before the load (`whyload fix` can do it for this environment)",
            zh=f"在加载之前把 `{folder}` 放到 PATH 最前面（`whyload fix` 可为此环境代劳）",
        ),
        safety=Safety.ASKS_FIRST,
        commands=(f'import os; os.environ["PATH"] = r"{folder};" + os.environ["PATH"]',),
        changes=(PutOnPath(folder=folder),),
    )


def rename(path: WinPath, en: str, zh: str) -> Remedy:
    """A file or folder of the user's own that is in the way: it is theirs to rename."""
    stem, dot, suffix = path.name.rpartition(".")
    name = f"{stem}_renamed.{suffix}" if dot and stem else f"{path.name}_renamed"
    return Remedy(
        id="rename",
        title=Message(en=en, zh=zh),
        safety=Safety.BY_HAND,
        commands=(f'ren "{path}" {name}',),
        changes=(RenameFile(path=path, name=name),),
    )


def remove_leftovers(*paths: WinPath) -> Remedy:
    """Files and folders of the environment that no distribution owns are taken out of the way."""
    changes = tuple(RemoveLeftover(path=path) for path in paths)
    names = ", ".join(f"`{path}`" for path in paths)
    return Remedy(
        id=f"remove-{paths[0].name}",
        title=Message(
            en=f"remove {names}, which belongs to no installed distribution",
            zh=f"移除 {names}（不属于任何已安装的包）",
        ),
        safety=Safety.ASKS_FIRST,
        commands=tuple(f'ren "{path}" "{path.name}.old"' for path in paths),
        changes=changes,
    )


def set_variable(name: str, value: str | None, title: Message) -> Remedy:
    """A variable for this environment's Python; the person sets it for a shell, to see that it helps."""
    change = SetVariable(name=name, value=value)
    return Remedy(
        id=f"unset-{name}" if value is None else f"set-{name}",
        title=title,
        safety=Safety.ASKS_FIRST,
        commands=(f'set "{name}={value or ""}"',),
        changes=(change,),
    )


def clear_build_cache(*paths: WinPath) -> Remedy:
    """What was compiled on first use is out of the way, and compiled once more."""
    names = ", ".join(f"`{path}`" for path in paths)
    return Remedy(
        id="clear-build-cache",
        title=Message(
            en=f"end the programs that use it, move {names} aside, and start again: it will be recompiled",
            zh=f"结束正在使用它的程序，把 {names} 移开，再重新启动：它会重新编译",
        ),
        safety=Safety.ASKS_FIRST,
        commands=tuple(f'ren "{path}" "{path.name}.old"' for path in paths),
        changes=tuple(ClearBuildCache(path=path) for path in paths),
    )


def newer_driver(driver: str | None, driver_cuda: str | None, major: int, toolkit: Toolkit | None = None) -> Remedy:
    """The driver is for a person to install; the exact version that a CUDA major, or a toolkit, needs is known."""
    lowest = driver_of_major(major)
    whole = driver_of_toolkit(toolkit) if toolkit else None
    least = ".".join(map(str, lowest.driver)) if lowest else None
    number = "{}.{}".format(*toolkit) if toolkit else str(major)
    have = f" ({driver or '?'}, CUDA {driver_cuda or '?'})" if driver or driver_cuda else ""
    en, zh = "the newest NVIDIA driver for this card", "适用于本显卡的最新 NVIDIA 驱动"
    if least is not None:
        en = f"an NVIDIA driver of version {least} or later for this card"
        zh = f"适用于本显卡的 NVIDIA 驱动（{least} 或更高版本）"
    if whole is not None:
        all_of_it = ".".join(f"{part:02d}" if index else str(part) for index, part in enumerate(whole.driver))
        en, zh = f"{en} ({all_of_it} has all of CUDA {number})", f"{zh}（{all_of_it} 起完整支持 CUDA {number}）"
    return replace(
        by_hand(
            "newer-driver",
            f"install {en}, then restart: CUDA {number} does not run on the present driver{have}",
            f"安装{zh}，然后重启：现有驱动{have.strip()}无法运行 CUDA {number}",
        ),
        rights=True,
    )


def carry_over(requirements: tuple[str, ...], world: World) -> Remedy:
    """Without a network: fetch the wheels elsewhere, and install them from a folder."""
    tag, version = PLATFORM_TAG.get(world.python.machine, "win_amd64"), world.python.version
    wanted = " ".join(map(as_one_word, requirements))
    fetch = f"--only-binary=:all: --platform {tag} --python-version {version.major}.{version.minor} -d wheels"
    return by_hand(
        "carry-over",
        f"on a machine with network access, download {wanted}; copy the folder here and install from it",
        f"在能联网的机器上下载 {wanted}，把下载目录复制到本机再安装",
        f"python -m pip download {fetch} {wanted}",
        f"{pip(world.python, world)} install --no-index --find-links wheels {wanted}",
    )


def by_hand(identifier: str, en: str, zh: str, *commands: str) -> Remedy:
    """Something that only the person can do."""
    return Remedy(id=identifier, title=Message(en=en, zh=zh), safety=Safety.BY_HAND, commands=commands)
