"""Similar claims are suggested, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from maintenance_projects import TODAY, make_entry, make_project

from cortexfs.core.maintain.maintenance_report import build_maintenance_report, propose_statuses
from cortexfs.core.maintain.similar_atoms import SimilarAtoms, find_similar_atoms
from cortexfs.core.maintain.suggestions import list_suggestions

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads

OLDER = make_entry("K-002", summary="The cache holds 40 pages of the index", date="2026-04-01")


def _newer(ident: str = "K-001", **fields: FrontmatterValue) -> AtomWithReads:
    given = {"summary": "The cache holds 80 pages of the index", "date": "2026-05-01", **fields}
    return make_entry(ident, **given)  # type: ignore[arg-type]


def test_similar_knowledge_is_suggested_with_what_differs() -> None:
    project = make_project(_newer(), OLDER, make_entry("K-003", summary="Nothing of that sort"))
    (found,) = find_similar_atoms(project)
    assert found == SimilarAtoms("p/K-002", "p/K-001", found.similarity, ("40 → 80",))
    assert 0.5 < found.similarity < 1
    report = build_maintenance_report(project, TODAY)
    (line,) = (each for each in list_suggestions(report) if each.category == "similar")
    assert line.subject == "K-002 and K-001 have similar summaries; differs: 40 → 80"
    assert line.command == "cortexfs mark p/K-002 superseded --by p/K-001"
    assert "superseded" not in [mark.status for mark in propose_statuses(project, report)]


@pytest.mark.parametrize(
    "other",
    [
        _newer("PAT-001"),
        _newer("EXP-001"),
        _newer(status="superseded:K-009"),
        _newer(status="challenged:EXP-001"),
        _newer(summary="ANTI-PATTERN: The cache holds 80 pages of the index"),
        _newer(summary="The cache holds nothing"),
    ],
)
def test_other_atoms_are_not(other: AtomWithReads) -> None:
    assert find_similar_atoms(make_project(other, OLDER)) == []


def test_a_claim_that_cites_the_other_is_not() -> None:
    newer = _newer()
    citing = newer._replace(atom=newer.atom._replace(cited_refs=(("K-002", 5),)))
    assert find_similar_atoms(make_project(citing, OLDER)) == []
