"""Every command has a route, or a reason why it has none; every route has a command."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cortexfs.interfaces.cli.command_table import COMMANDS
from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = Path(__file__).parents[3] / "docs" / "server.md"
SETUP = ("claude-code", "codex", "gemini", "opencode", "cursor", "vscode", "windsurf")
ROUTES = {
    "project new": "create_project",
    "project list": "list_projects",
    "project show": "show_project",
    "project archive": "archive_project",
    "import": "import_store",
    "export": "export_store",
    "bridge": "bridge_in plan_bridge_out",
    **{f"setup {name}": "list_clients plan_client_setup" for name in SETUP},
    "setup schedule": "plan_schedule",
    "setup daemon": "plan_daemon_setup",
    "doctor": "check_installation",
    "new": "create_atom",
    "edit": "replace_atom change_fields",
    "mark": "mark_atom",
    "move": "move_atom",
    "rename": "rename_atom rename_project",
    "rm": "remove_atom",
    "tag list": "list_tags",
    "tag rename": "rename_tag",
    "commit": "commit_files",
    "decision new": "create_atom",
    "decision list": "list_decisions",
    "decision show": "show_decision",
    "decision accept": "accept_decision",
    "decision reject": "reject_decision",
    "decision supersede": "supersede_decision",
    "idea new": "create_atom",
    "idea list": "list_ideas",
    "idea show": "show_idea",
    "idea promote": "promote_idea",
    "scan new": "create_scan",
    "scan list": "list_scans",
    "user show": "show_user",
    "user learn": "learn_preference",
    "story import": "import_transcript",
    "story append": "append_message",
    "story list": "list_stories",
    "story rebuild": "rebuild_story",
    "story consolidate": "consolidate_story",
    "story recall": "recall_story",
    "story render": "render_template",
    "story explain": "explain_chunk explain_entity",
    "story show": "show_story",
    "story colours": "list_colours",
    "story correct": "correct_entity",
    "story rename": "rename_story",
    "story rm": "remove_story",
    "chat": "send_chat_message",
    "brief": "show_brief",
    "list": "list_atoms",
    "show": "show_atom show_past_atom",
    "find": "find_atoms",
    "stats": "show_statistics",
    "log": "list_changes list_atom_changes",
    "diff": "diff_atom",
    "graph": "show_graph map_links",
    "backlinks": "list_backlinks",
    "path": "find_path",
    "related": "list_related_atoms",
    "entities": "list_entities list_mentions",
    "task list": "list_tasks",
    "task next": "list_next_tasks",
    "task lint": "check_tasks",
    "task add": "add_task",
    "task split": "split_task",
    "task archive": "archive_tasks",
    "task lock": "lock_tasks",
    "task unlock": "unlock_tasks",
    "task claim": "claim_task",
    "task unclaim": "unclaim_task",
    "task block": "block_task",
    "task done": "finish_task",
    "task unblock": "unblock_task",
    "task pause": "pause_task",
    "task resume": "resume_task",
    "task approve": "approve_task",
    "status show": "show_status",
    "status set": "set_status",
    "status edit": "replace_status",
    "issue list": "list_issues",
    "issue add": "add_issue",
    "issue resolve": "resolve_issue",
    "mission show": "show_mission",
    "mission edit": "replace_mission",
    "roadmap show": "show_roadmap",
    "roadmap tick": "tick_roadmap_item",
    "roadmap add": "add_roadmap_items",
    "check": "check_tree fix_tree score_project",
    "audit": "audit_tree audit_store",
    "maintain": "find_maintenance run_maintenance list_proposals accept_proposal reject_proposal",
    "patterns": "find_patterns write_patterns accept_pattern reject_pattern",
    "index regen": "regenerate_indexes",
    "undo": "undo_change",
    "redo": "redo_change",
    "restore": "restore_atom",
    "renumber": "renumber_atom",
    "access log": "list_reads",
    "access top": "list_most_read",
    "access rotate": "rotate_access_logs",
    "ps": "list_processes",
    "daemon status": "show_daemon",
}
"""The functions of the routes of each command."""
WITHOUT_ROUTE = {
    "init": "a server has a tree",
    "serve": "it is the server",
    "ui": "it is the server",
    "mcp": "it is another server",
    "tui": "it is a terminal",
    "help": "`serve --openapi` describes the routes",
    "open": "it opens a window on the machine of the user",
    "watch": "the server watches; `/api/v1/events` tells what changes",
    "embed": "it works for minutes; `find` starts it in the background",
    "daemon start": "it starts a process that outlives the server",
    "daemon stop": "it stops a process that others rely on",
    "daemon run": "it is a process",
    "story serve": "a server starts no server",
    "hook drain": "the server logs waiting notes itself",
    "hook status": "`backlog` of `/daemon`",
    "event": "a hook of a client calls it",
}
"""Why a command has no route."""


def iter_commands() -> Iterator[str]:
    """Yield the words of each command."""
    for name in COMMANDS:
        module = import_module(f"cortexfs.interfaces.cli.commands.{name}")
        group = getattr(typer.main.get_command(module.app), "commands", None)
        yield from (f"{name} {each}" for each in group) if group else (name,)


def test_every_command_has_a_route_or_a_reason() -> None:
    assert set(iter_commands()) == ROUTES.keys() | WITHOUT_ROUTE.keys()
    assert not ROUTES.keys() & WITHOUT_ROUTE.keys()


def test_every_route_of_the_api_is_that_of_a_command() -> None:
    named = {name for names in ROUTES.values() for name in names.split()}
    known = {row.run.__name__ for row in ENDPOINTS}
    api = {row.run.__name__ for row in ENDPOINTS if not row.is_original}
    assert (named - known, api - named) == (set(), set())


def test_the_document_has_the_reasons() -> None:
    rows = [f"| `{name}` | {why} |" for name, why in WITHOUT_ROUTE.items()]
    text = DOCUMENT.read_text()
    assert [row for row in rows if row not in text] == []
