"""Reads in the events of Gemini CLI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded_home import TS

from cortexfs.core.access_events.note_to_access_events import parse_access_events

if TYPE_CHECKING:
    from recorded_home import RecordedHome

EXP = "<tree>/projects/flywheel/experiments"
KNOW = "<tree>/projects/flywheel/knowledge"
TEXT = {"llmContent": "---\nid: EXP-003\n", "returnDisplay": ""}


def gemini_event(
    tool: str, tool_input: dict[str, Any], response: object, cwd: str = "<home>/app"
) -> dict[str, object]:
    return {
        "session_id": "ede20071",
        "cwd": cwd,
        "hook_event_name": "AfterTool",
        "timestamp": "2026-11-22T16:16:42.767Z",
        "tool_name": tool,
        "tool_input": tool_input,
        "tool_response": response,
    }


def shell_answer(output: str, *labels: str, display: str | None = None) -> dict[str, str]:
    lines = [f"Output: {output or '(empty)'}", *labels, "Process Group PGID: 1263"]
    text = "<untrusted_context>\n" + "\n".join(lines) + "\n</untrusted_context>"
    return {"llmContent": text, "returnDisplay": output if display is None else display}


def matches(*paths: str, where: str = 'in path "x"') -> dict[str, Any]:
    found = [
        {
            "filePath": path.rpartition("/")[2],
            "absolutePath": path,
            "lineNumber": 1,
            "line": f"{EXP}/EXP-005.md:1:x",
        }
        for path in paths
    ]
    text = f'Found {len(found)} matches for pattern "x" {where}:\n---\nFile: x\nL1: x\n---'
    return {"llmContent": text, "returnDisplay": {"summary": "Found", "matches": found}}


def names(*paths: str, more: str = "") -> dict[str, Any]:
    text = f'Found {len(paths)} files with matches for pattern "x" in path "x"{more}:\n'
    display = {"summary": "Found", "matches": []}
    return {"llmContent": text + "\n".join(paths), "returnDisplay": display}


NOTHING = {
    "llmContent": 'No matches found for pattern "x" in path "x".',
    "returnDisplay": {"summary": "No matches found", "matches": []},
}
READS = {
    "absolute": ({"file_path": f"{EXP}/EXP-003.md"}, TEXT, "EXP-003"),
    "relative": (
        {"file_path": "../.cortex/context/projects/flywheel/experiments/EXP-003.md"},
        TEXT,
        "EXP-003",
    ),
    "the older name of the path": ({"absolute_path": f"{EXP}/EXP-003.md"}, TEXT, "EXP-003"),
    "a part": (
        {"file_path": f"{EXP}/EXP-003.md", "start_line": 2, "end_line": 2},
        {
            "llmContent": "\nIMPORTANT: The file content has been truncated.\n"
            "Status: Showing lines 2-2 of 11 total lines.\nAction: x\n\n"
            "--- FILE CONTENT (truncated) ---\nid: EXP-003",
            "returnDisplay": "Read lines 2-2 of 11",
        },
        "EXP-003",
    ),
    "a folder": ({"file_path": EXP}, TEXT, ""),
    "an index": ({"file_path": f"{EXP}/index.md"}, TEXT, ""),
    "no atom folder": ({"file_path": "<tree>/projects/flywheel/notes/EXP-009.md"}, TEXT, ""),
    "outside the tree": ({"file_path": "experiments/EXP-001.md"}, TEXT, ""),
    "a tilde is no home": (
        {"file_path": "~/.cortex/context/projects/flywheel/experiments/EXP-003.md"},
        TEXT,
        "",
    ),
    "an error": ({"file_path": f"{EXP}/EXP-003.md"}, TEXT | {"error": {"type": "x"}}, ""),
    "no path": ({}, TEXT, ""),
    "a path of another type": ({"file_path": [f"{EXP}/EXP-003.md"]}, TEXT, ""),
}


@pytest.mark.parametrize("name", READS)
def test_a_file_that_was_shown_is_read(recorded: RecordedHome, name: str) -> None:
    tool_input, response, expected = READS[name]
    assert recorded.event(gemini_event("read_file", tool_input, response)) == expected


SEARCHES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "the text of a match is not a name": (
        {"dir_path": EXP},
        matches(f"{EXP}/EXP-001.md"),
        "EXP-001",
    ),
    "matches in two projects": (
        {"dir_path": "<tree>"},
        matches(f"{EXP}/EXP-001.md", "<tree>/projects/tactile-reasoning/experiments/EXP-001.md"),
        "EXP-001 tactile-reasoning/EXP-001",
    ),
    "a file": ({"dir_path": f"{EXP}/EXP-001.md"}, matches(f"{EXP}/EXP-001.md"), "EXP-001"),
    "the name of a file": ({"dir_path": f"{EXP}/EXP-001.md"}, names("EXP-001.md"), "EXP-001"),
    "a file without a match": ({"dir_path": f"{EXP}/EXP-001.md"}, NOTHING, ""),
    "names in Windows line ends": ({"dir_path": KNOW}, names("K-001.md\r"), "K-001"),
    "limited names with a filter": (
        {"dir_path": KNOW, "include_pattern": "K-*.md"},
        names(
            "K-002.md", more=' (filter: "K-*.md") (results limited to 1 matches for performance)'
        ),
        "K-002",
    ),
    "names of a folder with doubled dots": (
        {"dir_path": "<home>/app/../.cortex/context/projects"},
        names("flywheel/knowledge/K-001.md", "flywheel/CORTEX.md"),
        "K-001",
    ),
    "only an index matches": ({"dir_path": EXP}, matches(f"{EXP}/index.md"), "_directory_search"),
    "no match in a folder of atoms": ({"dir_path": EXP}, NOTHING, "_directory_search"),
    "no match in a project": ({"dir_path": "<tree>/projects/flywheel"}, NOTHING, ""),
    "no match in a missing folder": ({"dir_path": f"{EXP}/none"}, NOTHING, ""),
    "an error without a code": (
        {"dir_path": EXP},
        {"llmContent": "Error during grep search operation: x", "returnDisplay": "Error: x"},
        "",
    ),
    "all folders of the workspace": (
        {},
        matches(f"{EXP}/EXP-001.md", where="across 2 workspace directories"),
        "EXP-001",
    ),
    "the folder of the session": ({}, matches("<home>/app/experiments/EXP-001.md"), ""),
    "an older tool without a list": (
        {"path": EXP},
        {
            "llmContent": 'Found 1 match for pattern "x" in path "x":\n---\nFile: EXP-001.md\n'
            "L12: File: EXP-002.md\n---",
            "returnDisplay": "Found 1 match",
        },
        "EXP-001",
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_atoms_that_a_search_named_are_read(recorded: RecordedHome, name: str) -> None:
    tool_input, response, expected = SEARCHES[name]
    event = gemini_event("grep_search", {"pattern": "x", **tool_input}, response)
    assert recorded.event(event) == expected
    assert recorded.event(event | {"tool_name": "search_file_content"}) == expected


def test_a_name_in_a_folder_that_is_not_listed_is_not_read(recorded: RecordedHome) -> None:
    answer = names("context/projects/flywheel/knowledge/K-001.md")
    event = gemini_event("grep_search", {"pattern": "x"}, answer, "<home>/.cortex")
    assert recorded.event(event) == "K-001"
    answer["llmContent"] = answer["llmContent"].replace(
        'in path "x"', "across 2 workspace directories"
    )
    assert recorded.event(event) == ""


COMMANDS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "cat": ({"command": f"cat {EXP}/EXP-003.md"}, shell_answer("---"), "EXP-003"),
    "a tilde is the home of the shell": (
        {"command": "cat ~/.cortex/context/projects/flywheel/knowledge/K-003.md"},
        shell_answer("---"),
        "K-003",
    ),
    "a folder": ({"command": "cat EXP-003.md", "dir_path": EXP}, shell_answer("---"), "EXP-003"),
    "an older name of the folder": (
        {"command": "cat EXP-003.md", "directory": EXP},
        shell_answer("---"),
        "EXP-003",
    ),
    "a relative folder": (
        {"command": "cat K-003.md", "dir_path": "../.cortex/context/projects/flywheel/knowledge"},
        shell_answer("---"),
        "K-003",
    ),
    "a folder with a tilde": (
        {"command": "cat K-003.md", "dir_path": "~/.cortex/context/projects/flywheel/knowledge"},
        shell_answer("---"),
        "",
    ),
    "nothing found in a file": (
        {"command": f"grep zzz {EXP}/EXP-001.md"},
        shell_answer("", "Exit Code: 1", display="Command exited with code: 1"),
        "",
    ),
    "nothing found in a folder": (
        {"command": f"grep -rn zzz {EXP}"},
        shell_answer("", "Exit Code: 1", display="Command exited with code: 1"),
        "_directory_search",
    ),
    "an output that looks like a label": (
        {"command": f"grep -h Exit {EXP}/EXP-001.md"},
        shell_answer("Exit Code: 7"),
        "EXP-001",
    ),
    "in the background": (
        {"command": f"cat {EXP}/EXP-003.md", "is_background": True},
        shell_answer("---"),
        "",
    ),
    "moved to the background": (
        {"command": f"cat {EXP}/EXP-003.md"},
        {
            "llmContent": "<untrusted_context>\nCommand moved to background (PID: 1). Output "
            "hidden.\n</untrusted_context>",
            "returnDisplay": "Command moved to background (PID: 1). Output hidden.",
        },
        "",
    ),
    "cancelled without output": (
        {"command": f"cat {EXP}/EXP-003.md"},
        {
            "llmContent": "Command was cancelled by user before it could complete. There was no "
            "output before it was cancelled.",
            "returnDisplay": "Command cancelled by user.",
        },
        "",
    ),
    "cancelled after some output": (
        {"command": f"cat {EXP}/EXP-003.md; grep -rn zzz {EXP}"},
        {
            "llmContent": "<untrusted_context>\nCommand was automatically cancelled because it "
            "exceeded the timeout of 5.0 minutes without output. Below is the output before it was "
            "cancelled:\n---\n</untrusted_context>",
            "returnDisplay": "x",
        },
        "EXP-003",
    ),
    "only shown to the person": (
        {"command": f"cat {EXP}/EXP-003.md"},
        {"llmContent": [{"text": "x"}], "returnDisplay": "---\n"},
        "EXP-003",
    ),
    "refused": (
        {"command": f"cat {EXP}/EXP-003.md"},
        {"llmContent": "x", "returnDisplay": "x", "error": {"message": "x"}},
        "",
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_atoms_that_a_command_showed_are_read(recorded: RecordedHome, name: str) -> None:
    tool_input, response, expected = COMMANDS[name]
    assert recorded.event(gemini_event("run_shell_command", tool_input, response)) == expected


@pytest.mark.parametrize(
    "tool", ["write_file", "replace", "glob", "list_directory", "mcp_tree_read_file", "Read", ""]
)
def test_other_tools_do_not_read(recorded: RecordedHome, tool: str) -> None:
    assert recorded.event(gemini_event(tool, {"file_path": f"{EXP}/EXP-003.md"}, TEXT)) == ""


def test_a_tool_of_a_server_is_not_a_read(recorded: RecordedHome) -> None:
    event = gemini_event("read_file", {"file_path": f"{EXP}/EXP-003.md"}, TEXT)
    assert recorded.event(event | {"mcp_context": {"server_name": "tree"}}) == ""
    assert recorded.event(event | {"hook_event_name": "BeforeTool"}) == ""


def test_the_note_identifies_the_call(recorded: RecordedHome) -> None:
    text = (
        f'{{"session_id":"s","cwd":"{recorded.context}","hook_event_name":"AfterTool",'
        '"tool_name":"read_file","tool_input":{"file_path":"projects/flywheel/knowledge/K-001.md"}'
    )
    for payload in (text, text + "}", text + ',"tool_response":{"llmContent":"cut o'):
        (event,) = parse_access_events("17.4", TS, payload.encode(), recorded.resolver)
        assert (event.tool, event.session, event.note) == ("Read", "s", "17.4")
