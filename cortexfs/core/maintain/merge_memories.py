"""What a merge changes in each file: what stays, what is merged, and what is related to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.memory.memory_record import number_from_id
from cortexfs.core.memory.relations import (
    RELATIONS_KEY,
    SUPERSEDES,
    UPDATES,
    Relation,
    format_relation,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.maintain.equal_memories import MemoryMerge
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.core.memory.memory_text import FieldEdits

MAX_TAGS = 32
"""Maximum number of tags that a memory has after a merge, unless it had more before."""


class MemoryEdit(NamedTuple):
    """The fields that change in one memory."""

    path: str
    fields: FieldEdits


def plan_merge_edits(
    merges: Sequence[MemoryMerge], others: Iterable[MemoryRecord], now: str
) -> list[MemoryEdit]:
    """Return the edits of all merges at a time.

    A memory that stays gets a relation `supersedes` to each merged one, its relations, tags and
    counters. A merged one becomes superseded and deleted, with a relation `updates` to the one that
    stays; its text stays. Relations to it, also of `others`, the rest of the memories, name the one
    that stays.
    """
    successors = {
        merged.record.number: merge.kept.record for merge in merges for merged in merge.merged
    }
    edits = [_edit_kept(merge, successors) for merge in merges]
    edits += (
        _edit_merged(merged.record, merge.kept.record, now)
        for merge in merges
        for merged in merge.merged
    )
    known = {edit.path for edit in edits}
    for record in others:
        if record.path not in known:
            relations = _rewire(record, record.relations, successors)
            if relations != list(record.relations):
                edits.append(MemoryEdit(record.path, _format_relations(relations)))
    return edits


def _edit_kept(merge: MemoryMerge, successors: Mapping[int, MemoryRecord]) -> MemoryEdit:
    kept, merged = merge.kept.record, [each.record for each in merge.merged]
    inherited = [relation for each in merged for relation in each.relations]
    relations = _rewire(kept, (*kept.relations, *inherited), successors)
    relations += (Relation(SUPERSEDES, each.ref) for each in merged)
    counted = {each.ref for each in kept.relations if each.type == SUPERSEDES}
    uncounted = [each for each in merged if each.ref not in counted]
    fields: dict[str, str | tuple[str, ...] | None] = {}
    if merge.is_same and uncounted:  # a killed run has counted, and not merged
        fields["duplicates"] = str(kept.duplicates + sum(1 + each.duplicates for each in uncounted))
        fields["last-seen"] = max(each.updated for each in (kept, *merged)) or None
    every = dict.fromkeys(tag for each in (kept, *merged) for tag in each.tags)
    if (tags := tuple(every)[: max(MAX_TAGS, len(kept.tags))]) != kept.tags:
        fields["tags"] = tags
    return MemoryEdit(kept.path, {**fields, **_format_relations(relations)})


def _edit_merged(merged: MemoryRecord, kept: MemoryRecord, now: str) -> MemoryEdit:
    fields = _format_relations([*merged.relations, Relation(UPDATES, kept.ref)])
    return MemoryEdit(
        merged.path, {"status": f"superseded:{kept.ref}", "deleted-at": now, **fields}
    )


def _rewire(
    owner: MemoryRecord, relations: Iterable[Relation], successors: Mapping[int, MemoryRecord]
) -> list[Relation]:
    """Return relations to what stays, each once; none from a memory to itself."""
    found: dict[tuple[str, int], Relation] = {}
    for relation in relations:
        number = number_from_id(relation.ref.rpartition("/")[2])
        successor = successors.get(number)
        if successor:
            number, relation = successor.number, relation._replace(ref=successor.ref)  # noqa: PLW2901
        if number != owner.number:
            found.setdefault((relation.type, number), relation)
    return list(found.values())


def _format_relations(relations: Iterable[Relation]) -> dict[str, tuple[str, ...] | None]:
    return {RELATIONS_KEY: tuple(map(format_relation, relations)) or None}
