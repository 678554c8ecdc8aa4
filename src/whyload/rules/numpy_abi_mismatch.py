"""An extension was built for a version of NumPy that is incompatible with the installed one.

Modules that use NumPy's C API depend on the binary layout of the NumPy that they were compiled with. Code
compiled with NumPy 1.x does not run under NumPy 2; code compiled with NumPy 2 runs under 2.x and, as a rule,
under 1.19 and later. Code compiled with a newer minor version may use features that an older one lacks.

## How it looks

- `A module that was compiled using NumPy 1.x cannot be run in NumPy 2.0.0 as it may crash.`
- `RuntimeError: module compiled against API version 0xf but this version of numpy is 0xe`
- `RuntimeError: module compiled against ABI version 0x1000009 but this version of numpy is 0x2000000`
- `ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88
  from PyObject`
- `ImportError: numpy.core.multiarray failed to import`, or `AttributeError: _ARRAY_API not found`

## How to make sure

- `python -m pip show numpy PACKAGE` and the release date of that version of the package: anything before June
  2024 does not support NumPy 2
- `python -c "import numpy; print(numpy.__version__, numpy.__file__)"`: check that this is the only NumPy, and
  the one you expect

## What to do

1. Upgrade the compiled package: `python -m pip install --upgrade PACKAGE`.
2. If there is no newer release: `python -m pip install "numpy<2"`, in a separate environment.
3. "compiled against API version 0xf but ... is 0xe": NumPy is the old one; upgrade it.
4. If you built it yourself: rebuild it against the installed NumPy, without pip's cache (`--no-cache-dir`).

## What not to do

- Silence the warning: the module may crash later, or compute wrong results.
- Install NumPy with conda and with pip in the same environment.

## Sources

- NumPy documentation: NumPy 2.0 migration guide; For downstream package authors
- numpy/numpy: numpy/core/code_generators/generate_numpy_api.py (texts of the messages)
"""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.facts.ending import ReportedError, Unexplained
from whyload.facts.numpy_builds import BuiltForOldNumpy, installed_numpy
from whyload.findings.composition import plain
from whyload.findings.model import Certainty, Finding, Severity
from whyload.findings.said import said
from whyload.remedies.by_pip import install, upgrade
from whyload.remedies.model import Remedy, Safety
from whyload.world.model import World

CODE = "numpy-abi-mismatch"
_SAID = regular(
    r"compiled using NumPy 1\.x cannot be run in"
    r"|module compiled against A[BP]I version 0x\w+ but this version of numpy is 0x\w+"
    r"|numpy\.\w+ size changed, may indicate binary incompatibility"
    r"|module 'numpy' has no attribute '_ARRAY_API'|\b_ARRAY_API not found"
)
_NO_INTERFACE = regular(r"numpy\.core\.multiarray failed to import")
"""Also where a library of NumPy's own does not load."""


def examine(subject: ReportedError | Unexplained | BuiltForOldNumpy) -> Finding | None:
    """NumPy or Cython said so; or a module compiled with NumPy 1.x meets NumPy 2."""
    if isinstance(subject, BuiltForOldNumpy):
        return _old(subject)
    if isinstance(subject, Unexplained):
        error = subject.error
        return _said(error, Certainty.LIKELY) if _NO_INTERFACE.search(error.ending.text) else None
    return _said(subject, Certainty.PROVED) if _SAID.search(subject.ending.output) else None


def _said(subject: ReportedError, certainty: Certainty) -> Finding:
    case, load = subject.case, subject.load
    culprit = load.tree.root.path if load is not None else subject.file
    label = f"`{case.label(culprit)}`" if culprit else None
    installed = installed_numpy(case)
    note = (Message(en=f"NumPy {installed} is installed", zh=f"当前安装的是 NumPy {installed}"),) if installed else ()
    owner = case.packages.owner(culprit) if culprit else None
    return said(
        subject,
        CODE,
        Message(
            en=f"{label or 'an extension module'} was built for another version of `numpy`",
            zh=f"{label or '某个扩展模块'} 是为另一个版本的 `numpy` 构建的",
        ),
        culprit=culprit,
        notes=note,
        remedies=_remedies(owner.distribution if owner else None, case.world),
        certainty=certainty,
    )


def _old(module: BuiltForOldNumpy) -> Finding:
    case, label = module.case, module.case.label(module.path)
    owner = case.packages.owner(module.path)
    finding = plain(
        case,
        code=CODE,
        headline=Message(
            en=f"`{label}` was compiled with NumPy 1.x and cannot run with NumPy {module.installed}",
            zh=f"`{label}` 是用 NumPy 1.x 编译的，无法在 NumPy {module.installed} 下运行",
        ),
        culprit=module.path,
        object_name=None,
        certainty=Certainty.LIKELY,
        remedies=_remedies(owner.distribution if owner else None, case.world),
    )
    return finding if module.ends_the_run else replace(finding, severity=Severity.WARNING)


def _remedies(distribution: str | None, world: World) -> tuple[Remedy, ...]:
    older = install(
        world,
        "numpy<2",
        "install NumPy 1.x in this environment",
        "在此环境中安装 NumPy 1.x",
        identifier="older-numpy",
        safety=Safety.ASKS_FIRST,
    )
    if distribution is None:
        return (older,)
    return upgrade(world, distribution, "upgrade-package", safety=Safety.SAFE), older
