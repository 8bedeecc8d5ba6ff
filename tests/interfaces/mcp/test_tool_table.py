"""The table of tools beside what prompts of agents know, written down once more."""

from __future__ import annotations

import json
import re
from typing import Any

from cortexfs.interfaces.mcp.server_identity import INSTRUCTIONS, make_instructions
from cortexfs.interfaces.mcp.tool_table import TOOLS, choose_from_table

MEMORY_ARGUMENTS = {
    "mem_save": "title* content* type=manual session_id project scope=project topic_key",
    "mem_search": "query* type project scope limit=10",
    "mem_context": "project scope limit=20",
    "mem_session_summary": "content* project* session_id",
    "mem_get_observation": "id* page=1",
    "mem_save_prompt": "content* session_id project",
    "mem_update": "id* title content type project scope topic_key",
    "mem_suggest_topic_key": "type title content",
    "mem_session_start": "id* project* directory",
    "mem_session_end": "id* summary",
    "mem_capture_passive": "content* session_id project source=mcp-passive",
    "mem_relate": "from_id* to_id* relation_type* weight=1.0",
    "mem_graph": "observation_id* depth=1 page=1",
    "mem_score": "observation_id* recalculate",
    "mem_search_hybrid": "query* project scope limit=10",
    "mem_delete": "id* hard_delete",
    "mem_stats": "",
    "mem_timeline": "observation_id* before=5 after=5",
    "mem_archive": "observation_id*",
}
EAGER = {
    "mem_save",
    "mem_search",
    "mem_context",
    "mem_session_summary",
    "mem_get_observation",
    "mem_save_prompt",
}
ADMIN = {"mem_delete", "mem_stats", "mem_timeline", "mem_archive"}
PROPOSALS = {"cortex_proposals", "cortex_decide"}
DOCUMENTS: dict[str, Any] = {tool.name: tool.to_json() for tool in TOOLS}


def shown_arguments(name: str) -> str:
    schema = DOCUMENTS[name]["inputSchema"]
    required = schema.get("required", ())
    return " ".join(
        key + ("*" if key in required else "") + (f"={of['default']}" if "default" in of else "")
        for key, of in schema["properties"].items()
    )


def count_tokens(names: set[str]) -> float:
    return sum(len(json.dumps(DOCUMENTS[name])) for name in names) / 4


def test_the_memory_tools_have_the_arguments_that_prompts_know() -> None:
    found = {name: shown_arguments(name) for name in DOCUMENTS if name.startswith("mem_")}
    assert found == MEMORY_ARGUMENTS


def test_the_profiles_hold_fifteen_and_six_tools() -> None:
    names = set(MEMORY_ARGUMENTS)
    assert {tool.name for tool in choose_from_table("agent")} == names - ADMIN
    assert {tool.name for tool in choose_from_table("admin")} == ADMIN | PROPOSALS
    assert {tool.name for tool in choose_from_table("agent,admin")} == names | PROPOSALS
    assert {tool.name for tool in choose_from_table("")} == set(DOCUMENTS)


def test_the_schemas_cost_few_tokens() -> None:
    assert count_tokens(set(MEMORY_ARGUMENTS) - ADMIN) <= 4_000
    assert count_tokens(set(DOCUMENTS)) <= 5_500


def test_descriptions_and_instructions_fit_the_clients() -> None:
    assert all(len(tool.description) <= 2_048 for tool in TOOLS)
    assert len(INSTRUCTIONS) <= 2_048


def test_the_instructions_name_only_tools_that_are_offered() -> None:
    assert make_instructions(DOCUMENTS.keys()) == INSTRUCTIONS
    for typed in ("agent", "agent,mem_timeline", "agent,tree"):
        offered = {tool.name for tool in choose_from_table(typed)}
        named = set(re.findall(r"\b(?:mem|cortex)_[a-z_]+", make_instructions(offered)))
        assert named <= offered


def test_six_tools_are_eager_and_the_others_have_search_words() -> None:
    metas = {name: of.get("_meta", {}) for name, of in DOCUMENTS.items()}
    assert {name for name, meta in metas.items() if meta.get("anthropic/alwaysLoad")} == EAGER
    assert {name for name, meta in metas.items() if meta.get("anthropic/searchHint")} == (
        set(DOCUMENTS) - EAGER
    )


def test_annotations_tell_readers_from_writers() -> None:
    hints = {name: of["annotations"] for name, of in DOCUMENTS.items()}
    assert {name for name, hint in hints.items() if hint["destructiveHint"]} == {
        "mem_delete",
        "mem_archive",
        "cortex_decide",
        "story_correct",
    }
    assert {name for name, hint in hints.items() if not hint["readOnlyHint"]} == {
        *("mem_save", "mem_session_summary", "mem_save_prompt", "mem_update", "mem_session_start"),
        *("mem_session_end", "mem_capture_passive", "mem_relate", "mem_delete", "mem_archive"),
        *("cortex_new", "cortex_mark", "cortex_decide", "story_append", "story_correct"),
    }
    assert not any(hint["openWorldHint"] for hint in hints.values())
