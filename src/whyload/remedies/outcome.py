"""How `whyload fix` ended, as a value."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.message import Message
    from whyload.remedies.model import Remedy


class FixOutcome(Enum):
    """The end in one word."""

    NOTHING_TO_DO = "nothing-to-do"
    PLANNED = "planned"
    DECLINED = "declined"
    FIXED = "fixed"
    PARTLY = "partly"
    """What could be done was done; the rest only a person can do."""
    TAKEN_BACK = "taken-back"
    """It was applied, did not help, and was taken back."""
    BY_HAND = "by-hand"
    NO_REMEDY = "no-remedy"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRemedy:
    """A remedy that is not proposed, and why."""

    id: str
    title: Message
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """What was planned or done, what is left for a person, and what was tried in vain."""

    outcome: FixOutcome
    remedies: tuple[Remedy, ...] = ()
    """Applied, or planned with `--dry-run`, in order."""
    by_hand: tuple[Remedy, ...] = ()
    refused: tuple[RefusedRemedy, ...] = ()
    hints: tuple[Message, ...] = ()
    """What else is to be done so that it lasts."""
    undo: str | None = None
    """The command that takes it back."""
