"""Memories with equal texts: maintenance merges them, and nothing that is merely similar."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.maintain.normalize_text import normalize_text
from cortexfs.core.memory.memory_record import PERSONAL_SCOPE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.core.memory.memory_record import MemoryRecord

MAX_MERGES = 500
"""Maximum number of memories that are merged into others in one run."""
PROJECT_TYPES = frozenset({"architecture", "bugfix", "config", "session_summary", "tool_use"})
"""Types of memories about their own project, whatever their text."""

_SPECIFIC = re.compile(
    r"\w[/\\]\w|~/|\.{1,2}/|(?<!\w)[/\\]\w|\w\.[a-z]{1,4}(?!\w)|\d\.\d|(?<!\w)v\d"
    r"|\b(?:this|our|the|here)\s+(?:project|repo|repository|codebase|branch|package)\b",
    re.IGNORECASE,
)
"""A path, an address, a file, a version, or the project by another word."""


class WeighedMemory(NamedTuple):
    """A current memory, its importance now, and its field `reviewed`."""

    record: MemoryRecord
    importance: float
    reviewed: tuple[str, ...] = ()

    @property
    def rank(self) -> tuple[float, int]:
        """The sort key: the most important first, then the lowest number."""
        return -self.importance, self.record.number


class MemoryMerge(NamedTuple):
    """The memory that stays, and those that are merged into it.

    `is_same` is false if they do not say the same: then the one that stays replaces the others.
    """

    kept: WeighedMemory
    merged: tuple[WeighedMemory, ...]
    is_same: bool = True

    @property
    def memories(self) -> tuple[WeighedMemory, ...]:
        """The one that stays, then the merged ones."""
        return (self.kept, *self.merged)


class RepeatedTexts(NamedTuple):
    """The numbers of memories whose text another one has, and the projects of all memories.

    Very rarely the text of one of them only seems to be that of another.
    """

    numbers: frozenset[int]
    projects: frozenset[str]


def find_repeated_texts(memories: Iterable[WeighedMemory]) -> RepeatedTexts:
    """Return the memories with the same title and content, of more than fit into memory."""
    hashes, numbers, projects = array("q"), array("q"), set[str]()
    for memory in memories:
        projects.add(memory.record.project)
        hashes.append(hash(_make_text_key(memory.record)))
        numbers.append(memory.record.number)
    repeated = {one for one, other in pairwise(sorted(hashes)) if one == other}
    pairs = zip(hashes, numbers, strict=True)
    return RepeatedTexts(
        frozenset(number for one, number in pairs if one in repeated), frozenset(projects)
    )


def find_equal_memories(
    memories: Iterable[WeighedMemory], limit: int = MAX_MERGES, projects: Collection[str] = ()
) -> list[MemoryMerge]:
    """Return the merges of memories with the same title and content, at most `limit` memories.

    They have the same type and no other topic key than the one that stays, which is the most
    important, or the oldest of those. Those of several projects are merged only if their text is
    not about its project; `projects` are those of memories that are not given. Personal memories
    are never merged.
    """
    groups: dict[tuple[str, str, str], list[WeighedMemory]] = defaultdict(list)
    every = [each for each in memories if each.record.scope != PERSONAL_SCOPE]
    names = {each.record.project for each in every}.union(projects)
    for memory in every:
        if (key := _make_text_key(memory.record))[-1]:
            groups[key].append(memory)
    merges = [
        merge
        for group in groups.values()
        if len(group) > 1
        for part in _split_by_project(group, names)
        if (merge := _make_merge(part))
    ]
    return list(_take(sorted(merges, key=lambda merge: merge.kept.record.number), limit))


def is_project_specific(memory: MemoryRecord, project_names: Collection[str]) -> bool:
    """Return whether a memory may hold only in its own project."""
    if memory.type in PROJECT_TYPES:
        return True
    text = f"{memory.title}\n{memory.content}"
    return bool(_SPECIFIC.search(text)) or not _list_words(text).isdisjoint(project_names)


def _make_text_key(memory: MemoryRecord) -> tuple[str, str, str]:
    """Return what equal memories have in common; the last part is empty without content."""
    return memory.type, normalize_text(memory.title), normalize_text(memory.content)


def _list_words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9][a-z0-9._-]*(?<![._-])", text.lower()))


def _split_by_project(
    group: Sequence[WeighedMemory], names: Collection[str]
) -> Iterator[list[WeighedMemory]]:
    """Yield the group as a whole, or in a part for each project if it is about its project."""
    if not any(is_project_specific(each.record, names) for each in group):
        yield list(group)
        return
    parts: dict[str, list[WeighedMemory]] = defaultdict(list)
    for memory in group:
        parts[memory.record.project].append(memory)
    yield from parts.values()


def _make_merge(group: Sequence[WeighedMemory]) -> MemoryMerge | None:
    kept, *others = sorted(group, key=lambda each: each.rank)
    merged = tuple(each for each in others if each.record.topic_key in {"", kept.record.topic_key})
    return MemoryMerge(kept, merged) if merged else None


def _take(merges: Iterable[MemoryMerge], limit: int) -> Iterator[MemoryMerge]:
    """Yield the first merges, with at most `limit` merged memories in all."""
    for merge in merges:
        if limit <= 0:
            return
        yield merge._replace(merged=merge.merged[:limit])
        limit -= len(merge.merged)
