"""Two OpenMP runtimes are in one process.

`libiomp5md.dll` (Intel), `libomp.dll` and `libomp140.x86_64.dll` (LLVM) register themselves in the process in
the same way. If a second one starts, from another folder or under another name, it ends the process. torch,
MKL, ctranslate2, faiss and many other packages each bundle a copy.

## How it looks

- `OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized.`
- the same with `libomp140.x86_64.dll`, `libomp.dll`, `libiomp5.so`, `libomp.dylib`, `mk2iomp5md.dll`
- the process ends without a traceback (abort, exit code 3) when the second package is imported or first used

## How to make sure

- `whyload run -c "import a, b"` names both copies; or search for them: `where /r ENVIRONMENT lib*omp*.dll`
- import each package alone: both work

## What to do

1. Install both packages from one source: all from conda-forge, or all from pip.
2. Remove the copy that is not needed (`pip uninstall intel-openmp` if only torch needs it).
3. Upgrade both: newer releases often share one copy, or need none.
4. Only to confirm this cause: `KMP_DUPLICATE_LIB_OK=TRUE`.

## What not to do

- Leave `KMP_DUPLICATE_LIB_OK=TRUE` in a program: the runtime's own message calls it unsafe, unsupported and
  undocumented; results may be wrong without any warning.
- Delete a copy from a package's folder: that package then lacks it, and pip does not repair it.

## Sources

- text of the runtime's own message and hint (LLVM openmp, kmp_i18n)
- conda-forge/pytorch-cpu-feedstock issue 354
"""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.facts.ending import ReportedError
from whyload.facts.openmp import TwoOpenMp, clashing_openmp
from whyload.findings.composition import owner_label, plain
from whyload.findings.model import Certainty, Finding, Severity
from whyload.findings.said import said
from whyload.remedies.choose import by_hand

CODE = "duplicate-openmp"
_SAID = regular(r"OMP: Error #15: Initializing (\S+?), but found (\S+?) already initialized")


def examine(subject: ReportedError | TwoOpenMp) -> Finding | None:
    """The runtime said so; or two copies are in the process, which is dangerous and may yet go well."""
    if isinstance(subject, TwoOpenMp):
        return _both_loaded(subject)
    match = _SAID.search(subject.ending.output)
    if match is None:
        return None
    case = subject.case
    pair = clashing_openmp(case, (module.path for module in case.process.modules))
    name = pair.second.name if pair else match[1]
    return said(
        subject,
        CODE,
        Message(
            en=f"`{name}` finds another OpenMP runtime in the process",
            zh=f"`{name}` 发现进程中已有另一个 OpenMP 运行库",
        ),
        culprit=pair.second if pair else None,
        object_name=name,
        found_at=pair.first if pair else None,
        notes=_owners(pair) if pair else (),
        remedies=_REMEDIES,
    )


_REMEDIES = (
    by_hand(
        "one-openmp",
        "take both packages from one source (all from conda-forge, or all from pip), or upgrade both",
        "让两个包来自同一来源（都用 conda-forge，或都用 pip），或把两者都升级",
    ),
)


def _both_loaded(pair: TwoOpenMp) -> Finding:
    case = pair.case
    first, second = case.label(pair.first), case.label(pair.second)
    finding = plain(
        case,
        code=CODE,
        headline=Message(
            en=f"`{second}` is loaded although the process already has the OpenMP runtime `{first}`",
            zh=f"进程中已有 OpenMP 运行库 `{first}`，又加载了 `{second}`",
        ),
        culprit=pair.second,
        object_name=pair.second.name,
        found_at=pair.first,
        certainty=Certainty.POSSIBLE,
        notes=_owners(pair),
        remedies=_REMEDIES,
    )
    return replace(finding, severity=Severity.WARNING)


def _owners(pair: TwoOpenMp) -> tuple[Message, ...]:
    return tuple(note for path in (pair.first, pair.second) for note in _owner(pair, path))


def _owner(pair: TwoOpenMp, path: WinPath) -> tuple[Message, ...]:
    owner = owner_label(pair.case.packages.owner(path))
    return (Message(en=f"`{path}` belongs to {owner}", zh=f"`{path}` 属于 {owner}"),) if owner else ()
