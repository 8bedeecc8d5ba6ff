"""Stores of other programs are recognized, and one broken entry never stops the rest."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stores.parse_store import StoreJson, parse_store, recognize_format
from cortexfs.core.stores.stored_values import BrokenEntry, StoredRelation, StoreFormat
from cortexfs.errors import Refused

ENGRAM = {
    "version": "0.1.0",
    "exported_at": "2026-02-01 10:00:00",
    "sessions": [
        {
            "id": "s1",
            "project": "Loom",
            "directory": "/src/loom",
            "started_at": "2026-01-31T09:00:00Z",
            "ended_at": None,
            "summary": "Built the loom.",
        },
        {"project": "no id"},
    ],
    "observations": [
        {
            "id": 41,
            "session_id": "s1",
            "type": "bugfix",
            "title": "Fixed N+1",
            "content": "**What**: a join",
            "project": "Loom",
            "scope": "project",
            "topic_key": "bug/n-1",
            "revision_count": 3,
            "duplicate_count": 2,
            "last_seen_at": "2026-02-01 10:00:00",
            "created_at": "2026-01-31 09:30:00",
            "updated_at": "2026-02-01 10:00:00",
            "deleted_at": None,
        },
        "not an object",
        {"id": 42, "title": "No content", "content": "   "},
        {"id": "43", "title": "Id is text", "content": "x"},
        {"id": 44, "title": ["list"], "content": "x"},
        {"id": 45, "title": "Mine", "content": "kept", "scope": "Personal", "tool_name": "Edit"},
    ],
    "prompts": [
        {
            "id": 1,
            "session_id": "s1",
            "content": "Fix it",
            "project": "Loom",
            "created_at": "2026-01-31 09:29:00",
        },
        {"id": 2, "content": ""},
    ],
}


def no_learnings(_: str) -> list[str]:
    return []


def parse(document: object, form: StoreFormat | None = None) -> Any:
    return parse_text(json.dumps(document), form)


def parse_text(text: str, form: StoreFormat | None = None) -> Any:
    file = StoreJson(text)
    return parse_store(file, form or recognize_format(file), no_learnings)


def test_an_export_of_engram_keeps_what_a_memory_has() -> None:
    found = parse(ENGRAM)
    first, last = found.memories
    assert (first.origin, first.type, first.topic_key) == ("engram:41", "bugfix", "bug/n-1")
    assert (first.created, first.last_seen) == ("2026-01-31T09:30:00Z", "2026-02-01T10:00:00Z")
    assert (first.revision, first.duplicates, first.has_local_id) == (3, 1, True)
    assert (last.scope, last.tool, last.revision, last.duplicates) == ("personal", "Edit", 1, 0)
    assert [each.session_id for each in found.sessions] == ["s1"]
    assert [(each.content, each.created) for each in found.prompts] == [
        ("Fix it", "2026-01-31T09:29:00Z")
    ]


def test_broken_entries_are_reported_with_their_index() -> None:
    assert [(each.place, each.message) for each in parse(ENGRAM).broken] == [
        ("observations[1]", "it is not an object"),
        ("observations[2]", "`content` is missing or empty"),
        ("observations[3]", "`id` is not a number above 0"),
        ("observations[4]", "`title` is not text"),
        ("sessions[1]", "`id` is missing or empty"),
        ("prompts[1]", "`content` is missing or empty"),
    ]


def test_sections_of_the_wrong_type_are_reported() -> None:
    found = parse({"sessions": {}, "observations": "x", "prompts": None})
    assert [each.place for each in found.broken] == ["observations", "sessions"]


MEM0 = {
    "id": "892db2ae", "memory": "Likes *tea*\nand cake", "hash": "x", "user_id": "ada",
    "metadata": {"category": "preference"}, "categories": ["food"], "run_id": "r1",
    "created_at": "2026-01-01T00:00:00.123456-08:00", "updated_at": None,
}  # fmt: skip


@pytest.mark.parametrize("document", [[MEM0], {"results": [MEM0]}, {"memories": [MEM0]}])
def test_mem0_gives_memories_in_each_of_its_forms(document: object) -> None:
    (memory,) = parse(document).memories
    assert (memory.origin, memory.title) == ("mem0:892db2ae", "Likes *tea*")
    assert (memory.type, memory.tags, memory.session_id) == ("preference", ("food",), "r1")
    assert memory.created == "2026-01-01T08:00:00Z"


def test_the_graph_of_the_reference_server_becomes_related_memories() -> None:
    lines = [
        {"type": "entity", "name": "Loom", "entityType": "craft", "observations": ["Warp", "Big"]},
        {"type": "relation", "from": "Loom", "to": "Ada", "relationType": "built_by"},
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": []},
        {"type": "relation", "from": "Ada", "to": "Loom", "relationType": "references"},
        {"type": "relation", "from": "Ghost", "to": "Loom", "relationType": "haunts"},
        {"type": "entity", "name": "Loom", "entityType": "project", "observations": ["Quiet"]},
        {"type": "song"},
    ]  # fmt: skip
    text = "\n".join(map(json.dumps, lines)) + '\n{"type": "ent'
    found = parse_text(text)
    loom, ada = found.memories
    assert loom.origin == "memory-json:Loom"
    assert loom.content == "- Warp\n- Big\n- Quiet\n\nRelations:\n\n- built_by Ada"
    assert loom.relations == (StoredRelation("relates_to", "memory-json:Ada"),)
    assert ada.relations == (StoredRelation("references", "memory-json:Loom"),)
    assert ada.content == "Relations:\n\n- references Loom"
    assert found.broken == (
        BrokenEntry("line 5", "no entity named `Ghost`"),
        BrokenEntry("line 7", "`type` is neither `entity` nor `relation`"),
        BrokenEntry("line 8", "it is not JSON"),
    )


def test_a_graph_of_one_line_is_recognized() -> None:
    found = parse({"type": "entity", "name": "Loom", "entityType": "x", "observations": ["a"]})
    assert [memory.title for memory in found.memories] == ["Loom"]


@pytest.mark.parametrize("text", ["", "# Notes", "[1, 2]", '{"a": 1}', "[" * 200_000, "null"])
def test_a_text_of_no_known_format_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        parse_text(text)


def test_a_store_that_does_not_have_the_named_format_is_refused() -> None:
    with pytest.raises(Refused, match="does not have the format claude"):
        parse(ENGRAM, StoreFormat.CLAUDE)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
KEYS = re.findall(
    r"\w+",
    "id uuid name title content memory text type scope tags metadata categories created_at mapping"
    " session_id chat_messages sender current_node observations sessions prompts entityType from to"
    " relationType create_time update_time message parent children author parts",
)
ENTRIES = st.lists(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=8), max_size=4)


@given(ENTRIES, st.sampled_from([form for form in StoreFormat if form is not StoreFormat.CORTEXFS]))
def test_no_entry_of_any_shape_stops_a_parser(entries: list[Any], form: StoreFormat) -> None:
    document: object = entries
    if form is StoreFormat.ENGRAM:
        document = {"observations": entries, "sessions": entries, "prompts": entries}
    text = json.dumps(document)
    if form is StoreFormat.MEMORY_JSON:
        text = "\n".join(map(json.dumps, entries)) or "{}"
    found = parse_text(text, form)
    for memory in found.memories:
        assert memory.title.strip()
        assert memory.content.encode()
