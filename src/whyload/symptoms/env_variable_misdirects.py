"""A text in which a variable of the environment names a folder that is gone or the wrong one."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Found, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise

CODE = "env-variable-misdirects"
_VARIABLES = (
    "CUDA_PATH",
    "CUDA_HOME",
    "PROJ_LIB",
    "PROJ_DATA",
    "GDAL_DATA",
    "PYTHONHOME",
    "PYTHONPATH",
    "QT_PLUGIN_PATH",
    "QT_QPA_PLATFORM_PLUGIN_PATH",
    "CONDA_PREFIX",
    "JAVA_HOME",
    "TCL_LIBRARY",
    "OPENSSL_CONF",
    "HADOOP_HOME",
    "TK_LIBRARY",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "ROCM_PATH",
    "MKLROOT",
    "GDAL_DRIVER_PATH",
    "GDAL_LIBRARY_PATH",
    "GEOS_LIBRARY_PATH",
    "PYTHONNET_PYDLL",
    "PYSDL2_DLL_PATH",
    "PYTHON_VLC_LIB_PATH",
    "PHONEMIZER_ESPEAK_LIBRARY",
    "LLAMA_CPP_LIB",
    "MAGICK_HOME",
    "NUMBAPRO_NVVM",
    "NUMBAPRO_LIBDEVICE",
)
_LIST_FOR_FOLDER = regular(
    r"""^(?:env\ |set\ |export\ |\$\ )?((?:CUDA|JAVA|HADOOP|MAGICK|ROCM)_(?:HOME|PATH))[ \t]{0,3}[:=][ \t]{0,3}['"]?
    (:/[^\s'":]{1,200}|[^\n'";:]{1,200}:/[^\s'"]{1,200}|[A-Za-z]:\\[^\n'";]{1,200}(?:;[A-Za-z]:\\[^\n'"]{1,200}|\.exe))""",
    re.MULTILINE | re.VERBOSE,
)
"""A variable that is to name one folder holds a list in the manner of PATH, or a file."""

_CHAINED = regular(
    r"(?<![\w/.])(?::|(?:/[\w.+-]{1,60}){1,8}/?:){1,8}(?:/[\w.+-]{1,60}){1,8}/bin/nvcc\b|"
    r"[A-Za-z]:\\[^\n'\":;*?]{1,200};[A-Za-z]:\\[^\n'\":;*?]{1,200}\\bin\\{1,2}nvcc\b"
)
"""A program in a folder whose name is a list: torch puts `bin/nvcc` after whatever CUDA_HOME holds."""

_NO_JAVA = regular(
    r"(?i)\b(?:no|without) (?:java|jre|jdk)\b|\b(?:java|jre|jdk)\b[^.\n]{0,16}\bnot installed\b|没有安装 ?java"
)
_SETTING = regular(
    r"""^(?:env\ |set\ |export\ |\$\ )?([A-Z][A-Z0-9_]{3,40})[ \t]{0,3}[:=][ \t]{0,3}['"]?
    ([A-Za-z]:\\[^\n"';]+|/[^\n"':]+)""",
    re.MULTILINE | re.VERBOSE,
)


def explain(clues: Clues) -> Candidate | None:
    """os.add_dll_directory met a folder that is not there, or data that a variable points to are not found."""
    named = next((name for name in _VARIABLES if name in clues.text), None)
    found = (
        _folder_that_is_gone(clues, named)
        or _not_the_driver(clues)
        or _plugin_of_another(clues, named)
        or _qt_plugins_elsewhere(clues)
        or _leading_astray(clues)
        or _list_for_folder(clues)
        or _data_not_there(clues, named)
        or _cuda_not_there(clues, named)
    )
    return _candidate(*found) if found is not None else usual(clues, CODE)


def _folder_that_is_gone(clues: Clues, named: str | None) -> Found | None:
    if clues.said(Said.ADD_DLL_DIRECTORY) is None or clues.has(Trait.FROZEN):
        return None
    if not clues.failed_with(2, 3, 87, 206, 123, 161, 267) and "FileNotFoundError" not in clues.text:
        return None
    why = both(
        "a folder passed to `os.add_dll_directory` does not exist; its path comes from an environment variable",
        "传给 `os.add_dll_directory` 的目录不存在；它的路径来自某个环境变量",
    )
    return Strength.SHOWN, why, named


def _not_the_driver(clues: Clues) -> Found | None:
    driver = clues.said(Said.DRIVER_FUNCTION_MISSING)
    variable = re.search(r"\bNUMBA\w*_CUDA_DRIVER\b", clues.text)
    if driver is None or variable is None:
        return None
    why = both(
        f"`{variable[0]}` points to a library that is not the driver's: it lacks `{driver.symbol}`",
        f"`{variable[0]}` 指向的不是驱动自带的库：其中没有 `{driver.symbol}`",
    )
    return Strength.SHOWN, why, variable[0]


def _plugin_of_another(clues: Clues, named: str | None) -> Found | None:
    plugin = clues.said(Said.PLUGIN_FAILED)
    if plugin is None:
        return None
    why = both(
        f"GDAL opens `{plugin.file}` because an environment variable points to its folder, which belongs to another "
        "GDAL",
        f"GDAL 之所以打开 `{plugin.file}`，是因为环境变量指向它所在的目录，而该目录属于另一个 GDAL",
    )
    return Strength.SHOWN, why, named or "GDAL_DRIVER_PATH"


def _qt_plugins_elsewhere(clues: Clues) -> Found | None:
    variable = re.search(r"\bQT_(?:QPA_PLATFORM_)?PLUGIN_PATH\b", clues.text)
    if variable is None or clues.said(Said.QT_PLUGIN) is None or clues.has(Trait.FROZEN):
        return None
    why = both(
        f"`{variable[0]}` is set: Qt takes its plugins from there, and they are another Qt's or are not there",
        f"已设置 `{variable[0]}`：Qt 会从那里加载插件，而那里的插件属于另一份 Qt，或者并不存在",
    )
    return Strength.SHOWN, why, variable[0]


def _leading_astray(clues: Clues) -> Found | None:
    leading = _leading_variable(clues)
    if leading is None:
        return None
    name, file = leading
    why = both(
        f"`{file}`, which fails to load, is where `{name}` points",
        f"加载失败的 `{file}` 正位于 `{name}` 所指的位置",
    )
    return Strength.SHOWN, why, name


def _list_for_folder(clues: Clues) -> Found | None:
    """A folder made up of such a value is not there, and nothing below it."""
    setting = _LIST_FOR_FOLDER.search(clues.text)
    chained = _CHAINED.search(clues.text)
    if setting is None and chained is not None and clues.said(Said.BUILD_FAILED, Said.BUILD_TOOL_MISSING):
        why = both(
            f"`CUDA_HOME` has to name one folder, but holds a list: `{chained[0]}`",
            f"`CUDA_HOME` 应当只指向一个目录，而它是一个列表：`{chained[0]}`",
        )
        return Strength.DECISIVE, why, "CUDA_HOME"
    if setting is None or not (is_not_found(clues) or clues.said(Said.CUDA_NOT_LOADED)):
        return None
    name, value = setting.groups()
    why = both(
        f"`{name}` has to name one folder, but its value is `{value.strip()}`",
        f"`{name}` 应当只指向一个目录，而它的值是 `{value.strip()}`",
    )
    return Strength.SHOWN, why, name


def _data_not_there(clues: Clues, named: str | None) -> Found | None:
    data = clues.said(Said.DATA_FOLDER)
    if data is None or (data.library == "JAVA_HOME" and _NO_JAVA.search(clues.text)):
        return None
    if clues.has(Trait.FROZEN) and clues.said(Said.OTHER_VERSION):
        return None  # it is there, and of another release than the library
    why = both(
        f"`{data.library}` is not where an environment variable points",
        f"在环境变量所指的位置找不到 `{data.library}`",
    )
    return Strength.SHOWN, why, named or data.library


def _cuda_not_there(clues: Clues, named: str | None) -> Found | None:
    if named != "CUDA_PATH" or not clues.said(Said.CUDA_NOT_LOADED):
        return None
    why = both("`CUDA_PATH` is set, but CUDA cannot be loaded from there", "已设置 `CUDA_PATH`，但无法从那里加载 CUDA")
    return Strength.POSSIBLE, why, named


def _leading_variable(clues: Clues) -> tuple[str, str] | None:
    """A variable of the list whose value is the file that fails, or the folder that it is looked for in."""
    named = [value for saying in clues.sayings for value in (saying.file, saying.library) if value]
    files = [value for value in named if re.search(r"[\\/]", value)]
    for variable, value in _SETTING.findall(clues.text):
        if variable not in _VARIABLES or variable.endswith("LIBRARY_PATH"):
            continue
        place = value.strip().rstrip("\\/").lower()
        for file in files:
            if file.lower() == place or file.lower().startswith((f"{place}\\", f"{place}/")):
                return variable, file
    return None


def _candidate(strength: Strength, why: Message, variable: str | None) -> Candidate:
    label = variable or "CUDA_PATH"
    return Candidate(
        code=CODE,
        strength=strength,
        why=why,
        object=variable,
        ask=(f"python -c \"import os; print(os.environ.get('{label}'))\"",),
        remedies=(
            advise(
                "correct-variable",
                f"correct or remove `{label}`, then open a new terminal",
                f"更正或删除 `{label}`，然后重新打开终端",
            ),
        ),
    )
