"""The memory tools on a real tree, with the texts that prompts of agents know."""

from __future__ import annotations

import re
import resource
from typing import TYPE_CHECKING

import pytest
from mcp_client import serve, serve_process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_client import LineClient
    from place import Place


@pytest.fixture
def client(tree: Place) -> Iterator[LineClient]:
    with serve(tree, "--project", "flywheel") as client:
        client.initialize()
        yield client


def save(client: LineClient, title: str, **more: object) -> str:
    content = f"**What**: {title}, in a few words"
    return client.call("mem_save", **{"title": title, "content": content, **more})


def test_a_saved_observation_is_found_and_shown(client: LineClient, tree: Place) -> None:
    text = save(client, "Nil token panics", type="bugfix")
    assert text.splitlines() == [
        'Memory saved: "Nil token panics" (bugfix)',
        "Suggested topic_key: bug/nil-token-panics",
        "id: 1 (flywheel/OBS-001), new",
    ]
    assert "summary: " in tree.read("projects/flywheel/observations/OBS-001.md")
    found = client.call("mem_search", query="token")
    assert found.startswith("Found 1 memories:\n\n<cortex-memory source=")
    assert "[1] #1 (bugfix) — Nil token panics\n" in found
    for ident in (1, "1", "#1", "OBS-001", "flywheel/OBS-001"):
        shown = client.call("mem_get_observation", id=ident)
        assert "#1 [bugfix] Nil token panics\n**What**: Nil token panics" in shown
        assert "\nSession: manual-save-flywheel\nProject: flywheel\nScope: project\n" in shown


def test_a_search_names_the_words_that_it_corrected(client: LineClient) -> None:
    save(client, "Nil token panics")
    found = client.call("mem_search", query="tokne")
    assert found.startswith(
        'Found 1 memories:\nno text has the word "tokne"; searched for "token"\n'
        "\n<cortex-memory source="
    )
    missing = client.call("mem_search", query="tokne", project="gyroscope")
    assert missing.startswith('No memories found for: "tokne"')
    assert missing.endswith('\nno text has the word "tokne"; searched for "token"')


def test_a_given_topic_key_is_not_suggested_and_updates(client: LineClient) -> None:
    first = save(client, "Auth model", topic_key="architecture/auth")
    assert first.splitlines() == [
        'Memory saved: "Auth model" (manual)',
        "id: 1 (flywheel/OBS-001), new",
    ]
    again = save(client, "Auth model, again", topic_key="architecture/auth")
    assert again.endswith(
        "\nid: 1 (flywheel/OBS-001), updated, revision 2; git keeps the earlier text"
    )
    shown = client.call("mem_get_observation", id=1)
    assert "#1 [manual] Auth model, again\n" in shown
    assert "\nRevisions: 2\n" in shown
    assert client.refuse("mem_get_observation", id=2).startswith("Observation #2 not found")


def test_the_same_memory_saved_again_is_not_added(client: LineClient) -> None:
    save(client, "Auth model")
    again = save(client, "Auth model")
    assert again.endswith("\nid: 1 (flywheel/OBS-001), saved before; nothing was added")


def test_an_empty_result_names_the_projects_if_the_given_one_is_unknown(client: LineClient) -> None:
    save(client, "Auth model")
    last = "no project named `flywheal`; projects are flywheel"
    found = client.call("mem_search", query="model", project="flywheal")
    assert found == f'No memories found for: "model"\n{last}'
    for tool, arguments in (("mem_search_hybrid", {"query": "model"}), ("mem_context", {})):
        assert client.call(tool, project="flywheal", **arguments).endswith(f"\n{last}")
    assert client.call("mem_search", query="zebra", project="Flywheel").count("\n") == 0


def test_a_memory_tool_names_no_command_of_the_shell_in_a_refusal(client: LineClient) -> None:
    for tool in ("mem_get_observation", "mem_update", "mem_delete"):
        answer = client.refuse(tool, id=99, **({"title": "x"} if tool == "mem_update" else {}))
        assert answer.endswith("\nhint: mem_search finds observations by their words")
    ended = client.refuse("mem_session_end", id="s-9")
    assert ended == "no session `s-9`\nhint: mem_session_start starts it"


def test_nothing_found_is_said_in_the_known_words(client: LineClient) -> None:
    assert client.call("mem_search", query="zebra") == 'No memories found for: "zebra"'
    assert client.call("mem_context") == "No previous session memories found."
    stats = client.call("mem_stats").splitlines()
    assert (stats[0], stats[1]) == ("Memory System Stats:", "- Sessions: 0")


def test_the_context_shows_sessions_prompts_and_observations(client: LineClient) -> None:
    assert client.call("mem_session_start", id="s-1", project="flywheel") == (
        'Session "s-1" started for project "flywheel"'
    )
    assert client.call("mem_save_prompt", content="Fix the token", session_id="s-1") == (
        'Prompt saved: "Fix the token"'
    )
    save(client, "Nil token panics", session_id="s-1")
    summary = client.call(
        "mem_session_summary", content="## Goal\nFix it", project="flywheel", session_id="s-1"
    )
    assert summary == 'Session summary saved for project "flywheel"'
    assert client.call("mem_session_end", id="s-1", summary="Fixed") == 'Session "s-1" completed'
    text = client.call("mem_context", project="flywheel")
    assert text.startswith("## Memory from Previous Sessions\n")
    for part in (
        "### Recent Sessions\n- **flywheel** (",
        "### Recent User Prompts\n- ",
        "### Recent Observations\n- ",
        "- #1 [manual] **Nil token panics**: **What**",
        "\n---\nMemory stats: 1 sessions, 2 observations across projects: flywheel\n",
    ):
        assert part in text


def test_observations_are_related_and_walked(client: LineClient) -> None:
    for number in (1, 2, 3):
        save(client, f"Finding number {number}")
    made = client.call("mem_relate", from_id=1, to_id=2, relation_type="follows")
    assert re.fullmatch(
        r"Relationship created: observation 1 -\[follows\]-> observation 2"
        r" \(weight: 1\.0, edge ID: \d+\)",
        made,
    )
    client.call(
        "mem_relate", from_id="OBS-002", to_id="flywheel/OBS-003", relation_type="references"
    )
    near = client.call("mem_graph", observation_id=1)
    assert near.startswith("Related observations for ID 1 (depth: 1, found: 1):\n")
    assert "- [2] Finding number 2 (manual) — " in near
    assert "found: 2" in client.call("mem_graph", observation_id=1, depth=2)
    save(client, "Alone")
    assert client.call("mem_graph", observation_id=4) == (
        "No related observations found for ID 4 (depth: 1)"
    )
    assert client.refuse("mem_graph", observation_id=1, depth=0) == (
        "depth must be between 1 and 10"
    )


def test_a_score_has_its_parts(client: LineClient) -> None:
    save(client, "Use Postgres", type="decision")
    first, parts = client.call("mem_score", observation_id=1).splitlines()
    assert first == ("Observation 1 — score: 1.50, access_count: 0, last_accessed: never")
    assert parts.startswith("1.50 = base 0.50 + access 0.00 + recency 0.50")
    again = client.call("mem_score", observation_id=1, recalculate=True)
    assert again.startswith("Score recalculated for observation 1: 1.50")


def test_learnings_are_captured_once(client: LineClient) -> None:
    items = "1. Tokens may be nil after a refresh\n2. The cache is per thread here\n"
    text = f"## Key Learnings:\n\n{items}"
    assert client.call("mem_capture_passive", content=text) == (
        "Passive capture complete: extracted=2 saved=2 duplicates=0"
    )
    assert client.call("mem_capture_passive", content=text) == (
        "Passive capture complete: extracted=2 saved=0 duplicates=2"
    )


def test_fields_are_updated(client: LineClient) -> None:
    save(client, "Nil token panics")
    assert client.refuse("mem_update", id=1) == "provide at least one field to update"
    assert client.call("mem_update", id=1, title="Nil token", type="bugfix") == (
        'Memory updated: #1 "Nil token" (bugfix, scope=project)'
    )


def test_a_deleted_observation_is_not_found(client: LineClient, tree: Place) -> None:
    save(client, "Kept as a file")
    save(client, "Removed as a file")
    save(client, "Archived as a file")
    assert client.call("mem_delete", id=1) == "Memory #1 soft-deleted"
    hard = client.call("mem_delete", id=2, hard_delete=True).splitlines()
    assert hard[0] == "Memory #2 permanently deleted"
    assert hard[1] == (
        "git still has it; in a shell: `cortexfs restore flywheel/OBS-002` brings it back"
    )
    assert client.call("mem_archive", observation_id=3) == ("Observation 3 archived (soft-deleted)")
    assert client.call("mem_search", query="file") == 'No memories found for: "file"'
    assert "deleted-at: " in tree.read("projects/flywheel/observations/OBS-001.md")
    assert not (tree.root / "projects/flywheel/observations/OBS-002.md").exists()


def test_a_timeline_shows_the_same_session_only(client: LineClient) -> None:
    for number, session in ((1, "a"), (2, "b"), (3, "a"), (4, "a")):
        save(client, f"Finding number {number}", session_id=session)
    text = client.call("mem_timeline", observation_id=3)
    for part in (
        "Total observations in session: 3",
        "─── Before ───\n  #1 [manual] Finding number 1 — ",
        ">>> #3 [manual] Finding number 3 <<<",
        "─── After ───\n  #4 [manual] Finding number 4 — ",
    ):
        assert part in text
    assert "Finding number 2" not in text


def test_a_hybrid_search_names_its_method(client: LineClient) -> None:
    save(client, "Nil token panics")
    text = client.call("mem_search_hybrid", query="token")
    assert text.startswith('Search results for "token" [FTS5] (1 found):\n')
    assert "1. [1] Nil token panics (manual, rank: " in text


def test_private_parts_and_secrets_are_not_stored(client: LineClient, tree: Place) -> None:
    save(client, "Nil <private>ada</private> token")
    assert "ada" not in tree.read("projects/flywheel/observations/OBS-001.md")
    key = "AKIA" + "IOSFODNN7EXAMPLF"
    client.refuse("mem_save", title="A key", content=f"aws_access_key_id = {key}")
    assert "A key" not in tree.git("log", "--format=%s")


def test_a_long_observation_has_pages(client: LineClient) -> None:
    content = "".join(f"line {number}\n" for number in range(5_000))
    client.call("mem_save", title="Long", content=content)
    first = client.call("mem_get_observation", id=1)
    assert first.endswith("\n[page 1 of 2; next: mem_get_observation with page=2]")
    second = client.call("mem_get_observation", id=1, page=2)
    assert "line 4999" in second


def test_twenty_saves_in_parallel_get_twenty_numbers(client: LineClient, tree: Place) -> None:
    for number in range(20):
        arguments = {"title": f"Finding {number}", "content": f"What number {number} is"}
        client.send("tools/call", name="mem_save", arguments=arguments)
    answers = [client.receive()["result"] for _ in range(20)]
    assert not any(answer.get("isError") for answer in answers)
    names = sorted(path.name for path in (tree.root / "projects/flywheel/observations").iterdir())
    assert [name for name in names if name.startswith("OBS")] == [
        f"OBS-{number:03d}.md" for number in range(1, 21)
    ]


def test_a_refused_secret_is_answered_with_its_rule_and_the_override(client: LineClient) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    answer = client.refuse("mem_save", title="Token", content=f"the token is {token}")
    assert "a token of GitHub, and git would keep it forever" in answer
    assert "\nhint: remove it" in answer
    assert "`<!-- pragma: allowlist secret -->`" in answer
    assert token not in answer
    allowed = f"the token is {token} <!-- pragma: allowlist secret -->"
    assert client.call("mem_save", title="Token", content=allowed).startswith("Memory saved")


def test_what_the_disk_refuses_is_an_answer_and_no_bug(tree: Place) -> None:
    with serve_process(tree) as (client, process):
        client.initialize()
        save(client, "Before")
        limits = resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        text = client.refuse("mem_save", title="Nil token", content="panics")
        assert "bug in cortexfs" not in text
        assert "hint: " in text
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limits)
        save(client, "After")
    assert not (tree.root / ".cortexfs/crash").exists()


def test_similar_memories_are_listed_and_decided(client: LineClient, tree: Place) -> None:
    assert client.call("cortex_proposals") == "No proposals"
    for content in (
        "The export retries an upload 3 times",
        "An upload is retried 5 times by export",
    ):
        save(client, "Uploads", content=content)
    listed = client.call("cortex_proposals")
    header, _, first, *rest = listed.splitlines()
    assert header == "1 of 1 proposals, the most similar first"
    assert "newer replaces older" in first
    assert "- differs: 3 → 5" in rest
    found = first.partition(":")[0]
    answer = client.call("cortex_decide", id=found, decision="accept", keep="2")
    assert answer == ("Done: merge flywheel/OBS-001 into flywheel/OBS-002: newer replaces older")
    assert "status: superseded:flywheel/OBS-002" in tree.read(
        "projects/flywheel/observations/OBS-001.md"
    )
    assert client.refuse("cortex_decide", id=found, decision="reject") == (
        f"no proposal `{found}`\nhint: cortex_proposals lists them"
    )
