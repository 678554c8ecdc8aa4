"""The Chinese of every text: one term for one thing, full-width punctuation, one blank between Chinese and Latin.

Sources: for the terms the Chinese editions of Microsoft's documentation (动态链接库搜索顺序, 页面文件简介 and
最新支持的 Visual C++ 可再发行程序包下载), for the punctuation GB/T 15834-2011. The texts are read from the source, so
that a new one is judged as well.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/whyload"
READS_TEXTS = (SOURCE / "observe/text", SOURCE / "base/needed_words.py")
"""Patterns of what other people write, not texts of ours."""

TERMS = {
    "文件夹": "目录",
    "可再发行组件": "可再发行程序包",
    "再分发": "再发行",
    "分页文件": "页面文件",
    "交换文件": "页面文件",
    "提交上限": "提交限制",
    "本机库": "原生库",  # 本机 is this machine
    "本机模块": "原生模块",
    "本机文件": "原生文件",
    "本机代码": "原生代码",
    "本地库": "原生库",
    "载入": "加载",
    "装载": "加载",
    "装入": "加载",
    "运行时库": "运行库",
    "N 版本": "N 版",
    "拷贝": "复制",
    "缺省": "默认",
    "登陆": "登录",
    "应答": "实际加载",
    "体系结构": "架构",
    "附加项": "附加依赖",
    "您": "你",
    "帐户": "账户",
    "软体": "软件",
    "程式": "程序",
    "CUDA toolkit": "CUDA 工具包",
    "世界文件": "机器描述文件",
    "自身的缺陷": "内部错误",
    "记忆体": "内存",
}
"""Words that are not used here, and what is used instead."""
NAMES = ("受控文件夹访问",)
"""What Windows itself calls its settings."""

HAN = "\u4e00-\u9fff"
FULL = "，。；：、（）“”！？《》"
HALF_WIDTH = re.compile(rf"[{HAN}”）][,;:!?](?!//)|[,;!?:] ?[{HAN}]|\([^()]*[{HAN}][^()]*\)")
NO_BLANK = re.compile(rf"[{HAN}][A-Za-z0-9`]|[A-Za-z0-9`%][{HAN}]")
ODD_BLANK = re.compile(rf"[{FULL}] |(?<!>) (?=[{FULL}])|[{HAN}] +[{HAN}]")

Text = tuple[str, str]
"""Where it stands, and the text; a value that is filled in is one U+FFFC."""


def _without_code(text: str) -> str:
    return re.sub(r"`+[^`]*`+", "`x`", text)


def _is_chinese(text: str) -> bool:
    return re.search(f"[{HAN}]", text) is not None


def _of_node(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_of_node(part) or "\ufffc" for part in node.values)
    return None


def _of_module(path: Path) -> Iterator[Text]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        text = _of_node(node) if id(node) not in inner else None
        if text is not None and _is_chinese(text) and "(?" not in text:  # a pattern for what other people write
            yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", text


def _of_table(path: Path, value: Any) -> Iterator[Text]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key.endswith("_zh"):
                yield f"{path.relative_to(ROOT)} {key}", inner
            else:
                yield from _of_table(path, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _of_table(path, inner)


def _of_page(path: Path) -> Iterator[Text]:
    page = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for number, line in enumerate(page.splitlines(), 1):
        if _is_chinese(line):
            line = re.sub(r"\]\([^)]*\)|\*\*?|^\|?[-\d. |]*|\[", "", _without_code(line))
            yield from ((f"{path.relative_to(ROOT)}:{number}", cell) for cell in line.split("|") if _is_chinese(cell))


def _texts() -> list[Text]:
    texts: list[Text] = []
    for path in sorted(SOURCE.rglob("*.py")):
        if not any(place in (path, *path.parents) for place in READS_TEXTS):
            texts += _of_module(path)
    for path in sorted((SOURCE / "knowledge/data").glob("*.toml")):
        texts += _of_table(path, tomllib.loads(path.read_text(encoding="utf-8")))
    for path in [*sorted((SOURCE / "rules/zh").glob("*.md")), ROOT / "README.zh-CN.md"]:
        texts += _of_page(path)
    return texts


TEXTS = _texts()


def test_every_kind_of_text_is_read() -> None:
    assert len(TEXTS) > 1500
    assert {place.split(":")[0].rpartition(".")[2].split(" ")[0] for place, _ in TEXTS} == {"py", "toml", "md"}


@pytest.mark.parametrize("word", TERMS)
def test_one_term_for_one_thing(word: str) -> None:
    def stripped(text: str) -> str:
        for name in NAMES:
            text = text.replace(name, "")
        return _without_code(text)

    assert [(place, text) for place, text in TEXTS if word in stripped(text)] == [], f"say {TERMS[word]}"


def test_punctuation_is_full_width() -> None:
    assert [(place, text) for place, text in TEXTS if HALF_WIDTH.search(_without_code(text))] == []


def test_a_blank_between_chinese_and_latin() -> None:
    assert [(place, text) for place, text in TEXTS if NO_BLANK.search(_without_code(text))] == []


def test_no_blank_beside_full_width_punctuation() -> None:
    assert [(place, text) for place, text in TEXTS if ODD_BLANK.search(_without_code(text).strip())] == []


@pytest.mark.parametrize(
    ("pattern", "wrong", "right"),
    [
        (HALF_WIDTH, "找不到,请", "找不到，请"),
        (HALF_WIDTH, "驱动 (旧版)", "驱动（旧版）"),
        (HALF_WIDTH, "说明: 找不到", "说明：找不到"),
        (NO_BLANK, "安装Python", "安装 Python"),
        (NO_BLANK, "在`x`中", "在 `x` 中"),
        (ODD_BLANK, "说明： 找不到", "说明：找不到"),
        (ODD_BLANK, "`x` （旧版）", "`x`（旧版）"),
    ],
)
def test_what_the_patterns_tell_apart(pattern: re.Pattern[str], wrong: str, right: str) -> None:
    assert pattern.search(wrong)
    assert not pattern.search(right)
