"""An atom beside its refs: the highest count, the latest look."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.indexes.atom_with_reads import (
    AtomWithReads,
    latest_time,
    normalize_time,
    parse_read_stats,
)


def _atom(**fields: str) -> Atom:
    return Atom(
        path="projects/p/experiments/x.md", kind="experiment", ref=Ref("p/x"), fields=fields
    )


moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def _format_time(moment: datetime, digits: int) -> str:
    """Write a time to the second, or with so many digits after it."""
    fraction = f".{moment.microsecond:06d}"[: digits + 1] if digits else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


@given(st.lists(st.tuples(moments, st.sampled_from([0, 3, 6])), min_size=1))
def test_the_latest_time_does_not_depend_on_precision(
    moments_read: list[tuple[datetime, int]],
) -> None:
    written = {}
    for moment, digits in moments_read:
        text = _format_time(moment, digits)
        written[datetime.fromisoformat(text)] = text
    assert datetime.fromisoformat(latest_time(*written.values())) == max(written)


zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.lists(st.tuples(moments, zones, st.booleans()), min_size=1))
def test_the_latest_time_does_not_depend_on_the_time_zone(
    moments_read: list[tuple[datetime, timezone, bool]],
) -> None:
    written = []
    for moment, zone, whole in moments_read:
        local_time = moment.astimezone(zone)
        written.append(local_time.isoformat(timespec="seconds" if whole else "milliseconds"))
    last = latest_time(*map(normalize_time, written))
    assert last.endswith("Z")
    assert datetime.fromisoformat(last) == max(map(datetime.fromisoformat, written))


@given(st.lists(st.integers(0, 99), min_size=1), st.integers(0, 99))
def test_the_read_count_is_the_highest_known(counts: list[int], refs_of_atom: int) -> None:
    entry = AtomWithReads.from_atom(
        _atom(refs=str(refs_of_atom)), *(ReadStats(count, "") for count in counts)
    )
    assert entry.reads.read_count == max(*counts, refs_of_atom)


@pytest.mark.parametrize(
    ("refs", "last", "expected"),
    [
        ("7", "2026-04-02T03:12:21.074Z", ReadStats(7, "2026-04-02T03:12:21.074Z")),
        (" 007 ", " 2026-04-02 ", ReadStats(7, "2026-04-02")),
        ("", "", ReadStats(0, "")),
        ("many", "null", ReadStats(0, "")),
        ("-3", "yesterday", ReadStats(0, "")),
        ("1e9", "2026", ReadStats(0, "")),
        ("7.0", "2026-04-32T03:12:21+02:00", ReadStats(0, "")),
        ("7.0", "2026-04-02T03:12:21+25:00", ReadStats(0, "")),
        ("7.0", "0001-01-01T00:00:00+02:00", ReadStats(0, "")),
        ("1", "2026-04-02T03:12:21+02:00", ReadStats(1, "2026-04-02T01:12:21Z")),
        ("1", "2026-04-01 23:12:21.074-0130", ReadStats(1, "2026-04-02T00:42:21.074Z")),
        ("\u0667", "", ReadStats(0, "")),
        ("9" * 5000, "", ReadStats(0, "")),
    ],
)
def test_only_a_valid_count_and_time_are_parsed(refs: str, last: str, expected: ReadStats) -> None:
    assert parse_read_stats(refs, last) == expected


@given(st.dates(date(2026, 1, 1), date(2026, 6, 1)), st.integers(0, 2))
def test_an_atom_without_reads_is_cold_after_fourteen_days(day: date, refs: int) -> None:
    today = date(2026, 5, 6)
    entry = AtomWithReads.from_atom(_atom(date=day.isoformat()), ReadStats(refs, ""))
    assert entry.is_cold(today) is (refs == 0 and today > day + timedelta(days=14))


@pytest.mark.parametrize("day", ["", "soon", "2026-13-01"])
def test_an_atom_without_a_date_is_never_cold(day: str) -> None:
    assert not AtomWithReads.from_atom(_atom(date=day)).is_cold(date(2099, 1, 1))


@given(st.lists(st.text(max_size=6), min_size=2, max_size=8))
def test_entries_with_any_ids_can_be_sorted(idents: list[str]) -> None:
    found = [AtomWithReads.from_atom(_atom(id=ident)) for ident in idents]
    sorted(found, key=lambda entry: entry.sort_key)
