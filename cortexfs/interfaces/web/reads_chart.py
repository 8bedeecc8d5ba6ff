"""Reads and writes over time, as the cells of a table."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.operations.summarize_activity import DayActivity

WEEKS = 20
LEVELS = 4
"""Number of steps above zero."""


class WeekReads(NamedTuple):
    """The reads of one week, and their level (0 to `LEVELS`) among the weeks shown."""

    monday: date
    reads: int
    level: int


class HeatCell(NamedTuple):
    """One day of the heat map: its level is 0 if nothing happened."""

    day: date
    reads: int
    writes: int
    level: int


class HeatMap(NamedTuple):
    """Seven rows of days, one for each weekday, and the months over their first columns."""

    rows: Sequence[Sequence[HeatCell | None]]
    months: Sequence[tuple[str, int]]
    reads: int
    writes: int


def count_weekly_reads(reads: Sequence[tuple[str, str]], today: date) -> list[WeekReads]:
    """Return the reads of the last weeks, oldest first, of times and sessions."""
    monday = today - timedelta(days=today.weekday())
    counts = Counter[date]()
    for time, _ in reads:
        try:
            day = date.fromisoformat(time[:10])
        except ValueError:
            continue
        counts[day - timedelta(days=day.weekday())] += 1
    mondays = [monday - timedelta(weeks=number) for number in range(WEEKS)][::-1]
    levels = make_levels([counts[each] for each in mondays])
    return [WeekReads(each, counts[each], levels(counts[each])) for each in mondays]


class Levels(NamedTuple):
    """The limits between levels: quantiles, as one big day would flatten all others."""

    limits: Sequence[int]

    def __call__(self, count: int) -> int:
        """Return the level of a count; 0 for none."""
        return 0 if not count else 1 + sum(count > limit for limit in self.limits)


def make_levels(counts: Sequence[int]) -> Levels:
    """Return the levels of some counts."""
    present = sorted(count for count in counts if count)
    places = (len(present) * step // LEVELS for step in range(1, LEVELS))
    return Levels(tuple(present[place] for place in places) if present else ())


def make_heat_map(days: Sequence[DayActivity]) -> HeatMap:
    """Return the heat map of whole weeks of days, which begin on a Monday."""
    levels = make_levels([day.reads + day.writes for day in days])
    cells = [HeatCell(*day, levels(day.reads + day.writes)) for day in days]
    rows = [[*cells[weekday::7]] for weekday in range(7)]
    width = max(map(len, rows), default=0)
    months: list[tuple[str, int]] = []
    for cell in rows[0] if rows else ():
        name = f"{cell.day:%b %Y}"
        if months and months[-1][0] == name:
            months[-1] = (name, months[-1][1] + 1)
        else:
            months.append((name, 1))
    return HeatMap(
        [[*row, *([None] * (width - len(row)))] for row in rows],
        months,
        sum(day.reads for day in days),
        sum(day.writes for day in days),
    )
