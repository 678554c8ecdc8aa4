"""The finding for an error that names its cause by itself: by a number, or in its own words."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.model import Certainty, Evidence, Finding, Severity
from whyload.loader.model import Status

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.ending import ReportedError
    from whyload.remedies.model import Remedy

_LONGEST = 300


def said(
    error: ReportedError,
    code: str,
    headline: Message,
    *,
    culprit: WinPath | None = None,
    object_name: str | None = None,
    found_at: WinPath | None = None,
    symbol: str | None = None,
    notes: tuple[Message, ...] = (),
    remedies: tuple[Remedy, ...] = (),
    certainty: Certainty = Certainty.PROVED,
) -> Finding:
    """A finding of severity error whose evidence is what the run said."""
    return Finding(
        code=code,
        severity=Severity.ERROR,
        certainty=certainty,
        headline=headline,
        culprit=culprit,
        object=object_name,
        found_at=found_at,
        symbol=symbol,
        chain=_chain(error, culprit),
        owner=error.case.packages.owner(culprit) if culprit else None,
        os_error=_status(error),
        evidence=(_words(error),),
        notes=notes,
        remedies=remedies,
    )


def about_file(
    error: ReportedError,
    code: str,
    headline: Message,
    *,
    notes: tuple[Message, ...] = (),
    remedies: tuple[Remedy, ...] = (),
    certainty: Certainty = Certainty.PROVED,
) -> Finding:
    """The same about the library that the error names."""
    name = error.file.name if error.file else None
    return said(
        error,
        code,
        headline,
        culprit=error.file,
        object_name=name,
        notes=notes,
        remedies=remedies,
        certainty=certainty,
    )


def file_label(error: ReportedError) -> Message:
    """The library that the error names, as people know it."""
    if error.file is None:
        return Message(en="the library", zh="该库")
    label = f"`{error.case.label(error.file)}`"
    return Message(en=label, zh=label)


def _chain(error: ReportedError, culprit: WinPath | None) -> tuple[str, ...]:
    chain = [error.case.subject]
    place = error.load.event.place if error.load is not None else None
    if place is not None and place.file is not None:
        chain.append(str(place.file))
    return (*chain, *([str(culprit)] if culprit and str(culprit) not in chain else ()))


def _status(error: ReportedError) -> Status | None:
    """None where the error has no number."""
    number, status = error.ending.winerror, error.ending.ntstatus
    return Status(winerror=number or 0, ntstatus=status or 0) if number or status else None


def _words(error: ReportedError) -> Evidence:
    lines = [line for line in error.ending.text.splitlines() if line.strip()] or [_exit_status(error)]
    text = " ".join(lines)
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return Evidence(kind="text", text=Message(en=f"the run ended with: {text}", zh=f"程序最后的报错：{text}"))


def _exit_status(error: ReportedError) -> str:
    return f"0x{error.ending.ntstatus:08X}" if error.ending.ntstatus else "?"
