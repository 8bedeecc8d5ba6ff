"""Memories, sessions and prompts as JSON, with the keys of the original."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from cortexfs.core.stores import engram_document

if TYPE_CHECKING:
    from cortexfs.core.memory.importance_score import MemoryScore
    from cortexfs.core.memory.memory_record import MemoryRecord, PromptRecord, SessionRecord
    from cortexfs.interfaces.json.documents import memories as documents
    from cortexfs.operations.memory.list_revisions import MemoryRevision
    from cortexfs.operations.shared.memory_types import (
        CreatedRelation,
        MemoryContext,
        MemoryHit,
        MemoryStats,
        MemoryTimeline,
        RelatedMemory,
    )


def to_observation_json(record: MemoryRecord) -> documents.ObservationDocument:
    """Return one memory."""
    document = {**engram_document.format_memory(record), "ref": record.ref}
    return cast("documents.ObservationDocument", document)


def to_found_observation_json(hit: MemoryHit) -> documents.FoundObservationDocument:
    """Return a memory that matches a query, with its rank."""
    return {**to_observation_json(hit.record), "rank": round(hit.rank, 4)}


def to_related_observation_json(found: RelatedMemory) -> documents.RelatedObservationDocument:
    """Return a related memory, with its distance in relations."""
    return {**to_observation_json(found.record), "distance": found.distance}


def to_memory_revision_json(found: MemoryRevision) -> documents.RevisionDocument:
    """Return an earlier text of a memory."""
    return {
        "commit": found.commit.commit,
        "when": found.commit.when,
        "subject": found.commit.subject,
        "content": found.text,
    }


def to_session_json(record: SessionRecord) -> documents.SessionDocument:
    """Return one session of an agent."""
    document = engram_document.format_session(record)
    return cast("documents.SessionDocument", document | {"observation_count": record.memory_count})


def to_prompt_json(record: PromptRecord) -> documents.PromptDocument:
    """Return one prompt."""
    return cast("documents.PromptDocument", engram_document.format_prompt(record))


def to_edge_json(made: CreatedRelation) -> documents.EdgeDocument:
    """Return a relation between two memories."""
    return {
        "id": made.edge_id,
        "from_id": made.from_number,
        "to_id": made.to_number,
        "relation_type": made.relation.type,
        "weight": made.relation.weight,
    }


def to_score_json(found: MemoryScore) -> documents.ScoreDocument:
    """Return the importance of a memory, with its parts: the age penalty is below zero."""
    document: documents.ScoreDocument = {
        "observation_id": found.number,
        "score": found.total,
        "access_count": found.reads,
        "parts": {
            "base": found.base,
            "reads": found.access_bonus,
            "recency": found.recency_bonus,
            "edges": found.edge_bonus,
            "type": found.type_bonus,
            "age": -found.age_penalty,
        },
    }
    return {**document, "last_accessed": found.last_read} if found.last_read else document


def to_timeline_json(found: MemoryTimeline) -> documents.TimelineDocument:
    """Return the memories of a session around one of them."""
    document: documents.TimelineDocument = {
        "total": found.total,
        "before": list(map(to_observation_json, found.before)),
        "focus": to_observation_json(found.focus),
        "after": list(map(to_observation_json, found.after)),
    }
    if found.session:
        document["session"] = to_session_json(found.session)
    return document


def to_memory_stats_json(found: MemoryStats) -> documents.MemoryStatsDocument:
    """Return the numbers of memories, and their projects."""
    return {
        "total_sessions": found.sessions,
        "total_observations": found.memories,
        "total_prompts": found.prompts,
        "projects": found.projects,
    }


def to_context_json(found: MemoryContext) -> documents.ContextDocument:
    """Return what was done lately."""
    return {
        "sessions": list(map(to_session_json, found.sessions)),
        "prompts": list(map(to_prompt_json, found.prompts)),
        "observations": list(map(to_observation_json, found.memories)),
        "stats": to_memory_stats_json(found.stats),
    }
