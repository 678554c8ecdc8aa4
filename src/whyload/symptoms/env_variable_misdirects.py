"""A text in which a variable of the environment names a folder that is gone or the wrong one."""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
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
)


def explain(clues: Clues) -> Candidate | None:
    """os.add_dll_directory met a folder that is not there, or data that a variable points to are not found."""
    named = next((name for name in _VARIABLES if name in clues.text), None)
    added = clues.said(Said.ADD_DLL_DIRECTORY)
    if added is not None and (clues.failed_with(2, 3, 87, 206, 123, 161, 267) or "FileNotFoundError" in clues.text):
        return _candidate(
            clues,
            Strength.SHOWN,
            named,
            both(
                "a folder that is to be added for the loader does not exist; its name comes from a variable of "
                "the environment",
                "要添加给加载器的文件夹不存在；它的名称来自某个环境变量",
            ),
        )
    driver = clues.said(Said.DRIVER_FUNCTION_MISSING)
    variable = re.search(r"\bNUMBA\w*_CUDA_DRIVER\b", clues.text)
    if driver is not None and variable is not None:
        return _candidate(
            clues,
            Strength.SHOWN,
            variable[0],
            both(
                f"`{variable[0]}` names a library that is not the driver's: it lacks `{driver.symbol}`",
                f"`{variable[0]}` 指向的不是驱动的库：其中没有 `{driver.symbol}`",
            ),
        )
    data = clues.said(Said.DATA_FOLDER)
    if data is not None:
        return _candidate(
            clues,
            Strength.SHOWN,
            named or data.library,
            both(
                f"`{data.library}` is not found where a variable of the environment points",
                f"在环境变量所指的位置找不到 `{data.library}`",
            ),
        )
    if clues.said(Said.CUDA_NOT_LOADED) and named == "CUDA_PATH":
        return _candidate(
            clues,
            Strength.POSSIBLE,
            named,
            both(
                "`CUDA_PATH` is set, and CUDA cannot be loaded from there", "设置了 `CUDA_PATH`，但无法从那里加载 CUDA"
            ),
        )
    return usual(clues, CODE)


def _candidate(clues: Clues, strength: Strength, variable: str | None, why: Message) -> Candidate:
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
                f"改正或删除 `{label}`，然后重新打开终端",
            ),
        ),
    )
