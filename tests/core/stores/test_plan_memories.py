"""Importing a store twice, in a longer or an edited version, duplicates nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.stores.known_memories import KnownMemory
from cortexfs.core.stores.plan_memories import (
    ImportedEntry,
    ImportResult,
    NextNumber,
    plan_memories,
)
from cortexfs.core.stores.stored_values import StoredMemory, StoredRelation

if TYPE_CHECKING:
    from collections.abc import Sequence

KIND = Kinds().find_by_name("observation")
assert KIND
LOOM = StoredMemory(
    "engram:41",
    "Loom",
    "It weaves.",
    type="bugfix",
    project="mill",
    created="2026-01-31T09:30:00Z",
    has_local_id=True,
)


def plan(
    memories: Sequence[StoredMemory], known: Sequence[KnownMemory] = (), number: int = 1
) -> list[ImportedEntry]:
    assert KIND
    return plan_memories(memories, known, NextNumber(KIND, number, "2026-05-06"))


def to_known(entries: Sequence[ImportedEntry]) -> list[KnownMemory]:
    return [
        KnownMemory(each.ref, each.path, each.ref.partition("/")[0], each.write.text)
        for each in entries
        if each.write
    ]


def results(entries: Sequence[ImportedEntry]) -> list[str]:
    return [str(each.result) for each in entries]


def test_a_new_memory_becomes_an_observation() -> None:
    (entry,) = plan([LOOM._replace(duplicates=2, topic_key="bug/loom")], number=117)
    assert (entry.ref, entry.path) == ("mill/OBS-117", "projects/mill/observations/OBS-117.md")
    assert entry.write
    assert entry.write.text == (
        '---\nid: OBS-117\ndate: 2026-01-31\nproject: mill\nsummary: "Loom"\ntags: [bugfix]\n'
        "type: bugfix\nscope: project\ntopic-key: bug/loom\nrevision: 1\nduplicates: 2\n"
        'created: "2026-01-31T09:30:00Z"\norigin: engram:41#ae1e2d49a1e1\n---\n\nIt weaves.\n'
    )


def test_importing_twice_changes_nothing() -> None:
    known = to_known(plan([LOOM]))
    (entry,) = plan([LOOM], known, 2)
    assert (entry.result, entry.ref, entry.write) == (ImportResult.UNCHANGED, "mill/OBS-001", None)


def test_a_longer_store_adds_only_what_is_new() -> None:
    known = to_known(plan([LOOM]))
    more = LOOM._replace(origin="engram:42", title="Shuttle", content="It flies.")
    entries = plan([more, LOOM], known, 2)
    assert results(entries) == ["imported", "unchanged"]
    assert entries[0].ref == "mill/OBS-002"


def test_a_memory_edited_in_the_store_updates_its_atom() -> None:
    (known,) = to_known(plan([LOOM]))
    known = known._replace(
        text=known.text.replace("tags: [bugfix]", "tags: [mine]\nlinks: [EXP-001]")
    )
    (entry,) = plan([LOOM._replace(content="It weaves linen.")], [known], 2)
    assert entry.result is ImportResult.UPDATED
    assert entry.write
    assert entry.write.expected_text == known.text
    assert "\nrevision: 2\n" in entry.write.text
    assert "\ntags: [mine]\nlinks: [EXP-001]\n" in entry.write.text
    assert entry.write.text.endswith("---\n\nIt weaves linen.\n")
    assert results(plan([LOOM._replace(content="It weaves linen.")], to_known([entry]))) == [
        "unchanged"
    ]


def test_a_memory_edited_on_both_sides_stays() -> None:
    (known,) = to_known(plan([LOOM]))
    known = known._replace(text=known.text.replace("It weaves.", "It weaves well."))
    assert results(plan([LOOM], [known])) == ["unchanged"]
    (entry,) = plan([LOOM._replace(content="It weaves linen.")], [known])
    assert (entry.result, entry.write) == (ImportResult.CONFLICT, None)
    assert results(plan([LOOM._replace(content="It weaves well.")], [known])) == ["unchanged"]


def test_a_memory_deleted_here_stays_deleted() -> None:
    (known,) = to_known(plan([LOOM]))
    known = known._replace(
        text=known.text.replace("---\n\n", 'deleted-at: "2026-05-01T00:00:00Z"\n---\n\n')
    )
    assert results(plan([LOOM._replace(content="It weaves linen.")], [known])) == ["unchanged"]


def test_a_memory_deleted_in_the_store_is_deleted_here() -> None:
    known = to_known(plan([LOOM]))
    (entry,) = plan([LOOM._replace(deleted_at="2026-05-01T00:00:00Z")], known)
    assert entry.write
    assert '\ndeleted-at: "2026-05-01T00:00:00Z"\n' in entry.write.text


def test_the_same_number_of_another_machine_is_another_memory() -> None:
    known = to_known(plan([LOOM]))
    other = LOOM._replace(title="Wheel", content="It spins.", created="2026-03-03T00:00:00Z")
    first = plan([other], known, 2)
    assert [(each.result, each.source) for each in first] == [
        ("imported", "engram:41@2026-03-03T00:00:00Z")
    ]
    both = [*known, *to_known(first)]
    assert results(plan([other, LOOM], both)) == ["unchanged", "unchanged"]


@pytest.mark.parametrize("title", ["Loom", "  Loom "])
def test_the_same_text_from_two_places_is_one_memory(title: str) -> None:
    twin = StoredMemory("mem0:7", title, "It  weaves.\n", project="mill")
    entries = plan([LOOM, twin, twin._replace(project="shed")])
    assert results(entries) == ["imported", "duplicate", "imported"]
    assert entries[1].ref == "mill/OBS-001"


def test_a_personal_memory_is_kept_outside_of_the_projects() -> None:
    (entry,) = plan([LOOM._replace(scope="personal")])
    assert (entry.ref, entry.path) == ("OBS-001", "user/observations/OBS-001.md")


def test_relations_name_the_new_atoms() -> None:
    linked = LOOM._replace(
        relations=(
            StoredRelation("supersedes", "mem0:7"),
            StoredRelation("follows", "mem0:8", 0.5),
            StoredRelation("follows", "mem0:gone"),
        )
    )
    others = [
        StoredMemory("mem0:7", "Wheel", "It spins.", project="mill"),
        StoredMemory("mem0:8", "Vat", "It dyes.", project="shed"),
    ]
    (entry, *_) = plan([linked, *others])
    assert entry.write
    assert "\nrelations: [supersedes OBS-002, follows shed/OBS-003 0.5]\n" in entry.write.text


def test_of_two_memories_with_the_same_source_the_first_counts_at_every_import() -> None:
    both = [LOOM, LOOM._replace(content="It rusts.")]
    first = plan(both)
    assert results(first) == ["imported", "duplicate"]
    second = plan(both, to_known(first), 2)
    assert results(second) == ["unchanged", "duplicate"]


def test_fields_of_a_store_are_as_bounded_as_those_of_a_saved_memory() -> None:
    long = LOOM._replace(type="T" * 999, tags=("x" * 99_999,), topic_key=" Bug/ Loom ")
    others = [LOOM._replace(origin=f"o:{n}", content=f"It is {n}.") for n in range(300)]
    links = tuple(StoredRelation("relates_to", other.origin) for other in others)
    entry = plan([long._replace(relations=links), *others])[0]
    assert entry.write
    assert f"\ntags: [{'x' * 64}]\ntype: {'t' * 64}\n" in entry.write.text
    assert "\ntopic-key: bug/-loom\n" in entry.write.text
    assert len(entry.write.text) < 16_384


def test_a_revision_of_any_length_can_be_counted_on() -> None:
    (known,) = to_known(plan([LOOM]))
    edited = known._replace(text=known.text.replace("revision: 1", f"revision: {'9' * 5000}"))
    (entry,) = plan([LOOM._replace(content="It hums.")], [edited], 2)
    assert entry.write
    assert "\nrevision: 1\n" in entry.write.text
