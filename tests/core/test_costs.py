"""Texts that once took minutes or gigabytes, each by what it was that took them."""

from __future__ import annotations

import json
from datetime import date

import pytest
from cost import cost_of
from soak_cases import leave_to_soak

from cortexfs.clients import edit_json_settings, json_nodes
from cortexfs.clients.client_entries import ClientEntries, HookEntry
from cortexfs.core.access_events.note_to_access_events import parse_access_events
from cortexfs.core.access_events.path_resolution import PathResolver
from cortexfs.core.changes.plan import Write
from cortexfs.core.checks import citation_checksums, unsourced_numbers
from cortexfs.core.checks.governance_checks import check_governance_file
from cortexfs.core.fresh_session import page_facts
from cortexfs.core.governance import edit_overview, issues, project_status, user_preferences
from cortexfs.core.guards.write_request import (
    EditsTooLarge,
    TextReplacement,
    WriteRequest,
    compute_text_after,
)
from cortexfs.core.tasks import archive, completion_evidence, lint_tasks
from cortexfs.core.tasks.task_and_board import TaskBoard, parse_board
from cortexfs.core.tasks.task_readiness import Backlog
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import Unreadable

MEGABYTE = 1_000_000
WHOLE_STATUS = project_status.StatusUpdate("a", ("b",), ("c",), ("d",))


def backlog_of(tasks: str) -> tuple[TaskBoard, Backlog]:
    board = parse_board("flywheel", f"tasks:\n{tasks}")
    assert isinstance(board, TaskBoard), board
    return board, Backlog.from_tasks(board.tasks, frozenset(), {}, date(2026, 5, 6))


def lint(tasks: str) -> list[str]:
    board, backlog = backlog_of(tasks)
    for task in board.tasks:
        backlog.assess_readiness(task)
    return [found.code for found in lint_tasks.lint_tasks([board], backlog, [])]


def parse_event(**event: object) -> object:
    resolver = PathResolver(
        ("/tree",),
        ("/home",),
        lambda path: path,
        lambda _: ("EXP-001.md",) * 1000,
        lambda _: False,
        lambda _: None,
        lambda _: None,
        lambda _: None,
    )
    event = {"hook_event_name": "PostToolUse", "cwd": "/tree", "tool_name": "Bash", **event}
    return parse_access_events(
        "note", "2026-05-06T20:31:10.000Z", json.dumps(event).encode(), resolver
    )


def parse_command_event(command: str, printed: str = "") -> object:
    return parse_event(tool_input={"command": command}, tool_response={"stdout": printed})


def parse_codex_event(command: str, printed: str) -> object:
    return parse_event(tool_input={"command": command}, tool_response=printed)


def parse_gemini_event(tool: str, folder: str, answer: str, display: object = None) -> object:
    return parse_event(
        hook_event_name="AfterTool",
        tool_name=tool,
        tool_input={"command": "cat a b", "file_path": "a", "dir_path": folder},
        tool_response={"llmContent": answer, "returnDisplay": display},
    )


def parse_opencode_event(tool: str, folder: str, output: str) -> object:
    args = {"command": "cat a b", "path": folder, "workdir": folder}
    return parse_event(
        hook_event_name="tool.execute.after",
        tool=tool,
        args=args,
        output={"output": output},
        directory="/tree",
    )


def apply_edits(edits: tuple[TextReplacement, ...], before: str) -> str | None:
    return compute_text_after(WriteRequest("PreToolUse", "STATUS.md", "", None, edits), before)


def expect_refusal(edits: tuple[TextReplacement, ...], before: str) -> None:
    with pytest.raises(EditsTooLarge):
        apply_edits(edits, before)


def expect_settings_refusal() -> None:
    text = json.dumps({f"key{number}": number for number in range(100_000)}, indent=2)
    wiring = ClientEntries((HookEntry("PostToolUse", "/hook", "Read"),))
    with pytest.raises(Unreadable, match="too large"):
        edit_json_settings.install_into_settings(text, wiring)


def edit_large_settings() -> None:
    keys = {f"key{number}": number for number in range(json_nodes.MAX_COMMAS - 100)}
    wiring = ClientEntries(
        tuple(HookEntry(event, "/hook") for event in ("PreToolUse", "PostToolUse"))
    )
    edit_json_settings.install_into_settings(json.dumps(keys, indent=2), wiring)


def compare_citations(text: str) -> object:
    cited = citation_checksums.parse_citations(text)
    return list(citation_checksums.find_changed_lines(cited, lambda _: CITED))


CITED = [f"line {number}" for number in range(20_000)]
RING = "".join(f"- {{id: n{n}, text: t, depends-on: [n{(n + 1) % 5000}]}}\n" for n in range(5000))
CHAIN = "".join(f"- {{id: n{n}, text: t, parent: n{n + 1}}}\n" for n in range(5000))
TWINS = "- {id: same, text: t, parent: same}\n" * 5000
HEADED = "| Project | Last activity |\n|---|---|\n"
ROWS = HEADED + "".join(f"| p{number} | 2026-01-01 |\n" for number in range(15_000))
MANY_NAMES = "".join(f"{number}.md\n" for number in range(110_000))
LINES = "".join(f"line {number}\n" for number in range(40_000))

HOSTILE_WORK = {
    "blanks that claim nothing": lambda: unsourced_numbers.find_unsourced_numbers(
        "# Results\n" + " " * MEGABYTE + "x"
    ),
    "names before numbers": lambda: unsourced_numbers.find_unsourced_numbers(
        "# Results\n" + "A-A-A 1.5 " * 100_000
    ),
    "citations": lambda: citation_checksums.parse_citations("src/a.py:1#abcdef\n" * 20_000),
    "cited lines": lambda: compare_citations("src/a.py:1#abcdef\n" * 20_000),
    "cited ranges": lambda: compare_citations("src/a.py:1-20000#abcdef\n" * 20_000),
    "a ring of tasks": lambda: lint(RING),
    "a chain of tasks": lambda: lint(CHAIN),
    "tasks of one id": lambda: lint(TWINS),
    "items that are no tasks": lambda: parse_board("p", "tasks:\n" + "- a\n" * 45_000),
    "doublings": lambda: expect_refusal(
        (TextReplacement("a", "aa", replace_all=True),) * 60, "a" * 100
    ),
    "a large replacement": lambda: expect_refusal(
        (TextReplacement("a", "b" * 500_000, replace_all=True),), "a" * 999
    ),
    "many edits": lambda: expect_refusal(
        (TextReplacement("b", "b", replace_all=True),) * 9000, "b" * MEGABYTE
    ),
    "settings of many keys": expect_settings_refusal,
    "settings of as many keys as are edited": edit_large_settings,
    "rows of projects that are gone": lambda: edit_overview.remove_missing_projects(ROWS, ["x"]),
    "days of many projects": lambda: edit_overview.update_activity_days(
        ROWS, {f"p{number}": "2026-02-02" for number in range(0, 30_000, 2)}
    ),
    "a scan of dashes": lambda: edit_overview.set_last_scan_day(
        "last scan a" + "- " * 400_000 + "x", "2026-01-01"
    ),
    "braces that nobody closes": lambda: page_facts.find_criteria(
        "STATUS.md", "## Goal\n" + "{{" * 500_000
    ),
    "a path without an end": lambda: completion_evidence.extract_paths("a" * MEGABYTE),
    "a path of many steps": lambda: completion_evidence.extract_paths("a/" * 500_000),
    "an archive of blank lines": lambda: archive.parse_archived_ids("\n" * MEGABYTE),
    "milestones": lambda: list(
        check_governance_file("projects/p/roadmap.md", "## a\n" * 60_000, {})
    ),
    "a status of headings": lambda: project_status.update_status(
        "# a\n" * (MEGABYTE // 4), WHOLE_STATUS, "2026-05-06"
    ),
    "a preference of blanks": lambda: user_preferences.parse_preferences("- " + " " * MEGABYTE),
    "preferences below headings": lambda: user_preferences.parse_preferences(
        "## a\n- b: c\n" * 25_000
    ),
    "issues of both styles": lambda: issues.parse_issues(
        "## a (2026-01-01)\n" * 8000 + "# b\n" + "- **a**\n" * 20_000
    ),
    "a wildcard of brackets": lambda: parse_command_event("cat " + "[" * 16_000),
    "many wildcards": lambda: parse_command_event("cat " + "x* " * 5000),
    "variables that double": lambda: parse_command_event("a=xx; " + "a=$a$a; " * 60),
    "variables in braces": lambda: parse_command_event(
        "a=" + "x" * 4000 + "; " + "echo $a{1..999}; " * 700
    ),
    "braces in many words": lambda: parse_command_event("cat " + "{1..1999} " * 1600),
    "braces in many commands": lambda: parse_command_event("cat {1..1999}; " * 1000),
    "lines that echo says": lambda: parse_command_event("echo a;" * 2000, "b\n" * 500_000),
    "messages of programs": lambda: parse_codex_event(
        "cat a b", ("/" * 300 + "grep\n" + "grep: a\n") * 3000
    ),
    "gaps in an output": lambda: parse_codex_event(
        "cat {1..999}", "Warning: truncated output\n" + "…1 a truncated… …1 " * 50_000
    ),
    "lines of an output with a gap": lambda: parse_codex_event(
        "cat a b; grep -r x; " * 60, "Warning: truncated output\n" + "a.md:1:x\n" * 100_000
    ),
    "shells in shells": lambda: parse_command_event("bash -c " * 2000 + "x"),
    "names of matches": lambda: parse_gemini_event(
        "grep_search", "a" * 4000, "Found 1 files with matches for x\n" + MANY_NAMES
    ),
    "names of many characters": lambda: parse_codex_event(
        "grep -r x", ("a" * 4000 + ".md:1:x\n") * 250
    ),
    "names below a long folder": lambda: parse_gemini_event(
        "grep_search",
        "a" * 500_000,
        "Found 1 files with matches for x\n" + MANY_NAMES,
    ),
    "matches without names": lambda: parse_gemini_event(
        "grep_search", "/tree", "Found 1 matches for x", {"matches": [{}] * 250_000}
    ),
    "labels after an output": lambda: parse_gemini_event(
        "run_shell_command", "/tree", "Output: " + "Error: x\n" * 110_000 + "Error: "
    ),
    "a part of a file with many blanks": lambda: parse_gemini_event(
        "read_file", "/tree", " " * MEGABYTE
    ),
    "headings of matches": lambda: parse_opencode_event(
        "grep", "/tree", "".join(f"/tree/{n}.md:\n  Line 1: x\n" for n in range(30_000))
    ),
    "ends of an output": lambda: parse_opencode_event(
        "bash", "a/" * 400_000, "...output truncated..." + "\n<shell_metadata>\n" * 50_000
    ),
    "lines in another order": lambda: Write("p", LINES[::-1], LINES).loses_lines(LINES[1:]),
    "lines that are all alike": lambda: Write(
        "p", "x\n" + "a\n" * 400_000, "a\ny\n" * 200_000
    ).loses_lines(""),
    "a name that is none": lambda: nearest_names("a" * 100_000, ["a" * 60_000] * 100),
}


@pytest.mark.parametrize("what", leave_to_soak(HOSTILE_WORK, every=6))
def test_hostile_text_costs_less_than_two_seconds(what: str) -> None:
    cost = cost_of(HOSTILE_WORK[what])
    assert cost.is_allowed, (what, cost)


def test_a_blocker_in_a_cycle_of_tasks_blocks_each_part_in_any_order() -> None:
    ring = "- {id: a, text: t, parent: b}\n- {id: b, text: t, parent: a, paused: yes}\n"
    part = "- {id: c, text: t, parent: a}\n"
    for tasks in (ring + part, part + ring):
        board, backlog = backlog_of(tasks)
        reasons = {task.id: backlog.assess_readiness(task).reason for task in board.tasks}
        assert (reasons["b"], reasons["c"]) == ("is paused", "is a part of `b`, which is paused")


def test_only_tasks_on_a_cycle_depend_on_themselves() -> None:
    tasks = (
        "- {id: a, text: t, depends-on: [b, c]}\n- {id: b, text: t, depends-on: [a]}\n"
        "- {id: c, text: t, depends-on: [d]}\n- {id: d, text: t}\n"
        "- {id: e, text: t, depends-on: e}\n"
        "- {id: f, text: t, depends-on: [a]}\n"
    )
    board, backlog = backlog_of(tasks)
    found = lint_tasks.lint_tasks([board], backlog, [])
    cyclic_tasks = [each.message[1] for each in found if each.code == "dependency-cycle"]
    assert cyclic_tasks == ["a", "b", "e"]


def test_cited_lines_beyond_the_limit_are_reported_once() -> None:
    text = "src/a.py:1-20000#abcdef\n" * 50
    codes = [flaw.code for flaw in compare_citations(text)]  # type: ignore[attr-defined]
    assert codes == ["cited-line-changed"] * 10 + ["too-many-cited-lines"]
