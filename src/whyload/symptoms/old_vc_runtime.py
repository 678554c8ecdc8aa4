"""A text of a process that dies in an old C++ runtime, or of a function that an old one lacks."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, look, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.situation import has_crashed
from whyload.remedies.anywhere import for_dll

CODE = "old-vc-runtime"
_RUNTIME = regular(r"(?i)\b(?:msvcp140|vcruntime140|concrt140)\w{0,20}(?:\.dll)?\b")
_CRASH = regular(r"(?i)\bcrash|崩溃|闪退")
_SILENT = regular(
    r"(?i)\b(?:ends|exits|closes|quits|dies|stops|terminates|disappears|vanishes|crash\w*) (?:\w+ ){0,3}"
    r"(?:without|with no) (?:a |an |any )?(?:error|message|traceback|output|word)|"
    r"\bsilently (?:end|exit|crash|quit|die|clos)|beendet sich [^\n.]{0,20}ohne|se cierra sin|se ferme sans|"
    r"fecha sem|si chiude senza|закрывается без|(?:没有|无)(?:任何)?(?:报错|提示|错误信息)|"
    r"何も(?:出力|表示)(?:せず|されず)"
)
"""A program that is gone without a word."""
_TAKEN_AWAY = regular(
    r"(?i)\b(?:renam|delet|remov|mov)\w{1,5} [^\n.]{0,40}?(msvcp140\w{0,9}\.dll)|"
    r"(msvcp140\w{0,9}\.dll) [^\n.]{0,30}?\b(?:renam|delet|remov)\w{2,4}"
)
_RELEASE = regular(r"(?<![\d.])14\.(\d\d)(?:\.\d{3,5})?(?![\d])")
_CONSTEXPR_MUTEX = 40
"""From MSVC 14.40 on, code crashes in an older runtime (github.com/microsoft/STL/wiki/Changelog, VS 2022 17.10)."""
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
    found = _told_by_versions(clues) or _told_by_the_cure(clues)
    if found is not None:
        strength, why, runtime = found
        return Candidate(code=CODE, strength=strength, why=why, object=runtime, ask=_ASK, remedies=remedies)
    return usual(clues, CODE, ask=(*look(clues), *_ASK), remedies=remedies)


def _told_by_versions(clues: Clues) -> Found | None:
    """A crash or a failed start, and a C++ runtime told of whose version is below the one that newer code needs."""
    runtime = _RUNTIME.search(clues.text)
    releases = {int(match[1]) for match in _RELEASE.finditer(clues.text)}
    old = [release for release in releases if release < _CONSTEXPR_MUTEX]
    if runtime is None or not old or not _died(clues):
        return None
    name = runtime[0].lower().removesuffix(".dll") + ".dll"
    why = both(
        f"it fails where `{name}` 14.{min(old)} is loaded, and code built with MSVC 14.{_CONSTEXPR_MUTEX} or newer "
        "needs a newer one",
        f"加载的是 14.{min(old)} 版的 `{name}`，而用 MSVC 14.{_CONSTEXPR_MUTEX} 或更新版本构建的代码需要"
        "更新的运行库，因此出错",
    )
    return Strength.SHOWN if len(old) < len(releases) else Strength.KNOWN, why, name


def _died(clues: Clues) -> bool:
    return bool(
        clues.failed_with(1114) or has_crashed(clues) or _CRASH.search(clues.text) or _SILENT.search(clues.text)
    )


def _told_by_the_cure(clues: Clues) -> Found | None:
    """A start that fails, and does not where another C++ runtime was installed."""
    copy = _TAKEN_AWAY.search(clues.text)
    if copy is not None and (clues.failed_with(1114) or has_crashed(clues) or _CRASH.search(clues.text)):
        name = copy[1] or copy[2]
        why = both(
            f"it crashes, and no longer does where another program's copy of `{name}` is taken away",
            f"程序会崩溃，而移走另一个程序自带的 `{name}` 后就正常",
        )
        return Strength.SHOWN, why, name
    if not clues.has(Trait.RUNTIME_HELPS) or not clues.failed_with(1114):
        return None
    why = both(
        "the start of a library fails, and the text says that it works with another Visual C++ runtime",
        "库初始化失败，而文中说明换装 Visual C++ 运行库后就正常",
    )
    return Strength.SHOWN, why, "msvcp140.dll"
