"""What ld.so and dyld say of functions, and of versions of functions, that another copy would have."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Found, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Platform, Trait

_SYSTEM_LIBRARY = regular(r"^/(?:usr/(?:local/)?)?lib")
_EXPECTED = regular(
    r"Referenced from: (?:<[^>\n]*> )?'?(?P<asking>/[^'\n]+)'?\n\s*"
    r"Expected in:\s{1,8}(?:<[^>\n]*> )?'?(?P<found>/[^'\n]+)"
)
_OF_MACOS = ("/usr/lib/", "/System/")
_PROGRAM = regular(r"/[^\n]{0,80}?\.app/")
_ONLY_OF_MACOS = regular(r"lib(?:System|c\+\+|objc|dispatch)|/System/Library/Frameworks/(?!ImageIO)")
"""Parts of macOS that nobody else brings: what they lack, a newer macOS has."""
_SYSTEM_PROGRAM = regular(
    r"/usr/(?:lib|libexec)/(?!python|R/|jvm)[\w.+-]{1,40}/(?:[\w.+-]{1,40}/){0,3}(?!\w*python)[a-z][\w+-]{0,40}$"
)
"""Programs of the distribution that lie beside their own files: `/usr/lib/git-core`, `/usr/lib/postgresql/14/bin`."""
_MKL_SYMBOL = regular(r"mkl_\w|MKL_\w")
_INTEL_SYMBOL = regular(r"_*(?:iJIT_|itt_|mkl_|MKL_|kmpc_|__itt)\w")
_ONEAPI = regular(r"/setvars\.sh|/opt/intel/[^\s:]*(?:lib|mkl)")
_PREFIX = regular(
    r"(?:/usr/local/(?:opt|Cellar)|/opt/homebrew|/opt/local)(?=/)|/[^\n]{0,150}?/(?:ana|mini)conda\d?(?=/)|"
    r"/[^\n]{0,150}?/(?:mini|mamba)forge\d?(?=/)"
)
"""What brings libraries of its own on macOS: Homebrew, MacPorts, a conda."""
_OWN_SYMBOL = regular(r"_*Py[A-Z_]|_ZNK?(?:2at|3c10|5torch|6caffe2|5boost6python)")
"""Of Python, of torch, of Boost.Python: what lacks one of these was built for another of them."""
_OF_A_PROGRAM = regular(r"(?i)/matlab(?:[_/]|\.app)[^\n]*/|/snap/|/\.mount_|/[\w -]+\.app/Contents/")
_COMMAND = regular(r"(?:/(?:usr/)?s?bin/)?(?!python)[a-z][\w+-]{0,30}$")
"""A program of the system: it fits the libraries of the system, whatever starts it."""
_LIBRARY_PATH = regular(
    r"(?i)\b(?:DY)?LD_LIBRARY_PATH['\"]?(?:=|: ?| is | was | set to ){1,2}['\"]?(/[^\s:;,'\"]{2,200})"
)
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
        program = _PROGRAM.match(found)
        of_a_program = program is not None and not asking.startswith(program[0])
        sides = found.startswith(_OF_MACOS) != asking.startswith(_OF_MACOS) and not _ONLY_OF_MACOS.search(found)
        if sides or of_a_program or _is_of_another_prefix(asking, found):
            why = both(
                f"`{asking}` was bound to `{found}`, a copy of the other side that lacks the function",
                f"`{asking}` 绑定到了 `{found}`，而那是另一处的副本，其中没有这个函数",
            )
            return Strength.SHOWN, why, found
    return None


def _is_of_another_prefix(asking: str, found: str) -> bool:
    """Whether one of Homebrew, MacPorts and conda asks, and another of them answers."""
    own, other = _PREFIX.match(asking), _PREFIX.match(found)
    if own is None or other is None:
        return False
    brewed = ("/usr/local/opt", "/usr/local/Cellar", "/opt/homebrew")
    return own[0] != other[0] and not (own[0] in brewed and other[0] in brewed)


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
        library = _SYSTEM_LIBRARY.match(file) and re.search(r"/lib[^/]+\.so[.\d]*$", file) and "python" not in file
        if library or _SYSTEM_PROGRAM.match(file):
            why = both(
                f"`{file}` belongs to the system and fits the system's own libraries: another copy of one of them is "
                "loaded first (from conda, from LD_LIBRARY_PATH, or by the host program)",
                f"`{file}` 是系统自带的，与系统自己的库相匹配：先加载的是其中某个库的另一份副本（来自 conda、"
                "LD_LIBRARY_PATH 或宿主程序）",
            )
            brought = clues.has(Trait.CONDA, Trait.EMBEDDED, Trait.FROZEN) or clues.mentions("ld_library_path")
            return Strength.SHOWN if brought else Strength.KNOWN, why, file
    return None


def other_mkl(clues: Clues) -> Found | None:
    """MKL's libraries are of one release each: one that lacks a function of another was bound to a second MKL."""
    for saying in clues.all_said(Said.UNDEFINED_SYMBOL):
        if _INTEL_SYMBOL.match(saying.symbol or "") and _ONEAPI.search(clues.text):
            why = both(
                f"`{saying.symbol}` is of Intel's libraries, and oneAPI's release of them is on the search path",
                f"`{saying.symbol}` 属于英特尔的库，而搜索路径上有它们的另一个版本（oneAPI 的）",
            )
            return Strength.SHOWN, why, saying.file
        if _MKL_SYMBOL.match(saying.symbol or "") and "/libmkl" in (saying.file or ""):
            why = both(
                f"`{saying.file}` asks for `{saying.symbol}`, which another part of MKL of the same release has: parts "
                "of two MKL meet in one process",
                f"`{saying.file}` 需要 `{saying.symbol}`，它在同一版 MKL 的另一个库中：同一进程里混用了两份 MKL",
            )
            return Strength.SHOWN, why, saying.file
    return None


def of_another_program(clues: Clues) -> Found | None:
    """A function is absent, and the text tells what brought a foreign copy: a host, an import before, a variable."""
    lacking = [one for one in clues.all_said(Said.UNDEFINED_SYMBOL) if not _OWN_SYMBOL.match(one.symbol or "")]
    if not lacking or clues.platform is Platform.WINDOWS:
        return None
    expected = _EXPECTED.search(clues.text)
    if expected is not None and _ONLY_OF_MACOS.search(expected["found"]):
        return None
    file = lacking[-1].file or ""
    brought = clues.has(Trait.OTHER_FIRST, Trait.ALONE_WORKS, Trait.TWO_COPIES, Trait.FOLDER_HELPS)
    hosted = clues.has(Trait.EMBEDDED) and not clues.has(Trait.BUILT_HERE)
    bundled = clues.has(Trait.FROZEN) and _COMMAND.match(file) is not None
    if not (brought or hosted or bundled or _OF_A_PROGRAM.search(file) or _leads_elsewhere(clues, file)):
        return None
    why = both(
        f"`{lacking[-1].symbol}` is not in the copy of the library that is loaded: another program, or a package "
        "imported before, brings its own",
        f"已加载的那份库中没有 `{lacking[-1].symbol}`：另一个程序或先导入的包带来了它自己的一份",
    )
    return Strength.SHOWN, why, file or None


def _leads_elsewhere(clues: Clues, file: str) -> bool:
    """A variable of the loader is set to a folder outside of the environment that the file belongs to."""
    folder = _LIBRARY_PATH.search(clues.text)
    prefix = re.match(r"(/.{1,200}?)/(?:lib|lib64|bin)/", file)
    if folder is None or prefix is None:
        return folder is not None and _COMMAND.match(file) is not None
    return not folder[1].startswith(prefix[1])


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
