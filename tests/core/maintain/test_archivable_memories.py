"""Old memories of little importance are archived by rule, and no others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cost import cost_of
from maintenance_projects import TODAY, make_entry, make_project

from cortexfs.core.maintain.archivable_memories import ArchivableMemory, find_archivable_memories
from cortexfs.core.maintain.maintenance_report import (
    MAX_ARCHIVED,
    build_maintenance_report,
    propose_statuses,
)
from cortexfs.core.maintain.suggestions import list_suggestions
from cortexfs.core.maintain.unread_atoms import STALE_DAYS
from cortexfs.core.settings.maintenance_settings import PruneRule

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

OLD = "2026-01-01"


def _memory(number: int = 1, **fields: FrontmatterValue | int) -> AtomWithReads:
    given = {"date": OLD, "type": "manual"} | fields
    return make_entry(f"OBS-{number:03d}", **given)  # type: ignore[arg-type]


def _find_refs(project: ProjectAtoms) -> list[str]:
    return [memory.ref for memory in find_archivable_memories(project, TODAY)]


def test_an_old_memory_without_reads_and_relations_is_archivable() -> None:
    project = make_project(_memory(1), _memory(2, date="2025-12-31"))
    assert find_archivable_memories(project, TODAY) == [
        ArchivableMemory("p/OBS-002", "projects/p/observations/OBS-002.md", 126, 0.09),
        ArchivableMemory("p/OBS-001", "projects/p/observations/OBS-001.md", 125, 0.09),
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"date": "2026-04-06"},
        {"date": ""},
        {"last_seen": "2026-05-01T00:00:00Z"},
        {"imported-date": "2026-04-07"},
        {"type": "decision"},
        {"type": "Decision"},
        {"type": "identity"},
        {"type": "observation"},
        {"type": "gotcha"},
        {"refs": 1, "last_ref": "2026-04-07T00:00:00Z"},
        {"tags": ("a", "Pinned")},
        {"status": "stale"},
        {"deleted_at": "2026-02-01T00:00:00Z"},
        {"summary": "ANTI-PATTERN: x"},
    ],
)
def test_a_recent_read_or_important_memory_is_not(
    fields: dict[str, FrontmatterValue | int],
) -> None:
    assert _find_refs(make_project(_memory(**fields))) == []


def test_a_memory_that_a_relation_or_a_text_names_is_not() -> None:
    memories = [_memory(number) for number in (1, 2, 3)]
    project = make_project(*memories, make_entry("EXP-001"), bodies={"EXP-001": "See OBS-002."})
    assert _find_refs(replace(project, relations_to={1: 1})) == ["p/OBS-003"]


def test_only_observations_are_archived() -> None:
    others = [make_entry(ident, date=OLD) for ident in ("SES-001", "PRM-0001", "K-001")]
    assert _find_refs(make_project(*others)) == []


@pytest.mark.parametrize(("days", "expected"), [(None, 0), (STALE_DAYS, 0), (STALE_DAYS + 1, 1)])
def test_without_logged_reads_a_score_is_unknown(days: int | None, expected: int) -> None:
    since = TODAY.toordinal() - days if days is not None else 0
    assert len(_find_refs(make_project(_memory(), logged_since=since))) == expected


def test_a_tree_may_have_another_rule() -> None:
    project = make_project(_memory(1, type="observation"), _memory(2, date="2026-04-01"))
    assert _find_refs(project) == ["p/OBS-002"]
    assert _find_refs(replace(project, prune_rule=PruneRule(0.15))) == ["p/OBS-001", "p/OBS-002"]
    assert _find_refs(replace(project, prune_rule=PruneRule(0.15, 60))) == ["p/OBS-001"]
    assert _find_refs(replace(project, prune_rule=PruneRule(decay_per_day=0.001))) == []
    with pytest.raises(ValueError, match="-1 days"):
        _find_refs(replace(project, prune_rule=PruneRule(min_age_days=-1)))


def test_a_report_suggests_the_command_once_and_proposes_a_bounded_number() -> None:
    project = make_project(*(_memory(number) for number in range(1, MAX_ARCHIVED + 3)))
    report = build_maintenance_report(project, TODAY)
    (line,) = (one for one in list_suggestions(report) if one.category == "archive")
    assert line.subject.startswith("502 old memories of low importance: OBS-001, OBS-002")
    assert line.subject.endswith("(+496 more)")
    assert line.command == "cortexfs maintain --apply -p p"
    assert not report.is_empty
    proposed = propose_statuses(project, report)
    assert len(proposed) == MAX_ARCHIVED
    assert (proposed[0].ref, proposed[0].status, proposed[0].is_archival) == (
        "p/OBS-001",
        "stale",
        True,
    )
    assert proposed[0].why == "125 days old, its importance is 0.09"


def test_the_cost_is_bounded() -> None:
    project = make_project(*(_memory(number) for number in range(1, 5_001)))
    cost = cost_of(lambda: find_archivable_memories(project, TODAY))
    assert cost.is_allowed, cost
