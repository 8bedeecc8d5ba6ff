"""What each reason says for an atom, and what they say together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access.access_log import AccessLogEntry, identify_session
from cortexfs.core.atoms.atom import Ref
from cortexfs.core.find.indexed_fields import extract_indexed_fields
from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
from cortexfs.core.graph.score_related_atoms import (
    REASON_WEIGHTS,
    RelationReason,
    rank_related_atoms,
    score_by_evidence,
    score_by_links,
    score_by_shared_sessions,
    score_by_text,
    select_distinctive_terms,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

A, B, C, D = (Ref(f"p/EXP-00{number}") for number in range(1, 5))
G, H = Ref("p/K-001"), Ref("p/K-002")


def test_the_reason_weights_sum_to_1() -> None:
    assert sum(REASON_WEIGHTS.values()) == pytest.approx(1)


def test_a_link_in_a_field_counts_more_than_one_in_text() -> None:
    found = score_by_links(
        A,
        [AtomLink(A, B, ("links",), 1), AtomLink(C, A, ("text",), 1), AtomLink(A, C, ("wiki",), 1)],
    )
    assert found[B] == (1.0, "→ links")
    assert found[C] == (0.6, "→ wiki ← text")


def test_evidence_that_few_atoms_cite_counts_more() -> None:
    many = [AtomLink(Ref(f"p/EXP-{n}"), H, ("evidence",), 1) for n in range(100, 120)]
    few = [AtomLink(A, G, ("evidence",), 1), AtomLink(B, G, ("source-experiments",), 1)]
    found = score_by_evidence(
        A, [*few, AtomLink(A, H, ("evidence",), 1), AtomLink(C, G, ("links",), 1), *many]
    )
    assert found[B].strength > found[Ref("p/EXP-100")].strength > 0
    assert found[B].description == G
    assert C not in found
    assert A not in found


def test_a_session_with_many_reads_counts_less() -> None:
    found = score_by_shared_sessions(
        A, {"short": {A, B}, "long": {A, C, *(Ref(f"x{n}") for n in range(50))}}
    )
    assert found[B].strength > found[C].strength > 0
    assert found[B].description == "1 session"
    assert (
        score_by_shared_sessions(A, {"one": {A, B}, "two": {A, B}})[B].strength > found[B].strength
    )


def test_text_scores_are_relative_to_that_of_the_atom_itself() -> None:
    assert score_by_text(A, {A: 8.0, B: 4.0, C: 9.0}) == {B: (0.5, ""), C: (1.0, "")}
    assert score_by_text(A, {}) == {}


reasons = st.builds(RelationReason, st.floats(0, 1))
found = st.dictionaries(
    st.sampled_from(sorted(REASON_WEIGHTS)), st.dictionaries(st.sampled_from([B, C, D]), reasons)
)


@given(found, st.sampled_from(["valid", "superseded", "invalidated"]))
def test_a_score_is_between_0_and_1_and_lower_for_outdated_atoms(
    reasons_by_sort: dict[str, dict[Ref, RelationReason]], status: str
) -> None:
    nodes = {ref: LinkedAtom(ref, "", "experiment", "valid") for ref in (B, C, D)}
    before = {one.node.ref: one.score for one in rank_related_atoms(nodes, reasons_by_sort, 9)}
    assert all(0 <= score <= 1 + 1e-9 for score in before.values())
    assert before.keys() == {ref for each in reasons_by_sort.values() for ref in each}
    after = {
        one.node.ref: one.score
        for one in rank_related_atoms(
            {**nodes, B: nodes[B]._replace(status=status)}, reasons_by_sort, 9
        )
    }
    if B in before:
        factor = {"valid": 1, "superseded": 0.5, "invalidated": 0.25}[status]
        assert after[B] == pytest.approx(before[B] * factor)
    assert list(after.values()) == sorted(after.values(), reverse=True)


def test_distinctive_terms_are_frequent_here_and_rare_elsewhere() -> None:
    body = "the varint varint varint grid grid result result result EXP-042 2048 zstd"
    reasons_by_sort = extract_indexed_fields({"summary": "Gorilla"}, body)
    frequencies = {"result": 900, "grid": 30, "varint": 30, "gorilla": 30, "zstd": 1}

    def count(terms: Iterable[str]) -> dict[str, int]:
        return {term: frequencies.get(term, 500) for term in terms}

    told = select_distinctive_terms(reasons_by_sort, count)
    assert told[:2] == ("gorilla", "varint")
    assert not {"the", "exp-042", "042", "2048", "zstd"} & set(told)


def test_reads_without_a_session_are_grouped_by_project_and_hour() -> None:
    entry = AccessLogEntry("EXP-001.md", "2026-03-01T10:59:00Z")
    assert identify_session("p", entry, entry.ts) != identify_session("q", entry, entry.ts)
    assert identify_session("p", entry, entry.ts) == identify_session(
        "p", entry, "2026-03-01T10:00:00Z"
    )
    assert identify_session("p", entry, entry.ts) != identify_session(
        "p", entry, "2026-03-01T11:00:00Z"
    )
    assert identify_session("p", entry._replace(session="s"), entry.ts) == "s"
