"""Reads in the events of Codex, whose shell commands answer with one string."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from recorded_home import RecordedHome

EXP = "<tree>/projects/flywheel/experiments"
KNOW = "<tree>/projects/flywheel/knowledge"
EXP_003 = (
    '---\nid: EXP-003\ndate: 2026-03-09\nproject: flywheel\nsummary: "EXP-003 of flywheel"\n'
    "tags: [registry]\n---\n\n# EXP-003\n\nNothing here about that.\n"
)
K_003 = (
    '---\nid: K-003\ndate: 2026-03-09\nproject: flywheel\nsummary: "K-003 of flywheel"\n'
    "tags: [registry]\nevidence: [EXP-001]\n---\n\n## K-003\n\nQuiet too.\n"
)
NUMBERS = "".join(f"{number}\n" for number in range(1, 400))
MISSING = f"cat: {EXP}/EXP-099.md: No such file or directory\n"


def truncated(start: str, end: str) -> str:
    head = "Warning: truncated output (original token count: 54518)\nTotal output lines: 40023\n\n"
    return f"{head}{start}12…208069 chars truncated…9191\n{end}"


def codex_event(command: str, response: object, cwd: str = "<home>/app") -> dict[str, object]:
    return {
        "session_id": "01a20408-d861-70c0-b1eb-f9eefc242524",
        "turn_id": "01a20408-d882-73a2-9d7a-ffa4d65d8840",
        "cwd": cwd,
        "hook_event_name": "PostToolUse",
        "permission_mode": "bypassPermissions",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_response": response,
        "tool_use_id": "call_1",
    }


ROWS = {
    "quotes": (f"cat '{EXP}/EXP-003.md'", EXP_003, "EXP-003"),
    "double quotes and a wildcard": (f'cat "{EXP}"/EXP-00[3].md', EXP_003, "EXP-003"),
    "Windows line ends": (f"cat {EXP}/EXP-003.md", EXP_003.replace("\n", "\r\n"), "EXP-003"),
    "a filter over two files": (
        f"cat {EXP}/EXP-003.md {KNOW}/K-003.md | tail -3",
        "## K-003\n\nQuiet too.\n",
        "K-003",
    ),
    "grep in Windows line ends": (
        f"grep -rn queue {KNOW}",
        f"{KNOW}/K-002.md:12:A bottleneck hides behind a queue.\r\n",
        "K-002",
    ),
    "nl and cat -n": (f"nl -ba {EXP}/EXP-003.md", "     1\t---\n", "EXP-003"),
    "a script with several lines": (
        f"cd {EXP}\ncat EXP-003.md\ncat ../knowledge/K-003.md",
        EXP_003 + K_003,
        "EXP-003 K-003",
    ),
    "bash -lc with quotes": (f'bash -lc "cat \\"{EXP}/EXP-003.md\\""', EXP_003, "EXP-003"),
    "bash -l -c": (f"/bin/bash -l -c 'cat {EXP}/EXP-003.md'", EXP_003, "EXP-003"),
    "sh -c in a list": (f"true && sh -c 'cat {EXP}/EXP-003.md'", EXP_003, ""),
    "a shell script": (f"bash {EXP}/EXP-003.md -c", EXP_003, ""),
    "a script whose name looks like a command": (f"bash 'cat {EXP}/EXP-003.md'", EXP_003, ""),
    "the output of a shell is written": (f"bash -c 'cat {EXP}/EXP-003.md' > x", "---\n", ""),
    "a missing file": (f"cat {EXP}/EXP-099.md", MISSING, ""),
    "an unreadable file": (
        f"cat {EXP}/EXP-003.md",
        f"cat: {EXP}/EXP-003.md: Permission denied\n",
        "",
    ),
    "sed of a missing and of a file": (
        f"sed -n 1,2p {EXP}/EXP-099.md {EXP}/EXP-003.md",
        f"sed: can't read {EXP}/EXP-099.md: No such file or directory\n---\nid: EXP-003\n",
        "EXP-003",
    ),
    "text that looks like a message": (f"cat {EXP}/EXP-003.md", "grep: x\ntext\n", "EXP-003"),
    "a missing file before a search": (
        f"cat {EXP}/EXP-099.md; grep -rn zzz {EXP}",
        MISSING,
        "_directory_search",
    ),
    "grep cannot read all files": (
        f"grep -rn zzz {EXP}",
        f"grep: {EXP}/EXP-003.md: Permission denied\n",
        "",
    ),
    "grep cannot read all files, and matches": (
        f"grep -rn bottleneck {EXP}",
        f"grep: {EXP}/EXP-003.md: Permission denied\n{EXP}/EXP-012a.md:11:bottleneck\n",
        "EXP-012a",
    ),
    "grep in one unreadable file": (
        f"grep bottleneck {EXP}/EXP-001.md",
        f"grep: {EXP}/EXP-001.md: Permission denied\n",
        "",
    ),
    "rg with an invalid pattern": (
        f"rg '(' {EXP}/EXP-001.md",
        "rg: regex parse error:\n    (?:()\n    ^\nerror: unclosed group\n",
        "",
    ),
    "rg is not installed": (f"rg zzz {EXP}", "zsh:1: command not found: rg\n", ""),
    "a folder that cannot be entered": (
        f"cd {EXP}/none && grep -rn zzz ../../experiments",
        "/bin/bash: line 1: cd: none: No such file or directory\n",
        "",
    ),
    "rg --files lists names": (f"rg --files {EXP}", f"{EXP}/EXP-001.md\n{EXP}/EXP-003.md\n", ""),
    "git show": ("git -C <tree> show HEAD:projects/flywheel/experiments/EXP-003.md", EXP_003, ""),
    "cortexfs counts by itself": ("cortexfs show EXP-003", EXP_003, ""),
    "apply_patch": (f"apply_patch <<'EOF'\n*** Update File: {EXP}/EXP-003.md\nEOF", "Done!\n", ""),
    "truncated at the end": (
        f"cat {EXP}/EXP-003.md; seq 1 40000",
        truncated(EXP_003 + NUMBERS, NUMBERS),
        "EXP-003",
    ),
    "truncated in the middle": (
        f"seq 1 20000; cat {EXP}/EXP-003.md; seq 1 20000; cat {KNOW}/K-003.md",
        truncated(NUMBERS, NUMBERS + K_003),
        "K-003",
    ),
    "truncated between echoes": (
        f"echo A; cat {EXP}/EXP-003.md; echo B; cat {EXP}/EXP-001.md; cat {KNOW}/K-003.md",
        truncated(f"A\n{EXP_003}", f"B\n{K_003}"),
        "EXP-003 K-003",
    ),
    "a search after an echo, truncated": (
        f"echo A; grep -rn bottleneck {EXP}; seq 1 20000",
        truncated(f"A\n{EXP}/EXP-001.md:12:bottleneck\n", NUMBERS),
        "EXP-001",
    ),
    "one file, truncated": (f"cat {EXP}/EXP-002.md", truncated("---\n", "more\n"), "EXP-002"),
    "a search, truncated": (
        "rg -n bottleneck <tree>",
        truncated(
            f"{EXP}/EXP-001.md:12:bottleneck\n{EXP}/EXP-002.md:13:A Bott",
            f"{KNOW}/K-002.md:12:bottleneck\n",
        ),
        "EXP-001 EXP-002 K-002",
    ),
    "a folder's search, truncated before any atom": (
        f"grep -rn x {EXP}",
        truncated(f"{EXP}/index.md:1:x\n", f"{EXP}/CORTEX.md:1:x\n"),
        "",
    ),
}


@pytest.mark.parametrize("name", leave_to_soak(ROWS, every=3))
def test_the_atoms_that_a_command_showed_are_read(recorded: RecordedHome, name: str) -> None:
    command, response, expected = ROWS[name]
    assert recorded.event(codex_event(command, response)) == expected


@pytest.mark.parametrize(
    ("command", "cwd", "expected"),
    [
        ("cat EXP-003.md", EXP, "EXP-003"),
        ("cat ../experiments/EXP-003.md", KNOW, "EXP-003"),
        ("cd experiments && cat EXP-003.md", "<tree>/projects/flywheel", "EXP-003"),
        ("cat EXP-003.md", "<home>/app", ""),
        ("cat .cortex/context/projects/flywheel/experiments/EXP-003.md", "<home>", "EXP-003"),
    ],
)
def test_the_working_directory_is_that_of_the_call(
    recorded: RecordedHome, command: str, cwd: str, expected: str
) -> None:
    assert recorded.event(codex_event(command, EXP_003, cwd)) == expected


def test_a_tool_of_a_server_is_not_a_read(recorded: RecordedHome) -> None:
    event = codex_event(f"cat {EXP}/EXP-003.md", EXP_003)
    for tool in ("mcp__cortexfs__cortex_show", "mcp__files__Bash", "apply_patch"):
        assert recorded.event(event | {"tool_name": tool}) == ""
        response = {"content": [{"type": "text", "text": EXP_003}]}
        assert recorded.event(event | {"tool_name": tool, "tool_response": response}) == ""


def test_a_command_that_has_not_run_is_not_a_read(recorded: RecordedHome) -> None:
    event = codex_event(f"cat {EXP}/EXP-003.md", EXP_003)
    assert recorded.event(event | {"hook_event_name": "PreToolUse"}) == ""
    assert recorded.event(event | {"tool_response": ""}) == ""
