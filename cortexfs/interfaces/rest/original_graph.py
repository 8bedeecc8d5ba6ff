"""The routes of the original for sessions, relations and scores."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from cortexfs.interfaces.json import memories as to_json
from cortexfs.interfaces.json.documents import memories as documents
from cortexfs.interfaces.rest import original_bodies as bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint


def list_sessions(
    call: Call,
    project: given.ProjectQuery = "",
    limit: given.LimitQuery = 20,
    offset: given.OffsetQuery = 0,
) -> Answer:
    """List sessions of agents, latest first."""
    from cortexfs.operations.memory.list_memories import list_sessions

    found = list_sessions(call.session, project, limit, offset)
    return Answer(list(map(to_json.to_session_json, found)))


def create_session(call: Call, body: bodies.NewSessionBody) -> Answer:
    """Register a session of an agent; of one that is known only a missing directory is added."""
    from cortexfs.operations.memory.start_session import start_session

    directory = body.get("directory", "")
    started = start_session(
        call.session, body["id"], body["project"], directory, mode=call.memory_mode
    )
    return Answer(to_json.to_session_json(started))


def end_session(call: Call, id: given.SessionId, body: bodies.EndSessionBody) -> Answer:  # noqa: A002
    """Mark a session as ended, with a summary."""
    from cortexfs.operations.memory.end_session import end_session

    end_session(call.session, id, body.get("summary", ""), mode=call.memory_mode)
    return Answer({"status": "ended"})


def create_edge(call: Call, body: bodies.NewEdgeBody) -> Answer:
    """Relate a memory to another; `supersedes` also marks the other as superseded."""
    from cortexfs.operations.memory.relate_memories import relate_memories

    made = relate_memories(
        call.session,
        str(body["from_id"]),
        str(body["to_id"]),
        body["relation_type"],
        body.get("weight", 1.0),
        mode=call.memory_mode,
    )
    return Answer(to_json.to_edge_json(made))


def list_related(
    call: Call,
    id: given.MemoryId,  # noqa: A002
    depth: Annotated[int, Query(ge=1, le=10, description="Maximum number of relations.")] = 1,
) -> Answer:
    """List the memories that relations reach, in both directions, nearest first."""
    from cortexfs.operations.memory.related_memories import related_memories

    found = related_memories(call.session, str(id), depth)
    return Answer(list(map(to_json.to_related_observation_json, found)))


def delete_edge(call: Call, id: given.EdgeId) -> Answer:  # noqa: A002
    """Delete a relation; statuses stay as they are."""
    from cortexfs.operations.memory.delete_relation import delete_relation

    delete_relation(call.session, id, mode=call.memory_mode)
    return Answer({"status": "deleted"})


def get_score(call: Call, id: given.MemoryId) -> Answer:  # noqa: A002
    """Show the importance of a memory, and its parts."""
    from cortexfs.operations.memory.score_memory import score_memory

    return Answer(to_json.to_score_json(score_memory(call.session, str(id))))


def recalculate_score(call: Call, id: given.MemoryId) -> Answer:  # noqa: A002
    """Compute the importance of a memory; it is never stored, so that it is always current."""
    from cortexfs.operations.memory.score_memory import score_memory

    return Answer({"score": score_memory(call.session, str(id)).total})


_CHANGE = Effect.CHANGE
ENDPOINTS = (
    Endpoint("GET", "/api/sessions", list_sessions, list[documents.SessionDocument]),
    Endpoint("POST", "/api/sessions", create_session, documents.SessionDocument, _CHANGE, 201),
    Endpoint("POST", "/api/sessions/{id}/end", end_session, documents.StatusDocument, _CHANGE),
    Endpoint("POST", "/api/graph/edges", create_edge, documents.EdgeDocument, _CHANGE, 201),
    Endpoint(
        "GET",
        "/api/graph/{id}/related",
        list_related,
        list[documents.RelatedObservationDocument],
    ),
    Endpoint("DELETE", "/api/graph/edges/{id}", delete_edge, documents.StatusDocument, _CHANGE),
    Endpoint("GET", "/api/scores/{id}", get_score, documents.ScoreDocument),
    Endpoint("POST", "/api/scores/{id}/recalculate", recalculate_score, documents.NewScoreDocument),
)
