"""A remedy as a value: what it is called, what it asks of the person, what it changes, whether it was tried."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.remedies.change import Change, Need
from whyload.remedies.safety import Safety, Verified

if TYPE_CHECKING:
    from whyload.base.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One thing that makes it work."""

    id: str
    title: Message
    safety: Safety
    commands: tuple[str, ...] = ()
    """How a person does it at the prompt."""
    changes: tuple[Change, ...] = ()
    """How whyload does it; empty where only a person can."""
    rights: bool = False
    """Only an administrator can do it."""
    verified: Verified = Verified.NO

    @property
    def can_be_applied(self) -> bool:
        """Whyload itself can do it."""
        return bool(self.changes) and self.safety is not Safety.BY_HAND

    @property
    def needs(self) -> frozenset[Need]:
        """What it asks of the machine."""
        found = {need for change in self.changes for need in change.needs}
        return frozenset(found | {Need.RIGHTS} if self.rights else found)


__all__ = ["Remedy", "Safety", "Verified"]
