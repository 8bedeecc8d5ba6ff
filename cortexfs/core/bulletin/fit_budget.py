"""Choose the lines that fit a budget: a floor for each section, and then the best of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.bulletin.bulletin_line import SECTIONS, BulletinLine
from cortexfs.core.bulletin.clean_bulletin_text import cut_to_words
from cortexfs.core.bulletin.format_bulletin import (
    find_shared_provenance,
    format_heading,
    format_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.bulletin.measure_text import Budget

    RankedLines = Mapping[str, Sequence[BulletinLine]]

POSITIONS = {key: position for position, key in enumerate(SECTIONS)}
_LARGE = 999
"""A count with as many digits as a heading is expected to have."""


@dataclass(slots=True)
class _Allocation:
    """How many lines each section has so far, what they cost, and what is left."""

    lines: RankedLines
    budget: Budget
    left: int
    shared: Mapping[str, str]
    counts: dict[str, int]
    used: dict[str, int]

    def add_next(self, key: str, max_cost: float) -> None:
        """Give a section its next line, if it fits, and the section costs at most so much."""
        line = self.lines[key][self.counts[key]]
        cost = self.budget.measure(f"{format_line(line, self.shared[key])}\n")
        heading = format_heading(SECTIONS[key].title, _LARGE, _LARGE, self.shared[key])
        total = cost + (0 if self.counts[key] else self.budget.measure(heading))
        if total <= self.left and self.used[key] + cost <= max_cost:
            self.counts[key] += 1
            self.used[key] += cost
            self.left -= total


def rank_lines(lines: Iterable[BulletinLine]) -> dict[str, list[BulletinLine]]:
    """Return the lines of each section, each cut at a word, the most important first."""
    ranked: dict[str, list[BulletinLine]] = {}
    for line in sorted(lines, key=lambda each: (-each.score, each.source, each.text, each.day)):
        cut = cut_to_words(line.text, SECTIONS[line.section].max_words)
        ranked.setdefault(line.section, []).append(line._replace(text=cut))
    return {key: ranked[key] for key in SECTIONS if key in ranked}


def fit_lines(ranked: RankedLines, budget: Budget, available: int) -> dict[str, list[BulletinLine]]:
    """Return the lines of each section that fit; `available` is what they may cost in all.

    A section has a floor, then the lines with the highest scores follow, until a section has its
    highest share. A section never has a line without the more important ones before it.
    """
    zeros = dict.fromkeys(ranked, 0)
    shared = {key: find_shared_provenance(lines) for key, lines in ranked.items()}
    state = _Allocation(ranked, budget, available, shared, dict(zeros), dict(zeros))
    for depth in range(max(section.floor for section in SECTIONS.values())):
        for key, lines in ranked.items():
            if state.counts[key] == depth < min(SECTIONS[key].floor, len(lines)):
                state.add_next(key, available)
    queue = sorted(
        (-line.score, POSITIONS[key], number)
        for key, lines in ranked.items()
        for number, line in enumerate(lines)
    )
    keys = list(SECTIONS)
    for _, position, number in queue:
        key = keys[position]
        if state.counts[key] == number:
            state.add_next(key, budget.limit * SECTIONS[key].max_share)
    return {key: list(lines[: state.counts[key]]) for key, lines in ranked.items()}


def drop_least_important(shown: Mapping[str, list[BulletinLine]]) -> None:
    """Remove the line with the lowest score that is the last of its section."""
    lasts = ((lines[-1].score, -POSITIONS[key], key) for key, lines in shown.items() if lines)
    shown[min(lasts)[2]].pop()
