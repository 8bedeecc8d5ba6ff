"""Routes for memories as a whole: export, import, audit."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Body, Query

from cortexfs.core.stores.stored_values import StoreFormat
from cortexfs.interfaces.json.documents import stores as documents
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint
from cortexfs.operations.export_memories import ExportFormat

StoreBody = Annotated[
    dict[str, Any] | list[Any],
    Body(description="An export of this program, or the store of another, up to 1 MiB."),
]
StoreFormatQuery = Annotated[
    StoreFormat | None, Query(description="Format of the store; without it, recognized.")
]
SOURCE = "request"
"""What an import names as its source."""


def export_store(
    call: Call,
    project: given.Names = [],  # noqa: B006 - never changed
    format: Annotated[ExportFormat, Query()] = ExportFormat.CORTEXFS,  # noqa: A002 - as the option
    include_personal: Annotated[bool, Query(alias="include-personal")] = False,
) -> Answer:
    """Export memories, sessions and prompts as one document; `import` takes it."""
    from cortexfs.operations.export_memories import export_memories as export

    names = given.require_projects(call.session, project)
    done = export(call.session, names, format, include_personal=include_personal)
    return make_document(**done.document)


def import_store(
    call: Call, body: StoreBody, form: StoreFormatQuery = None, project: given.ProjectQuery = ""
) -> Answer:
    """Import an export or a store, each memory once, in one commit."""
    from cortexfs.core.stores.parse_store import StoreJson
    from cortexfs.interfaces.json.stores import to_store_import_json
    from cortexfs.operations.import_document import ImportRequest, import_document
    from cortexfs.operations.shared.resolve_names import require_valid_project_name

    if project:
        require_valid_project_name(project)
    file, request = StoreJson(json.dumps(body)), ImportRequest(SOURCE, form, project)
    done = import_document(call.session, file, request, mode=call.mode)
    document = to_store_import_json(done, dry_run=call.mode.is_dry_run)
    return make_result(done.outcome, {"imported": document}, changed=bool(done.plan.writes))


def audit_tree(
    call: Call,
    project: given.Names = [],  # noqa: B006
) -> Answer:
    """Audit the memories of the tree: duplicates, loops, secrets, stale and unread ones."""
    from cortexfs.interfaces.json.stores import to_audit_json
    from cortexfs.operations.audit_tree import audit_tree as audit

    names = given.require_projects(call.session, project)
    return make_document(audit=to_audit_json(audit(call.session, names)))


def audit_store(_: Call, body: StoreBody, form: StoreFormatQuery = None) -> Answer:
    """Audit an export or a store, which is not imported."""
    from cortexfs.core.stores.parse_store import StoreJson, parse_any_store
    from cortexfs.interfaces.json.stores import to_audit_json
    from cortexfs.operations.audit_store import audit_store as audit

    contents = parse_any_store(StoreJson(json.dumps(body)), form)
    return make_document(audit=to_audit_json(audit(contents)))


_EXPORT = documents.TreeExportDocument | documents.EngramExportDocument
_IMPORT, _AUDIT = documents.StoreImportDocument, documents.AuditDocument
ENDPOINTS = (
    Endpoint("GET", "/api/v1/export", export_store, _EXPORT),
    Endpoint("POST", "/api/v1/import", import_store, _IMPORT, Effect.CHANGE),
    Endpoint("GET", "/api/v1/audit", audit_tree, _AUDIT, Effect.READ_ALL),
    Endpoint("POST", "/api/v1/audit", audit_store, _AUDIT),
)
