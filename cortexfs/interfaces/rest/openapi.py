"""The OpenAPI document: parameters as FastAPI reads them, answers as the documents are typed."""

from __future__ import annotations

from collections import Counter
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal

from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from cortexfs import __version__
from cortexfs.interfaces.http.refusal import PROBLEM_TYPE
from cortexfs.interfaces.http.stream_chat import MEDIA_TYPE
from cortexfs.interfaces.json.documents.plans import (
    ErrorDocument,
    PlannedDocument,
    ProblemDocument,
)
from cortexfs.interfaces.rest.endpoint import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastapi import FastAPI

    from cortexfs.interfaces.rest.endpoint import Endpoint

    Json = dict[str, Any]

TITLE = "cortexfs"
REF_TEMPLATE = "#/components/schemas/{model}"
EVERYWHERE = (400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 422, 500, 503, 507)
"""The statuses that any route may answer with when it refuses."""
METRICS_PATH, EVENTS_PATH = "/metrics", "/api/v1/events"
OPENAPI_PATH = "/api/v1/openapi.json"
TEXTS = {
    METRICS_PATH: ("show_metrics", "Metrics in the text format of Prometheus.", "text/plain"),
    EVENTS_PATH: (
        "stream_changes",
        "Server-sent events: change (paths, refs, count), reset, heartbeat.",
        "text/event-stream",
    ),
}
"""The routes that answer with a text: name, summary and media type."""
UNUSED = {"HTTPValidationError", "ValidationError"}
"""The schemas of the refusals that FastAPI would send without us."""
SECURITY: Json = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}


def make_openapi(app: FastAPI, endpoints: Sequence[Endpoint]) -> Json:
    """Return the OpenAPI 3.1 document of all routes."""
    document = get_openapi(
        title=TITLE,
        version=__version__,
        summary="The memory of coding agents as plain Markdown in git.",
        routes=app.routes,
        separate_input_output_schemas=False,
    )
    schemas, components = _make_schemas(endpoints)
    bodies = document.get("components", {}).get("schemas", {})
    schemas_by_name = {**bodies, **components}
    document["components"] = {
        "schemas": {name: schemas_by_name[name] for name in schemas_by_name if name not in UNUSED},
        "securitySchemes": SECURITY,
    }
    document["security"] = [{name: []} for name in SECURITY]
    document["paths"] |= {path: _describe_text(*about) for path, about in TEXTS.items()}
    for row in endpoints:
        operation = document["paths"][row.path.replace(":path", "")][row.method.lower()]
        operation["operationId"] = name_operation(row, endpoints)
        operation["summary"] = operation.pop("description").partition("\n")[0]
        operation["tags"] = [_choose_tag(row)]
        operation["responses"] = _make_responses(row, schemas)
    return document


def _choose_tag(row: Endpoint) -> str:
    """Return the group of a route, from which clients make the name of a module."""
    if row.is_original:
        return "chat" if row.path.startswith("/api/cortex/") else "memory"
    return row.path.split("/")[3]


def _describe_text(name: str, summary: str, media_type: str) -> Json:
    """Return the description of a route that answers with a text."""
    answer = _make_response(200, {"type": "string"}, media_type=media_type)
    refusals = {str(status): {"description": HTTPStatus(status).phrase} for status in (401, 403)}
    return {
        "get": {
            "operationId": name,
            "summary": summary,
            "tags": ["server"],
            "responses": {"200": answer, **refusals},
        }
    }


def name_operation(row: Endpoint, endpoints: Iterable[Endpoint]) -> str:
    """Return the name of an operation, from which clients make the name of a function."""
    name = row.run.__name__
    count = _count_names(tuple(each.run.__name__ for each in endpoints))[name]
    return name if count == 1 else f"{name}_by_{row.method.lower()}"


@cache
def _count_names(names: tuple[str, ...]) -> Counter[str]:
    return Counter(names)


def _make_schemas(endpoints: Sequence[Endpoint]) -> tuple[dict[object, Json], Json]:
    """Return the schema of each document, and the components that these refer to."""
    types: list[Any] = [ProblemDocument, ErrorDocument, PlannedDocument]
    types += [row.answer for row in endpoints if row.answer not in types]
    inputs: list[tuple[str, Literal["serialization"], TypeAdapter[Any]]] = [
        (str(n), "serialization", TypeAdapter(each)) for n, each in enumerate(types)
    ]
    by_key, definitions = TypeAdapter.json_schemas(inputs, ref_template=REF_TEMPLATE)
    found: dict[object, Json] = {types[int(key)]: schema for (key, _), schema in by_key.items()}
    return found, definitions.get("$defs", {})


def _make_responses(row: Endpoint, schemas: dict[object, Json]) -> Json:
    """Return the answers of a route: its document, its plan, and its refusals."""
    answers: Json = {}
    if row.effect in {Effect.CHANGE, Effect.CHANGE_ATOM}:
        answers["200"] = _make_response(200, schemas[PlannedDocument], "The plan of a dry run")
    done = schemas[row.answer]
    if row.status == HTTPStatus.OK and answers:
        done = {"anyOf": [done, schemas[PlannedDocument]]}
    form = "application/json"
    if row.effect is Effect.STREAM:
        done, form = _describe_event(done), MEDIA_TYPE
    answers[str(row.status)] = _make_response(row.status, done, media_type=form)
    refusals = [*EVERYWHERE, *([412] if row.effect is Effect.CHANGE_ATOM else [])]
    error = schemas[ErrorDocument if row.is_original else ProblemDocument]
    form = "application/json" if row.is_original else PROBLEM_TYPE
    if row.method == "GET" and "{ref" in row.path:
        answers["304"] = {"description": HTTPStatus(304).phrase}
    return answers | {
        str(status): _make_response(status, error, media_type=form) for status in refusals
    }


def _describe_event(document: Json) -> Json:
    """Return the schema of one server-sent event, whose data is a document."""
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": document}
    properties = {"event": {"type": "string"}, "id": {"type": "string"}, "data": data}
    return {"type": "object", "properties": properties, "required": ["event", "data"]}


def _make_response(
    status: int, schema: Json, description: str = "", media_type: str = "application/json"
) -> Json:
    return {
        "description": description or HTTPStatus(status).phrase,
        "content": {media_type: {"schema": schema}},
    }
