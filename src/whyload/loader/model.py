"""What a simulated load gives: a tree whose nodes keep every step that was tried, in order, with outcome and reason."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.machine import Machine
    from whyload.base.message import Message, Text
    from whyload.base.paths import WinPath


class StepKind(Enum):
    """The places where the Windows loader looks (loader.md 2.2, 2.4), in the words of its documentation."""

    ARGUMENT = "ARGUMENT"
    FULL_PATH = "FULL_PATH"
    LOCAL = "LOCAL"
    APISET = "APISET"
    LOADED = "LOADED"
    KNOWNDLL = "KNOWNDLL"
    TOP_DIR = "TOP_DIR"
    APP_DIR = "APP_DIR"
    USER_DIR = "USER_DIR"
    SDD = "SDD"
    SYSTEM32 = "SYSTEM32"
    SYSTEM16 = "SYSTEM16"
    WINDOWS = "WINDOWS"
    CWD = "CWD"
    PATH = "PATH"


class Verdict(Enum):
    """What became of one step."""

    NOT_LISTED = "not listed"
    ABSENT = "not there"
    UNKNOWN = "not known"
    MISMATCH = "other processor, skipped"
    INCOMPATIBLE = "other processor, stops"
    DAMAGED = "not a valid image, stops"
    DENIED = "access denied, stops"
    DIRECTORY = "a folder of that name, stops"
    NOT_HOSTED = "not part of this Windows"
    REFUSED = "the loader refuses the name"
    TOO_LONG = "the path is too long"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One place that was looked at."""

    kind: StepKind
    rule: str
    """The rule of the loader that this step follows, such as `R2.18`."""
    verdict: Verdict
    place: str = ""
    """Folder, or what was asked."""
    path: WinPath | None = None
    machine: Machine | None = None
    detail: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A Windows error with the NTSTATUS behind it (loader.md 2.10)."""

    winerror: int
    ntstatus: int

    def __bool__(self) -> bool:
        return self.winerror != 0


OK = Status(winerror=0, ntstatus=0)
NOT_FOUND = Status(winerror=126, ntstatus=0xC0000135)
NOT_HOSTED = Status(winerror=126, ntstatus=0xC0000481)
NO_PROCEDURE = Status(winerror=127, ntstatus=0xC0000139)
NO_ORDINAL = Status(winerror=182, ntstatus=0xC0000138)
BAD_IMAGE = Status(winerror=193, ntstatus=0xC000007B)
DENIED = Status(winerror=5, ntstatus=0xC0000022)
BAD_PARAMETER = Status(winerror=87, ntstatus=0xC000000D)
INIT_FAILED = Status(winerror=1114, ntstatus=0xC0000142)
DELAY_MODULE_MISSING = 0xC06D007E
"""The exception of Microsoft's delay-load helper for a library that is not found (R2.52)."""


class EdgeKind(Enum):
    """Why a library is wanted."""

    REQUEST = "request"
    IMPORT_TABLE = "import table"
    DELAY_IMPORT = "delay import"
    FORWARDER = "forwarder"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingSymbol:
    """A function that is imported and that the winning file does not give."""

    importer: WinPath
    library: WinPath
    """The file that was asked."""
    name: str | None
    ordinal: int | None
    by_ordinal: bool = False
    """How the importer asks; a forwarder on the way may ask the other way."""
    no_export_table: bool = False
    """The library exports nothing at all, which Windows answers with 193 (R1.23)."""
    circular: bool = False
    """Its forwarders lead back to itself, or over more than 32 files: 193 too (R1.24)."""

    @property
    def text(self) -> str:
        """The name, or `#` and the ordinal."""
        return self.name if self.name is not None else f"#{self.ordinal}"

    @property
    def status(self) -> Status:
        """What Windows answers (R2.48, R2.49)."""
        if self.no_export_table or self.circular:
            return BAD_IMAGE
        return NO_ORDINAL if self.by_ordinal else NO_PROCEDURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One request for a library and what came of it."""

    name: str
    edge: EdgeKind
    steps: tuple[Step, ...]
    status: Status
    importer: WinPath | None = None
    path: WinPath | None = None
    fresh: bool = False
    """Mapped by this very load; otherwise it was in the process already, or belongs to Windows and is not followed."""
    contents_known: bool = False
    symbol_count: int = 0
    """Functions that the importer asks of it."""
    by_ordinal: bool = False
    """Of a forwarder's target: the import that led to it asks by ordinal."""
    children: tuple[Node, ...] = ()
    delayed: tuple[Node, ...] = ()
    """Delay imports: found or not with the flags of the delay-load helper, never a reason to fail (R2.52)."""
    missing_symbols: tuple[MissingSymbol, ...] = ()
    initialiser_fails: bool = False
    """Its DllMain is code that does nothing but return FALSE."""

    @property
    def delay_exception(self) -> int | None:
        """Of a delay import: the code of the exception that its first call raises; None where its library is found."""
        return DELAY_MODULE_MISSING if self.edge is EdgeKind.DELAY_IMPORT and self.status else None

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in load order; delay imports are left out."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


class FaultKind(Enum):
    """What is wrong with one request."""

    NOT_FOUND = "not found"
    WRONG_MACHINE = "wrong machine"
    DAMAGED = "damaged"
    DENIED = "denied"
    BAD_PARAMETER = "bad parameter"
    FORWARDER_TARGET_MISSING = "forwarder target missing"
    MISSING_SYMBOL = "missing symbol"
    NO_EXPORT_TABLE = "no export table"
    INIT_FAILED = "initialiser fails"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault of its own, not one that follows from another below it."""

    kind: FaultKind
    node: Node
    chain: tuple[Node, ...]
    """From the library that the program asked for down to `node`."""
    status: Status
    symbol: MissingSymbol | None = None

    @property
    def bad_step(self) -> Step | None:
        """The step that met a file which cannot be used: the one that stopped the search, else the last skipped."""
        for step in reversed(self.node.steps):
            if step.path is not None and step.verdict not in (Verdict.ABSENT, Verdict.UNKNOWN, Verdict.TAKEN):
                return step
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadTree:
    """The answer to one load call."""

    root: Node
    flags: int
    status: Status
    """What the call returns: the first mapping fault, else the first missing function (R2.46)."""
    faults: tuple[Fault, ...]
    modules: tuple[WinPath, ...]
    """Every file in the process after the call, in load order."""
    uncertain: tuple[Message, ...] = ()
    """Reasons why the answer may be wrong: the rule or the file is not known."""
    cut: bool = False
    """Part of the tree was not followed: that nothing is missing there is not known."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Names for which no file was taken, in load order, each once."""
        names: dict[str, str] = {}
        for fault in self.faults:
            if fault.kind in (FaultKind.NOT_FOUND, FaultKind.FORWARDER_TARGET_MISSING):
                names.setdefault(fault.node.name.lower(), fault.node.name)
        return tuple(names.values())
