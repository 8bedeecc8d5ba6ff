"""The score of an atom for a bulletin: importance, recency, reads, and links to what is open.

The weights stand here alone, so that they can be tuned against the history of a project.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.memory.importance_score import TYPE_BONUSES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

IMPORTANCE_WEIGHT = 0.1
RECENCY_WEIGHT = 0.15
READS_WEIGHT = 0.55
OPEN_WEIGHT = 0.2
"""The weights of the four parts; their sum is 1."""
PINNED_BONUS = 0.5
"""What a pinned atom gets in addition."""
RECENCY_HALF_LIFE_DAYS = 14.0
"""Days after which the recency of an atom is halved."""
FAST_HALF_LIFE_DAYS, SLOW_HALF_LIFE_DAYS = 7.0, 60.0
"""Days after which a read counts half: what the last sessions used, and what is used again."""
FAST_READS_SHARE = 0.4
READS_AT_HALF = 1.5
"""The decayed number of reads that gives half of the highest score for reads."""
OLD_READ_WEIGHT, MAX_OLD_READS = 0.02, 20
"""What a read without a day counts, and how many of them count."""
OPEN_LINK, RECENT_LINK, SECOND_LINK = 1.0, 0.6, 0.45
"""What a link from open work counts, one from recent progress or an issue, and (times the former)
one from an atom that is linked so."""
KIND_IMPORTANCE = {"decision": 0.8, "pattern": 0.7, "knowledge": 0.6, "experiment": 0.5}
OTHER_IMPORTANCE = 0.4
"""The importance of kinds that are not listed, sessions and a user's own among them."""
OBSERVATION_IMPORTANCE = 0.3
ANTI_PATTERN_BONUS = 0.2
TYPO_DAYS = 366
"""A day so long after every other one is a typing error, and not the newest."""


class CurrentAtom(NamedTuple):
    """What the score needs of an atom that is current; `day` is an ordinal, 0 if it has none.

    `about` is the project that it concerns: of a personal observation, the one that it names.
    `read_count` are the reads in its frontmatter, which have no days.
    """

    path: str
    ref: str
    file_name: str
    project: str
    kind: str
    day: int
    about: str = ""
    memory_type: str = ""
    read_count: int = 0
    is_pinned: bool = False
    is_anti_pattern: bool = False


class DayReads(NamedTuple):
    """The sessions that read a file on one day (an ordinal)."""

    project: str
    file_name: str
    day: int
    sessions: int


def find_newest_day(days: Iterable[int]) -> int:
    """Return the newest day as an ordinal, without a single one far after all others; else 0."""
    known = sorted({day for day in days if day > 0}, reverse=True)
    while len(known) > 1 and known[0] - known[1] > TYPO_DAYS:
        known.pop(0)
    return known[0] if known else 0


def decay_reads(reads: Iterable[DayReads], newest: int) -> dict[tuple[str, str], float]:
    """Return the decayed number of reads by project and file name."""
    totals: dict[tuple[str, str], float] = {}
    for each in reads:
        age = max(newest - each.day, 0)
        fast = FAST_READS_SHARE * 0.5 ** (age / FAST_HALF_LIFE_DAYS)
        slow = (1 - FAST_READS_SHARE) * 0.5 ** (age / SLOW_HALF_LIFE_DAYS)
        key = each.project, each.file_name
        totals[key] = totals.get(key, 0.0) + each.sessions * (fast + slow)
    return totals


def score_atoms(
    atoms: Collection[CurrentAtom],
    reads: Mapping[tuple[str, str], float],
    links: Mapping[str, float],
    newest: int,
) -> dict[str, float]:
    """Return the score of each atom by its path, from 0 to 1.

    `reads` is that of `decay_reads`, `links` has `OPEN_LINK` or `SECOND_LINK` by ref.
    """
    decay = [0.5 ** (age / RECENCY_HALF_LIFE_DAYS) for age in range(_MAX_AGE_DAYS + 1)]
    scores = {}
    for path, ref, name, project, kind, day, _, memory_type, old_reads, pinned, is_anti in atoms:
        importance = KIND_IMPORTANCE.get(kind, OTHER_IMPORTANCE)
        if memory_type:
            importance = OBSERVATION_IMPORTANCE + TYPE_BONUSES.get(memory_type, 0.0)
        if is_anti:
            importance += ANTI_PATTERN_BONUS
        age = newest - day
        total = (
            IMPORTANCE_WEIGHT * importance
            + RECENCY_WEIGHT * decay[0 if age < 0 else min(age, _MAX_AGE_DAYS)]
            + OPEN_WEIGHT * links.get(ref, 0.0)
            + (PINNED_BONUS if pinned else 0.0)
        )
        count = reads.get((project, name), 0.0) + OLD_READ_WEIGHT * min(old_reads, MAX_OLD_READS)
        total += READS_WEIGHT * count / (count + READS_AT_HALF)
        scores[path] = round(min(total, 1.0), _DIGITS)
    return scores


_MAX_AGE_DAYS = 1000
_DIGITS = 6
"""Digits of a score: floating point must not decide an order."""


@lru_cache(maxsize=4096)
def parse_day(text: str) -> int:
    """Return the day at the beginning of a date or time as an ordinal; 0 if there is none."""
    try:
        return date.fromisoformat(text[:10]).toordinal()
    except ValueError:
        return 0


def format_day(day: int) -> str:
    """Return a day as `2026-05-05`; empty for 0."""
    return date.fromordinal(day).isoformat() if day > 0 else ""
