"""What raises the score of an atom, and what does not move it."""

from __future__ import annotations

from cortexfs.core.bulletin.score_atoms import (
    OPEN_LINK,
    SECOND_LINK,
    CurrentAtom,
    DayReads,
    decay_reads,
    find_newest_day,
    format_day,
    parse_day,
    score_atoms,
)

TODAY = parse_day("2026-05-05")
OLD = CurrentAtom("p/K-001.md", "p/K-001", "K-001.md", "p", "knowledge", TODAY - 100, "p")


def _score(atom: CurrentAtom, reads: tuple[DayReads, ...] = (), link: float = 0.0) -> float:
    decayed = decay_reads(reads, TODAY)
    return score_atoms([atom], decayed, {atom.ref: link}, TODAY)[atom.path]


def test_each_part_raises_the_score() -> None:
    plain = _score(OLD)
    read = DayReads("p", "K-001.md", TODAY - 1, 1)
    assert _score(OLD._replace(day=TODAY)) > plain
    assert _score(OLD._replace(is_pinned=True)) > plain
    assert _score(OLD._replace(is_anti_pattern=True)) > plain
    assert _score(OLD._replace(read_count=9)) > plain
    assert _score(OLD, (read,)) > plain
    assert _score(OLD, link=OPEN_LINK) > _score(OLD, link=SECOND_LINK) > plain


def test_a_read_of_yesterday_counts_more_than_several_of_two_months_ago() -> None:
    recent = (DayReads("p", "K-001.md", TODAY - 1, 1),)
    before = (DayReads("p", "K-001.md", TODAY - 60, 3),)
    assert _score(OLD, recent) > _score(OLD, before) > _score(OLD)


def test_reads_of_another_file_or_project_do_not_count() -> None:
    others = (DayReads("q", "K-001.md", TODAY, 5), DayReads("p", "K-002.md", TODAY, 5))
    assert _score(OLD, others) == _score(OLD)


def test_a_score_is_at_most_one() -> None:
    best = OLD._replace(day=TODAY, is_pinned=True, is_anti_pattern=True)
    assert _score(best, (DayReads("p", "K-001.md", TODAY, 10**6),), OPEN_LINK) == 1.0


def test_the_newest_day_is_not_a_typing_error() -> None:
    assert find_newest_day([TODAY, TODAY - 3, parse_day("9999-12-31"), 0]) == TODAY
    assert find_newest_day([TODAY + 300, TODAY]) == TODAY + 300
    assert find_newest_day([0]) == 0
    assert (parse_day("2026-99-01"), format_day(0)) == (0, "")
