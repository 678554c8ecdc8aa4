"""A finding: one cause, its evidence, how sure it is, and what helps. The report's JSON follows these values."""

from __future__ import annotations

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.certainty import Certainty as Certainty

if TYPE_CHECKING:
    from whyload.base.message import Message
    from whyload.base.paths import WinPath
    from whyload.facts.ownership import Owner
    from whyload.loader.model import Status, Step
    from whyload.remedies.model import Remedy


class Severity(Enum):
    """`error`: why it fails; `warning`: will hurt, does not cause this failure; `note`: worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Ground for a finding: `kind` is `search`, `symbol`, `record`, `observation` or `text`."""

    kind: str
    text: Message | None = None
    steps: tuple[Step, ...] = ()
    subject: Message | None = None
    """Which load it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A cause with all that the report says of it."""

    code: str
    severity: Severity
    certainty: Certainty
    headline: Message
    culprit: WinPath | None = None
    object: str | None = None
    found_at: WinPath | None = None
    symbol: str | None = None
    chain: tuple[str, ...] = ()
    line: int | None = None
    """Line of the Python file in the chain that asks for the library."""
    edge: Message | None = None
    """How the last name of the chain is wanted: the kind of table, and how many functions."""
    owner: Owner | None = None
    os_error: Status | None = None
    evidence: tuple[Evidence, ...] = ()
    notes: tuple[Message, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    affected: tuple[WinPath, ...] = field(default=())
