"""A clean Windows of a profile, and python.org's Python on it, as files known by name."""

from __future__ import annotations

from collections.abc import Sequence

from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.world.files import LayeredFiles, NamedFiles, UnknownBelow

if TYPE_CHECKING:
    from whyload.base.machine import Machine
    from whyload.base.versions import PythonVersion
    from whyload.knowledge.systems import Profile
    from whyload.world.model import FileView

PYTHON_FOLDER = WinPath("C:\\Python")
"""Where the Python of a clean machine is taken to lie."""


SITE_PACKAGES = PYTHON_FOLDER / "Lib\\site-packages"
SYSTEM32 = WinPath("C:\\Windows\\System32")


def profile_files(profile: Profile) -> FileView:
    """System32 of the profile with what was added to it (`+vcredist`, `+cuda`); names that may be there are unknown."""
    system32 = SYSTEM32
    names = [*profile.system_dlls, *(profile.vc_runtime.files if profile.vc_runtime is not None else ())]
    folders: dict[WinPath, Sequence[str]] = {system32: names, WinPath("C:\\Windows\\System"): ()}
    if profile.cuda is not None:
        folders[profile.cuda.folder] = profile.cuda.files
    named = NamedFiles(folders)
    return LayeredFiles([named, UnknownBelow(system32, profile.uncertain)]) if profile.uncertain else named


def python_files(version: PythonVersion, machine: Machine, folder: WinPath = PYTHON_FOLDER) -> NamedFiles:
    """python.org's Python of that minor version, installed in `folder`."""
    from whyload.knowledge.pythons import bundled_files, extension_files

    return NamedFiles(
        {
            folder: bundled_files(version, machine),
            folder / "DLLs": extension_files(version, machine),
            folder / "Lib\\site-packages": (),
        }
    )
