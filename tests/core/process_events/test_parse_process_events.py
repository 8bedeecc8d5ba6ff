"""What a client's event says about sessions, prompts, sub-agents, tasks, failures and edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cortexfs.core.access_events.payloads.parse_tool_call import parse_event_object
from cortexfs.core.process_events.edited_paths import Places, WorkingFolder
from cortexfs.core.process_events.parse_process_events import parse_process_events
from cortexfs.core.process_events.process_event import MAX_TEXT_CHARS, EventType, ProcessEvent

TS = "2026-05-06T10:00:00.000Z"
ATLAS = WorkingFolder("atlas", "/home/dev/atlas")
TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


def locate(folder: str) -> WorkingFolder:
    return ATLAS if f"{folder}/".startswith("/home/dev/atlas/") else WorkingFolder()


QUOTED_NOTICE = "What is `<task-notification><task-id>b1</task-id></task-notification>`?"
PLACES = Places(("/home/dev/.cortex/context",), ("/home/dev",), locate)


def parse(**event: object) -> list[ProcessEvent]:
    fields: dict[str, Any] = {"session_id": "s-1", "cwd": "/home/dev/atlas/src"}
    return parse_process_events("17.4", TS, fields | event, PLACES)


def describe(events: list[ProcessEvent]) -> list[tuple[str, str, str]]:
    return [(event.type.value, event.agent, event.text) for event in events]


def test_recorded_events_of_claude_code() -> None:
    recorded = sorted((Path(__file__).parent / "recorded").glob("*.json"))
    events = [
        event
        for file in recorded
        for event in parse_process_events(
            file.name[:2], TS, parse_event_object(file.read_bytes()), PLACES
        )
    ]
    assert [(event.note, *each) for event, each in zip(events, describe(events), strict=True)] == [
        ("01", "session-started", "", "startup"),
        ("02", "prompt", "", "Delegate it."),
        ("03", "agent-started", "a89fd0dc0d048a4b7", "general-purpose"),
        ("05", "agent-ended", "a89fd0dc0d048a4b7", "general-purpose"),
        ("06", "turn-ended", "", "background tasks: 0"),
        ("07", "session-ended", "", "other"),
        ("08", "compacted", "", "manual"),
        ("10", "session-started", "", "compact"),
        ("12", "session-ended", "", "clear"),
    ]
    assert {(event.client, event.project, event.time) for event in events} == {
        ("claude-code", "atlas", TS)
    }
    assert events[0].session == "fbc0f088-065c-459a-b787-bb33e872551b"


@pytest.mark.parametrize(
    ("client", "event"),
    [
        ("claude-code", {"hook_event_name": "UserPromptSubmit", "prompt": "hi"}),
        ("codex", {"hook_event_name": "UserPromptSubmit", "prompt": "hi", "turn_id": "t"}),
        ("codex", {"hook_event_name": "UserPromptSubmit", "prompt": "hi",
                   "transcript_path": "/home/dev/.codex/sessions/rollout-1.jsonl"}),
        ("gemini", {"hook_event_name": "BeforeAgent", "prompt": "hi", "timestamp": TS}),
        ("opencode", {"hook_event_name": "UserPromptSubmit", "prompt": "hi",
                      "session_id": "ses_1"}),
        ("opencode", {"type": "chat.message", "directory": "/home/dev/atlas",
                      "properties": {"sessionID": "s-1", "parts": [{"text": "hi"}]}}),
        ("opencode", {"hook_event_name": "chat.message", "sessionID": "s-1",
                      "directory": "/home/dev/atlas", "output": {"parts": [{"text": "hi"}]}}),
    ],
)  # fmt: skip
def test_a_prompt_in_each_client(client: str, event: dict[str, object]) -> None:
    session = str(event.get("session_id", "s-1"))
    assert parse(**event) == [
        ProcessEvent(TS, EventType.PROMPT, client, session, "", "atlas", "hi", "17.4")
    ]


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"type": "session.created", "properties": {"info": {"id": "o", "title": "T"}}},
         ("session-started", "", "")),
        ({"type": "session.created",
          "properties": {"info": {"id": "c", "parentID": "o", "title": "Find it"}}},
         ("agent-started", "c", "Find it")),
        ({"type": "session.deleted", "properties": {"info": {"id": "o"}}},
         ("session-ended", "", "")),
        ({"type": "session.idle", "properties": {"sessionID": "o"}}, ("turn-ended", "", "")),
        ({"type": "session.compacted", "properties": {"sessionID": "o"}}, ("compacted", "", "")),
    ],
)  # fmt: skip
def test_the_sessions_of_opencode(event: dict[str, object], expected: tuple[str, ...]) -> None:
    events = parse(**event)
    assert describe(events) == [expected]
    assert (events[0].client, events[0].session) == ("opencode", "o")


def test_a_prompt_is_one_line_without_secrets_private_parts_and_what_we_emitted() -> None:
    prompt = (
        "fix\nthe <private>bank</private> login\x1b[31m"
        "<cortex-memory source='x'>old memory</cortex-memory>"
        f"<system-reminder>rules</system-reminder> token {TOKEN} " + "word " * 100
    )
    (event,) = parse(hook_event_name="UserPromptSubmit", prompt=prompt)
    assert event.text.startswith("fix the [REDACTED] login[31m token [secret] word word")
    assert len(event.text) <= MAX_TEXT_CHARS


def test_a_secret_that_is_cut_off_is_not_kept_in_part() -> None:
    prompt = ("ghp_x " * 3333)[:19_990] + TOKEN
    assert TOKEN[:8] not in parse(hook_event_name="UserPromptSubmit", prompt=prompt)[0].text
    (event,) = parse(hook_event_name="UserPromptSubmit", prompt="x" * 290 + " " + TOKEN)
    assert TOKEN[:5] not in event.text


def test_of_a_prompt_that_a_hook_has_cut_no_half_block_is_kept() -> None:
    block = f"fix it <system-reminder>\n{'rules ' * 999}"[:2000]
    assert parse(hook_event_name="UserPromptSubmit", prompt=block)[0].text == "fix it"
    secrets = f"{TOKEN} " * 60
    (event,) = parse(hook_event_name="UserPromptSubmit", prompt=secrets[:2020])
    assert (TOKEN[:4] in event.text, event.text[:8]) == (False, "[secret]")
    short = "explain <system-reminder> to me"
    assert parse(hook_event_name="UserPromptSubmit", prompt=short)[0].text == short


def test_a_prompt_that_is_all_ours_is_left_out() -> None:
    ours = "<cortex-memory source='brief'>what matters</cortex-memory>"
    assert parse(hook_event_name="UserPromptSubmit", prompt=ours) == []
    assert describe(parse(hook_event_name="UserPromptSubmit", prompt="")) == [("prompt", "", "")]


@pytest.mark.parametrize(
    ("call", "paths"),
    [
        ({"tool_name": "Edit", "tool_input": {"file_path": "/home/dev/atlas/src/a.py"}},
         ["src/a.py"]),
        ({"tool_name": "Write", "tool_input": {"file_path": "b.py", "content": "x = 1"}},
         ["src/b.py"]),
        ({"tool_name": "MultiEdit", "tool_input": {"file_path": "../c.py"}}, ["c.py"]),
        ({"tool_name": "NotebookEdit", "tool_input": {"notebook_path": "n.py"}}, ["src/n.py"]),
        ({"tool_name": "Edit", "tool_input": {"file_path": "/home/dev/notes.md"}}, ["~/notes.md"]),
        ({"tool_name": "Edit", "tool_input": {"file_path": "~/notes.md"}}, ["~/notes.md"]),
        ({"tool_name": "Edit", "tool_input": {"file_path": "/etc/hosts"}}, ["/etc/hosts"]),
        ({"tool_name": "Edit", "cwd": "/srv/x", "tool_input": {"file_path": "/srv/x/y"}}, ["y"]),
        ({"tool_name": "Edit", "tool_input": {"file_path": "/home/dev/.cortex/context/a"}}, []),
        ({"tool_name": "Edit", "tool_input": {"file_path": 3}}, []),
        ({"tool_name": "Edit", "cwd": "", "tool_input": {"file_path": "a.py"}}, []),
        ({"tool_name": "Read", "tool_input": {"file_path": "/home/dev/atlas/src/a.py"}}, []),
        ({"tool_name": "apply_patch", "tool_response": "Done", "tool_input": {"command":
          "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n-x\n+y\n"
          "*** Add File: c.py\n+z\n*** End Patch"}}, ["src/a.py", "src/b.py", "src/c.py"]),
        ({"tool_name": "Bash", "tool_response": "Done", "tool_input": {"command":
          "cd /home/dev/atlas && apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.py\n"
          "-x\n+y\n*** End Patch\nE"}}, ["a.py"]),
        ({"hook_event_name": "AfterTool", "tool_name": "replace", "tool_response": {},
          "tool_input": {"file_path": "a.py"}}, ["src/a.py"]),
        ({"hook_event_name": "AfterTool", "tool_name": "write_file", "tool_response": {},
          "tool_input": {"file_path": "a.py"}}, ["src/a.py"]),
        ({"hook_event_name": "tool.execute.after", "tool": "edit", "callID": "1", "sessionID": "s",
          "directory": "/home/dev/atlas", "args": {"filePath": "/home/dev/atlas/a.py"}}, ["a.py"]),
        ({"hook_event_name": "", "tool": "patch", "callID": "1", "sessionID": "s",
          "directory": "/home/dev/atlas",
          "args": {"patchText": "*** Begin Patch\n*** Add File: d\n+z\n*** End Patch"}}, ["d"]),
    ],
)  # fmt: skip
def test_edited_files_are_paths_below_the_repository(
    call: dict[str, object], paths: list[str]
) -> None:
    events = parse(**{"hook_event_name": "PostToolUse", **call})
    assert describe(events) == [("file-edited", "", path) for path in paths]
    assert len({event.note for event in events}) == len(events)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ({"tool_name": "Bash", "tool_input": {"command": "make test"}, "error": "Exit code 2"},
         "make test"),
        ({"tool_name": "Read", "tool_input": {"file_path": "x.py"}}, "Read x.py"),
        ({"tool_name": "mcp__db__query", "tool_input": {}}, "mcp__db__query"),
        ({"hook_event_name": "AfterTool", "tool_name": "run_shell_command",
          "tool_input": {"command": "make test"}, "tool_response": {"error": "x"}}, "make test"),
        ({"hook_event_name": "tool.execute.after", "tool": "bash", "callID": "1", "sessionID": "s",
          "args": {"command": "make test"}, "output": {"metadata": {"exit": 1}}}, "make test"),
    ],
)  # fmt: skip
def test_a_failed_call_is_named_by_what_it_ran(call: dict[str, object], text: str) -> None:
    events = parse(**{"hook_event_name": "PostToolUseFailure", **call})
    assert describe(events) == [("tool-failed", "", text)]


@pytest.mark.parametrize(
    "call",
    [
        {"tool_name": "Bash", "tool_input": {"command": "sleep 9"}, "is_interrupt": True},
        {"tool_name": "Bash", "tool_input": {"command": "cd x && cortexfs show EXP-1"}},
        {"tool_name": "Bash", "tool_input": {"command": "/usr/bin/cortexfs find x"}},
        {"tool_name": "mcp__cortexfs__mem_save", "tool_input": {}},
        {"tool_name": "mcp__plugin_cortexfs_tree__mem_save", "tool_input": {}},
        {"hook_event_name": "AfterTool", "tool_name": "mcp_cortexfs_mem_save",
         "tool_response": {"error": "x"}},
    ],
)  # fmt: skip
def test_an_interrupted_call_and_our_own_calls_are_no_failures(call: dict[str, object]) -> None:
    assert parse(**{"hook_event_name": "PostToolUseFailure", **call}) == []


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"hook_event_name": "PostToolUse", "tool_name": "Bash",
          "tool_input": {"command": "npm run dev", "run_in_background": True},
          "tool_response": {"backgroundTaskId": "b1"}}, [("task-started", "b1", "npm run dev")]),
        ({"hook_event_name": "PostToolUse", "tool_name": "Agent",
          "tool_input": {"description": "look it up"},
          "tool_response": {"isAsync": True, "agentId": "a1"}},
         [("agent-started", "a1", "look it up")]),
        ({"hook_event_name": "PostToolUse", "tool_name": "KillShell",
          "tool_input": {"shell_id": "b1"}}, [("task-ended", "b1", "stopped")]),
        ({"hook_event_name": "PostToolUse", "tool_name": "BashOutput",
          "tool_input": {"bash_id": "b1"}, "tool_response": {"status": "running"}},
         [("task-status", "b1", "running")]),
        ({"hook_event_name": "Stop", "background_tasks": [
            {"id": "b1", "status": "running", "description": "server"},
            {"id": "b2", "status": "completed"}, {"status": "running"}, 3]},
         [("task-status", "b1", "running: server"), ("task-ended", "b2", "completed"),
          ("turn-ended", "", "background tasks: 4")]),
        ({"hook_event_name": "UserPromptSubmit", "prompt":
          "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n"
          "<summary>the build</summary>\n</task-notification>"},
         [("task-ended", "b1", "completed: the build")]),
        ({"hook_event_name": "UserPromptSubmit", "prompt": QUOTED_NOTICE},
         [("prompt", "", QUOTED_NOTICE)]),
        ({"hook_event_name": "AfterAgent"}, [("turn-ended", "", "")]),
        ({"hook_event_name": "PreCompress", "trigger": "auto"}, []),
        ({"hook_event_name": "cortexfs.event", "event": "task-started", "agent_id": "t",
          "client": "mine", "project": "p", "text": "build"}, [("task-started", "t", "build")]),
        ({"hook_event_name": "cortexfs.event", "event": "dance"}, []),
    ],
)  # fmt: skip
def test_background_tasks_and_turns(
    event: dict[str, object], expected: list[tuple[str, str, str]]
) -> None:
    assert describe(parse(**event)) == expected


def test_ids_are_bounded_and_without_secrets() -> None:
    (event,) = parse(hook_event_name="Stop", session_id=TOKEN, agent_id="a\n" * 999)
    assert (event.session, len(event.agent) <= 128) == ("[secret]", True)


def test_a_note_without_a_time_has_no_events() -> None:
    assert parse_process_events("x", "", {"hook_event_name": "Stop"}, PLACES) == []
