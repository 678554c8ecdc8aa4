"""Python code, not a library, is the cause: two modules import each other, or one imports itself.

While a module is being executed, it has only the names defined above the current line. If a module that it
imports imports it in turn, the names below that line do not exist yet. The loader was not involved, or
succeeded.

## How it looks

- `ImportError: cannot import name 'x' from partially initialized module 'm' (most likely due to a circular
  import)`
- `AttributeError: partially initialized module 'm' has no attribute 'x' (most likely due to a circular import)`
- the message names a package, but the path is in your own folder: one of your files has the package's name

## How to make sure

- the traceback passes the same module twice
- `python -c "import m; print(m.__file__)"`, from another folder: if it works there, one of your files hides the
  package

## What to do

1. If one of your files has the package's name (`torch.py`, `ssl.py`): rename it, and delete its `__pycache__`.
2. In your own code: move what both modules need into a third one, or import inside the function that needs it.
3. In an installed package: it may be only partly upgraded; run `python -m pip install --force-reinstall
   --no-deps PACKAGE`.

## What not to do

- Install runtimes or drivers: no library is involved.

## Sources

- Python documentation: Programming FAQ, "What are the best practices for using import in a module?"
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.facts.ending import Unexplained
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import said
from whyload.remedies.choose import by_hand

_SAID = regular(r"partially initialized module '([\w.]+)'")


def examine(subject: Unexplained) -> Finding | None:
    """Python said so, and no library explains it."""
    match = _SAID.search(subject.error.ending.text)
    if match is None:
        return None
    remedy = by_hand(
        "look-at-the-modules",
        f"look for a file of your own named `{match[1].partition('.')[0]}.py`, and for two modules that import each "
        "other",
        f"检查是否有自己的文件名为 `{match[1].partition('.')[0]}.py`，以及是否有两个模块互相导入",
    )
    return said(
        subject.error,
        "circular-import",
        Message(
            en=f"`{match[1]}` is imported again before its own import has finished",
            zh=f"`{match[1]}` 尚未完成初始化就又被导入",
        ),
        object_name=match[1],
        remedies=(remedy,),
        certainty=Certainty.LIKELY,
    )
