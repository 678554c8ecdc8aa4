"""The language that texts are written in where the person does not say.

Source: POSIX, "Internationalization Variables" (LC_ALL before LC_MESSAGES before LANG).
"""

from __future__ import annotations

import os
from collections.abc import Mapping


def default_language(environment: Mapping[str, str] = os.environ) -> str:
    """`zh` for a person whose system speaks Chinese, by the variables where one is set, else by Windows; else `en`."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "zh" if environment[name].lower().startswith("zh") else "en"
    if os.name != "nt":
        return "en"
    from whyload.world.live.language import windows_speaks_chinese

    return "zh" if windows_speaks_chinese() else "en"
