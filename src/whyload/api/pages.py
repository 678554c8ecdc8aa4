"""The pages on causes: the meaning from the closed list, the rest from the rule: its docstring, or its Chinese page.

A rule stays one module; `rules/zh/CODE.md` says the same for Chinese readers.
"""

from __future__ import annotations

import ast
import pkgutil
from collections.abc import Iterator

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.knowledge.causes import cause, causes
from whyload.report.layout import paragraph

_ITEM = regular(r"(- |\d+\. )")


def cause_page(code: str, language: str = "en") -> str:
    """The page on one cause, for a terminal. Raises UsageError for a code that is not in the list."""
    return "\n".join([code, "", *_lines(page_text(code, language))]) + "\n"


def cause_page_markdown(code: str, language: str = "en") -> str:
    """The same as Markdown. Raises UsageError for a code that is not in the list."""
    return f"# `{code}`\n\n{page_text(code, language)}\n"


def page_text(code: str, language: str) -> str:
    """The page as the rule has it: Markdown without a title."""
    if cause(code) is None:
        near = _nearest(code)
        meant = (f"did you mean {near}? ", f"你是想查 {near} 吗？") if near else ("", "")
        raise UsageError(
            Message(
                en=f"no such cause: {code!r}; {meant[0]}`whyload cause` lists them",
                zh=f"没有 {code!r} 这个原因代码；{meant[1]}用 `whyload cause` 列出全部",
            )
        )
    if language == "zh":
        page = pkgutil.get_data("whyload.rules", f"zh/{code}.md")
        if page is None:
            raise UsageError(
                Message(
                    en="whyload is not installed completely: the Chinese pages are missing",
                    zh="whyload 没有完整安装：缺少中文说明页",
                )
            )
        return page.decode("utf-8").strip()
    source = pkgutil.get_data("whyload.rules", f"{code.replace('-', '_')}.py")
    return ast.get_docstring(ast.parse(source or b"")) or ""  # the rule itself, with all that it imports, is not needed


def _nearest(code: str) -> str | None:
    from difflib import get_close_matches  # after a slip only

    return next(iter(get_close_matches(code.lower().replace("_", "-"), [item.code for item in causes()], 1, 0.7)), None)


def _lines(page: str) -> Iterator[str]:
    """The page at 80 columns; a heading keeps its words only."""
    for index, block in enumerate(page.split("\n\n")):
        if index:
            yield ""
        for item in _items(block):
            head = match[0] if (match := _ITEM.match(item)) else ""
            yield from paragraph(head, item.removeprefix(head).removeprefix("## "))


def _items(block: str) -> list[str]:
    """The paragraphs or list items of a block, each on one line."""
    items: list[str] = []
    for line in block.splitlines():
        if items and not _ITEM.match(line):
            items[-1] += " " + line.strip()
        else:
            items.append(line)
    return items


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
