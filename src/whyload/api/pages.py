"""The pages on causes: the meaning from the closed list, the rest from the docstring of the rule."""

from __future__ import annotations

import re
from importlib import import_module

from whyload.base.errors import UsageError
from whyload.knowledge.causes import cause, causes


def cause_page(code: str, language: str = "en") -> str:
    """The page on one cause. Raises UsageError for a code that is not in the list."""
    known = cause(code)
    if known is None:
        raise UsageError(f"no such cause: {code!r}; `whyload cause` lists them")
    meaning = known.meaning_zh if language == "zh" else known.meaning
    page = _docstring(code)
    return f"{code}\n\n{meaning}\n" + (f"\n{page}\n" if page else "")


def _docstring(code: str) -> str:
    try:
        module = import_module(f"whyload.rules.{code.replace('-', '_')}")
    except ModuleNotFoundError:
        return ""
    from inspect import cleandoc

    return re.sub(r"^## ", "", cleandoc(module.__doc__ or ""), flags=re.MULTILINE)


def cause_list(language: str = "en") -> str:
    """Every cause with its meaning, by group."""
    lines: list[str] = []
    group = ""
    for item in causes():
        title = item.group_zh if language == "zh" else item.group
        if title != group:
            lines += ["", title] if lines else [title]
            group = title
        lines.append(f"  {item.code:<32} {item.meaning_zh if language == 'zh' else item.meaning}")
    return "\n".join(lines) + "\n"
