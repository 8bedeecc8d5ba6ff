"""The order of what was found: words first, then a bounded part of all that is known."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.explain_score import explain_score, format_ref
from cortexfs.core.find.rank import (
    BOOST_WEIGHTS,
    MAX_BOOST,
    SATURATION_COUNT,
    STATUS_FACTORS,
    RankedAtom,
    RankedHit,
    RankingFactors,
    rank_hit,
    sort_by_score,
)

TODAY = date(2026, 5, 6)
PLAIN = RankedAtom("p/EXP-001", "a.md", "note", "p", "active", "about", 0, "", 0)
ATOMS = st.builds(
    RankedAtom,
    ref=st.just("p/EXP-001"),
    path=st.sampled_from(["a.md", "b.md", "c.md"]),
    kind=st.sampled_from(["experiment", "knowledge", "note"]),
    status=st.sampled_from(["valid", "superseded", "invalidated", "challenged", "?"]),
    read_count=st.integers(0, 10**9),
    last_read=st.sampled_from(["", "junk", "2026-05-06T00:00:00Z", "2027-01-01", "1990-01-01"]),
    link_count=st.integers(0, 10**6),
)


def rank(hits: list[tuple[float, RankedAtom]], today: date) -> list[RankedHit]:
    return sort_by_score(
        rank_hit(score, RankingFactors.from_atom(atom, today)) for score, atom in hits
    )


@given(st.lists(st.tuples(st.floats(0.01, 100), ATOMS), max_size=8))
def test_boosts_change_a_text_score_by_a_bounded_factor(
    hits: list[tuple[float, RankedAtom]],
) -> None:
    found = rank(hits, TODAY)
    assert len(found) == len(hits)
    for one in found:
        status_factor = one.factors.get("status", 1.0)
        assert (
            one.text_score * status_factor
            <= one.score
            <= one.text_score * status_factor * MAX_BOOST * 1.0000001
        )
        assert status_factor in STATUS_FACTORS.values()
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_the_boost_weights_sum_to_the_bound() -> None:
    assert 1 + sum(BOOST_WEIGHTS) == pytest.approx(MAX_BOOST)


@pytest.mark.parametrize(
    "better",
    [
        PLAIN._replace(read_count=3),
        PLAIN._replace(last_read="2026-05-01T00:00:00Z"),
        PLAIN._replace(link_count=2),
        PLAIN._replace(kind="knowledge"),
    ],
    ids=["refs", "recency", "links", "kind"],
)
def test_of_equal_text_scores_the_more_used_atom_comes_first(better: RankedAtom) -> None:
    found = rank([(5.0, PLAIN), (5.0, better._replace(path="z.md"))], TODAY)
    assert found[0].atom.path == "z.md"


@pytest.mark.parametrize("status", ["superseded", "refined", "stale", "invalidated"])
def test_outdated_atoms_come_last_and_are_marked(status: str) -> None:
    much_read = PLAIN._replace(
        status=status, read_count=SATURATION_COUNT, link_count=SATURATION_COUNT, path="a.md"
    )
    first, last = rank([(5.0, much_read), (5.0, PLAIN._replace(path="z.md"))], TODAY)
    assert (first.atom.path, last.is_outdated) == ("z.md", True)
    assert status in format_ref(last)
    assert format_ref(first) == "p/EXP-001"


def test_an_explanation_names_every_factor() -> None:
    atom = PLAIN._replace(read_count=3, status="superseded", last_read="2020-01-01T00:00:00Z")
    (found,) = rank([(4.0, atom)], TODAY)
    assert explain_score(found) == f"{found.score:.2f} = 4.00 for words, reads +5.0%, status x 0.50"


def test_equal_scores_are_sorted_by_path() -> None:
    hits = [(1.0, PLAIN._replace(path=name)) for name in ("c.md", "a.md", "b.md")]
    assert [one.atom.path for one in rank(hits, TODAY)] == ["a.md", "b.md", "c.md"]
