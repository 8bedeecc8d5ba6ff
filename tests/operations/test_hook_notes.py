"""`hook drain` turns notes into lines of the access log, in one commit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from place import build_sample

from cortexfs.clients.hook_command import format_path_needles

if TYPE_CHECKING:
    from place import CopyTree, Place

LOG = "projects/driftwood/_meta/access-log.jsonl"
NEW = ".cortexfs/spool/new"
HOOK = Path(__file__).parents[2] / "hooks/note_event.py"


def _note(place: Place, number: int, path: str, **more: str) -> str:
    name = f"17756{number:014d}.{number}"
    payload = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": str(place.root / path)},
        **more,
    }
    place.write(f"{NEW}/{name}", json.dumps(payload))
    return name


def _drain(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok("hook", "drain", "--json", *words))


def _build_with_catalog(sample: Place) -> None:
    build_sample(sample)
    sample.ok("list")


@pytest.fixture
def with_notes(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree with twenty waiting notes, of which fifteen are about atoms."""
    sample = copy_tree(tmp_path / "tree", _build_with_catalog)
    for number in range(10):
        _note(sample, number, "projects/driftwood/experiments/EXP-001.md")
    for number in range(10, 15):
        _note(sample, number, "projects/greenhouse/knowledge/K-001.md")
    for number in range(15, 20):
        _note(sample, number, "projects/driftwood/mission.md")
    return sample


def _count_waiting_notes(place: Place) -> int:
    return json.loads(place.ok("hook", "status", "--json"))["spool"]["waiting"]


def test_many_notes_become_lines_in_one_commit(with_notes: Place) -> None:
    before, head = with_notes.read(LOG), with_notes.git("rev-parse", "HEAD").strip()
    assert _count_waiting_notes(with_notes) == 20
    drained = _drain(with_notes)
    assert drained["drained"] == {
        "notes": 20,
        "events": 15,
        "projects": ["driftwood", "greenhouse"],
    }
    assert with_notes.git("rev-list", f"{head}..HEAD").split() == [drained["commit"]]
    assert with_notes.git("log", "-1", "--format=%s") == "chore: update access log\n"
    added = with_notes.read(LOG).removeprefix(before).splitlines()
    assert {json.loads(line)["file"] for line in added} == {"EXP-001.md"}
    assert len(added) == 10
    assert (_count_waiting_notes(with_notes), with_notes.git("status", "--porcelain")) == (0, "")


def test_a_drain_commits_only_access_logs(with_notes: Place) -> None:
    with_notes.write("projects/driftwood/mission.md", "edited\n")
    with_notes.write("staged.md", "staged\n")
    with_notes.git("add", "staged.md")
    status = with_notes.git("status", "--porcelain")
    _drain(with_notes)
    names = with_notes.git("show", "--name-only", "--format=", "HEAD").split()
    assert {name.rpartition("/")[2] for name in names} == {"access-log.jsonl"}
    assert with_notes.git("status", "--porcelain") == status


def test_notes_about_missing_files_create_no_project(sample: Place) -> None:
    sample.ok("list")
    for number, path in enumerate(
        ["ghost/experiments/EXP-001.md", "driftwood/patterns/PAT-999.md"]
    ):
        _note(sample, number, f"projects/{path}")
    assert _drain(sample)["drained"]["events"] == 0
    assert not (sample.root / "projects/ghost").exists()
    assert sample.git("status", "--porcelain") == ""


def test_a_new_access_log_is_committed(sample: Place) -> None:
    path = "projects/adopted/experiments/EXP-001.md"
    sample.write(path, "---\nid: EXP-001\n---\n")
    sample.git("add", ".")
    sample.git("commit", "-qm", "by hand")
    sample.ok("list")
    _note(sample, 1, path)
    assert "commit" in _drain(sample)
    log = "projects/adopted/_meta/access-log.jsonl"
    assert sample.git("show", "--name-only", "--format=", "HEAD") == f"{log}\n"
    assert sample.git("status", "--porcelain") == ""


def test_without_a_commit_the_log_grows_and_the_history_does_not(with_notes: Place) -> None:
    head = with_notes.git("rev-parse", "HEAD")
    assert "commit" not in _drain(with_notes, "--no-commit")
    assert with_notes.git("rev-parse", "HEAD") == head
    assert _count_waiting_notes(with_notes) == 0


def test_an_incomplete_last_line_is_ended_before_the_next_line(with_notes: Place) -> None:
    with_notes.write(LOG, '{"file":"EXP-0')
    _drain(with_notes)
    first, *rest = with_notes.read(LOG).splitlines()
    assert first == '{"file":"EXP-0'
    assert all(json.loads(line) for line in rest)


def test_any_command_drains_on_its_way(with_notes: Place) -> None:
    with_notes.ok("index", "regen", "--all")
    assert _count_waiting_notes(with_notes) == 0
    assert len(with_notes.read(LOG).splitlines()) >= 10


def test_unreadable_notes_are_dropped(with_notes: Place) -> None:
    for number, text in enumerate(("", "{", "null", "[1]", '{"tool_name": 3}', "\0" * 100)):
        with_notes.write(f"{NEW}/1775700000000000000.{number}", text)
    with_notes.write(f"{NEW}/not-a-note", "stays")
    drained = _drain(with_notes)
    assert drained["drained"]["events"] == 15
    assert (_count_waiting_notes(with_notes), (with_notes.root / NEW / "not-a-note").exists()) == (
        0,
        True,
    )


def test_a_log_written_during_a_merge_is_committed_afterwards(
    with_notes: Place,
) -> None:
    head = with_notes.git("rev-parse", "HEAD")
    (with_notes.root / ".git/MERGE_HEAD").write_text(head)
    _drain(with_notes)
    assert with_notes.git("rev-parse", "HEAD") == head
    assert with_notes.git("diff", "--stat", "--", LOG)
    (with_notes.root / ".git/MERGE_HEAD").unlink()
    _drain(with_notes)
    assert with_notes.git("log", "-1", "--format=%s") == "chore: update access log\n"
    assert with_notes.git("status", "--porcelain") == ""


def _events_of_clients(root: Path) -> list[dict[str, Any]]:
    atom = "projects/driftwood/experiments/EXP-001.md"
    codex = {
        "session_id": "codex",
        "cwd": str(root),
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": f"cat {atom}"},
        "tool_response": "---\n",
        "tool_use_id": "call_1",
    }
    gemini = {
        "session_id": "gemini",
        "cwd": "/",
        "hook_event_name": "AfterTool",
        "tool_name": "read_file",
        "tool_input": {"file_path": f"{root}/{atom}"},
        "tool_response": {"llmContent": "---\n", "returnDisplay": ""},
    }
    opencode = {
        "tool": "grep",
        "sessionID": "opencode",
        "callID": "call_1",
        "args": {"pattern": "x", "path": str(root)},
        "output": {"output": f"Found 1 matches\n{root}/{atom}:\n  Line 1: x\n", "metadata": {}},
        "directory": "/",
    }
    return [codex, gemini, opencode, {**gemini, "tool_response": {"error": {"type": str(root)}}}]


def test_the_hook_notes_events_of_every_client_and_the_drain_logs_them(sample: Place) -> None:
    needles = format_path_needles(str(sample.root), str(sample.root.resolve()))
    command = [
        sys.executable,
        "-I",
        "-S",
        str(HOOK),
        str(sample.root / ".cortexfs/spool"),
        *needles,
    ]
    before = sample.read(LOG)
    for event in _events_of_clients(sample.root):
        subprocess.run(command, input=json.dumps(event).encode(), check=True, timeout=60)
    assert _drain(sample)["drained"] == {"notes": 4, "events": 3, "projects": ["driftwood"]}
    lines = map(json.loads, sample.read(LOG).removeprefix(before).splitlines())
    logged = {(line["session"], line["tool"], line["file"]) for line in lines}
    assert logged == {
        ("codex", "Bash", "EXP-001.md"),
        ("gemini", "Read", "EXP-001.md"),
        ("opencode", "Grep", "EXP-001.md"),
    }


BLOCK = '<cortex-memory source="bulletin/driftwood">\n- driftwood/EXP-001: x\n</cortex-memory>'
READ = {"tool_name": "Read", "tool_input": {"file_path": "{root}/projects/driftwood/OVERVIEW.md"}}
EVENTS: list[dict[str, Any]] = [
    {"hook_event_name": "SessionStart", "source": "startup"},
    {"hook_event_name": "UserPromptSubmit", "prompt": "read driftwood/EXP-001, please"},
    {"hook_event_name": "BeforeAgent", "prompt": BLOCK},
    {"hook_event_name": "SubagentStart", "agent_id": "a"},
    {"hook_event_name": "SubagentStop", "agent_id": "a", "last_assistant_message": BLOCK},
    {"hook_event_name": "PreCompact", "trigger": "auto"},
    {"hook_event_name": "PostToolUseFailure", **READ, "error": "no such file"},
    {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": READ["tool_input"]},
    {"hook_event_name": "AfterTool", "tool_name": "replace", "tool_input": READ["tool_input"]},
    {"hook_event_name": "AfterAgent", "prompt": BLOCK},
    {"hook_event_name": "Stop"},
    {"hook_event_name": "SessionEnd", "reason": "other"},
]


def test_events_of_a_session_and_what_it_was_given_are_no_reads(sample: Place) -> None:
    for number, event in enumerate(EVENTS):
        text = json.dumps({"session_id": "s", "cwd": "/", **event}).replace(
            "{root}/projects/driftwood/OVERVIEW.md",
            f"{sample.root}/projects/driftwood/experiments/EXP-001.md",
        )
        sample.write(f"{NEW}/17756{number:014d}.1", text)
    assert _drain(sample)["drained"] == {"notes": len(EVENTS), "events": 0, "projects": []}
    assert _count_waiting_notes(sample) == 0


def test_a_drain_prepares_what_hooks_look_up(sample: Place) -> None:
    _drain(sample)
    assert "name\tdriftwood\tdriftwood\n" in sample.read(".cortexfs/injection/projects")
