r"""The C++ runtime that is found is older than the importing DLL needs.

Code built with Visual C++ 14.40 or newer needs an `msvcp140.dll` of at least that version: with an older one,
the first lock reads address zero, and the library crashes during initialisation (error 1114, or an access
violation). The usual reasons are a package that bundles an old copy, an old runtime beside `python.exe`, or a
redistributable that was never updated. Windows uses the copy that is loaded first, whatever its version.

## How it looks

- `OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed. Error loading
  "...\torch\lib\c10.dll"` (torch 2.9 and later)
- `ImportError: DLL load failed while importing onnxruntime_pybind11_state: A dynamic link library (DLL)
  initialization routine failed.` (onnxruntime 1.21 and later)
- it works when the package is imported before another one (PyQt5, a tool with an old runtime), or outside a
  host program (MATLAB, R)
- the process ends with exit code `0xC0000005`, in `msvcp140.dll`

## How to make sure

- `whyload PACKAGE` names the copy that is used and its version
- in PowerShell: `(Get-Item C:\Windows\System32\msvcp140.dll).VersionInfo.FileVersion`: 14.40 or later is needed
- import the failing package first, in a new process

## What to do

1. Update the Visual C++ redistributable (the latest "Visual Studio 2015-2022" or newer).
2. If another package bundles an old copy: import the newer package first, or upgrade the other one.
3. conda: `conda update vc14_runtime`.
4. If none of this is possible: go back to the previous release (torch 2.8, onnxruntime 1.20).

## What not to do

- Delete `msvcp140.dll` in `System32`, or overwrite it.
- Copy only a newer `msvcp140.dll` beside an older `vcruntime140.dll`.

## Sources

- microsoft/STL: VS 2022 17.10 changelog (constexpr constructor of std::mutex), issues 4730 and 4978
- pytorch/pytorch issue 169429
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.runtimes import RuntimeTooOld
from whyload.facts.subjects import MissingFunction
from whyload.findings.composition import compose
from whyload.findings.functions import lacking
from whyload.findings.model import Certainty, Finding
from whyload.knowledge.libraries import Family, Library, identify
from whyload.remedies.choose import by_hand, for_library
from whyload.remedies.model import Remedy

CODE = "old-vc-runtime"


def examine(subject: RuntimeTooOld | MissingFunction) -> Finding | None:
    """A runtime below the version that a mutex built with 14.40 needs, or one that lacks a function."""
    if isinstance(subject, MissingFunction):
        return _lacks(subject)
    if subject.of_conda_and_pip:
        return None
    library = identify(subject.runtime.name, subject.case.process.machine)
    importer, runtime = subject.case.label(subject.importer), subject.case.label(subject.runtime)
    needed = ".".join(map(str, subject.needed))
    return compose(
        subject.case,
        subject.load,
        subject.fault,
        code=CODE,
        headline=Message(
            en=f"`{runtime}` is version {subject.found}, too old for `{importer}` (needs {needed})",
            zh=f"`{runtime}` 的版本是 {subject.found}，对 `{importer}` 来说太旧（需要 {needed}）",
        ),
        culprit=subject.runtime,
        object_name=subject.runtime.name,
        found_at=subject.right,
        certainty=Certainty.LIKELY,
        remedies=_remedies(subject, library),
    )


def _remedies(subject: RuntimeTooOld, library: Library | None) -> tuple[Remedy, ...]:
    """Where Windows has a newer one already, installing that again changes nothing: the old one must not come first."""
    beside_python = subject.runtime.parent == subject.case.process.application_folder
    if subject.right is None or beside_python:
        return for_library(library, subject.case.world) if library else ()
    owner = subject.case.packages.owner(subject.runtime)
    other = owner.distribution if owner else f"`{subject.case.label(subject.runtime)}`"
    needy = subject.case.packages.owner(subject.importer)
    first = needy.distribution if needy else subject.case.label(subject.importer)
    return (
        by_hand(
            "import-first",
            f"import {first} before {other}, which bundles the old one, or upgrade {other}",
            f"先导入 {first}，再导入自带旧版本的 {other}，或升级 {other}",
        ),
    )


def _lacks(subject: MissingFunction) -> Finding | None:
    if subject.library is None or subject.library.family is not Family.VC_RUNTIME or subject.has_narrower_cause:
        return None
    remedies = for_library(subject.library, subject.case.world)
    return lacking(subject, CODE, culprit=subject.symbol.library, remedies=remedies)
