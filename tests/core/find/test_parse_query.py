"""Every input is a question: what is meant by it, and that none is an error."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.parse_query import Query, parse_query
from cortexfs.core.find.query_parts import MAX_QUERY_CHARS, MAX_QUERY_TERMS

TODAY = date(2026, 5, 6)


def _parse(typed: str) -> Query:
    return parse_query(typed, TODAY)


def _exclude(words: str, option: str, query: Query) -> Query:
    """Return a query that excludes words, but no text with them as an option."""
    phrase = tuple(words.split())
    return query._replace(excluded=(phrase,), options={phrase: (option,)})


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("clock drift", Query(("clock", "drift"))),
        ("how does the clock drift?", Query(("clock", "drift"))),
        ("to be or not to be", Query(("to", "be", "or", "not"))),
        ('"clock drift" sensor', Query(("sensor",), (("clock", "drift"),))),
        ('"clock" "', Query(("clock",))),
        ("clock -drift", _exclude("drift", "-drift", Query(("clock",)))),
        ('clock -"slow drift"', Query(("clock",), excluded=(("slow", "drift"),))),
        ("clock -Wall", _exclude("wall", "-wall", Query(("clock",)))),
        (
            "clock -v -march=native -9",
            Query(("clock", "v", "-v", "march", "nativ", "-march", "9")),
        ),
        ("-O2 x", _exclude("o2", "-o2", Query(("x",)))),
        ("--max-size x", Query(("max", "size", "max-size", "--max-size", "x"))),
        (
            "clock --drift -- tag --tag:x",
            Query(("clock", "drift", "--drift", "tag", "x", "tag:x", "--tag:x")),
        ),
        ("x -TAG:a", Query(("x",), filters=AtomFilter(excluded=(AtomFilter(tags=("a",)),)))),
        ("clock\t-uhr", _exclude("uhr", "-uhr", Query(("clock",)))),
        ("clock -量", Query(("clock",), excluded=(("量",),))),
        ('"a b"-clock x', Query(("clock", "-clock", "x"), (("a", "b"),))),
        ('clock -""', Query(("clock",))),
        ("refresh-token", Query(("refresh", "token", "refresh-token"))),
        ("Migrat*", Query(("migrat", "migrat*"))),
        ("a*", Query(("a",))),
        ("C++", Query(("c", "c++"))),
        ("o'auth", Query(("o", "auth"))),
        ("std:vector", Query(("std", "vector", "std:vector"))),
        ("tag:", Query(("tag",))),
        ("since:soon", Query(("sinc", "soon", "since:soon"))),
        ("tag:Storage tag:x y", Query(("y",), filters=AtomFilter(tags=("storage", "x")))),
        ('tag:"two words"', Query(filters=AtomFilter(tags=("two words",)))),
        (
            "kind:Pattern project:a status:VALID",
            Query(filters=AtomFilter(("pattern",), ("a",), ("valid",))),
        ),
        (
            "x -tag:a tag:b",
            Query(("x",), filters=AtomFilter(tags=("b",), excluded=(AtomFilter(tags=("a",)),))),
        ),
        ("kind:pattern,idea", Query(filters=AtomFilter(("pattern", "idea")))),
        (
            "tag:b,A -tag:c",
            Query(filters=AtomFilter(tags=("b", "a"), excluded=(AtomFilter(tags=("c",)),))),
        ),
        ("until:2026-04", Query(filters=AtomFilter(until=date(2026, 4, 30).toordinal()))),
        ("until:soon", Query(("soon", "until:soon"))),
        ("tag:,", Query(("tag",))),
        ("-since:soon", _exclude("sinc soon", "-since:soon", Query())),
        ("v1.2.3", Query(("v1", "2", "3", "v1.2.3", "1.2.3", "1.2", "1"))),
        ("since:2026-04-01", Query(filters=AtomFilter(since=date(2026, 4, 1).toordinal()))),
        ("AND OR NOT NEAR( * ^", Query(("near",))),
        ("tag:a\udc80", Query(filters=AtomFilter(tags=("a?",)))),
        ("", Query()),
        ("-", Query()),
    ],
)
def test_each_query_parses_as_expected(typed: str, expected: Query) -> None:
    assert _parse(typed) == expected


@given(st.text(max_size=300))
def test_any_text_is_a_valid_query(typed: str) -> None:
    query = _parse(typed)
    assert len(query.terms) <= MAX_QUERY_TERMS
    for token in query.all_terms:
        assert '"' not in token
        assert token


@given(st.text(alphabet='"-: tagkindsince0123456789dwmy/+#', max_size=80))
def test_any_query_syntax_is_valid(typed: str) -> None:
    assert _parse(typed).filters.since >= 0


def test_of_many_terms_the_first_and_the_last_are_searched() -> None:
    """The line that names the error is the last of a stack trace, or the first."""
    frames = " ".join(f"frame{n}" for n in range(99))
    terms = _parse(f"first error {frames} last error").terms
    assert terms[:3] == ("first", "error", "frame0")
    assert terms[-2:] == ("frame98", "last")
    assert len(_parse(f"{frames} last error").terms) == MAX_QUERY_TERMS
    assert _parse(f"error {frames} {frames * 9} last").terms[-1] == "last"


def test_a_long_query_is_cut() -> None:
    query = _parse("alpha " + "beta gamma " * MAX_QUERY_CHARS + " omega")
    assert query.terms == ("alpha", "beta", "gamma", "omega")
    assert _parse("alpha\n" * MAX_QUERY_CHARS).terms == ("alpha",)
    assert set(_parse("量检" * MAX_QUERY_CHARS).terms) == {"量检", "检量"}
    query = _parse(" ".join(f"w{n}" for n in range(1000)))
    assert (len(query.terms), query.is_shortened) == (MAX_QUERY_TERMS, True)
    assert not _parse("w1 w2").is_shortened


def test_of_many_filters_the_first_are_used() -> None:
    names = [f"n{number}" for number in range(MAX_QUERY_TERMS + 1)]
    first = tuple(names[:-1])
    assert _parse(f"tag:{','.join(names)}").filters == AtomFilter(tags=first)
    assert _parse(" ".join(f"tag:{name},a,b" for name in names)).filters.tags[:3] == (
        "n0",
        "a",
        "b",
    )
    assert len(_parse(" ".join(f"tag:{name},a,b" for name in names)).filters.tags) == len(first)
    excluded = _parse(" ".join(f"-entity:{name}" for name in names)).filters.excluded
    assert excluded == tuple(AtomFilter(entities=(name,)) for name in first)


def test_a_repeated_filter_counts_once() -> None:
    assert _parse("-tag:a " * 100 + "-tag:b").filters == _parse("-tag:a -tag:b").filters
