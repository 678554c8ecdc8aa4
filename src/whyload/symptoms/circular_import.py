"""A text in which Python code, not a library, goes in a circle."""

from __future__ import annotations

import re

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise


def explain(clues: Clues) -> Candidate | None:
    """A module is asked for a name before it has run to its end."""
    half = clues.said(Said.PARTIALLY_INITIALIZED)
    if half is None:
        return None
    inside = re.search(r"(?:site|dist)-packages", half.file or "") is not None
    return Candidate(
        code="circular-import",
        strength=Strength.STATED if inside or half.file is None else Strength.KNOWN,
        why=both(
            f"a name is requested from `{half.module}` while that is still being imported",
            f"`{half.module}` 尚未导入完成，就有代码要使用其中的名称",
        ),
        object=half.module,
        ask=('python -v -c "import ' + (half.module or "MODULE").partition(".")[0] + '"',),
        remedies=(
            advise(
                "reinstall",
                "if it is a published package, reinstall it; in your own code, import inside the function that needs "
                "it",
                "如果是已发布的包，请重新安装；如果是自己的代码，请把导入移到使用它的函数里",
            ),
        ),
    )
