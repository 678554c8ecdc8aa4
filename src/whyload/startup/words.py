"""The words of source text that can matter for native code: they load a library, or change how one is searched."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.prose import Prose

if TYPE_CHECKING:
    from whyload.base.typing import Final

LOADS = (
    "add_dll_directory",
    "AddDllDirectory",
    "SetDllDirectory",
    "SetDefaultDllDirectories",
    "LoadLibrary",
    "CDLL(",
    "CDLL)",
    "WinDLL",
    "PyDLL",
    "OleDLL",
    "windll",
    "cdll.",
    "cdll[",
    "oledll",
    "dlopen",
    "find_library",
    "load_library",
    "spec_from_file_location",
)
"""Words that count wherever they stand."""
_BY_STEM = {
    stem: tuple(word for word in LOADS if stem in word.lower())
    for stem in ("dll", "dlopen", "library", "spec_from_file_location")
}
"""The same by what is in them in small letters."""
_CHANGES = (
    ("import_module(", regular(r"import_module\(")),
    ("__import__(", regular(r"__import__\(")),
    ("__path__", regular(r"__path__")),
    ("environ", regular(r"environ(?:\[[^\]\n]*\]\s*\+?=[^=]|\.(?:setdefault|update|pop)\b)")),
    ("putenv(", regular(r"putenv\(")),
    ("sys.path", regular(r"sys\.path\b\s*(?:\.|\[|\+?=)")),
    ("sys.exit(", regular(r"sys\.exit\(")),
    ("exec(", regular(r"(?<![\w.])exec\(")),
)
"""Words that count in code that runs when the module is imported."""
CHANGES: Final = tuple(word for word, _ in _CHANGES)
"""Those words alone; without them and `LOADS` no text loads a library or changes how one is searched."""


def has_load(text: str) -> bool:
    """May this text load a library, or say where one is searched?"""
    small, prose = text.lower(), Prose(text)
    return any(
        word in text and prose.has_outside(word) for stem, words in _BY_STEM.items() if stem in small for word in words
    )


def calls(text: str, name: str) -> bool:
    """Does the text call a function of that name anywhere?"""
    return any(
        not text.startswith("def ", max(place - 4, 0)) and "#" not in text[text.rfind("\n", 0, place) + 1 : place]
        for place in places_of(text, f"{name}(")
    )


def places_of(text: str, name: str) -> Iterator[int]:
    """Where a name stands as a word by itself; it may end with the bracket of a call."""
    # a regular expression that starts with a look behind is many times slower
    size, is_open = len(name), not name.endswith("(")
    place = text.find(name)
    while place >= 0:
        before, end = text[place - 1 : place], place + size
        behind = text[end : end + 1] if is_open else ""
        if not (before.isalnum() or before == "_" or behind.isalnum() or behind == "_"):
            yield place
        place = text.find(name, place + 1)


def changes(text: str) -> Iterator[int]:
    """Where the text changes how a library is searched, or ends the import, if that place runs."""
    for word, pattern in _CHANGES:
        place = text.find(word)
        while place >= 0:
            if pattern.match(text, place):
                yield place
            place = text.find(word, place + 1)


def has_marker(text: str) -> bool:
    """May this text load a library or change how one is searched?"""
    return has_load(text) or next(changes(text), None) is not None
