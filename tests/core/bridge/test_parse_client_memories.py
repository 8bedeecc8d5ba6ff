"""Each client's own memory files give memories, without what was emitted."""

from __future__ import annotations

import pytest

from cortexfs.core.bridge.digest_block import insert_block
from cortexfs.core.bridge.parse_client_memories import (
    ClientMemoryFile,
    MemoryClient,
    choose_project,
    encode_folder,
    parse_client_file,
)

CLAUDE = "~/.claude/projects/-src-wheel/memory/"


def parse(
    client: MemoryClient, place: str, text: str, project: str = "wheel"
) -> list[tuple[str, str, str]]:
    memories = parse_client_file(ClientMemoryFile(client, place, text), project)
    return [(each.origin, each.title, each.content) for each in memories]


def test_a_topic_file_of_claude_code_is_one_memory() -> None:
    text = "---\ndescription: How tests run\ntype: project\n---\n\n# Tests\n\nUse make.\n"
    (memory,) = parse_client_file(
        ClientMemoryFile(MemoryClient.CLAUDE_CODE, f"{CLAUDE}testing.md", text), "wheel"
    )
    assert memory.origin == f"claude-code:{CLAUDE}testing.md"
    assert (memory.title, memory.type) == ("How tests run", "project")
    assert (memory.content, memory.project) == ("# Tests\n\nUse make.", "wheel")
    assert (memory.tool, memory.scope) == ("claude-code", "project")


def test_a_topic_file_without_frontmatter_is_named_by_its_heading_or_file() -> None:
    assert parse(MemoryClient.CLAUDE_CODE, f"{CLAUDE}a.md", "# Build\n\nUse make.")[0][1] == "Build"
    assert parse(MemoryClient.CLAUDE_CODE, f"{CLAUDE}how_to.md", "Use make.")[0][1] == "how to"
    assert parse(MemoryClient.CLAUDE_CODE, f"{CLAUDE}empty.md", "\n") == []


def test_each_section_of_a_memory_index_is_a_memory_and_lists_of_files_are_not() -> None:
    text = (
        "# Memory\n\nThe wheel is round.\n\n## Files\n\n- [Testing](testing.md) - how tests run\n\n"
        "## Debugging\n\n- Use `-x`\n- [See](a.md)\n\n### Deeper\n\nMore.\n\n## Style\n\nShort.\n"
    )
    place = f"{CLAUDE}MEMORY.md"
    assert parse(MemoryClient.CLAUDE_CODE, place, text) == [
        (f"claude-code:{place}", "The wheel is round.", "The wheel is round."),
        (f"claude-code:{place}:debugging", "Debugging", "- Use `-x`\n\n### Deeper\n\nMore."),
        (f"claude-code:{place}:style", "Style", "Short."),
    ]


def test_each_added_memory_of_gemini_is_a_memory() -> None:
    text = (
        "# My rules\n\n- Never a memory\n\n## Gemini Added Memories\n- Prefers tabs\n"
        "- Lives in\n  Paris\n\n## Other\n\n- Not this\n"
    )
    found = parse(MemoryClient.GEMINI, "~/.gemini/GEMINI.md", text)
    assert [content for _, _, content in found] == ["Prefers tabs", "Lives in\n  Paris"]
    again = parse(MemoryClient.GEMINI, "~/.gemini/GEMINI.md", text.replace("- Prefers tabs\n", ""))
    assert again == found[1:]


def test_a_memory_about_all_projects_is_personal_unless_a_project_is_named() -> None:
    file = ClientMemoryFile(
        MemoryClient.CODEX, "~/.codex/memories/MEMORY.md", "## Style\n\nShort.\n"
    )
    assert [each.scope for each in parse_client_file(file, "")] == ["personal"]
    assert [each.scope for each in parse_client_file(file, "wheel")] == ["project"]


@pytest.mark.parametrize(
    "text",
    [
        insert_block("", "- Ours [wheel/OBS-001]"),
        '<cortex-memory source="brief">\nOurs\n</cortex-memory>',
        "## Memory from Previous Sessions\n\n- Ours\n\n---\nMemory stats: 1 session",
        "- A copied line [wheel/OBS-001]\n",
    ],
)
def test_nothing_that_we_gave_is_taken_back(text: str) -> None:
    place = "~/.codex/memories/MEMORY.md"
    assert parse(MemoryClient.CODEX, place, text) == []
    assert [each[2] for each in parse(MemoryClient.CODEX, place, f"Theirs.\n\n{text}")] == [
        "Theirs."
    ]


@pytest.mark.parametrize(
    ("folder", "project"),
    [
        ("-home-ada-src-wheel", "wheel"),
        ("-home-ada-src-big-wheel", "big-wheel"),
        ("-home-ada-src-My-App", "src-my-app"),
        ("-srv-app", "srv-app"),
        ("-home-ada", ""),
    ],
)
def test_a_folder_of_claude_code_belongs_to_a_project(folder: str, project: str) -> None:
    assert choose_project(folder, "/home/ada", ["wheel", "big-wheel"]) == project


def test_a_folder_is_named_as_claude_code_names_it() -> None:
    assert encode_folder("/home/ada/my_app.v2") == "-home-ada-my-app-v2"


def test_sections_with_the_same_title_are_different_memories() -> None:
    text = "## Notes\n\nOne.\n\n## Notes\n\nTwo.\n"
    place = f"{CLAUDE}MEMORY.md"
    assert parse(MemoryClient.CLAUDE_CODE, place, text) == [
        (f"claude-code:{place}:notes", "Notes", "One."),
        (f"claude-code:{place}:notes:2", "Notes", "Two."),
    ]


@pytest.mark.parametrize(
    ("client", "place", "text"),
    [
        (MemoryClient.CODEX, "~/MEMORY.md", "## A\n<private>one\n\n## B\n\nhunter2</private>\n"),
        (
            MemoryClient.GEMINI,
            "~/GEMINI.md",
            "## Added Memories\n- <private>one\n- hunter2</private>\n- Prefers tabs\n",
        ),
    ],
)
def test_a_private_part_that_goes_over_several_memories_is_redacted(
    client: MemoryClient, place: str, text: str
) -> None:
    assert "hunter2" not in str(parse(client, place, text))
