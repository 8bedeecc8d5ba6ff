"""What a merge changes: counters, relations, tags, and the tombstone."""

from __future__ import annotations

from weighed_memories import make_memory

from cortexfs.core.maintain.equal_memories import MemoryMerge, WeighedMemory
from cortexfs.core.maintain.merge_memories import plan_merge_edits
from cortexfs.core.memory.relations import Relation

NOW = "2026-05-06T20:31:10Z"


def _plan(
    kept: WeighedMemory, *merged: WeighedMemory, others: tuple[WeighedMemory, ...] = ()
) -> dict[str, dict[str, object]]:
    records = [each.record for each in (kept, *merged, *others)]
    edits = plan_merge_edits([MemoryMerge(kept, merged)], records, NOW)
    return {edit.path.rpartition("/")[2]: dict(edit.fields) for edit in edits}


def test_counters_are_summed_and_the_merged_become_tombstones() -> None:
    kept = make_memory(1, duplicates=2, last_seen="2026-05-02T00:00:00Z", tags=("fact",))
    merged = (
        make_memory(2, duplicates=1, last_seen="2026-05-04T00:00:00Z", tags=("fact", "b")),
        make_memory(3, created="2026-05-03T00:00:00Z"),
    )
    found = _plan(kept, *merged)
    assert found["OBS-001.md"] == {
        "duplicates": "5",
        "last-seen": "2026-05-04T00:00:00Z",
        "tags": ("fact", "b"),
        "relations": ("supersedes p/OBS-002", "supersedes p/OBS-003"),
    }
    tombstone = {
        "status": "superseded:p/OBS-001",
        "deleted-at": NOW,
        "relations": ("updates p/OBS-001",),
    }
    assert (found["OBS-002.md"], found["OBS-003.md"]) == (tombstone, tombstone)


def test_relations_name_what_stays_each_once_and_never_itself() -> None:
    kept = make_memory(1, relations=(Relation("references", "OBS-007"),))
    merged = make_memory(
        2,
        relations=(
            Relation("references", "p/OBS-007", 0.5),
            Relation("relates_to", "OBS-001"),
            Relation("follows", "OBS-008", 0.5),
            Relation("supersedes", "OBS-009"),
        ),
    )
    other = make_memory(5, project="q", relations=(Relation("contradicts", "p/OBS-002", 2.0),))
    unrelated = make_memory(6, relations=(Relation("follows", "OBS-007"),))
    found = _plan(kept, merged, others=(other, unrelated))
    assert found["OBS-001.md"]["relations"] == (
        "references OBS-007",
        "follows OBS-008 0.5",
        "supersedes OBS-009",
        "supersedes p/OBS-002",
    )
    assert found["OBS-002.md"]["relations"] == (
        "references p/OBS-007 0.5",
        "relates_to OBS-001",
        "follows OBS-008 0.5",
        "supersedes OBS-009",
        "updates p/OBS-001",
    )
    assert found["OBS-005.md"] == {"relations": ("contradicts p/OBS-001 2",)}
    assert found.keys() == {"OBS-001.md", "OBS-002.md", "OBS-005.md"}


def test_what_a_killed_run_has_counted_is_not_counted_again() -> None:
    kept = make_memory(1, duplicates=3, relations=(Relation("supersedes", "p/OBS-002"),))
    assert "duplicates" not in _plan(kept, make_memory(2, duplicates=1))["OBS-001.md"]
    found = _plan(kept, make_memory(2, duplicates=1), make_memory(3))
    assert found["OBS-001.md"]["duplicates"] == "4"


def test_no_tag_of_what_stays_is_lost() -> None:
    tags = tuple(f"t{number}" for number in range(40))
    assert "tags" not in _plan(make_memory(1, tags=tags), make_memory(2, tags=("b",)))["OBS-001.md"]
