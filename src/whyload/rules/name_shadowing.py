"""A file or folder of the user's has the name of the package.

Python looks beside the program (or in the current folder) before it looks at installed packages. A clone of
the sources, or a script that was named after the package, is imported in its stead.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.shadows import ShadowedModule
from whyload.findings.composition import owner_label, plain
from whyload.findings.model import Certainty, Finding
from whyload.remedies.choose import by_hand


def examine(shadow: ShadowedModule) -> Finding | None:
    """A module beside the program hides an installed package."""
    owner = owner_label(shadow.owner)
    return plain(
        shadow.case,
        code="name-shadowing",
        headline=Message(
            en=f"`{shadow.file}` is imported as `{shadow.module}` instead of the installed {owner}",
            zh=f"导入 `{shadow.module}` 时得到的是 `{shadow.file}`，而不是已安装的 {owner}",
        ),
        culprit=shadow.file,
        object_name=shadow.module,
        certainty=Certainty.LIKELY,
        remedies=(
            by_hand(
                "rename",
                f"rename `{shadow.file}`, or start the program elsewhere",
                f"重命名 `{shadow.file}`，或换个文件夹启动程序",
            ),
        ),
    )
