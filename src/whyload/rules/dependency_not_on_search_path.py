"""The file exists on the machine, fits, and is in no folder that this load searches.

Since Python 3.8 the imports of an extension module are not looked for on `PATH` nor in the current folder.
They are looked for beside the module, beside `python.exe`, in the folders that the program names with
`os.add_dll_directory`, and in System32.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.remedies.choose import add_folder


def examine(absence: Absence) -> Finding | None:
    """A fitting copy lies elsewhere."""
    if absence.kind is not AbsenceKind.MISPLACED or absence.copy is None:
        return None
    copy = absence.copy
    note = Message(
        en=f"it is at `{copy.path}` ({copy.found_by}), a folder that this load does not search",
        zh=f"它在 `{copy.path}`（{copy.found_by}），但这次加载不搜索那个文件夹",
    )
    return absent(
        absence,
        "dependency-not-on-search-path",
        notes=(note,),
        remedies=(add_folder(copy.path.parent),),
        found_at=copy.path,
    )
