"""A frozen application was bundled without a file that it needs.

PyInstaller, Nuitka and cx_Freeze collect the libraries that they can see at build time. What is loaded by
name at run time, what lay in System32 of the builder's machine, or what somebody removed from the folder
afterwards is absent on the customer's machine.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import by_hand

_NOT_BUNDLED = (Family.NVIDIA_DRIVER, Family.WINDOWS, Family.WINDOWS_FEATURE, Family.API_SET)


def examine(absence: Absence) -> Finding | None:
    """An absent library in a frozen application that is no part of Windows or of the driver."""
    if not absence.case.is_frozen or absence.kind not in (
        AbsenceKind.PLAIN,
        AbsenceKind.RECORDED,
        AbsenceKind.OTHER_VERSION,
    ):
        return None
    if absence.library is not None and absence.library.family in _NOT_BUNDLED:
        return None
    name = absence.name
    remedy = by_hand(
        "bundle-the-file",
        f"add `{name}` to the bundle: in the spec file `binaries=[(r'<folder>\\{name}', '.')]`, then build again",
        f"把 `{name}` 加入打包：在 spec 文件中写 `binaries=[(r'<文件夹>\\{name}', '.')]`，然后重新构建",
    )
    return absent(absence, "frozen-app-missing-file", remedies=(remedy,))
