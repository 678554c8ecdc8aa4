"""A text that names a DLL of the Visual C++ runtime as absent, or fails as packages without it do."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.observe.text.clues import Clues, Platform, Trait
from whyload.observe.text.order import works_after_a_runtime
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import for_dll

CODE = "missing-vc-runtime"
_ASK = ("where /R C:\\ msvcp140.dll", "where /R C:\\ vcruntime140_1.dll")


def _universal_crt(clues: Clues) -> NamedLibrary | None:
    """The universal C runtime is part of Windows 10 and comes with the redistributable before it."""
    lacking = (saying.library or "" for saying in clues.all_said(Said.ENTRY_POINT_MISSING))
    names = (name for name in (*reversed(clues.missing), *lacking) if name.lower().startswith("api-ms-win-crt-"))
    return next(map(name_library, names), None)


def explain(clues: Clues) -> Candidate | None:
    """The runtime is named, a side-by-side assembly of it is, or the failure is of the usual kind."""
    library = missing(clues, Family.VC_RUNTIME) or _universal_crt(clues)
    if library is not None and clues.has(Trait.RUNTIME_INSTALLED) and clues.failed_with(1114):
        return stated_missing(clues, CODE, library, strength=Strength.POSSIBLE)  # torch guesses so: see the remark
    if library is not None and not clues.has(Trait.FROZEN):
        return stated_missing(clues, CODE, library, strength=Strength.SHOWN)
    if library is not None:
        return stated_missing(clues, CODE, library)
    if clues.said(Said.SIDE_BY_SIDE) or clues.failed_with(14001, 14003):
        return Candidate(
            code=CODE,
            strength=Strength.STATED,
            why=both(
                "a side-by-side assembly is missing: usually the Visual C++ 2005 or 2008 runtime",
                "缺少并行程序集：多半是 Visual C++ 2005 或 2008 运行库",
            ),
            ask=("sxstrace.exe Trace -logfile:sxs.etl",),
            remedies=for_dll("msvcr90.dll"),
        )
    if (
        clues.has(Trait.RUNTIME_ABSENT, Trait.RUNTIME_HELPS)
        and not clues.missing
        and is_not_found(clues)
        and not clues.has(Trait.FROZEN, Trait.DEBUG_BUILD)
    ):
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=both(
                "something is not found, and the text says that the Visual C++ runtime is not there, or that it helps",
                "加载时有文件找不到，而文中说明没有安装 Visual C++ 运行库，或安装后就正常",
            ),
            object="msvcp140.dll",
            ask=(*look(clues), *_ASK),
            remedies=for_dll("msvcp140.dll", conda=clues.has(Trait.CONDA)),
        )
    if clues.platform is not Platform.LINUX and _lent_by_another(clues):
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=both(
                "it works once a package has been imported that brings `msvcp140.dll` along: a library that is in the "
                "process already is not looked for again",
                "先导入自带 `msvcp140.dll` 的包就正常：已在进程中的库不会再去查找",
            ),
            object="msvcp140.dll",
            ask=(*look(clues), *_ASK),
            remedies=for_dll("msvcp140.dll", conda=clues.has(Trait.CONDA)),
        )
    often = _usual(clues)
    if often is not None and clues.has(Trait.RUNTIME_INSTALLED):  # perhaps an older one, or of the other architecture
        return replace(often, strength=Strength.POSSIBLE, order=(often.order[0], max(2, often.order[1])))
    return often


def _lent_by_another(clues: Clues) -> bool:
    anonymous = not clues.missing and is_not_found(clues) and not clues.has(Trait.FROZEN)
    return anonymous and works_after_a_runtime(clues.text)


def _usual(clues: Clues) -> Candidate | None:
    """The runtime that this package usually lacks: of some an older one than the current."""
    often = usual(clues, CODE)
    if often is None:
        return None
    current = often.object in (None, "msvcp140.dll")
    dll = often.object or "msvcp140.dll"
    ask = _ASK if current else (f"where /R C:\\ {dll}",)
    return replace(often, ask=(*look(clues), *ask), remedies=for_dll(dll, conda=clues.has(Trait.CONDA)))
