"""Tables of figures, as text or as Markdown, and the targets that they are held against."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.rounds import Times


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A target of docs/performance.md, and what was measured."""

    number: str
    what: str
    goal: str
    measured: str
    met: bool


@dataclass(kw_only=True, slots=True)
class Table:
    """Rows of text under a title; `is_met` is False once a target of it is missed."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    is_met: bool = True

    def add(self, *cells: str, met: bool = True) -> None:
        """A row; the last cell is marked where a target is missed."""
        self.rows.append(cells if met else (*cells[:-1], f"{cells[-1]} (missed)"))
        self.is_met = self.is_met and met

    def note(self, text: str) -> None:
        """A line below the table."""
        self.notes.append(text)

    def target(
        self, number: str, what: str, value: float, *, least: float = 0, most: float = float("inf"), unit: str = "x"
    ) -> None:
        """A figure and the target that it is held against."""
        goal = f"at least {least:g}{unit}" if least else f"at most {most:g}{unit}"
        self.judge(number, what, goal, f"{value:.3g}{unit}", least <= value <= most)

    def judge(self, number: str, what: str, goal: str, measured: str, met: bool) -> None:
        """A target, and whether it is met."""
        self.targets.append(Target(number=number, what=what, goal=goal, measured=measured, met=met))
        self.is_met = self.is_met and met

    def markdown(self) -> str:
        """A heading, the table, the notes as a list."""
        lines = [f"### {self.title}", "", _row(self.columns), _row(["---"] * len(self.columns))]
        lines += [_row(row) for row in self.rows]
        return "\n".join([*lines, "", *[f"- {note}" for note in self.notes], ""])

    def text(self) -> str:
        """Columns padded with spaces."""
        rows = [self.columns, *self.rows]
        widths = [max(len(row[index]) for row in rows) for index in range(len(self.columns))]
        lines = ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([self.title, *[line.rstrip() for line in lines], *[f"  {note}" for note in self.notes], ""])


def targets_table(tables: list[Table]) -> Table:
    """Every target that was asked, in order, with the answer."""
    table = Table(title="Targets", columns=("#", "what", "target", "measured", ""))
    asked = [target for each in tables for target in each.targets]
    for target in sorted(asked, key=lambda target: (not target.number.isdigit(), target.number.zfill(2))):
        answer = "met" if target.met else "**missed**"
        table.rows.append((target.number, target.what, target.goal, target.measured, answer))
    return table


def times_table(title: str, times: dict[str, Times], base: Times) -> Table:
    """Median, least and most of each contender in milliseconds, and its ratio to `base`."""
    has_processor = any(any(each.processor) for each in times.values())
    columns = ("", "median ms", "min", "max", "rounds", "ratio")
    table = Table(title=title, columns=(*columns, "processor, least ms") if has_processor else columns)
    for name, each in times.items():
        known = each.known
        figures = [_milliseconds(value) for value in (each.median, min(known), max(known))]
        figures += [str(len(known)), f"{each.over(base):.3g}x"]
        table.add(name, *figures, *([_milliseconds(min(each.processor))] if has_processor else []))
    return table


def _milliseconds(seconds: float) -> str:
    value = seconds * 1000
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
