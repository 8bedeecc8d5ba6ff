"""Reads in the events that a plugin of OpenCode forwards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from recorded_home import TS

from cortexfs.core.access_events.note_to_access_events import parse_access_events

if TYPE_CHECKING:
    from recorded_home import RecordedHome

EXP = "<tree>/projects/flywheel/experiments"
KNOW = "<tree>/projects/flywheel/knowledge"


def opencode_event(
    tool: str, args: dict[str, Any], output: object, directory: str = "<home>/app"
) -> dict[str, object]:
    answer = {"title": "x", "output": output, "metadata": {"truncated": False}}
    return {
        "tool": tool,
        "sessionID": "ses_1",
        "callID": "call_1",
        "args": args,
        "output": answer if isinstance(output, str) else output,
        "directory": directory,
    }


def found(*headings: str, end: str = "") -> str:
    blocks = [f"{path}:\n  Line 3: {EXP}/EXP-005.md:\n" for path in headings]
    return f"Found {len(headings)} matches\n" + "\n\n".join(blocks) + end


def truncated(end: str) -> str:
    return f"...output truncated...\n\nFull output saved to: {EXP}/EXP-001.md\n\n{end}"


ROWS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "read": ("read", {"filePath": f"{EXP}/EXP-003.md"}, "<content>\n1: x", "EXP-003"),
    "read a part": (
        "read",
        {"filePath": f"{EXP}/EXP-003.md", "offset": 2, "limit": 1},
        "<content>\n2: x",
        "EXP-003",
    ),
    "read a relative path": (
        "read",
        {"filePath": "../.cortex/context/projects/flywheel/experiments/EXP-003.md"},
        "<content>",
        "EXP-003",
    ),
    "read a folder": ("read", {"filePath": EXP}, "<entries>\nEXP-003.md", ""),
    "read a tilde": (
        "read",
        {"filePath": "~/.cortex/context/projects/flywheel/experiments/EXP-003.md"},
        "<content>",
        "",
    ),
    "read another file": ("read", {"filePath": "experiments/EXP-001.md"}, "<content>", ""),
    "grep": ("grep", {"path": EXP}, found(f"{EXP}/EXP-001.md"), "EXP-001"),
    "grep in Windows line ends": (
        "grep",
        {"path": EXP},
        found(f"{EXP}/EXP-001.md", f"{EXP}/EXP-002.md").replace("\n", "\r\n"),
        "EXP-001 EXP-002",
    ),
    "grep whose text looks like a name": (
        "grep",
        {"path": EXP},
        found(f"{EXP}/EXP-001.md", end=f"{EXP}/EXP-002.md:\n"),
        "EXP-001",
    ),
    "grep in two projects, limited": (
        "grep",
        {"path": "<tree>"},
        found(
            f"{KNOW}/K-001.md",
            "<tree>/projects/tactile-reasoning/patterns/PAT-001.md",
            end="\n\n(Results truncated. Consider using a more specific path or pattern.)",
        ),
        "K-001 tactile-reasoning/PAT-001",
    ),
    "grep in a file searches its folder": (
        "grep",
        {"path": f"{EXP}/EXP-001.md"},
        found(f"{EXP}/EXP-002.md"),
        "EXP-002",
    ),
    "grep in a file without a match": ("grep", {"path": f"{EXP}/EXP-001.md"}, "No files found", ""),
    "grep in a relative folder": (
        "grep",
        {"path": "../.cortex/context/projects/flywheel/knowledge", "include": "K-*.md"},
        found(f"{KNOW}/K-002.md"),
        "K-002",
    ),
    "grep where only an index matches": (
        "grep",
        {"path": EXP},
        found(f"{EXP}/index.md"),
        "_directory_search",
    ),
    "grep without a match": ("grep", {"path": EXP}, "No files found", "_directory_search"),
    "grep outside the tree": ("grep", {}, found("<home>/app/experiments/EXP-001.md"), ""),
    "bash": ("bash", {"command": f"cat {EXP}/EXP-003.md"}, "---\n", "EXP-003"),
    "bash in a folder": ("bash", {"command": "cat EXP-003.md", "workdir": EXP}, "---\n", "EXP-003"),
    "bash in a relative folder": (
        "bash",
        {"command": "cat K-003.md", "workdir": "../.cortex/context/projects/flywheel/knowledge"},
        "---\n",
        "K-003",
    ),
    "bash in a folder that no system has": (
        "bash",
        {"command": "cat EXP-003.md", "workdir": f"{EXP}\0x"},
        "---\n",
        "",
    ),
    "bash without output": (
        "bash",
        {"command": f"grep -rn zzz {EXP}"},
        "(no output)",
        "_directory_search",
    ),
    "bash: one file without a match": (
        "bash",
        {"command": f"grep zzz {EXP}/EXP-001.md"},
        "(no output)",
        "",
    ),
    "bash: ended after its time": (
        "bash",
        {"command": f"cat {EXP}/EXP-003.md; grep -rn zzz {EXP}"},
        "---\n\n\n<shell_metadata>\nshell tool terminated command\n</shell_metadata>",
        "EXP-003",
    ),
    "bash: ended before any output": (
        "bash",
        {"command": f"sleep 9; cat {EXP}/EXP-003.md"},
        "(no output)\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>",
        "",
    ),
    "bash: the start was left out": (
        "bash",
        {"command": f"cat {EXP}/EXP-001.md; seq 1 9999; cat {KNOW}/K-003.md"},
        truncated("9998\n9999\n---\nid: K-003\n"),
        "K-003",
    ),
    "bash: one file, the start was left out": (
        "bash",
        {"command": f"cat {EXP}/EXP-002.md"},
        truncated("more\n"),
        "EXP-002",
    ),
    "bash: no match in what was left": (
        "bash",
        {"command": f"seq 1 9999; grep -rn zzz {EXP}"},
        truncated("9998\n9999\n"),
        "",
    ),
    "glob": ("glob", {"path": EXP, "pattern": "*"}, f"{EXP}/EXP-001.md", ""),
    "list": ("list", {"path": EXP}, f"{EXP}/EXP-001.md", ""),
    "write": ("write", {"filePath": f"{EXP}/EXP-003.md", "content": "x"}, "Wrote file", ""),
    "edit": ("edit", {"filePath": f"{EXP}/EXP-003.md", "oldString": "x"}, "Edit applied", ""),
    "apply_patch": ("apply_patch", {"patchText": "*** Begin Patch"}, "Success", ""),
    "a sub-agent's answer": ("task", {"prompt": "x"}, f"{EXP}/EXP-001.md:\n  Line 1: x", ""),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_atoms_that_a_tool_showed_are_read(recorded: RecordedHome, name: str) -> None:
    tool, args, output, expected = ROWS[name]
    event = opencode_event(tool, args, output)
    assert recorded.event(event) == expected
    named = {"client": "opencode", "hook_event_name": "tool.execute.after"}
    assert recorded.event(named | event) == expected
    assert recorded.event(event | {"hook_event_name": "tool.execute.before"}) == ""


def test_a_tool_of_a_server_is_not_a_read(recorded: RecordedHome) -> None:
    content = {"content": [{"type": "text", "text": "# EXP-003"}]}
    args = {"ref": "flywheel/EXP-003", "filePath": f"{EXP}/EXP-003.md"}
    assert recorded.event(opencode_event("cortexfs_cortex_show", args, content)) == ""


def test_an_event_that_was_cut_off_is_judged_by_its_request(recorded: RecordedHome) -> None:
    path = f"{recorded.context}/projects/flywheel/knowledge/K-001.md"
    for tool, args in (("read", {"filePath": path}), ("bash", {"command": f"cat {path}"})):
        whole = json.dumps(opencode_event(tool, args, "x" * 99)).encode()
        (event,) = parse_access_events("17.4", TS, whole[:-99], recorded.resolver)
        assert (event.file, event.session, event.note) == ("K-001.md", "ses_1", "ses_1/call_1")
