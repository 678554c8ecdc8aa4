"""A failure within a frozen application, or while one is made."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise
from whyload.remedies.model import Remedy

CODE = "frozen-app-missing-file"
_ABSENT = (
    Said.FILE_OR_DEPENDENCY,
    Said.LIBRARY_MISSING,
    Said.NATIVE_MODULE_MISSING,
    Said.BUNDLING_WARNING,
    Said.FROZEN_START_FAILED,
    Said.IMPORT_FAILED,
    Said.ADD_DLL_DIRECTORY,
    Said.QT_PLUGIN,
    Said.TORCH_ABI,
)
_OF_WINDOWS = (Family.API_SET, Family.WINDOWS, Family.WINDOWS_FEATURE, Family.NVIDIA_DRIVER)


def explain(clues: Clues) -> Candidate | None:
    """Something is not found, and the program is a frozen one."""
    said = clues.said(*_ABSENT)
    frozen = clues.has(Trait.FROZEN) or clues.said(Said.FROZEN_START_FAILED) is not None
    if (
        not frozen
        or not (said or clues.failed_with(126))
        or clues.failed_with(87, 127, 182, 193, 998, 1114, 1455, 4551)
    ):
        return None
    name = clues.missing[-1] if clues.missing else (said.module or said.file) if said else None
    if name is not None and name_library(name).family in _OF_WINDOWS:
        listed = clues.said(Said.BUNDLING_WARNING) is not None and name_library(name).family is Family.API_SET
        if not listed or clues.has(Trait.OLD_WINDOWS) or not clues.said(Said.IMPORT_FAILED, Said.FILE_OR_DEPENDENCY):
            return None
        name = None  # an API set is no file: freezers call every one of them missing
    label = f"`{name}`" if name else None
    weaker = (not clues.missing and _is_of_the_edition(clues)) or clues.failed_with(14001)
    weaker = weaker or (clues.has(Trait.OLD_WINDOWS) and clues.has(Trait.NEWER_WINDOWS_WORKS))
    return Candidate(
        code=CODE,
        strength=Strength.KNOWN if weaker else Strength.SHOWN,
        order=(1, 0) if weaker else (0, 0),
        why=both(
            f"the program is a frozen application, and {label or 'a file that it needs'} is not found in it",
            f"这是打包后的程序，而其中找不到{f' {label}' if label else '所需的文件'}",
        ),
        object=name,
        ask=(
            both(
                "does the same program work when it is run with Python, without bundling?",
                "不打包、直接用 Python 运行同一程序是否正常？",
            ),
            both(
                "is the file in the bundle's folder (`_internal`, `dist`)?",
                "打包目录（`_internal`、`dist`）中是否有该文件？",
            ),
        ),
        remedies=_bundle(clues, name),
    )


def _is_of_the_edition(clues: Clues) -> bool:
    """Whether the package is known to fail on the edition of Windows that the text tells of, bundled or not."""
    return any(suspect.known and suspect.causes[0] == "windows-edition-missing-feature" for suspect in clues.suspects)


def _bundle(clues: Clues, name: str | None) -> tuple[Remedy, ...]:
    package = clues.distribution or "PACKAGE"
    return (
        advise(
            "add-to-bundle",
            "add the file to `binaries` in the spec file, or collect the whole package",
            "在 spec 文件的 `binaries` 中加入该文件，或收集整个包",
            f"pyinstaller --collect-all {package.replace('-', '_')} main.py",
        ),
    )
