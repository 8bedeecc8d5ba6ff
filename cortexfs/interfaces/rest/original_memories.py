"""The routes of the original for memories, prompts, search, export and import."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import Query

from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.interfaces.json import memories as to_json
from cortexfs.interfaces.json.documents import memories as documents
from cortexfs.interfaces.json.documents.stores import EngramExportFields
from cortexfs.interfaces.rest import original_bodies as bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint
from cortexfs.interfaces.rest.store_routes import SOURCE


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


def export_memories(call: Call, project: given.ProjectQuery = "") -> Answer:
    """Export memories, sessions and prompts as engram and Cortex import them."""
    from cortexfs.operations.export_memories import ExportFormat, export_memories
    from cortexfs.operations.shared.resolve_names import require_project

    names = [require_project(call.session, project)] if project else None
    done = export_memories(call.session, names, ExportFormat.ENGRAM)
    return Answer(done.document)


def import_memories(call: Call, body: bodies.ImportBody) -> Answer:
    """Import an export of this program, of engram or of Cortex; the same memory only once."""
    from cortexfs.core.stores.parse_store import StoreJson
    from cortexfs.core.stores.plan_memories import ImportResult
    from cortexfs.operations.import_document import ImportRequest, import_document

    file = StoreJson(json.dumps(body))
    done = import_document(call.session, file, ImportRequest(SOURCE), mode=call.mode)
    new = sum(each.result in {ImportResult.IMPORTED, ImportResult.UPDATED} for each in done.entries)
    return Answer({"imported": new, "known": len(done.entries) - new, "skipped": len(done.broken)})


_CHANGE = Effect.CHANGE
ENDPOINTS = (
    Endpoint("GET", "/api/observations", list_observations, list[documents.ObservationDocument]),
    Endpoint(
        "POST",
        "/api/observations",
        create_observation,
        documents.ObservationDocument,
        _CHANGE,
        201,
    ),
    Endpoint(
        "POST", "/api/observations/passive", capture_learnings, documents.CapturedDocument, _CHANGE
    ),
    Endpoint("GET", "/api/observations/{id}", get_observation, documents.ObservationDocument),
    Endpoint(
        "PUT", "/api/observations/{id}", update_observation, documents.ObservationDocument, _CHANGE
    ),
    Endpoint(
        "PATCH",
        "/api/observations/{id}",
        update_observation,
        documents.ObservationDocument,
        _CHANGE,
    ),
    Endpoint(
        "DELETE", "/api/observations/{id}", delete_observation, documents.StatusDocument, _CHANGE
    ),
    Endpoint(
        "POST",
        "/api/observations/{id}/archive",
        archive_observation,
        documents.StatusDocument,
        _CHANGE,
    ),
    Endpoint(
        "GET",
        "/api/observations/{id}/revisions",
        list_observation_revisions,
        list[documents.RevisionDocument],
    ),
    Endpoint("GET", "/api/export", export_memories, EngramExportFields),
    Endpoint("POST", "/api/import", import_memories, documents.ImportedDocument, _CHANGE),
)
