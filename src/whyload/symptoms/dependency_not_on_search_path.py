"""A text that says where the file is, while the loader does not find it; or a package whose libraries lie apart."""

from __future__ import annotations

import re

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, usual, where_is
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Platform, Trait, is_of_torch_itself
from whyload.observe.text.older_search import is_of_3_8, is_of_gcc, loads_with_the_old_search, relies_on_path
from whyload.observe.text.order import works_after_torch
from whyload.observe.text.situation import is_not_found, names_twin
from whyload.observe.text.whereabouts import is_told_where, lie_apart
from whyload.remedies.anywhere import advise
from whyload.remedies.model import Remedy

CODE = "dependency-not-on-search-path"
_NOT_ON_PATH = regular(
    r"(?i)(?:\b(?:in|under|at) ['\"]?[A-Za-z]:\\[^\n;]{1,120}?|"
    r"(?:\b(?:folders?|director(?:y|ies)|dlls|libraries)|\b\w+\\[\w.\\]{1,80})\b(?: (?:is|are|was|were))? (?:still )?)"
    r"\bnot (?:on|in) (?:the )?(?:system )?path\b"
)

_NOT_FOUND = 0xC0000135
"""STATUS_DLL_NOT_FOUND, with which a program ends that lacks a library."""
_BY_PYTHON_PATH = regular(
    r"(?i)(?:\bdlls?\b|\.dll\b|\.so\b|\blibrar(?:y|ies)\b)[^\n;]{0,80}\b(?:PYTHONPATH|sys\.path)\b|"
    r"\b(?:PYTHONPATH|sys\.path)\b[^\n;]{0,60}(?:\bdlls?\b|\.dll\b|\.so\b|\blibrar(?:y|ies)\b|"
    r"[\\/](?:release|debug|bin)\b(?![\\/]python))"
)
"""The folder of a library where only modules are looked for."""
_BUILD_NAME = regular(
    r"[^/@]+$|(?:/private)?/(?:tmp|var/folders)/|/Users/(?:runner/work|travis/build)/|"
    r"[^\n]*/(?:pip-(?:build|install|req-build)-|conda-bld/|_h_env_placehold)"
)
"""Of the linker of macOS, which writes the name of a library as the library itself has it."""

_DRIVER_IS_THERE = regular(
    r"(?i)[\\/]nvml\.dll\b|\bnvidia-smi\b[^.;\n]{0,30}\b(?:works?|runs?|ok|fine|正常)|nvidia-smi 正常"
)
_RELATIVE = regular(r"(?i)\brelative (?:path|folder|director)|相对路径")

_OF_WSL = both(
    "under WSL the driver's libraries are in `/usr/lib/wsl/lib`, and the name without a version is not in the loader's "
    "cache",
    "在 WSL 中，驱动的库位于 `/usr/lib/wsl/lib`，加载器缓存里没有这个不带版本号的名称",
)
_OF_PYWIN32 = regular(r"(?i)(?:pywintypes|pythoncom)\d+\.dll$")


def explain(clues: Clues) -> Candidate | None:
    """Not found, and the text says that it is there, or that a folder was left out of the search."""
    why = _why(clues) if is_not_found(clues) else _by_the_host(clues, None) if clues.said(Said.QT_PLUGIN) else None
    special = _by_relative_path(clues) or _beside_its_folder(clues) or _driver_of_wsl(clues)
    if why is None and special is not None:
        return special
    if why is None:
        often = usual(clues, CODE, ask=(*look(clues), *_where(clues)), remedies=_remedies(clues))
        # what is not installed lies in no other folder either
        absent = (clues.has(Trait.ABSENT) and bool(clues.missing)) or _is_asked_by_its_place(clues)
        return replace(often, strength=Strength.POSSIBLE, order=(9, 0)) if often is not None and absent else often
    return Candidate(
        code=CODE,
        strength=Strength.KNOWN if _may_lack_another(clues) else Strength.SHOWN,
        why=why,
        object=_name(clues),
        ask=(*_where(clues), *look(clues)),
        remedies=_remedies(clues),
    )


def _is_asked_by_its_place(clues: Clues) -> bool:
    """dyld was told the one folder in which the file would be."""
    asked = clues.said(Said.LIBRARY_MISSING)
    return asked is not None and re.match(r" ?@(?:loader|executable)_path/", asked.library or "") is not None


def _by_relative_path(clues: Clues) -> Candidate | None:
    """Error 87: the loader takes no relative path together with the flags that Python 3.8 and later give it."""
    failed = clues.said(Said.IMPORT_FAILED)
    if failed is None or not clues.failed_with(87) or _RELATIVE.search(clues.text) is None:
        return None
    why = both(
        "the module's folder is searched by a relative path, with which Windows loads nothing (error 87): use an "
        "absolute one in `sys.path`",
        "模块所在的目录是以相对路径查找的，Windows 无法据此加载（错误 87）：请在 `sys.path` 中使用绝对路径",
    )
    return Candidate(code=CODE, strength=Strength.KNOWN, why=why, object=failed.module, ask=look(clues))


def _beside_its_folder(clues: Clues) -> Candidate | None:
    """Bindings of NVML look in the folder of older drivers alone: `Program Files\\NVIDIA Corporation\\NVSMI`.

    Source: gpuopenanalytics/pynvml issue 31, nicolargo/nvidia-ml-py3 pull request 2.
    """
    sought = clues.said(Said.NO_DRIVER)
    if sought is None or "nvml" not in sought.text.lower() or clues.platform is not Platform.WINDOWS:
        return None
    there = "driver" in clues.cuda or _DRIVER_IS_THERE.search(clues.text) is not None
    why = both(
        "the driver is installed, but newer ones put `nvml.dll` into System32, and older bindings look in "
        "`NVIDIA Corporation\\NVSMI` alone",
        "驱动已安装，但新版驱动把 `nvml.dll` 放在 System32 中，而旧的绑定只在 `NVIDIA Corporation\\NVSMI` 中查找",
    )
    return Candidate(
        code=CODE,
        strength=Strength.SHOWN if there and not clues.has(Trait.NO_DRIVER) else Strength.POSSIBLE,
        why=why,
        object="nvml.dll",
        ask=("nvidia-smi", *where_is(clues, "nvml.dll")),
    )


def _driver_of_wsl(clues: Clues) -> Candidate | None:
    """A program opens the driver itself, by the name without a version. Source: NVIDIA/cuda-python issue 17."""
    sought = clues.said(Said.NO_DRIVER)
    if sought is None or not clues.has(Trait.WSL) or clues.has(Trait.NO_DRIVER):
        return None
    if "libcuda" not in sought.text.lower() or clues.missing:
        return None
    return Candidate(
        code=CODE, strength=Strength.SHOWN, why=_OF_WSL, object="libcuda.so", ask=("ls -l /usr/lib/wsl/lib",)
    )


def _may_lack_another(clues: Clues) -> bool:
    """Windows' error 126 for a DLL that is there mostly means that one is absent which it needs."""
    coded = clues.said(Said.LIBRARY_MISSING)
    by_path = coded is not None and re.search(r"[\\/]", coded.file or coded.library or "") is not None
    return clues.platform is Platform.WINDOWS and coded is not None and coded.number == 126 and by_path


def _why(clues: Clues) -> Message | None:
    name = _name(clues)
    return _by_the_host(clues, name) or _told(clues, name)


def _by_the_host(clues: Clues, name: str | None) -> Message | None:
    """What starts or hosts Python searches other folders."""
    if clues.has(Trait.WSL) and name and name_library(name).family is Family.NVIDIA_DRIVER:
        return _OF_WSL
    if clues.has(Trait.NOT_ACTIVATED, Trait.OTHER_SHELL):
        return _started_otherwise(clues)
    if clues.has(Trait.EMBEDDED) and clues.has(Trait.ALONE) and not clues.has(Trait.DEBUG_PYTHON):
        return both(
            "it works in a plain interpreter: the host program searches its own folder, not that of `python.exe`",
            "在普通解释器中正常：宿主程序搜索的是它自己的目录，而不是 `python.exe` 所在的目录",
        )
    if name and _OF_PYWIN32.match(name) and not clues.has(Trait.FROZEN):
        return both(
            f"pywin32 keeps `{name}` in `pywin32_system32`, which is searched only after its start-up code or "
            "post-install script has run (a service runs neither)",
            f"pywin32 把 `{name}` 放在 `pywin32_system32` 中；只有它的启动代码或安装后脚本运行过，才会搜索该目录（以服"
            "务方式启动时两者都不运行）",
        )
    return None


def _told(clues: Clues, name: str | None) -> Message | None:
    """The text says where the file is, or after what the import works."""
    if clues.missing and not names_twin(clues, clues.missing[-1]) and is_told_where(clues):
        return both(
            f"the text says where {_label(name)} is, but the loader does not find it: that folder is not searched",
            f"文中给出了{_label_zh(name)}的位置，而加载器没有找到它：那个目录不在搜索范围内",
        )
    if clues.platform is Platform.MACOS and _is_of_a_build(clues):
        return both(
            f"{_label(name)} is asked for by a name without a folder, or by that of the folder in which it was built: "
            "the loader looks there and nowhere else (`install_name_tool -change` mends it)",
            f"引用{_label_zh(name)}时没有写目录，或写的是构建时的目录：加载器只会去那里找"
            "（可用 `install_name_tool -change` 修正）",
        )
    if _BY_PYTHON_PATH.search(clues.text):
        return both(
            "the library's folder is on `PYTHONPATH` or `sys.path`: these lead Python to modules, not the loader to "
            "libraries",
            "库所在的目录在 `PYTHONPATH` 或 `sys.path` 中：它们只用来查找 Python 模块，加载器不会据此查找库",
        )
    failed = clues.said(Said.IMPORT_FAILED, Said.LOADLIBRARY_FAILED) is not None and not clues.missing
    of_a_file = clues.said(Said.FILE_OR_DEPENDENCY) is not None and not clues.missing
    if (failed or of_a_file) and not is_of_torch_itself(clues) and works_after_torch(clues.text):
        return both(
            "it works once torch has been imported, whose libraries are then in the process: otherwise their folder is "
            "not searched",
            "先导入 torch 就正常：那时它的库已在进程中；否则不会搜索它们所在的目录",
        )
    if clues.has(Trait.FOLDER_HELPS) and not clues.has(Trait.FROZEN):
        return both(
            f"it loads once the folder of {_label(name)} is searched, or a copy lies in a folder that is",
            f"一旦搜索{_label_zh(name)}所在的目录，或把它复制到会被搜索的目录，就能加载",
        )
    told = (failed and clues.failed_with(126)) or (not clues.missing and _NOT_FOUND in clues.statuses)
    if lie_apart(clues) or (told and _NOT_ON_PATH.search(clues.text)):
        return both(
            "the text says where the libraries lie that it needs: a folder that is not searched unless the program "
            "adds it",
            "文中说明了它所需的库在哪个目录：除非程序自己添加，否则不会搜索那里",
        )
    if clues.platform is Platform.LINUX and clues.said(Said.CUDA_NOT_LOADED) and clues.has(Trait.FILE_IS_THERE):
        return both(
            "the text says where CUDA is, but the program does not find it: that folder is not searched",
            "文中说明了 CUDA 的位置，而程序没有找到它：那个目录不在搜索范围内",
        )
    return _since_path_is_not_searched(clues) if is_of_3_8(clues) else None


def _is_of_a_build(clues: Clues) -> bool:
    """The install name of a library that was not meant to stay: relative, or in the folder of a build."""
    said = clues.said(Said.LIBRARY_MISSING)
    if said is None or said.library is None or not said.text.startswith("Library not loaded"):
        return False  # what a program asks for by its bare name is looked for in all folders that are searched
    return _BUILD_NAME.match(said.library) is not None


def _since_path_is_not_searched(clues: Clues) -> Message | None:
    if loads_with_the_old_search(clues):
        return both(
            "it loads with a Python before 3.8, or with the search of the old days: otherwise PATH and the current "
            "folder are not searched",
            "在 3.8 之前的 Python 中或恢复旧的搜索方式就能加载：否则不会搜索 PATH 和当前目录",
        )
    if is_of_gcc(clues):
        return both(
            "it was built with GCC, whose libraries (`libstdc++-6.dll`, `libgcc_s_seh-1.dll`) lie in the compiler's "
            "folder: Python 3.8 and later do not search PATH for them",
            "它由 GCC 构建，其运行库（`libstdc++-6.dll`、`libgcc_s_seh-1.dll`）位于编译器的目录中，"
            "而 Python 3.8 及以后不再通过 PATH 查找它们",
        )
    if relies_on_path(clues):
        return both(
            "libraries that were built or installed apart from the package rely on PATH, which Python 3.8 and later "
            "do not search for the dependencies of extension modules",
            "单独构建或安装的库要靠 PATH 才能找到，而 Python 3.8 及以后查找扩展模块的依赖时不再搜索 PATH",
        )
    return None


def _started_otherwise(clues: Clues) -> Message:
    """The variables that lead to the libraries are not set where the program is started."""
    if clues.mentions("setupvars", "setvars"):
        return both(
            "the script that makes the folders of the libraries known (`setupvars`, `setvars`) was not run there",
            "没有运行让库目录生效的脚本（`setupvars`、`setvars`）",
        )
    if clues.has(Trait.NOT_ACTIVATED):
        return both(
            "the conda environment is not activated, so the folder with its libraries is not searched",
            "conda 环境没有激活，因此不会搜索它的库目录",
        )
    return both(
        "it works when started from a terminal, but not otherwise: only the terminal has the settings that lead to "
        "the library (`LD_LIBRARY_PATH`, `PATH`, an activated environment)",
        "从终端启动正常，换一种方式启动就不行：只有终端里有能找到该库的设置（`LD_LIBRARY_PATH`、`PATH` 或已激活的环境"
        "）",
    )


def _name(clues: Clues) -> str | None:
    return clues.missing[-1] if clues.missing else None


def _label(name: str | None) -> str:
    return f"`{name}`" if name else "the file"


def _label_zh(name: str | None) -> str:
    return f" `{name}` " if name else "该文件"


def _where(clues: Clues) -> tuple[str, ...]:
    name = _name(clues)
    return where_is(clues, name) if name else ()


def _remedies(clues: Clues) -> tuple[Remedy, ...]:
    if clues.platform is Platform.LINUX:
        return (
            advise(
                "library-path",
                "set the library's folder before starting the program",
                "启动程序之前先指定库所在的目录",
                'LD_LIBRARY_PATH="FOLDER:$LD_LIBRARY_PATH" python PROGRAM.py',
            ),
        )
    if clues.has(Trait.CONDA, Trait.NOT_ACTIVATED):
        return (
            advise(
                "activate-environment",
                "activate the conda environment before starting Python",
                "先激活 conda 环境，再启动 Python",
                "conda activate NAME",
            ),
        )
    if clues.concerns("pywin32"):
        return (
            advise(
                "pywin32-postinstall",
                "run pywin32's post-install script, or reinstall it",
                "运行 pywin32 的安装后脚本，或重新安装",
                "python -m pip install --force-reinstall pywin32",
            ),
        )
    return (
        advise(
            "add-dll-directory",
            "in the program, add the library's folder before the import",
            "在程序中、导入之前，添加库所在的目录",
            'import os; os.add_dll_directory(r"FOLDER")',
        ),
    )
