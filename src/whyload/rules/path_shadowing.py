"""Another copy of the same name is found first, or is already loaded, and does not match.

Windows uses the first file of that name in its search order; if a library of that name is already loaded, it
uses that one and does not search at all. It does not compare versions.

## How it looks

- `The specified procedure could not be found.` (127), `The operating system cannot run %1` (182), or error 1114
- it depends on the order of imports, on `PATH`, or on the program that starts Python
- two packages both bundle `hdf5.dll`, `zlib.dll`, `libcrypto-3-x64.dll`, `sqlite3.dll` or `onnxruntime.dll`
- onnxruntime reports `API version [23] is not available, only API versions [1, 17] are supported`: Windows 11
  has an `onnxruntime.dll` of its own in System32

## How to make sure

- `whyload PACKAGE` names the copy that is used, why, and the copy that matches
- import the failing package first, in a new process: if it works, another package's copy was in the way

## What to do

1. Import the package with the newer copy first.
2. Remove the other folder from `PATH`, or put the right one first.
3. Upgrade both packages; wheels repaired with delvewheel rename their libraries and do not conflict.
4. If the library is loaded by name: load it by its full path.

## What not to do

- Overwrite one copy with the other.
- Put a copy into `System32`.

## Sources

- Microsoft: Dynamic-link library search order
- docs/loader.md R2.18, R2.19
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.facts.copies import Copy
from whyload.facts.subjects import MissingFunction
from whyload.findings.functions import lacking, owner_notes
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import by_hand, put_in_view


def examine(subject: MissingFunction) -> Finding | None:
    """A copy that has the function is on this machine, and was not taken."""
    better, library = subject.better, subject.library
    if better is None or (library is not None and library.family is Family.VC_RUNTIME):
        return None
    if subject.of_torch or subject.has_narrower_cause or (subject.in_system32 and subject.is_windows):
        return None
    wrong = subject.symbol.library
    if subject.was_loaded_before:
        return _loaded_before(subject, better, wrong)
    note = Message(
        en=f"`{better.path}` has it, but `{wrong}` comes first", zh=f"`{better.path}` 中有它，但 `{wrong}` 排在前面"
    )
    remedies = (
        put_in_view(subject.load.event.flags, better.path.parent),
        by_hand(
            "put-the-right-copy-first",
            f"put `{better.path.parent}` before `{wrong.parent}`, or remove the other copy",
            f"让 `{better.path.parent}` 排在 `{wrong.parent}` 之前，或移除另一份",
        ),
    )
    return lacking(subject, "path-shadowing", culprit=wrong, notes=(note, *owner_notes(subject)), remedies=remedies)


def _loaded_before(subject: MissingFunction, better: Copy, wrong: WinPath) -> Finding:
    """A library that is in the process already is taken by its bare name, whatever the folders (R2.18)."""
    note = Message(
        en=f"`{better.path}` has it, but `{wrong}` was already loaded, and Windows reuses a loaded DLL by name alone",
        zh=f"`{better.path}` 中有它，但 `{wrong}` 已经加载，Windows 仅凭名称就会沿用它",
    )
    remedy = by_hand(
        "load-the-right-copy-first",
        f"import the package with the `{better.path.name}` in `{better.path.parent}` before the package with the "
        "other copy, or use releases of both packages with the same version of it",
        f"先导入使用 `{better.path.parent}` 中那份 `{better.path.name}` 的包，再导入使用另一份的包；或者把两个包都换成"
        "自带同一版本该库的版本",
    )
    return lacking(subject, "path-shadowing", culprit=wrong, notes=(note, *owner_notes(subject)), remedies=(remedy,))
