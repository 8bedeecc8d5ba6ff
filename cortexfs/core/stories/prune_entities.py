"""What is forgotten or inactive when a story goes on without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.story_entity import EntityStatus, StoryEntity

if TYPE_CHECKING:
    from cortexfs.core.stories.project_passages import ProjectPassages
    from cortexfs.core.stories.relations.relation import Relation

_STALE_RELATION = 2
"""A relation is forgotten after so many times the messages after which an entity is inactive."""


class Absence:
    """Counts how many messages of its story came after those of a chunk."""

    def __init__(self, passages: ProjectPassages) -> None:
        self._passages = passages.by_number
        self._newest = {story: max(0, lasts[-1]) for story, lasts in passages.lasts.items()}

    def __call__(self, chunk: int) -> int:
        """Return how many messages came after the chunk with this number."""
        seen = self._passages[chunk]
        return self._newest[seen.story] - seen.last


def prune_relations(
    relations: list[Relation], absence: Absence, stale_after: int
) -> list[Relation]:
    """Drop what was told only once, and not again for a long time."""
    return [
        each
        for each in relations
        if each.evidence > 1
        or each.contradiction == "complex"
        or absence(each.last) < _STALE_RELATION * stale_after
    ]


def mark_absent(entity: StoryEntity, absence: Absence, stale_after: int) -> StoryEntity:
    """Make inactive what its story has not named in so many messages."""
    if entity.status == EntityStatus.ACTIVE and absence(entity.last_chunk) >= stale_after:
        return entity._replace(status=EntityStatus.INACTIVE)
    return entity
