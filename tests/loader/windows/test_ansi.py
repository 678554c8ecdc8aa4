"""Names in import tables are bytes in the ANSI code page of the machine (Microsoft, RtlAnsiStringToUnicodeString).

Wine is no judge: it takes the bytes as they are, whatever the code page.
"""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.engine.simulate import started_process
from whyload.loader.model import LoadTree
from whyload.loader.windows.load import load
from whyload.world.files import KnownRegistry

TOP = f"{SITE}\\top.dll"
PAGES = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage"


def tree_of(name: str, encoding: str, page: object | None) -> LoadTree:
    """The load of a library that asks for `name`, which lies beside it, in the bytes of `encoding`."""
    spelt = name.encode(encoding).decode("latin-1")
    files = {TOP: Dll(name="top.dll", imports={spelt: ["f"]}), f"{SITE}\\{name}": Dll(name="x.dll", exports={"f": 1})}
    registry = KnownRegistry({} if page is None else {PAGES: {"ACP": page}})
    return load(started_process(replace(world(files), registry=registry)), TOP, 0x1100)


@pytest.mark.parametrize(
    ("name", "encoding", "page"),
    [
        ("测试.dll", "gbk", "936"),
        ("テスト.dll", "cp932", "932"),
        ("данные.dll", "cp1251", "1251"),
        ("größe.dll", "cp1252", "1252"),
        ("测试.dll", "utf-8", "65001"),
        ("plain.dll", "ascii", "936"),
    ],
)
def test_the_code_page_of_the_machine_reads_the_name(name: str, encoding: str, page: str) -> None:
    tree = tree_of(name, encoding, page)
    assert tree.status.winerror == 0
    assert [node.name for node in tree.root.children] == [name]
    assert tree.uncertain == ()


@pytest.mark.parametrize("page", [None, "1252", "none", "99999"])
def test_where_another_page_or_none_is_known_the_file_is_not_found_and_the_answer_says_why_it_may_be(
    page: str | None,
) -> None:
    tree = tree_of("测试.dll", "gbk", page)
    assert tree.status.winerror == 126
    assert any("code page" in reason.en for reason in tree.uncertain)
    assert all("code page" not in reason.en for reason in tree_of("plain.dll", "ascii", page).uncertain)
