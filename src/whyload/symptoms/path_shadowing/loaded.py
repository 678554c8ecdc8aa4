"""A library that the host program, an earlier import or Windows itself has loaded, or that two packages bring along."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.findings.candidate import Found, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said, Saying
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Platform, Trait, is_of_torch_itself, is_outside_of_windows
from whyload.observe.text.situation import has_crashed

_CRASHES = regular(
    r"(?i)\bcrash(?:es|ed|ing)?\b|stürzt ab|abgestürzt|plante\b|se bloquea|вылетает|падает|崩溃|闪退|落ちる"
)


_FROM_SYSTEM32 = regular(
    r"(?i)(?:loaded|loads|taken|picked up|which loads|uses)\b[^\n]{0,80}?[\\/]system32[\\/]([\w.+-]{2,60}\.dll)"
)


_QT_BINDINGS = regular(r"(?i)\b(pyqt[456]|pyside[26]?)\b")


def runtime_aside(clues: Clues) -> Found | None:
    """The C runtime of 2005 or 2008 was found in a folder of PATH, or of the host, instead of by its manifest."""
    if clues.said(Said.CRT_LOADED_ASIDE) is None:
        return None
    why = both(
        "a `msvcr90.dll` (or `msvcr80.dll`) that lies in a folder of PATH or of the host program is loaded without its "
        "manifest, which that runtime refuses",
        "PATH 或宿主程序目录中的 `msvcr90.dll`（或 `msvcr80.dll`）在没有清单的情况下被加载，而该运行库拒绝这样加载",
    )
    return Strength.KNOWN, why, "msvcr90.dll"


def kept_by_windows(clues: Clues) -> Found | None:
    """An import fails, and a library that is none of Windows' own is told to be taken from System32."""
    if clues.platform is not Platform.WINDOWS or not (
        clues.failed_with(126, 127, 182, 1114) or clues.said(Said.IMPORT_FAILED)
    ):
        return None
    for match in _FROM_SYSTEM32.finditer(clues.text):
        if name_library(match[1]).family in (Family.PACKAGE, Family.OPENMP) and match[1] not in clues.missing:
            why = both(
                f"`{match[1]}` is taken from System32, which is searched before the environment's own folders; it is "
                "no part of Windows",
                f"`{match[1]}` 取自 System32（先于环境自己的目录被搜索），而它并不是 Windows 的一部分",
            )
            return Strength.SHOWN, why, match[1]
    return None


def of_the_host(clues: Clues) -> Found | None:
    """In the plain interpreter it works: within the host, its copy of a library is loaded already."""
    hosted = clues.has(Trait.EMBEDDED) and clues.has(Trait.ALONE, Trait.OTHER_SHELL)
    if hosted and (clues.said(Said.UNDEFINED_SYMBOL, Said.SYMBOL_VERSION) or clues.failed_with(127, 182)):
        why = both(
            "it works in a plain interpreter: the host program has already loaded its own copy of the library",
            "在普通解释器中正常：宿主程序已先加载了它自己的那份库",
        )
        return Strength.SHOWN, why, None
    return None


def other_release(clues: Clues) -> Found | None:
    saying = clues.said(Said.OTHER_VERSION)
    if saying is None:
        return None
    why = both(
        f"the `{saying.library}` that is found is not the release that it was built with",
        f"找到的 `{saying.library}` 与构建时所用的版本不同",
    )
    return Strength.SHOWN, why, saying.library


def other_onnxruntime(clues: Clues) -> Found | None:
    if clues.said(Said.OTHER_ONNXRUNTIME) is None:
        return None
    why = both(
        "an `onnxruntime.dll` older than the package's own is loaded, usually the one that Windows has in System32",
        "实际加载的 `onnxruntime.dll` 比该包自带的旧，多半是 Windows 的 System32 里的那个",
    )
    return Strength.DECISIVE if clues.platform is Platform.WINDOWS else Strength.SHOWN, why, "onnxruntime.dll"


def other_qt(clues: Clues) -> Found | None:
    said = clues.all_said(Said.QT_PLUGIN)
    saying = next((one for one in said if one.file), said[-1] if said else None)
    if saying is None or clues.missing:
        return None
    if saying.file and "cv2" in saying.file:
        why = both(
            "Qt looks for its plugins in OpenCV's folder: OpenCV and another package each bundle their own Qt",
            "Qt 在 OpenCV 的目录里寻找插件：OpenCV 与另一个包各自带了 Qt",
        )
        return Strength.SHOWN, why, saying.library
    bindings = {match.lower() for match in _QT_BINDINGS.findall(clues.text)}
    if len(bindings) > 1:
        names = " and ".join(f"`{name}`" for name in sorted(bindings))
        why = both(
            f"{names} are used together, and each brings its own Qt along",
            f"同时使用了 {names}，它们各自带了一份 Qt",
        )
        return Strength.SHOWN, why, saying.library
    return (
        (Strength.USUAL, both("the plugins found belong to another Qt", "找到的是另一份 Qt 的插件"), saying.library)
        if saying.found in ("find", "find or load")
        else None
    )


def named_twice(clues: Clues) -> Found | None:
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
    bound = clues.failed_with(127, 182) or saying is not None
    if not (clues.has(Trait.TWO_COPIES) and (bound or _crashes(clues))):
        return None
    why = both(
        "this is the error of a copy from elsewhere, and the text mentions two copies",
        "用到别处的副本时就会这样报错，而文中提到有两份",
    )
    return Strength.SHOWN, why, None


def _crashes(clues: Clues) -> bool:
    """It starts and dies, on Windows, where a library of another version is bound."""
    return clues.platform is Platform.WINDOWS and (has_crashed(clues) or _CRASHES.search(clues.text) is not None)


def by_order(clues: Clues) -> Found | None:
    """Only after another import it fails to bind or to start: what that one loaded is used in its stead."""
    bound = clues.failed_with(127, 182, 998, 1114) or clues.said(Said.SYMBOL_VERSION) is not None
    bound = bound or (clues.platform is Platform.WINDOWS and has_crashed(clues) and not clues.mentions("msvcp140"))
    bound = bound or (clues.has(Trait.OTHER_FIRST) and clues.failed_with(126) and is_of_torch_itself(clues))
    bound = bound or (clues.platform in (Platform.LINUX, None) and clues.said(Said.CRASH) is not None)
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
