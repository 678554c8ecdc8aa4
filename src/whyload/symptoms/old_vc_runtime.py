"""A text of a process that dies in an old C++ runtime, or of a function that an old one lacks."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import for_dll

CODE = "old-vc-runtime"
_ASK = ("where /R C:\\ msvcp140.dll",)


def explain(clues: Clues) -> Candidate | None:
    """The crash is in msvcp140.dll, a function of the runtime is absent, or a release is known to need a newer one."""
    remedies = for_dll("msvcp140.dll", conda=clues.has(Trait.CONDA))
    lacking = clues.said(Said.ENTRY_POINT_MISSING)
    if lacking is not None and lacking.library and name_library(lacking.library).family is Family.VC_RUNTIME:
        name = name_library(lacking.library).name
        why = both(
            f"`{name}` lacks `{lacking.symbol}`: it is older than the program needs",
            f"`{name}` 中没有 `{lacking.symbol}`：它比程序需要的版本旧",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=name, ask=_ASK, remedies=remedies)
    crash = clues.said(Said.CRASH)
    if crash is not None and crash.library and name_library(crash.library).family is Family.VC_RUNTIME:
        why = both(
            f"the process crashed in `{crash.library}`, as code built with MSVC 14.40 or newer does with an older "
            "runtime",
            f"进程在 `{crash.library}` 中崩溃：用 MSVC 14.40 或更新版本构建的代码遇到旧运行库时就会这样",
        )
        return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=crash.library, ask=_ASK, remedies=remedies)
    return usual(clues, CODE, ask=(*look(clues), *_ASK), remedies=remedies)
