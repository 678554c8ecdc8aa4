"""What ld.so and dyld say of functions, and of versions of functions, that another copy would have."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Found, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait

_SYSTEM_LIBRARY = regular(r"^/(?:usr/(?:local/)?)?lib")
_EXPECTED = regular(
    r"Referenced from: (?:<[^>\n]*> )?(?P<asking>/[^\n]+)\n\s*Expected in: (?:<[^>\n]*> )?(?P<found>/[^\n]+)"
)
_OF_MACOS = ("/usr/lib/", "/System/")
_ONLY_OF_MACOS = regular(r"lib(?:System|c\+\+|objc|dispatch)|/System/Library/Frameworks/(?!ImageIO)")
"""Parts of macOS that nobody else brings: what they lack, a newer macOS has."""
_MKL_SYMBOL = regular(r"mkl_\w|MKL_\w")
_LIBC = regular(r"GLIBC|FBSD|CXXABI|GCC_|GOMP_")
_PRELOAD = regular(
    r"\bLD_PRELOAD[=:] ?['\"]?[^\s:'\"]{0,200}?(lib(?!jemalloc|tcmalloc|mimalloc|\w?san)[\w+-]{1,60}\.so[.\d]*)"
)


def versioned(clues: Clues) -> Found | None:
    """A library without a version of its functions that is neither the C nor the C++ library's."""
    foreign = [saying for saying in clues.all_said(Said.SYMBOL_VERSION) if not _LIBC.match(saying.version or "")]
    for saying in foreign:
        why = both(
            f"`{saying.library}` lacks `{saying.version}`: another release of it is found first",
            f"`{saying.library}` 中没有 `{saying.version}`：先找到的是另一个版本",
        )
        return Strength.SHOWN, why, saying.library
    for saying in clues.all_said(Said.UNDEFINED_SYMBOL):
        if saying.version == "GLIBC_PRIVATE":
            why = both(
                "parts of two builds of the C library meet in one process: the loader of one, and a library of the "
                "other (through LD_LIBRARY_PATH, a snap or an AppImage)",
                "同一进程中混用了两份 C 库的组成部分：一份的加载器和另一份的库（来自 LD_LIBRARY_PATH、snap 或 "
                "AppImage）",
            )
            return Strength.SHOWN, why, saying.file or saying.library
        if saying.version is not None and not _LIBC.match(saying.version):
            why = both(
                f"`{saying.file or 'a library'}` needs `{saying.version}`, but a copy that lacks it is loaded",
                f"`{saying.file or '某个库'}` 需要 `{saying.version}`，而实际加载的是不含它的另一份副本",
            )
            return Strength.SHOWN, why, saying.version
    return None


def expected_elsewhere(clues: Clues) -> Found | None:
    """dyld bound a file of one side to a library of the other: of the system, or of an environment or Homebrew."""
    for match in _EXPECTED.finditer(clues.text):
        asking, found = match["asking"], match["found"]
        if found.startswith(_OF_MACOS) != asking.startswith(_OF_MACOS) and not _ONLY_OF_MACOS.search(found):
            why = both(
                f"`{asking}` was bound to `{found}`, a copy of the other side that lacks the function",
                f"`{asking}` 绑定到了 `{found}`，而那是另一处的副本，其中没有这个函数",
            )
            return Strength.SHOWN, why, found
    return None


def of_another_environment(clues: Clues) -> Found | None:
    """The library that lacks a function lies below another prefix than the package that is imported."""
    packages = {
        path.partition("/lib/python")[0] for path in re.findall(r"/[^\s'\":,()]+?/lib/python\d[\w./-]*", clues.text)
    }
    packages |= {match[0] for match in re.finditer(r"/[^\s'\":,()]{1,200}?/envs/[\w.-]+", clues.text)}
    for saying in clues.all_said(Said.UNDEFINED_SYMBOL):
        prefix = re.match(r"(/.{1,200}?)/lib(?:64)?/lib[^/]+$", saying.file or "")
        if prefix and packages and all(prefix[1] != place.rstrip("/") for place in packages) and "conda" in prefix[1]:
            why = both(
                f"`{saying.file}` belongs to another environment than the imported package",
                f"`{saying.file}` 属于另一个环境，不是导入的包所在的环境",
            )
            return Strength.KNOWN, why, saying.file
    return None


def system_library_lacks(clues: Clues) -> Found | None:
    """A library of the system fits those that it was built with: another copy of one of them came first."""
    for saying in clues.all_said(Said.UNDEFINED_SYMBOL):
        file = saying.file or ""
        if _SYSTEM_LIBRARY.match(file) and re.search(r"/lib[^/]+\.so[.\d]*$", file) and "python" not in file:
            why = both(
                f"`{file}` belongs to the system and fits the system's own libraries: another copy of one of them is "
                "loaded first (from conda, from LD_LIBRARY_PATH, or by the host program)",
                f"`{file}` 是系统自带的，与系统自己的库相匹配：先加载的是其中某个库的另一份副本（来自 conda、"
                "LD_LIBRARY_PATH 或宿主程序）",
            )
            brought = clues.has(Trait.CONDA, Trait.EMBEDDED) or clues.mentions("ld_library_path")
            return Strength.SHOWN if brought else Strength.KNOWN, why, file
    return None


def other_mkl(clues: Clues) -> Found | None:
    """MKL's libraries are of one release each: one that lacks a function of another was bound to a second MKL."""
    for saying in clues.all_said(Said.UNDEFINED_SYMBOL):
        if _MKL_SYMBOL.match(saying.symbol or "") and "/libmkl" in (saying.file or ""):
            why = both(
                f"`{saying.file}` asks for `{saying.symbol}`, which another part of MKL of the same release has: parts "
                "of two MKL meet in one process",
                f"`{saying.file}` 需要 `{saying.symbol}`，它在同一版 MKL 的另一个库中：同一进程里混用了两份 MKL",
            )
            return Strength.SHOWN, why, saying.file
    return None


def preloaded(clues: Clues) -> Found | None:
    """A library that the environment puts first, and a crash: wheels bring their own copy of it."""
    library = _PRELOAD.search(clues.text)
    if library is None or clues.said(Said.CRASH) is None:
        return None
    why = both(
        f"`LD_PRELOAD` puts `{library[1]}` before the copy that the packages bring along",
        f"`LD_PRELOAD` 使 `{library[1]}` 先于软件包自带的那份副本加载",
    )
    return Strength.KNOWN, why, library[1]
