"""A text in which another copy of a library than the right one answers."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, look, usual
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said, Saying
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Platform, Trait, is_outside_of_windows
from whyload.observe.text.situation import has_crashed
from whyload.remedies.anywhere import advise, word
from whyload.remedies.model import Remedy

CODE = "path-shadowing"
_SYSTEM_LIBRARY = regular(r"^/(?:usr/(?:local/)?)?lib")
_EXPECTED = regular(
    r"Referenced from: (?:<[^>\n]*> )?(?P<asking>/[^\n]+)\n\s*Expected in: (?:<[^>\n]*> )?(?P<found>/[^\n]+)"
)
_OF_MACOS = ("/usr/lib/", "/System/")
_ONLY_OF_MACOS = regular(r"lib(?:System|c\+\+|objc|dispatch)|/System/Library/Frameworks/(?!ImageIO)")
"""Parts of macOS that nobody else brings: what they lack, a newer macOS has."""
_LIBC = regular(r"GLIBC|FBSD|CXXABI|GCC_|GOMP_")
_MKL_SYMBOL = regular(r"mkl_\w|MKL_\w")
_CUDA_SYMBOL = regular(r"^(?:__)?nvJitLink|^cu(?:blas|sparse|dnn|fft|solver)[A-Z_]|^nccl[A-Z]|^cudnn", re.IGNORECASE)

_LIBRARY_PATH_OF_CUDA = regular(
    r"(?i)LD_LIBRARY_PATH\W{1,4}[^\n]{0,400}?(/[^\s:;'\"]{0,200}?(?:cuda|hpc_sdk|nvidia)[^\s:;'\"]{0,200})"
)

_PRELOAD = regular(
    r"\bLD_PRELOAD[=:] ?['\"]?[^\s:'\"]{0,200}?(lib(?!jemalloc|tcmalloc|mimalloc|\w?san)[\w+-]{1,60}\.so[.\d]*)"
)


def explain(clues: Clues) -> Candidate | None:
    """The message shows that a foreign copy was bound: another onnxruntime, libstdc++, Qt, CUDA, OpenSSL."""
    found = (
        _other_onnxruntime(clues)
        or _other_libstdcxx(clues)
        or _other_cuda(clues)
        or _other_mkl(clues)
        or _cuda_of_the_library_path(clues)
        or _other_release(clues)
        or _versioned(clues)
        or _of_the_host(clues)
        or _runtime_aside(clues)
        or _expected_elsewhere(clues)
        or _of_another_environment(clues)
        or _system_library_lacks(clues)
        or _other_qt(clues)
        or _named_twice(clues)
        or _by_order(clues)
        or _preloaded(clues)
    )
    if found is not None:
        strength, why, name = found
        return Candidate(
            code=CODE, strength=strength, why=why, object=name, ask=_ask(clues, name), remedies=_remedies(clues)
        )
    return usual(clues, CODE, ask=_ask(clues, None))


def _versioned(clues: Clues) -> Found | None:
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


def _expected_elsewhere(clues: Clues) -> Found | None:
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


def _runtime_aside(clues: Clues) -> Found | None:
    """The C runtime of 2005 or 2008 was found in a folder of PATH, or of the host, instead of by its manifest."""
    if clues.said(Said.CRT_LOADED_ASIDE) is None:
        return None
    why = both(
        "a `msvcr90.dll` (or `msvcr80.dll`) that lies in a folder of PATH or of the host program is loaded without its "
        "manifest, which that runtime refuses",
        "PATH 或宿主程序目录中的 `msvcr90.dll`（或 `msvcr80.dll`）在没有清单的情况下被加载，而该运行库拒绝这样加载",
    )
    return Strength.KNOWN, why, "msvcr90.dll"


def _of_the_host(clues: Clues) -> Found | None:
    """In the plain interpreter it works: within the host, its copy of a library is loaded already."""
    hosted = clues.has(Trait.EMBEDDED) and clues.has(Trait.ALONE, Trait.OTHER_SHELL)
    if hosted and (clues.said(Said.UNDEFINED_SYMBOL, Said.SYMBOL_VERSION) or clues.failed_with(127, 182)):
        why = both(
            "it works in a plain interpreter: the host program has already loaded its own copy of the library",
            "在普通解释器中正常：宿主程序已先加载了它自己的那份库",
        )
        return Strength.SHOWN, why, None
    return None


def _of_another_environment(clues: Clues) -> Found | None:
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


def _system_library_lacks(clues: Clues) -> Found | None:
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


def _other_release(clues: Clues) -> Found | None:
    saying = clues.said(Said.OTHER_VERSION)
    if saying is None:
        return None
    why = both(
        f"the `{saying.library}` that is found is not the release that it was built with",
        f"找到的 `{saying.library}` 与构建时所用的版本不同",
    )
    return Strength.SHOWN, why, saying.library


def _other_onnxruntime(clues: Clues) -> Found | None:
    if clues.said(Said.OTHER_ONNXRUNTIME) is None:
        return None
    why = both(
        "an `onnxruntime.dll` older than the package's own is loaded, usually the one that Windows has in System32",
        "实际加载的 `onnxruntime.dll` 比该包自带的旧，多半是 Windows 的 System32 里的那个",
    )
    return Strength.DECISIVE if clues.platform is Platform.WINDOWS else Strength.SHOWN, why, "onnxruntime.dll"


def _other_libstdcxx(clues: Clues) -> Found | None:
    """The process has the system's libstdc++, and what needs a newer one lies in an environment that brings its own."""
    for saying in clues.all_said(Said.SYMBOL_VERSION):
        library, needed_by = saying.library or "", saying.needed_by or ""
        if "stdc++" not in library or "/" not in library:
            continue
        if _is_foreign(library, needed_by, clues) or _has_it_elsewhere(clues, saying.version or "GLIBCXX"):
            why = both(
                f"`{library}` is loaded, but the file that needs `{saying.version}` comes from elsewhere: its own "
                "libstdc++ was not the one loaded first",
                f"加载的是 `{library}`，而需要 `{saying.version}` 的文件来自另一处：先加载的不是与它配套的 libstdc++",
            )
            return Strength.SHOWN, why, "libstdc++.so.6"
    return None


_DENIED = regular(r"(?i)\b(?:not|no|only|up to|until|without|lacks?|missing|needs?|required?|older)\b|n't\b")


def _has_it_elsewhere(clues: Clues, version: str) -> bool:
    """Apart from the messages, a line names the version that is not found, as `strings` lists it of another copy."""
    lines = (line for line in clues.text.splitlines() if re.search(rf"{re.escape(version)}(?![\d.])", line))
    return any(not _DENIED.search(line) for line in lines)


_CONDA_PREFIX = regular(r"(?P<prefix>[^'\":,()]*?(?:/envs/[^/]+|conda\d*|forge\d*|mamba\d*|/r-reticulate))(?=/)")


def _conda_prefix(path: str) -> str | None:
    """The folder of the conda environment that a path lies in: of `envs`, or of the installation itself."""
    inner = re.match(r"[^'\":,()]*?/envs/[^/]+(?=/)", path)
    found = inner or _CONDA_PREFIX.match(path)
    return found[0] if found is not None else None


def _is_foreign(library: str, needed_by: str, clues: Clues) -> bool:
    """Whether the file that needs it has a libstdc++ of its own, in its conda environment, or the program of a host."""
    own = _conda_prefix(needed_by)
    if own is not None:
        return own != _conda_prefix(library)
    told = clues.has(Trait.TWO_COPIES, Trait.ALONE_WORKS)
    return told or _conda_prefix(library) is not None or not _SYSTEM_LIBRARY.match(library)


def _other_cuda(clues: Clues) -> Found | None:
    for saying in clues.all_said(Said.UNDEFINED_SYMBOL):
        if saying.symbol and (_CUDA_SYMBOL.search(saying.symbol) or _is_cuda(saying)):
            why = both(
                f"`{saying.symbol}` is a function of a CUDA library, but another version of that library was found "
                "first (through LD_LIBRARY_PATH, or in a system installation)",
                f"`{saying.symbol}` 是 CUDA 库的函数，而先找到的是该库的另一个版本（通过 LD_LIBRARY_PATH，或系统中安装"
                "的）",
            )
            return Strength.SHOWN, why, saying.library or _cuda_library(saying)
    symbol = next((saying for saying in clues.all_said(Said.ENTRY_POINT_MISSING) if saying.number == 127), None)
    if symbol is not None:
        why = both(
            f"the library that is loaded lacks `{symbol.symbol}`: another version of it is found first",
            f"实际加载的库中没有 `{symbol.symbol}`：先找到的是另一个版本",
        )
        return Strength.SHOWN, why, symbol.library
    return None


def _other_mkl(clues: Clues) -> Found | None:
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


def _cuda_of_the_library_path(clues: Clues) -> Found | None:
    """jax, which comes with its own CUDA, did not get along with what it loaded, and a variable leads to another."""
    saying, path = clues.said(Said.CUDA_NOT_LOADED), _LIBRARY_PATH_OF_CUDA.search(clues.text)
    if saying is None or path is None or not clues.concerns("jax"):
        return None
    why = both(
        f"`LD_LIBRARY_PATH` leads to another CUDA (`{path[1]}`), whose libraries are found before those of the wheels",
        f"`LD_LIBRARY_PATH` 指向另一套 CUDA（`{path[1]}`），它的库先于 wheel 自带的库被找到",
    )
    return Strength.SHOWN, why, saying.library


def _is_cuda(saying: Saying) -> bool:
    """The library that lacks the function, or the one that wants it of another, is one of NVIDIA's."""
    named = (name_library(name) for name in (saying.file, saying.library, saying.version) if name and "lib" in name)
    return any(library.family in (Family.CUDA, Family.CUDNN) for library in named)


def _cuda_library(saying: Saying) -> str | None:
    match = re.match(
        r"(?:__)?(nvJitLink|cublas|cusparse|cudnn|cufft|cusolver|nccl)", saying.symbol or "", re.IGNORECASE
    )
    return f"lib{match[1]}.so" if match else None


def _other_qt(clues: Clues) -> Found | None:
    said = clues.all_said(Said.QT_PLUGIN)
    saying = next((one for one in said if one.file), said[-1] if said else None)
    if saying is None:
        return None
    if saying.file and "cv2" in saying.file:
        why = both(
            "Qt looks for its plugins in OpenCV's folder: OpenCV and another package each bundle their own Qt",
            "Qt 在 OpenCV 的目录里寻找插件：OpenCV 与另一个包各自带了 Qt",
        )
        return Strength.SHOWN, why, saying.library
    return (
        (Strength.USUAL, both("the plugins found belong to another Qt", "找到的是另一份 Qt 的插件"), saying.library)
        if saying.found in ("find", "find or load")
        else None
    )


def _named_twice(clues: Clues) -> Found | None:
    """A function is absent from a library that other software brings along too, or two copies are told of."""
    saying = clues.said(Said.ENTRY_POINT_MISSING)
    if saying is not None and saying.library:
        library = name_library(saying.library)
        of_windows = library.family in (Family.WINDOWS, Family.API_SET) and not is_outside_of_windows(saying.library)
        if of_windows or library.family is Family.VC_RUNTIME:
            return None
        if re.search(rf"\b(?:bundled|shipped|own) ['\"`]?{re.escape(library.name)}", clues.text, re.IGNORECASE):
            return None  # the copy is the program's own
        if "site-packages" in saying.library and any(suspect.known for suspect in clues.suspects):
            return None  # the dialog names the file that asks, and of its package it is known what it lacks
        why = both(
            f"`{library.name}` lacks `{saying.symbol}`: another copy of that name is found first",
            f"`{library.name}` 中没有 `{saying.symbol}`：先找到的是另一个同名副本",
        )
        return (
            Strength.SHOWN if _elsewhere(saying) or _is_known(saying) else Strength.STATED,
            why,
            library.name,
        )
    if not (clues.has(Trait.TWO_COPIES) and (clues.failed_with(127, 182) or saying is not None)):
        return None
    why = both(
        "this is the error of a copy from elsewhere, and the text mentions two copies",
        "用到别处的副本时就会这样报错，而文中提到有两份",
    )
    return Strength.SHOWN, why, None


def _preloaded(clues: Clues) -> Found | None:
    """A library that the environment puts first, and a crash: wheels bring their own copy of it."""
    library = _PRELOAD.search(clues.text)
    if library is None or clues.said(Said.CRASH) is None:
        return None
    why = both(
        f"`LD_PRELOAD` puts `{library[1]}` before the copy that the packages bring along",
        f"`LD_PRELOAD` 使 `{library[1]}` 先于软件包自带的那份副本加载",
    )
    return Strength.KNOWN, why, library[1]


def _by_order(clues: Clues) -> Found | None:
    """Only after another import it fails to bind or to start: what that one loaded is used in its stead."""
    bound = clues.failed_with(127, 182, 998, 1114) or clues.said(Said.SYMBOL_VERSION) is not None
    bound = bound or (clues.platform is Platform.WINDOWS and has_crashed(clues) and not clues.mentions("msvcp140"))
    if not (clues.has(Trait.OTHER_FIRST, Trait.ALONE_WORKS) and bound):
        return None
    why = both(
        "the order of the imports matters: a package that is imported earlier has already loaded another copy of a "
        "library of the same name",
        "结果取决于导入顺序：先导入的包已经加载了另一份同名的库",
    )
    return Strength.SHOWN, why, None


def _is_known(saying: Saying) -> bool:
    """The name is one that several parties ship; by its full path in a package, Windows means the file that asks."""
    library = saying.library or ""
    return "site-packages" not in library and name_library(library).family is not None


def _elsewhere(saying: Saying) -> bool:
    """The library that answers lies outside of any Python environment."""
    return bool(saying.library and re.search(r"[\\/]", saying.library) and "site-packages" not in saying.library)


def _ask(clues: Clues, name: str | None) -> tuple[Message | str, ...]:
    if clues.platform is Platform.LINUX:
        return ("LD_DEBUG=libs python PROGRAM.py 2>&1 | grep 'calling init'", 'echo "$LD_LIBRARY_PATH"')
    return (
        *look(clues),
        f"where {word(name)}"
        if name
        else both(
            "which copies of the library does the machine have, and which one is loaded?",
            "本机有几份这个库，加载的是哪一份？",
        ),
    )


def _remedies(clues: Clues) -> tuple[Remedy, ...]:
    if clues.platform is Platform.LINUX:
        return (
            advise(
                "unset-library-path",
                "start without LD_LIBRARY_PATH, or put the environment's own `lib` folder first",
                "不带 LD_LIBRARY_PATH 启动，或把环境自己的 `lib` 目录放在最前",
                "env -u LD_LIBRARY_PATH python PROGRAM.py",
            ),
        )
    return (
        advise(
            "remove-other-copy",
            "remove the other copy's folder from PATH, or load the right file first by its full path",
            "把另一份副本所在的目录从 PATH 中移除，或先用完整路径加载正确的文件",
        ),
    )
