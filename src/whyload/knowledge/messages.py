"""What loaders, interpreters, compilers and packages print when something native does not load.

Source: data/messages.toml (the programs' own sources, each entry names its file).
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterable, Iterator

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.knowledge.reader import data_tables


class Said(Enum):
    """What a message says."""

    IMPORT_FAILED = "import-failed"
    """Windows could not load an extension module; the reason is Windows' own sentence."""
    FILE_OR_DEPENDENCY = "file-or-dependency"
    """Windows error 126 with the name of the file that was asked for."""
    LOADLIBRARY_FAILED = "loadlibrary-failed"
    LIBRARY_MISSING = "library-missing"
    """A library is named that was looked for and not found."""
    BUNDLING_WARNING = "bundling-warning"
    FROZEN_START_FAILED = "frozen-start-failed"
    ENTRY_POINT_MISSING = "entry-point-missing"
    WRONG_PYTHON_DLL = "wrong-python-dll"
    WRONG_ARCHITECTURE = "wrong-architecture"
    ADD_DLL_DIRECTORY = "add-dll-directory"
    SIDE_BY_SIDE = "side-by-side"
    CRT_LOADED_ASIDE = "crt-loaded-aside"
    """A C runtime of 2005 or 2008 was found by a path, and not by the manifest that it has to be found by."""
    POLICY = "policy"
    VIRUS = "virus"
    OTHER_ONNXRUNTIME = "other-onnxruntime"
    CUDA_NOT_LOADED = "cuda-not-loaded"
    MUSL_RELOCATION = "musl-relocation"
    DENIED = "denied"
    SYMBOL_VERSION = "symbol-version"
    UNDEFINED_SYMBOL = "undefined-symbol"
    ELF_CLASS = "elf-class"
    ELF_HEADER = "elf-header"
    ELF_MACHINE = "elf-machine"
    TOO_SHORT = "too-short"
    MALFORMED = "malformed"
    """A library whose own head the loader finds to be wrong: a tool moved its parts, or a copy of it is spoilt."""
    NO_LIBRARY = "no-library"
    """A program, an object file, a folder: nothing that can be loaded."""
    STATIC_PYTHON = "static-python"
    """The interpreter is linked with all its libraries, and loads none at all."""
    OTHER_SYSTEM = "other-system"
    """An image in the system's own format that is for another system, or for a newer one."""
    PAGE_SIZE = "page-size"
    """A library was linked for smaller pages of memory than this kernel has."""
    STATIC_TLS = "static-tls"
    EXECUTABLE_STACK = "executable-stack"
    MAP_FAILED = "map-failed"
    ISA_LEVEL = "isa-level"
    MACHO_ARCHITECTURE = "macho-architecture"
    CODE_SIGNATURE = "code-signature"
    NOT_MACHO = "not-macho"
    REFUSED_IMAGE = "refused-image"
    """A file that is whole, and that a newer macOS does not take as it is."""
    MIXED_INSTALL = "mixed-install"
    """The Python files and the binary of a package are of two releases."""
    OTHER_VERSION = "other-version"
    NATIVE_MODULE_MISSING = "native-module-missing"
    PARTIALLY_INITIALIZED = "partially-initialized"
    SHADOWED = "shadowed"
    NAME_NOT_THERE = "name-not-there"
    """A module has no such name; in `module` and `file` the module, where the message tells it."""
    NOT_A_PACKAGE = "not-a-package"
    NO_INIT_FUNCTION = "no-init-function"
    PYTHON_MISMATCH = "python-mismatch"
    NUMPY_ABI = "numpy-abi"
    TORCH_ABI = "torch-abi"
    TORCH_MISMATCH = "torch-mismatch"
    CUDA_MISMATCH = "cuda-mismatch"
    NO_BUILD_FOR_CUDA = "no-build-for-cuda"
    """The release of a package has no library for the CUDA that torch uses."""
    CUDNN_MISMATCH = "cudnn-mismatch"
    DRIVER_TOO_OLD = "driver-too-old"
    NO_DRIVER = "no-driver"
    DUPLICATE_OPENMP = "duplicate-openmp"
    ILLEGAL_INSTRUCTION = "illegal-instruction"
    OTHER_RUNTIME = "other-runtime"
    """An extension calls into a Python runtime that is not the one that runs."""
    CRASH = "crash"
    BUILD_TOOL_MISSING = "build-tool-missing"
    BUILD_FAILED = "build-failed"
    STALE_CACHE = "stale-cache"
    DATA_FOLDER = "data-folder"
    DRIVER_FUNCTION_MISSING = "driver-function-missing"
    QT_PLUGIN = "qt-plugin"
    PLUGIN_FAILED = "plugin-failed"
    """A plugin that a library looks for in a folder of its own, or of a variable, does not load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePattern:
    """One message: where `find` occurs in the lower-case text, `regex` says what it names."""

    kind: Said
    find: str
    regex: str | None
    require: str | None
    """What else has to stand in the text."""
    library: str | None
    """The library that the message is about without naming it."""
    module: str | None
    """Likewise the module."""
    platform: str | None
    asks: str | None
    """How whoever prints it asks Windows for the file that it names: `ctypes`, `LoadLibrary` or `import`."""
    flags: int | None
    """The flags of that call; None: by the shape of the name, as ctypes does it."""
    source: str

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Every place of a text where the message stands; the groups are named as in the data."""
        return compiled(self.regex or re.escape(self.find)).finditer(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A message found in a text, with what it names."""

    kind: Said
    place: int
    text: str
    platform: str | None = None
    module: str | None = None
    file: str | None = None
    library: str | None = None
    symbol: str | None = None
    version: str | None = None
    needed_by: str | None = None
    found: str | None = None
    number: int | None = None


@functools.cache
def message_patterns() -> tuple[MessagePattern, ...]:
    """Every pattern of the data, in file order."""
    return tuple(
        MessagePattern(
            kind=Said(row["kind"]),
            find=row["find"],
            regex=row.get("regex"),
            require=row.get("require"),
            library=row.get("library"),
            module=row.get("module"),
            platform=row.get("platform"),
            asks=row.get("asks"),
            flags=row.get("flags"),
            source=row["source"],
        )
        for row in data_tables("messages")["message"]
    )


def naming_patterns() -> tuple[MessagePattern, ...]:
    """The patterns that name a file and tell how it was asked for, in file order."""
    return tuple(pattern for pattern in message_patterns() if pattern.asks is not None)


_MOST_OF_ONE_KIND = 20
"""Places at either end of a text at which one pattern is tried: a log repeats its messages."""
_BEFORE, _AFTER = 700, 1000
"""Characters around such a place that are looked at."""


def find_sayings(text: str) -> tuple[Saying, ...]:
    """Every message of the data that stands in a text, by position; lines may break anywhere a blank is.

    The time is bounded for any text: a pattern is tried only around the words that it is known by.
    """
    folded = FoldedText(text)
    found = {
        (saying.kind, saying.place, saying.text): saying
        for pattern in message_patterns()
        for saying in _matches(pattern, folded)
    }
    return tuple(sorted(found.values(), key=lambda saying: saying.place))


class FoldedText:
    """A text in lower case with single blanks, and the way back from a place in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: list[int] = []
        self._places: list[int] = []
        words: list[str] = []
        length = 0
        for match in re.finditer(r"\S+", text):
            word = match[0].lower()
            self._starts.append(match.start())
            self._places.append(length)
            words.append(word)
            length += len(word) + 1
        self.folded = " ".join(words)

    def places(self, words: str) -> list[int]:
        """Where in the text the words stand: the first and the last few."""
        first: list[int] = []
        place = self.folded.find(words)
        while place >= 0 and len(first) < _MOST_OF_ONE_KIND:
            first.append(place)
            place = self.folded.find(words, place + len(words))
        last: list[int] = []
        place = self.folded.rfind(words) if place >= 0 else -1
        while place > first[-1] and len(last) < _MOST_OF_ONE_KIND:
            last.append(place)
            place = self.folded.rfind(words, 0, place)
        return [self._back(place) for place in (*first, *reversed(last))]

    def _back(self, place: int) -> int:
        index = bisect.bisect_right(self._places, place) - 1
        return self._starts[index] + place - self._places[index]


def _matches(pattern: MessagePattern, text: FoldedText) -> Iterator[Saying]:
    if pattern.find not in text.folded:
        return
    if pattern.require is not None and not re.search(pattern.require, text.text):
        return
    if pattern.regex is None:
        for place in text.places(pattern.find)[-1:]:
            yield Saying(
                kind=pattern.kind,
                place=place,
                text=pattern.find,
                platform=pattern.platform,
                library=pattern.library,
                module=pattern.module,
            )
        return
    for start, end in _windows(text.places(pattern.find)):
        for match in compiled(pattern.regex).finditer(text.text, start, end):
            yield _saying(pattern, match)


def _windows(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """What is looked at around some places; windows that touch are one."""
    start = end = -1
    for place in places:
        if start >= 0 and place - _BEFORE <= end:
            end = place + _AFTER
            continue
        if start >= 0:
            yield start, end
        start, end = max(place - _BEFORE, 0), place + _AFTER
    if start >= 0:
        yield start, end


def _saying(pattern: MessagePattern, match: re.Match[str]) -> Saying:
    named = {name: " ".join(value.split()) for name, value in match.groupdict().items() if value}
    number = named.pop("number", None)
    return Saying(
        kind=pattern.kind,
        place=match.start(),
        text=" ".join(match[0].split()),
        platform=pattern.platform,
        module=named.get("module") or pattern.module,
        file=named.get("file"),
        library=named.get("library") or pattern.library,
        symbol=named.get("symbol"),
        version=named.get("version"),
        needed_by=named.get("needed_by"),
        found=named.get("found"),
        number=int(number, 0) if number else None,
    )


@functools.cache
def compiled(regex: str) -> re.Pattern[str]:
    """A regular expression of the data, in which a blank stands for white space or a broken line."""
    return re.compile(_blank_outside_classes(regex), re.IGNORECASE | re.DOTALL)


def _blank_outside_classes(regex: str) -> str:
    """`\\s+` for each blank, `\\s*` for one that is optional; a blank within square brackets stays."""
    parts = re.split(r"(\[(?:\\.|[^\]\\])*\])", regex)
    outside = (
        part if index % 2 else part.replace(" ?", r"\s{0,30}").replace(" ", r"\s{1,40}")
        for index, part in enumerate(parts)
    )
    return "".join(outside)
