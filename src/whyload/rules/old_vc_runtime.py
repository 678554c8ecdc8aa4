"""The C++ runtime that is found is older than the importing DLL needs.

Code built with Visual C++ 14.40 or newer counts on a `msvcp140.dll` of at least that version: with an older
one the first lock reads address zero, and the library dies while it starts (error 1114, or an access
violation). A package that brings an old copy along, a runtime beside `python.exe`, or a redistributable that
was never updated are the usual reasons. Windows takes the copy that is loaded first, whatever its version.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.runtimes import RuntimeTooOld
from whyload.facts.subjects import MissingFunction
from whyload.findings.composition import compose
from whyload.findings.functions import lacking
from whyload.findings.model import Certainty, Finding
from whyload.knowledge.libraries import Family, identify
from whyload.remedies.choose import for_library

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
        remedies=for_library(library, subject.case.world) if library else (),
    )


def _lacks(subject: MissingFunction) -> Finding | None:
    if subject.library is None or subject.library.family is not Family.VC_RUNTIME or subject.has_narrower_cause:
        return None
    remedies = for_library(subject.library, subject.case.world)
    return lacking(subject, CODE, culprit=subject.symbol.library, remedies=remedies)
