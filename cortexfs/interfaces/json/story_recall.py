"""What is recalled of a story, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.json.story_entities import to_entity_json

if TYPE_CHECKING:
    from cortexfs.core.stories.recall.recall import Recall, RecalledArc, RecalledMemory
    from cortexfs.interfaces.json.documents import story_recall as documents


def to_recall_json(found: Recall) -> documents.RecallDocument:
    """Return what a story recalls: memories, best first, the entities concerned, the arcs."""
    return {
        "story": found.story,
        "messages": found.messages,
        "memories": list(map(_to_memory_json, found.memories)),
        "entities": list(map(to_entity_json, found.entities)),
        "arcs": list(map(_to_arc_json, found.arcs)),
    }


def _to_memory_json(memory: RecalledMemory) -> documents.RecalledMemoryDocument:
    return {
        "ref": memory.ref,
        "first": memory.first,
        "last": memory.last,
        "distance": memory.distance,
        "time": memory.time,
        "score": memory.score,
        "parts": [{"name": part.name, "value": part.value} for part in memory.parts],
        "salience": memory.salience,
        "core": memory.is_core,
        "emotions": list(memory.emotions),
        "flags": list(memory.flags),
        "entities": list(memory.entities),
        "speakers": list(memory.speakers),
        "excerpt": [
            {
                "number": each.number,
                "time": each.time,
                "speaker": each.speaker,
                "text": each.text,
                "score": each.score,
            }
            for each in memory.excerpt
        ],
    }


def _to_arc_json(arc: RecalledArc) -> documents.RecalledArcDocument:
    return {
        "ref": arc.ref,
        "title": arc.title,
        "text": arc.text,
        "first": arc.first,
        "last": arc.last,
    }
