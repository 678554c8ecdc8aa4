"""Asks every rule about every subject; a rule names what it examines by the type of its first parameter."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from importlib import import_module
from types import ModuleType

from whyload import rules
from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.model import Finding, Severity
from whyload.findings.report import NotChecked
from whyload.knowledge.causes import causes
from whyload.remedies.commands import with_changes

if TYPE_CHECKING:
    from whyload.base.paths import WinPath

Examine = Callable[[object], Finding | NotChecked | None]


@functools.cache
def rule_modules() -> tuple[ModuleType, ...]:
    """The rule of every cause, by its code; one whose cause no world shows has a page only, and no `examine`."""
    return tuple(map(_module, _codes()))


@functools.cache
def _codes() -> list[str]:
    return sorted(cause.code for cause in causes())  # `pkgutil` would import half of `inspect`


def _module(code: str) -> ModuleType:
    return import_module(f"{rules.__name__}.{code.replace('-', '_')}")


@functools.cache
def _rules_of(kind: type[object]) -> tuple[tuple[str, Examine], ...]:
    """The rules that examine subjects of this type, in the order of their codes; no other is imported."""
    names = {each.__name__ for each in kind.__mro__}
    codes = [code for code in _codes() if names.intersection(rules.EXAMINED.get(code, names))]
    found = ((code, _module(code)) for code in codes)
    return tuple((code, m.examine) for code, m in found if hasattr(m, "examine") and issubclass(kind, _examined(m)))


def _examined(module: ModuleType) -> tuple[type, ...]:
    """The classes that the first parameter's annotation names: `A` or `A | B` (`inspect` and `typing` load slowly)."""
    hint = eval(next(iter(module.examine.__annotations__.values())), vars(module))
    return getattr(hint, "__args__", (hint,))


def judge(subjects: Iterable[object]) -> tuple[list[Finding], list[NotChecked]]:
    """One finding per cause, in the order of the subjects; a rule that breaks down is reported, never hidden."""
    findings: list[Finding] = []
    unchecked: list[NotChecked] = []
    for subject in subjects:
        for code, examine in _rules_of(type(subject)):  # type: ignore[arg-type] # mypy takes no class for hashable
            try:
                answer = examine(subject)
            except Exception as error:  # a defect of ours must not take the other answers along
                unchecked.append(_broken(code, error))
                continue
            if isinstance(answer, NotChecked):
                unchecked.append(answer)
            elif answer is not None:
                merge(findings, replace(answer, remedies=tuple(map(with_changes, answer.remedies))))
    return findings, unchecked


def _broken(code: str, error: Exception) -> NotChecked:
    said = f"{type(error).__name__}: {error}"
    return NotChecked(
        what=Message(en=f"rule {code}", zh=f"规则 {code}"),
        why=Message(en=f"it crashed: {said}", zh=f"规则出错：{said}"),
    )


def merge(findings: list[Finding], new: Finding) -> None:
    """Add a finding; the same cause with the same object and symbol only makes its file one that is affected."""
    key = (new.code, (new.object or "").lower(), new.symbol)
    for index, old in enumerate(findings):
        if (old.code, (old.object or "").lower(), old.symbol) == key:
            extra: tuple[WinPath, ...] = (new.culprit,) if new.culprit else ()
            affected = dict.fromkeys((*old.affected, *extra, *new.affected))
            worse = min(old.severity, new.severity, key=list(Severity).index)
            kept = tuple(path for path in affected if path != old.culprit)
            findings[index] = replace(old, affected=kept, severity=worse)
            return
    findings.append(new)
