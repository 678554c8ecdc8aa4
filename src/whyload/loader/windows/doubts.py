"""Why an answer may be wrong: what the world does not tell, and what the vendor leaves open (loader.md, section 9)."""

from __future__ import annotations

import re

from whyload.base.paths import WinPath
from whyload.formats.pe import Image
from whyload.loader.model import StepKind, Verdict
from whyload.loader.windows.candidates import LONG_PATH, Search
from whyload.loader.windows.directories import SearchFolder
from whyload.loader.windows.process import Process
from whyload.world.model import Presence

_OF_A_PROGRAM, _OF_A_LIBRARY = 1, 2
"""Numbers of a manifest: Microsoft, "Using Side-by-side Assemblies as a Resource"."""
_ASSEMBLY = re.compile(rb"<dependentAssembly>.*?\bname\s*=\s*[\"']([^\"']+)", re.DOTALL | re.IGNORECASE)
_COMMON_CONTROLS = b"microsoft.windows.common-controls"
"""It has comctl32.dll alone, which System32 has too."""


def doubt_of(process: Process, found: Search, folders: tuple[SearchFolder, ...], name: str) -> str:
    """The first reason to doubt the end of a search; empty where there is none."""
    verdicts = {step.verdict for step in found.steps}
    if Verdict.UNKNOWN in verdicts:
        return f"not every place searched for {name} is known"
    if Verdict.INCOMPATIBLE in verdicts:  # D2
        return "whether the search goes on past a file that this Windows cannot run at all is not established"
    if found.path is None:
        searched = any(entry.kind is StepKind.CWD for entry in folders) and not process.path_known
        return f"PATH, which is searched for {name}, is not known" if searched else ""
    if _order_matters(process, found, folders, name):  # D1
        return f"{name} lies in several added folders, and Microsoft does not specify their order"
    return _too_long(process, found.path)


def assembly_doubt(image: Image | None, importer: WinPath, name: str) -> str:
    """R2.41 to R2.44: a manifest redirects names to side-by-side assemblies, which are not looked for here."""
    manifest = image.manifest(_OF_A_LIBRARY if image.is_dll else _OF_A_PROGRAM) if image is not None else None
    names = _ASSEMBLY.findall(manifest.replace(b"\0", b"")) if manifest is not None else []
    wanted = [text.decode("ascii", "replace") for text in names if text.lower() != _COMMON_CONTROLS]
    if not wanted:
        return ""
    return f"{importer.name} wants the side-by-side assembly {wanted[0]}; whether {name} is in it is not analysed"


def _order_matters(process: Process, found: Search, folders: tuple[SearchFolder, ...], name: str) -> bool:
    if not found.steps or found.steps[-1].kind is not StepKind.USER_DIR:
        return False
    added = {entry.folder / name for entry in folders if entry.kind is StepKind.USER_DIR}
    return sum(process.files.presence(path) is Presence.FILE for path in added) > 1


def _too_long(process: Process, path: WinPath) -> str:
    """R2.39: a long path opens only where the system allows it."""
    if len(path.text) < LONG_PATH or process.long_paths is not None:
        return ""
    return f"whether this Windows opens paths of {LONG_PATH} characters and more is not known"
