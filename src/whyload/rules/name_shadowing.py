"""One of your own files or folders has the same name as the package.

Python looks in the program's folder (or the current folder) before it looks at installed packages. A clone of
the sources, or a script with the package's name, is imported instead of the package.

## How it looks

- `AttributeError: module 'torch' has no attribute '...'`, `partially initialized module 'ssl' ... (most likely
  due to a circular import)`
- `ModuleNotFoundError: No module named 'pkg._x'` in the package's source folder, and nowhere else
- a path in the traceback is in your own folder instead of `site-packages`

## How to make sure

- `python -c "import pkg; print(pkg.__file__)"`, in the folder in which the program starts
- the same from another folder

## What to do

1. Rename the file or folder, and delete the `.pyc` of that name in `__pycache__`.
2. Start the program from another folder, or test with `python -P` (3.11 and later).
3. If it is a clone of the sources: build it in place (`pip install -e .`), or leave its folder.

## What not to do

- Reinstall the package: it is not what is imported.
- Change the order of `sys.path` in the program.

## Sources

- Python documentation: The initialization of the sys.path module search path; -P
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.shadows import ShadowedModule
from whyload.findings.composition import owner_label, plain
from whyload.findings.model import Certainty, Finding
from whyload.remedies.choose import rename


def examine(shadow: ShadowedModule) -> Finding | None:
    """A module beside the program hides an installed package."""
    owner = Message(en="Python's own module", zh="Python 自带的模块")
    if shadow.owner is not None:
        label = owner_label(shadow.owner)
        owner = Message(en=f"the installed {label}", zh=f"已安装的 {label}")
    return plain(
        shadow.case,
        code="name-shadowing",
        headline=Message(
            en=f"`{shadow.file}` is imported as `{shadow.module}` instead of {owner.en}",
            zh=f"导入 `{shadow.module}` 时得到的是 `{shadow.file}`，而不是{owner.zh}",
        ),
        culprit=shadow.file,
        object_name=shadow.module,
        certainty=Certainty.LIKELY,
        remedies=(
            rename(
                shadow.file,
                f"rename `{shadow.file}`, or start the program in another folder",
                f"重命名 `{shadow.file}`，或换个目录启动程序",
            ),
        ),
    )
