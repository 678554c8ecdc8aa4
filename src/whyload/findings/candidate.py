"""A cause that a pasted text speaks for: how strongly, why, and what to look at to decide."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.message import Message
from whyload.findings.certainty import Certainty
from whyload.remedies.model import Remedy

SCHEMA = "whyload.explain/1"


class Strength(Enum):
    """The ground that a text gives, strongest first."""

    DECISIVE = "decisive"
    """The message is about this fault and about no other."""
    SHOWN = "shown"
    """A message and what else the text says agree on it."""
    STATED = "stated"
    """A message names it; what the text does not say could yet change it."""
    KNOWN = "known"
    """An established defect of this release, or an established habit of this package."""
    USUAL = "usual"
    """What such a message mostly turns out to be."""
    POSSIBLE = "possible"

    @property
    def rank(self) -> int:
        """0 for the strongest."""
        return list(Strength).index(self)


_CERTAINTY = {
    Strength.DECISIVE: Certainty.PROVED,
    Strength.SHOWN: Certainty.LIKELY,
    Strength.STATED: Certainty.LIKELY,
    Strength.KNOWN: Certainty.LIKELY,
    Strength.USUAL: Certainty.POSSIBLE,
    Strength.POSSIBLE: Certainty.POSSIBLE,
}


Found = tuple[Strength, Message, "str | None"]
"""What a text shows of one cause: how strongly, why, and the object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One cause that comes into question."""

    code: str
    strength: Strength
    why: Message
    object: str | None = None
    ask: tuple[Message | str, ...] = ()
    """What decides: a question, or a command as it is typed."""
    remedies: tuple[Remedy, ...] = ()
    order: tuple[int, int] = (0, 0)
    """Among candidates of one strength, the smaller one first."""

    @property
    def certainty(self) -> Certainty:
        """How sure a text alone can make it."""
        return _CERTAINTY[self.strength]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The answer to a pasted text."""

    candidates: tuple[Candidate, ...]
    platform: str | None = None
    system: str | None = None
    python: str | None = None
    winerror: int | None = None
    ntstatus: int | None = None
    module: str | None = None
    file: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    look: str | None = None
    """The command that looks at this machine, where the module is installed on it."""

    @property
    def exit_code(self) -> int:
        """0 with candidates, 3 with none."""
        return 0 if self.candidates else 3
