"""Reviewed evidence is not reported again until it changes."""

from __future__ import annotations

import pytest

from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.reviewed_field import Review, merge_reviews, parse_review
from cortexfs.core.checks.check_atoms import check_atoms


def _atom(ref: str, **fields: str) -> Atom:
    project, _, ident = ref.rpartition("/")
    path = f"projects/{project}/x/{ident}.md" if project else f"ideas/{ident}.md"
    fields_by_key = {key.replace("_", "-"): value for key, value in fields.items()}
    return Atom(path, "knowledge", Ref(ref), project, {"id": ident, **fields_by_key})


def _is_stale(claim: Atom, *others: Atom) -> bool:
    return any(f.code == "stale-evidence" for f in check_atoms([claim, *others], Kinds()))


EVIDENCE = _atom("p/EXP-001", status="superseded:EXP-002")
CAUSE = _atom("p/EXP-002", date="2026-05-01")


@pytest.mark.parametrize(
    ("reviewed", "stale"),
    [
        ("", True),
        ("EXP-002 2026-05-01", False),
        ("EXP-001 2026-05-06", False),
        ("p/EXP-002 2026-05-06", False),
        ("EXP-003 2026-05-06, EXP-002 2026-05-06", False),
        ("EXP-002 2026-04-30", True),
        ("EXP-003 2026-05-06", True),
        ("q/EXP-002 2026-05-06", True),
        ("EXP-002", True),
    ],
)
def test_a_review_of_stale_evidence_or_its_cause_counts_from_its_day_on(
    reviewed: str, stale: bool
) -> None:
    claim = _atom("p/K-001", evidence="EXP-001", reviewed=reviewed)
    other = _atom("p/EXP-003", date="2026-01-01")
    assert _is_stale(claim, EVIDENCE, CAUSE, other, _atom("q/EXP-002")) is stale


def test_evidence_that_changes_again_needs_a_new_review() -> None:
    claim = _atom("p/K-001", evidence="EXP-001", reviewed="EXP-002 2026-05-06")
    later = _atom("p/EXP-004", date="2026-05-04")
    assert not _is_stale(claim, EVIDENCE, CAUSE, later)
    superseded_again = _atom("p/EXP-001", status="superseded:EXP-004")
    assert _is_stale(claim, superseded_again, CAUSE, later)
    tombstone = {"status": "invalidated:EXP-002", "invalidated_date": "2026-05-07"}
    assert _is_stale(claim, _atom("p/EXP-001", **tombstone), CAUSE, later)


def test_evidence_outside_projects_can_be_stale_and_reviewed() -> None:
    fallen = _atom("IDEA-001", status="stale")
    assert _is_stale(_atom("p/K-001", source="IDEA-001"), fallen)
    assert not _is_stale(
        _atom("p/K-001", source="IDEA-001", reviewed="IDEA-001 2026-05-06"), fallen
    )


def test_every_evidence_field_is_checked() -> None:
    for key in ("evidence", "source_experiments", "source"):
        assert _is_stale(_atom("p/K-001", **{key: "EXP-001"}), EVIDENCE, CAUSE), key
        words = "table 2 of EXP-001 and the log"
        assert _is_stale(_atom("p/K-001", **{key: words}), EVIDENCE, CAUSE), key


def test_an_anti_pattern_may_cite_outdated_evidence() -> None:
    warning = _atom("p/K-001", evidence="EXP-001", summary="ANTI-PATTERN: so", tags="anti-pattern")
    assert not _is_stale(warning, EVIDENCE, CAUSE)


def test_a_review_is_a_ref_and_a_day() -> None:
    assert parse_review("p/EXP-014 2026-05-06") == Review("p/EXP-014", "2026-05-06")
    for invalid in ("EXP-014", "2026-05-06", "EXP-014 yesterday", "exp-014 2026-05-06", ""):
        assert parse_review(invalid) is None, invalid


def test_a_new_review_replaces_an_older_one() -> None:
    items = ("EXP-001 2026-01-01", "as the others said", "EXP-002 2026-01-01")
    assert merge_reviews(items, ["EXP-001", "EXP-003"], "2026-05-06") == (
        "as the others said",
        "EXP-002 2026-01-01",
        "EXP-001 2026-05-06",
        "EXP-003 2026-05-06",
    )
