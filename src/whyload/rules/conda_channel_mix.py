"""The environment mixes conda channels that are not binary compatible.

`defaults` and `conda-forge` build their packages with different compilers, versions of libraries and options. A
module from one channel used with libraries of the other may miss functions, or libraries that have another name
there.

## How it looks

- after a package was installed from another channel: `DLL load failed`, `undefined symbol`, or `libfoo.so.5:
  cannot open shared object file`, in a package that worked before
- `conda list` shows several channels, and GDAL, libtiff, openssl, icu, hdf5 or mkl come from another one than
  Python

## How to make sure

- `conda list --show-channel-urls`, and the order in `conda config --show channels channel_priority`
- the same packages work in a new environment made from one channel

## What to do

1. Create a new environment from one channel: `conda create -n fresh --override-channels -c conda-forge
   python=3.11 PACKAGE ...`
2. Set `conda config --set channel_priority strict`.

## What not to do

- Add one channel after another until the solver no longer complains.
- Replace libraries one by one with `--force`.

## Sources

- conda-forge documentation: Tips & tricks, "Multiple channels"
- conda documentation: Managing channels
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import MissingFunction
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.remedies.choose import by_hand


def examine(subject: MissingFunction) -> Finding | None:
    """The library and the file that uses it come from two conda channels."""
    channels = subject.channels
    if channels is None or subject.of_torch:
        return None
    importer, library = channels
    note = Message(
        en=f"`{subject.symbol.importer.name}` is from {importer}, `{subject.symbol.library.name}` from {library}",
        zh=f"`{subject.symbol.importer.name}` 来自 {importer}，`{subject.symbol.library.name}` 来自 {library}",
    )
    remedy = by_hand(
        "one-channel",
        "make a new environment from one channel, with `conda config --set channel_priority strict`",
        "用同一个频道新建环境，并设置 `conda config --set channel_priority strict`",
    )
    return lacking(subject, "conda-channel-mix", culprit=subject.symbol.library, notes=(note,), remedies=(remedy,))
