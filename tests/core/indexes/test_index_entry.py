"""An atom beside its refs: the highest count, the latest look."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access.access_log import Total
from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.indexes.index_entry import Entry, last_of, read_total, time_of


def _atom(**fields: str) -> Atom:
    return Atom(
        path="projects/p/experiments/x.md", kind="experiment", ref=Ref("p/x"), fields=fields
    )


moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def _written(moment: datetime, digits: int) -> str:
    """Write a time to the second, or with so many digits after it."""
    fraction = f".{moment.microsecond:06d}"[: digits + 1] if digits else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


@given(st.lists(st.tuples(moments, st.sampled_from([0, 3, 6])), min_size=1))
def test_the_latest_is_the_latest_whatever_the_precision(
    looks: list[tuple[datetime, int]],
) -> None:
    written = {}
    for moment, digits in looks:
        text = _written(moment, digits)
        written[datetime.fromisoformat(text)] = text
    assert datetime.fromisoformat(last_of(*written.values())) == max(written)


zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.lists(st.tuples(moments, zones, st.booleans()), min_size=1))
def test_the_latest_is_the_latest_whatever_the_offset(
    looks: list[tuple[datetime, timezone, bool]],
) -> None:
    written = []
    for moment, zone, whole in looks:
        there = moment.astimezone(zone)
        written.append(there.isoformat(timespec="seconds" if whole else "milliseconds"))
    last = last_of(*map(time_of, written))
    assert last.endswith("Z")
    assert datetime.fromisoformat(last) == max(map(datetime.fromisoformat, written))


@given(st.lists(st.integers(0, 99), min_size=1), st.integers(0, 99))
def test_refs_never_fall_below_what_anything_knows(counts: list[int], carried: int) -> None:
    entry = Entry.of(_atom(refs=str(carried)), *(Total(count, "") for count in counts))
    assert entry.total.refs == max(*counts, carried)


@pytest.mark.parametrize(
    ("refs", "last", "wanted"),
    [
        ("7", "2026-04-02T03:12:21.074Z", Total(7, "2026-04-02T03:12:21.074Z")),
        (" 007 ", " 2026-04-02 ", Total(7, "2026-04-02")),
        ("", "", Total(0, "")),
        ("many", "null", Total(0, "")),
        ("-3", "yesterday", Total(0, "")),
        ("1e9", "2026", Total(0, "")),
        ("7.0", "2026-04-32T03:12:21+02:00", Total(0, "")),
        ("7.0", "2026-04-02T03:12:21+25:00", Total(0, "")),
        ("7.0", "0001-01-01T00:00:00+02:00", Total(0, "")),
        ("1", "2026-04-02T03:12:21+02:00", Total(1, "2026-04-02T01:12:21Z")),
        ("1", "2026-04-01 23:12:21.074-0130", Total(1, "2026-04-02T00:42:21.074Z")),
        ("\u0667", "", Total(0, "")),
        ("9" * 5000, "", Total(0, "")),
    ],
)
def test_a_count_and_a_time_are_read_and_what_is_none_is_nothing(
    refs: str, last: str, wanted: Total
) -> None:
    assert read_total(refs, last) == wanted


@given(st.dates(date(2026, 1, 1), date(2026, 6, 1)), st.integers(0, 2))
def test_cold_is_never_looked_at_and_older_than_fourteen_days(born: date, refs: int) -> None:
    today = date(2026, 5, 6)
    entry = Entry.of(_atom(date=born.isoformat()), Total(refs, ""))
    assert entry.cold(today) is (refs == 0 and today > born + timedelta(days=14))


@pytest.mark.parametrize("born", ["", "soon", "2026-13-01"])
def test_without_a_date_nothing_is_cold(born: str) -> None:
    assert not Entry.of(_atom(date=born)).cold(date(2099, 1, 1))


@given(st.lists(st.text(max_size=6), min_size=2, max_size=8))
def test_the_order_is_total_for_any_id(idents: list[str]) -> None:
    found = [Entry.of(_atom(id=ident)) for ident in idents]
    sorted(found, key=lambda entry: entry.order)
