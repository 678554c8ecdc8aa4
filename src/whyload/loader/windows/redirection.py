"""Names and folders that Windows replaces before it looks: `.local` files (R2.10, R2.11) and the 32-bit view (R2.37).

Source: Microsoft, "Dynamic-link library redirection" and "File System Redirector".
"""

from __future__ import annotations

from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import Presence, World

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.loader.images import ImageStore

_OPTIONS = "HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options"
_NOT_REDIRECTED = ("catroot", "catroot2", "driverstore", "drivers\\etc", "logfiles", "spool")


def local_folder(world: World, images: ImageStore) -> WinPath | None:
    """The folder that is tried before all others, for bare names and full paths; None where redirection is not active.

    `<program>.local` counts only where the program has no manifest (python.exe has one) or `DevOverrideEnable` is set.
    """
    program = world.process.application
    marker = program.parent / f"{program.name}.local"
    presence = world.files.presence(marker)
    if presence not in (Presence.FILE, Presence.DIRECTORY):
        return None
    image = images.open(program).image
    if image is None or image.manifest() is not None:
        options = world.registry.values(_OPTIONS)
        if not options or options.get("DevOverrideEnable") != 1:
            return None
    return marker if presence is Presence.DIRECTORY else program.parent


def system_folder(world: World, machine: Machine) -> WinPath:
    """System32 as a process of `machine` sees it: SysWOW64 for a 32-bit process on 64-bit Windows."""
    system = world.system
    if machine is not Machine.I386 or system.machine is Machine.I386:
        return system.system32
    view = system.windir / "SysWOW64"
    return view if world.files.presence(view) is Presence.DIRECTORY else system.system32


def redirected(path: WinPath, world: World, view: WinPath) -> WinPath:
    """What `path` means to a process whose system folder is `view`: System32 is replaced, some folders in it not."""
    system32 = world.system.system32
    if view == system32:
        return path
    native = world.system.windir / "Sysnative"
    if path == native or path.is_below(native):
        return system32 / path.relative_to(native) if path != native else system32
    if path == system32:
        return view
    rest = path.relative_to(system32)
    if not path.is_below(system32) or rest.lower().startswith(_NOT_REDIRECTED):
        return path
    return view / rest
