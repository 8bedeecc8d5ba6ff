"""The routes of the original that find memories and prompts, and show what was done lately."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.interfaces.json import memories as to_json
from cortexfs.interfaces.json.documents import memories as documents
from cortexfs.interfaces.rest import original_bodies as bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint

MAX_AROUND = 50
"""Maximum number of memories before and after one in a timeline."""


def search_observations(
    call: Call,
    q: given.SearchQuery,
    project: given.ProjectQuery = "",
    scope: given.ScopeQuery = "",
    type: given.TypeQuery = "",  # noqa: A002
    limit: given.LimitQuery = 20,
) -> Answer:
    """Search memories by words, best match first."""
    from cortexfs.operations.memory.search_memories import search_memories

    only = MemoryFilter(project, scope, type)
    found = search_memories(call.session, q, only, limit)
    return Answer(list(map(to_json.to_found_observation_json, found.hits)))


def search_observations_hybrid(
    call: Call,
    q: given.SearchQuery,
    project: given.ProjectQuery = "",
    scope: given.ScopeQuery = "",
    limit: given.LimitQuery = 10,
) -> Answer:
    """Search memories by words and, if a model is installed, by meaning."""
    from cortexfs.operations.memory.search_memories import search_memories

    only = MemoryFilter(project, scope)
    found = search_memories(call.session, q, only, limit, hybrid=True)
    results = list(map(to_json.to_found_observation_json, found.hits))
    return Answer({"method": found.found_by, "results": results})


def get_timeline(
    call: Call,
    observation_id: Annotated[int, Query(ge=1, le=given.MAX_NUMBER)],
    before: Annotated[int, Query(ge=1, le=MAX_AROUND)] = 5,
    after: Annotated[int, Query(ge=1, le=MAX_AROUND)] = 5,
) -> Answer:
    """Show the memories of the same session before and after one."""
    from cortexfs.operations.memory.read_timeline import read_timeline

    found = read_timeline(call.session, str(observation_id), before, after)
    return Answer(to_json.to_timeline_json(found))


def get_context(
    call: Call,
    project: given.ProjectQuery = "",
    scope: given.ScopeQuery = "",
    limit: given.LimitQuery = 20,
) -> Answer:
    """Show the latest sessions, prompts and memories."""
    from cortexfs.operations.memory.read_context import read_context

    return Answer(to_json.to_context_json(read_context(call.session, project, scope, limit)))


def get_memory_stats(call: Call) -> Answer:
    """Count sessions, memories and prompts."""
    from cortexfs.operations.memory.memory_stats import memory_stats

    return Answer(to_json.to_memory_stats_json(memory_stats(call.session)))


def create_prompt(call: Call, body: bodies.NewPromptBody) -> Answer:
    """Save a prompt that a person typed."""
    from cortexfs.operations.memory.save_prompt import save_prompt

    saved = save_prompt(call.session, **body, mode=call.memory_mode)
    return Answer(to_json.to_prompt_json(saved))


def list_prompts(
    call: Call,
    project: given.ProjectQuery = "",
    limit: given.LimitQuery = 20,
    offset: given.OffsetQuery = 0,
) -> Answer:
    """List prompts, latest first."""
    from cortexfs.operations.memory.list_memories import list_prompts

    found = list_prompts(call.session, project, limit, offset)
    return Answer(list(map(to_json.to_prompt_json, found)))


def search_prompts(
    call: Call,
    q: given.SearchQuery,
    project: given.ProjectQuery = "",
    limit: given.LimitQuery = 10,
) -> Answer:
    """Search prompts by words, best match first."""
    from cortexfs.operations.memory.search_prompts import search_prompts

    found = search_prompts(call.session, q, project, limit)
    return Answer(list(map(to_json.to_prompt_json, found)))


_CHANGE = Effect.CHANGE
ENDPOINTS = (
    Endpoint("GET", "/api/search", search_observations, list[documents.FoundObservationDocument]),
    Endpoint(
        "GET", "/api/search/hybrid", search_observations_hybrid, documents.FoundByMethodDocument
    ),
    Endpoint("GET", "/api/timeline", get_timeline, documents.TimelineDocument),
    Endpoint("GET", "/api/context", get_context, documents.ContextDocument),
    Endpoint("GET", "/api/stats", get_memory_stats, documents.MemoryStatsDocument),
    Endpoint("POST", "/api/prompts", create_prompt, documents.PromptDocument, _CHANGE, 201),
    Endpoint("GET", "/api/prompts/recent", list_prompts, list[documents.PromptDocument]),
    Endpoint("GET", "/api/prompts/search", search_prompts, list[documents.PromptDocument]),
)
