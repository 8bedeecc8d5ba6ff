"""What a recall has beside memories: the entities concerned, and the current arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.recall.recall import RecalledArc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.recall.named_entities import EntityNames
    from cortexfs.core.stories.recall.recall import RecalledMemory, RecallQuery
    from cortexfs.core.stories.summary_file import SummaryFile
    from cortexfs.operations.stories.story_memory import StoryMemory


def recall_entities(
    memory: StoryMemory,
    names: EntityNames,
    query: RecallQuery,
    memories: Sequence[RecalledMemory],
    limit: int,
) -> tuple[KnownEntity, ...]:
    """Return the entities that were named last, then those of the memories."""
    counts: dict[str, float] = {}
    for place, said in enumerate(reversed(query.messages)):
        if len(counts) >= limit:
            break  # those that were named before are further away
        for ref in names.find_in(f"{said.speaker}: {said.text}"):
            counts.setdefault(ref, 1000.0 - place)
    refs = {entity.names[0]: entity.ref for entity in names.entities}
    for each in memories:
        for name in each.entities:
            counts[refs[name]] = counts.get(refs[name], 0.0) + each.score
    best = sorted(counts, key=lambda ref: (-counts[ref], ref))[:limit]
    found = memory.read_entities(best)
    return tuple(found[ref] for ref in best if ref in found)


def recall_arcs(
    scenes: Sequence[SummaryFile], arcs: Sequence[SummaryFile]
) -> tuple[RecalledArc, ...]:
    """Return the scenes that belong to no arc yet, then the last arc.

    The last of them says best what the story is: an arc or, as long as there is none, a scene.
    """
    in_arcs = {source for arc in arcs for source in arc.sources}
    later = [scene for scene in scenes if scene.ident not in in_arcs]
    return tuple(
        RecalledArc(each.ident, each.title, each.prose, each.first, each.last)
        for each in (*later, *arcs[-1:])
    )
