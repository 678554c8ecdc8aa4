r"""The same library came from conda and from pip, and the two conflict.

conda installs libraries into one folder for all packages (`Library\bin`, `lib`); a wheel from pip bundles its
own copies. Neither pip nor conda knows what the other installed: one overwrites the other's files, or both
copies end up in one process, where both packages use the one that is loaded first.

## How it looks

- a package from pip fails in a conda environment and works in a plain one, or vice versa
- error 127, `The specified procedure could not be found`, or error 1114, in a package that was installed last,
  with pip
- `OMP: Error #15`, with numpy from conda and torch from pip
- `Could not find module '...\Library\bin\geos_c.dll'`: a package from pip detects a conda environment and looks
  for a library that conda would provide
- `conda list` shows a package twice, or with the channel `pypi` although conda has it too

## How to make sure

- `conda list`: the lines with the channel `pypi`, and whether conda also provides the libraries that they need
- the folder of the copy that is loaded: below `Library\bin` it is conda's, below `site-packages` the wheel's
- the same requirements work in a new environment made with only one of the two

## What to do

1. Install all compiled packages of an environment with the same tool. Create a new environment: repairs of a
   mixed one rarely last.
2. If a few packages need pip: install everything else with conda first, then those with pip, and do not use
   conda afterwards.
3. If conda's runtime is older than a new wheel needs: `conda update vc14_runtime` (or `vs2015_runtime`).

## What not to do

- Delete one of the copies by hand: its package manager restores it, or other packages need it.
- Copy DLLs from `Library\bin` into `site-packages`.
- Use `pip install --user` in a conda environment: every environment of that Python version sees the package.

## Sources

- conda documentation: Using pip in a conda environment
- conda-forge/pytorch-cpu-feedstock issue 354
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.ownership import Owner
from whyload.facts.runtimes import RuntimeTooOld
from whyload.facts.subjects import Absence, MissingFunction
from whyload.findings.absence import absent
from whyload.findings.composition import compose, owner_label
from whyload.findings.functions import lacking
from whyload.findings.model import Certainty, Finding
from whyload.remedies.choose import by_hand, with_conda
from whyload.remedies.model import Remedy, Safety

CODE = "conda-pip-mix"


def examine(subject: RuntimeTooOld | MissingFunction | Absence) -> Finding | None:
    """The copy that was taken is conda's and does not fit the file of a wheel, or the reverse; or a package of pip
    counts on a library that conda would have to bring.
    """
    if isinstance(subject, Absence):
        return _sought(subject)
    if isinstance(subject, MissingFunction):
        return _lacks(subject)
    if not subject.of_conda_and_pip:
        return None
    case = subject.case
    importer, runtime = case.label(subject.importer), case.label(subject.runtime)
    owner, other = case.packages.owner(subject.runtime), case.packages.owner(subject.importer)
    needed = ".".join(map(str, subject.needed))
    return compose(
        case,
        subject.load,
        subject.fault,
        code=CODE,
        headline=Message(
            en=f"conda's `{runtime}` is version {subject.found}, too old for `{importer}` from pip (needs {needed})",
            zh=f"conda 的 `{runtime}` 版本是 {subject.found}，对 pip 安装的 `{importer}` 来说太旧（需要 {needed}）",
        ),
        culprit=subject.runtime,
        object_name=subject.runtime.name,
        found_at=subject.right,
        certainty=Certainty.LIKELY,
        notes=_owners(owner, other),
        remedies=_remedies(owner, other),
    )


def _sought(absence: Absence) -> Finding | None:
    place = absence.load.event.place
    if not absence.is_sought_at_conda or absence.case.is_frozen or place is None or place.file is None:
        return None
    owner = absence.case.packages.owner(place.file)
    if owner is None:
        return None
    with_conda = Remedy(
        id="install-with-conda",
        title=Message(en=f"install {owner.distribution} with conda", zh=f"改用 conda 安装 {owner.distribution}"),
        safety=Safety.ASKS_FIRST,
        commands=(f"conda install {owner.distribution}",),
    )
    return absent(absence, CODE, notes=_owners(None, owner), remedies=(with_conda,))


def _lacks(subject: MissingFunction) -> Finding | None:
    if not subject.of_conda_and_pip:
        return None
    owner, other = subject.library_owner, subject.importer_owner
    return lacking(
        subject, CODE, culprit=subject.symbol.library, notes=_owners(owner, other), remedies=_remedies(owner, other)
    )


def _owners(library: Owner | None, importer: Owner | None) -> tuple[Message, ...]:
    sides = [(owner_label(owner), owner.installer or "pip") for owner in (library, importer) if owner is not None]
    en = ", ".join(f"{label} came from {installer}" for label, installer in sides)
    return (Message(en=en, zh="，".join(f"{label} 来自 {installer}" for label, installer in sides)),)


def _remedies(library: Owner | None, importer: Owner | None) -> tuple[Remedy, ...]:
    apart = by_hand(
        "one-installer",
        "make a new environment whose compiled packages all come from conda, or all from pip",
        "新建一个环境，其中的编译包全部来自 conda，或全部来自 pip",
    )
    conda = next((owner for owner in (library, importer) if owner is not None and owner.installer == "conda"), None)
    if conda is None:
        return (apart,)
    title = Message(en=f"update {conda.distribution} with conda", zh=f"用 conda 更新 {conda.distribution}")
    return with_conda(conda, "update", "conda-update", title), apart
