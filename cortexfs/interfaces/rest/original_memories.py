"""The routes of the original for memories, prompts, search, export and import."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import Query

from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.interfaces.json import memories as to_json
from cortexfs.interfaces.json.documents import memories as documents
from cortexfs.interfaces.rest import original_bodies as bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.endpoint import Answer, Call, Effect, Endpoint

MAX_AROUND = 50
"""Maximum number of memories before and after one in a timeline."""


def list_observations(
    call: Call,
    project: given.ProjectQuery = "",
    scope: given.ScopeQuery = "",
    type: given.TypeQuery = "",  # noqa: A002 - the original's name
    limit: given.LimitQuery = 20,
    offset: given.OffsetQuery = 0,
) -> Answer:
    """List memories, latest first."""
    from cortexfs.operations.memory.list_memories import list_memories

    found = list_memories(call.session, MemoryFilter(project, scope, type), limit, offset)
    return Answer(list(map(to_json.to_observation_json, found)))


def create_observation(call: Call, body: bodies.NewObservationBody) -> Answer:
    """Save a memory."""
    from cortexfs.operations.memory.save_memory import save_memory
    from cortexfs.operations.shared.memory_types import MemoryDraft

    saved = save_memory(call.session, MemoryDraft(**body), mode=call.memory_mode)
    return Answer(to_json.to_observation_json(saved.record))


def get_observation(call: Call, id: given.MemoryId) -> Answer:  # noqa: A002
    """Show a memory; this counts as a read."""
    from cortexfs.operations.memory.read_memory import read_memory

    return Answer(to_json.to_observation_json(read_memory(call.session, str(id))))


def update_observation(
    call: Call,
    id: given.MemoryId,  # noqa: A002
    body: bodies.ChangedObservationBody,
) -> Answer:
    """Change fields of a memory; the others stay."""
    from cortexfs.operations.memory.update_memory import update_memory
    from cortexfs.operations.shared.memory_types import MemoryChanges

    changes = MemoryChanges(**body)
    record = update_memory(call.session, str(id), changes, mode=call.memory_mode)
    return Answer(to_json.to_observation_json(record))


def delete_observation(
    call: Call,
    id: given.MemoryId,  # noqa: A002
    hard: Annotated[bool, Query(description="Remove the file; git keeps it.")] = False,
) -> Answer:
    """Delete a memory, by default by a field in its file."""
    from cortexfs.operations.memory.delete_memory import delete_memory

    delete_memory(call.session, str(id), hard=hard, mode=call.memory_mode)
    return Answer({"status": "deleted"})


def archive_observation(call: Call, id: given.MemoryId) -> Answer:  # noqa: A002
    """Archive a memory: it is not found any more."""
    from cortexfs.operations.memory.archive_memory import archive_memory

    archive_memory(call.session, str(id), mode=call.memory_mode)
    return Answer({"status": "archived"})


def list_observation_revisions(
    call: Call,
    id: given.MemoryId,  # noqa: A002
    limit: given.LimitQuery = 20,
) -> Answer:
    """List the earlier texts of a memory, latest first."""
    from cortexfs.operations.memory.list_revisions import list_revisions

    found = list_revisions(call.session, str(id), limit)
    return Answer(list(map(to_json.to_memory_revision_json, found)))


def capture_learnings(call: Call, body: bodies.PassiveBody) -> Answer:
    """Save what an output lists as learnings, each once."""
    from cortexfs.operations.memory.capture_learnings import capture_learnings

    done = capture_learnings(call.session, **body, mode=call.memory_mode)
    return Answer({"extracted": done.extracted, "saved": done.saved, "duplicates": done.duplicates})


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


def export_memories(call: Call, project: given.ProjectQuery = "") -> Answer:
    """Export memories, sessions and prompts as engram and Cortex import them."""
    from cortexfs.operations.export_memories import ExportFormat, export_memories
    from cortexfs.operations.shared.resolve_names import require_project

    names = [require_project(call.session, project)] if project else None
    done = export_memories(call.session, names, ExportFormat.ENGRAM)
    return Answer(done.document)


def import_memories(call: Call, body: bodies.ImportBody) -> Answer:
    """Import an export of this program, of engram or of Cortex; the same memory only once."""
    from cortexfs.core.stores.export_document import parse_export
    from cortexfs.core.stores.parse_store import StoreJson, parse_store, recognize_format
    from cortexfs.core.stores.plan_memories import ImportResult
    from cortexfs.core.stores.stored_values import StoreFormat
    from cortexfs.operations.import_export import import_export
    from cortexfs.operations.import_store import import_store

    file = StoreJson(json.dumps(body))
    form = recognize_format(file)
    if form is StoreFormat.CORTEXFS:
        done = import_export(call.session, parse_export(body), SOURCE, mode=call.mode)
    else:
        done = import_store(call.session, parse_store(file, form), SOURCE, mode=call.mode)
    new = sum(each.result in {ImportResult.IMPORTED, ImportResult.UPDATED} for each in done.entries)
    return Answer({"imported": new, "known": len(done.entries) - new, "skipped": len(done.broken)})


SOURCE = "request"
"""What an import names as its source."""
_NOTE = Effect.NOTE
ENDPOINTS = (
    Endpoint("GET", "/api/observations", list_observations, list[documents.ObservationDocument]),
    Endpoint(
        "POST",
        "/api/observations",
        create_observation,
        documents.ObservationDocument,
        _NOTE,
        201,
    ),
    Endpoint(
        "POST", "/api/observations/passive", capture_learnings, documents.CapturedDocument, _NOTE
    ),
    Endpoint("GET", "/api/observations/{id}", get_observation, documents.ObservationDocument),
    Endpoint(
        "PUT", "/api/observations/{id}", update_observation, documents.ObservationDocument, _NOTE
    ),
    Endpoint(
        "PATCH", "/api/observations/{id}", update_observation, documents.ObservationDocument, _NOTE
    ),
    Endpoint(
        "DELETE", "/api/observations/{id}", delete_observation, documents.StatusDocument, _NOTE
    ),
    Endpoint(
        "POST",
        "/api/observations/{id}/archive",
        archive_observation,
        documents.StatusDocument,
        _NOTE,
    ),
    Endpoint(
        "GET",
        "/api/observations/{id}/revisions",
        list_observation_revisions,
        list[documents.RevisionDocument],
    ),
    Endpoint("GET", "/api/search", search_observations, list[documents.FoundObservationDocument]),
    Endpoint(
        "GET", "/api/search/hybrid", search_observations_hybrid, documents.FoundByMethodDocument
    ),
    Endpoint("GET", "/api/timeline", get_timeline, documents.TimelineDocument),
    Endpoint("GET", "/api/context", get_context, documents.ContextDocument),
    Endpoint("GET", "/api/stats", get_memory_stats, documents.MemoryStatsDocument),
    Endpoint("POST", "/api/prompts", create_prompt, documents.PromptDocument, _NOTE, 201),
    Endpoint("GET", "/api/prompts/recent", list_prompts, list[documents.PromptDocument]),
    Endpoint("GET", "/api/prompts/search", search_prompts, list[documents.PromptDocument]),
    Endpoint("GET", "/api/export", export_memories, documents.MemoryExportDocument),
    Endpoint("POST", "/api/import", import_memories, documents.ImportedDocument, _NOTE),
)
