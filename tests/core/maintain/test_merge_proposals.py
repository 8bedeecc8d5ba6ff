"""Proposals to merge: their kind, their id, and which are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weighed_memories import make_memory

from cortexfs.core.atoms.reviewed_field import Review, parse_review
from cortexfs.core.maintain.merge_proposals import (
    MemoryPair,
    MergeProposal,
    ProposalKind,
    list_open_pairs,
    make_proposal,
    make_proposal_id,
    make_rejection,
    sort_by_age,
)
from cortexfs.core.memory.relations import Relation

if TYPE_CHECKING:
    from cortexfs.core.maintain.equal_memories import WeighedMemory

ONE = make_memory(1, content="Retry 3 times.")
OTHER = make_memory(2, content="Try it again 3 times.")


def _propose(earlier: WeighedMemory, later: WeighedMemory) -> list[MergeProposal]:
    pairs = [MemoryPair(earlier, later, 0.5, "words")]
    return [make_proposal(*each) for each in list_open_pairs(pairs)]


def test_the_same_fact_keeps_the_more_important_and_else_the_newer() -> None:
    for importances, kept in (((0.5, 0.5), 2), ((0.6, 0.5), 1), ((0.5, 0.6), 2)):
        earlier, later = (
            m._replace(importance=i) for m, i in zip((ONE, OTHER), importances, strict=True)
        )
        (found,) = _propose(earlier, later)
        assert (found.kind, found.differences) == (ProposalKind.SAME, ())
        assert (found.merge.kept.record.number, found.merge.is_same) == (kept, True)


def test_what_replaces_or_contradicts_keeps_the_newer() -> None:
    for content, kind, line in (
        ("Retry 5 times.", ProposalKind.NEWER, "3 → 5"),
        ("Don't retry 3 times.", ProposalKind.CONTRADICTS, "negated"),
    ):
        (found,) = _propose(ONE._replace(importance=0.9), make_memory(2, content=content))
        assert (found.kind, found.differences) == (kind, (line,))
        assert (found.merge.kept.record.number, found.merge.is_same) == (2, False)


def test_the_id_changes_with_the_words_and_with_nothing_else() -> None:
    own = make_proposal_id(ONE.record, OTHER.record)
    assert make_proposal_id(OTHER.record, ONE.record) == own
    moved = ONE.record._replace(ref="q/OBS-001", project="q", content="retry  3 times")
    assert make_proposal_id(moved, OTHER.record) == own
    for changed in ({"content": "Retry 4 times."}, {"title": "B title"}, {"number": 3}):
        assert make_proposal_id(ONE.record._replace(**changed), OTHER.record) != own  # type: ignore[arg-type]


def test_a_rejected_pair_is_proposed_again_only_after_a_text_has_changed() -> None:
    other = OTHER._replace(reviewed=("p/OBS-009 2026-01-01", "p/OBS-001 2026-01-01"))
    (found,) = _propose(ONE, other)
    items = make_rejection(found, "2026-05-06")
    assert items == ("p/OBS-009 2026-01-01", f"p/OBS-001 2026-05-06#{found.id}")
    rejected = OTHER._replace(reviewed=items)
    assert _propose(ONE, rejected) == []
    assert _propose(ONE._replace(reviewed=items), OTHER) == []
    changed = rejected.record._replace(content="Try it again thrice.")
    assert len(_propose(ONE, rejected._replace(record=changed))) == 1


def test_related_memories_and_those_merged_by_rule_are_not_proposed() -> None:
    related = make_memory(2, relations=(Relation("contradicts", "OBS-001"),))
    assert _propose(ONE, related) == []
    pair = MemoryPair(ONE, OTHER, 1.0, "words")
    assert list(list_open_pairs([pair], {frozenset((1, 2))})) == []


def test_session_summaries_are_not_proposed_and_the_oldest_is_first() -> None:
    given = [
        make_memory(1, type="session_summary"),
        make_memory(2, created="2026-05-02T00:00:00Z"),
        make_memory(3, created="2026-05-01T00:00:00Z"),
    ]
    assert [each.record.number for each in sort_by_age(given)] == [3, 2]


def test_a_review_may_have_a_mark() -> None:
    assert parse_review("OBS-001 2026-05-06#0123456789") == Review(
        "OBS-001", "2026-05-06", "0123456789"
    )
    for invalid in ("OBS-001 2026-05-06#", "OBS-001 2026-05-06#xyz", "OBS-001 2026-05-06 #012345"):
        assert parse_review(invalid) is None
