"""The loader's words in other languages; the judge is the GNU C library of this machine, where it has translations."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest

from whyload.engine.explain import explain
from whyload.knowledge.loader_words import in_english
from whyload.knowledge.reader import data_tables

PHRASES = data_tables("loader_words")["phrase"]
CATALOGUES = sorted(Path("/usr/share/locale").glob("*/LC_MESSAGES/libc.mo"))
LANGUAGES = ("cs", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt_BR", "ru", "tr", "zh_CN", "zh_TW")


@pytest.mark.parametrize("row", PHRASES, ids=lambda row: str(row["english"]))
def test_every_translation_is_put_back(row: dict[str, object]) -> None:
    words = row["words"]
    assert isinstance(words, list)
    for translated in words:
        assert in_english(f"libx.so.1: {translated}: x") == f"libx.so.1: {row['english']}: x"


def test_a_text_of_something_else_stays_as_it_is() -> None:
    text = "Keine Berechtigung: C:\\temp"
    assert in_english(text) == text


@pytest.mark.skipif(not CATALOGUES, reason="no translations of the GNU C library here")
@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.parts[-3])
def test_what_this_systems_loader_says(catalogue: Path) -> None:
    if catalogue.parts[-3] not in LANGUAGES:
        pytest.skip("a language that is not among ours")
    with catalogue.open("rb") as stream:
        said = gettext.GNUTranslations(stream).gettext
    absent = explain(
        f"ImportError: libjsoncpp.so.0: {said('cannot open shared object file')}: {said('No such file or directory')}"
    )
    assert absent.candidates[0].code == "missing-shared-object"
    assert absent.candidates[0].object == "libjsoncpp.so.0"
    late = explain(f"OSError: /usr/lib/libgomp.so.1: {said('cannot allocate memory in static TLS block')}")
    assert late.candidates[0].code == "static-tls-exhausted"
    other = explain(f"OSError: /usr/lib/libc.so: {said('invalid ELF header')}")
    assert other.candidates[0].code == "not-a-library-file"
