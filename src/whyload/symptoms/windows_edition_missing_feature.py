"""A text that names a DLL of an optional part of Windows, or an edition that lacks what the package imports."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise, for_dll, word

CODE = "windows-edition-missing-feature"
_ASK = ("where mfplat.dll", "dism /online /get-capabilities", "winver")
_REDUCED = (Trait.SERVER_CORE, Trait.SERVER, Trait.N_EDITION)


def explain(clues: Clues) -> Candidate | None:
    """The DLL is named as absent; or it is named as imported, on an edition that does not have it."""
    library = missing(clues, Family.WINDOWS_FEATURE)
    if library is not None:
        return stated_missing(clues, CODE, library, strength=Strength.SHOWN, ask=_ASK)
    named = next((name for name in clues.libraries if name_library(name).family is Family.WINDOWS_FEATURE), None)
    if named is not None and clues.has(*_REDUCED):
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=both(
                f"`{named}` is imported, an optional part of Windows that this edition does not include by default",
                f"导入了 `{named}`，它是 Windows 的可选组件，这一 Windows 版本默认不带",
            ),
            object=named,
            ask=(f"where {word(named)}",),
            remedies=for_dll(named),
        )
    often = usual(clues, CODE, ask=_ASK, remedies=for_dll("mfplat.dll"))
    if often is not None and often.strength is Strength.KNOWN and clues.has(Trait.SERVER_CORE):
        often = replace(often, strength=Strength.SHOWN)  # the edition is told, and the package needs what it lacks
    return _on_nano_server(clues) or often


def _on_nano_server(clues: Clues) -> Candidate | None:
    """Nano Server is the least of the editions: what is not made for it mostly lacks a part of Windows there."""
    if not clues.has(Trait.NANO_SERVER) or clues.missing or not clues.failed_with(126, 127, 1114):
        return None
    return Candidate(
        code=CODE,
        strength=Strength.KNOWN if clues.failed_with(126) else Strength.SHOWN,
        why=both(
            "Nano Server lacks many parts of Windows that packages import; Server Core images have more of them",
            "Nano Server 缺少许多包所导入的 Windows 组件，Server Core 镜像中则较全",
        ),
        order=(-1, 0),
        ask=_ASK,
        remedies=(
            advise(
                "larger-image",
                "use an image of Server Core (`mcr.microsoft.com/windows/servercore`) or of Windows",
                "改用 Server Core（`mcr.microsoft.com/windows/servercore`）或完整 Windows 的镜像",
            ),
        ),
    )
