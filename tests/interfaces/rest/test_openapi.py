"""The OpenAPI document: what a client is generated from."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from cortexfs.interfaces.rest.rest_app import make_openapi_document

NAME = re.compile(r"[a-z]+(?:_[a-z]+)*")
MODEL = re.compile(r"(?:[A-Z][a-z]+)+")


@pytest.fixture(scope="module")
def document() -> Any:
    return json.loads(json.dumps(make_openapi_document()))


def list_operations(document: Any) -> list[tuple[str, Any]]:
    """Return each operation with its method and path."""
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_each_operation_has_a_name_of_its_own_a_sentence_and_a_group(document: Any) -> None:
    operations = list_operations(document)
    names = Counter(each["operationId"] for _, each in operations)
    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if not NAME.fullmatch(name)] == []
    wrong = [
        where
        for where, each in operations
        if not each["summary"].endswith(".") or len(each["tags"]) != 1
    ]
    assert wrong == []


def test_the_routes_of_the_original_are_groups_of_their_own(document: Any) -> None:
    for where, operation in list_operations(document):
        is_original = where.partition(" /api/")[2].partition("/")[0] not in {"v1", ""}
        assert (operation["tags"][0] in {"memory", "chat"}) == is_original, where


def test_each_schema_has_a_name_and_is_used(document: Any) -> None:
    schemas = document["components"]["schemas"]
    used = set(re.findall(r"#/components/schemas/([^\"]+)", json.dumps(document)))
    assert used == schemas.keys()
    assert [name for name in schemas if not MODEL.fullmatch(name)] == []


def test_each_change_says_that_it_can_be_tried(document: Any) -> None:
    reads = {
        "audit_store",
        "recalculate_score",
        "recall_story",
        "render_template",
        "send_chat_message",
        "delete_chat_thread",
    }
    tried = {
        operation["operationId"]
        for _, operation in list_operations(document)
        if any(each["name"] == "dry-run" for each in operation.get("parameters", ()))
    }
    changing = {
        operation["operationId"]
        for where, operation in list_operations(document)
        if not where.startswith("GET ")
    }
    assert changing - tried == reads
