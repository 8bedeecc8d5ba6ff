"""A request for each route of the API that changes the tree, and what it changes."""

from __future__ import annotations

from typing import NamedTuple

EXPERIMENTS = "projects/driftwood/experiments"
TASKS, STATUS = "projects/driftwood/TASKS.yaml", "projects/driftwood/STATUS.md"
ISSUES, ROADMAP = "projects/driftwood/ISSUES.md", "projects/driftwood/roadmap.md"
MEMORIES = "projects/driftwood/observations"


class Change(NamedTuple):
    """A request, the file that it changes, and the text that the file has then (None: no file)."""

    path: str
    body: object
    file: str
    text: str | None
    first: tuple[tuple[str, str, object], ...] = ()
    """Requests before it; `WRITE` is an edit by hand."""


CHATS = "projects/driftwood/chats"
ATOM = "driftwood/EXP-012"
SAID = {"speaker": "Melina", "text": "I promise to come back."}
SETTINGS = "stories:\n  salience: {flag: 0.2}\n"
SHORT_CHUNKS = f"{SETTINGS}  messages-per-chunk: 1\n"
MANY_SCENES = "  consolidation: {waiting: 2, chunks: 2}\n"
SET_STATUS = ("PATCH", "projects/driftwood/status", {"next": ["Release 0.4"], "blockers": []})
CHANGES = {
    "create_atom": Change(
        "atoms",
        {"kind": "idea", "summary": "Tides as a clock", "tags": ["codec"]},
        "ideas/IDEA-003.md",
        "Tides as a clock",
    ),
    "replace_atom": Change(
        f"atoms/{ATOM}",
        {"text": "# EXP-012: a new body\n"},
        f"{EXPERIMENTS}/EXP-012.md",
        "a new body",
    ),
    "change_fields": Change(
        f"atoms/{ATOM}", {"summary": "Shorter"}, f"{EXPERIMENTS}/EXP-012.md", "Shorter"
    ),
    "remove_atom": Change(
        "atoms/greenhouse/EXP-001?force=true",
        None,
        "projects/greenhouse/experiments/EXP-001.md",
        None,
    ),
    "mark_atom": Change(
        "atoms/driftwood/EXP-016/mark",
        {"status": "challenged", "by": "driftwood/EXP-014"},
        f"{EXPERIMENTS}/EXP-016.md",
        "status: challenged:EXP-014",
    ),
    "move_atom": Change(
        f"atoms/{ATOM}/move", {"project": "lighthouse"}, f"{EXPERIMENTS}/EXP-012.md", None
    ),
    "rename_atom": Change(
        f"atoms/{ATOM}/rename", {"to": "EXP-042"}, f"{EXPERIMENTS}/EXP-042.md", "id: EXP-042"
    ),
    "renumber_atom": Change(
        f"atoms/{EXPERIMENTS}/EXP-003-copy.md/renumber",
        {"to": "EXP-042"},
        f"{EXPERIMENTS}/EXP-042.md",
        "id: EXP-042",
    ),
    "restore_atom": Change(
        f"atoms/{ATOM}/restore",
        {},
        f"{EXPERIMENTS}/EXP-012.md",
        "id: EXP-012",
        (("DELETE", f"atoms/{ATOM}?force=true", None),),
    ),
    "undo_change": Change("undo", {}, STATUS, "Phase", (SET_STATUS,)),
    "redo_change": Change("redo", None, STATUS, "Release 0.4", (SET_STATUS, ("POST", "undo", {}))),
    "rename_tag": Change(
        "tags/rename",
        {"old": "residuals", "new": "leftovers"},
        f"{EXPERIMENTS}/EXP-003.md",
        "leftovers",
    ),
    "create_project": Change(
        "projects", {"name": "sundial", "goal": "Know the time"}, "projects/sundial/STATUS.md", ""
    ),
    "archive_project": Change(
        "projects/greenhouse/archive", {"reason": "The season is over"}, "OVERVIEW.md", "season"
    ),
    "rename_project": Change(
        "projects/greenhouse/rename", {"to": "glasshouse"}, "projects/glasshouse/STATUS.md", ""
    ),
    "set_status": Change(SET_STATUS[1], SET_STATUS[2], STATUS, "Release 0.4"),
    "replace_status": Change(
        SET_STATUS[1], {"text": "# Status\n\n## Phase\n\nDone.\n"}, STATUS, "Done."
    ),
    "replace_mission": Change(
        "projects/driftwood/mission",
        {"text": "# Mission\n\n- [ ] It hums\n", "approved": True},
        "projects/driftwood/mission.md",
        "It hums",
    ),
    "add_roadmap_items": Change(
        "projects/driftwood/roadmap",
        {"phase": "4", "milestone": "M4.2", "items": ["Noise known"]},
        ROADMAP,
        "- [ ] Noise known",
    ),
    "tick_roadmap_item": Change(
        "projects/driftwood/roadmap/tick",
        {"item": "Cost of frames by time"},
        ROADMAP,
        "- [x] Cost of frames by time",
    ),
    "add_issue": Change(
        "projects/driftwood/issues", {"text": "Clock drifts. It loses 3 s."}, ISSUES, "Clock drifts"
    ),
    "resolve_issue": Change(
        "projects/driftwood/issues/resolve", {"item": "No board"}, "log", "resolve"
    ),
    "accept_decision": Change(
        "decisions/DR-0003/accept", {}, "decisions/DR-0003-corrections-open-tasks.md", "accepted"
    ),
    "reject_decision": Change(
        "decisions/DR-0003/reject",
        {"reason": "Too dear"},
        "decisions/DR-0003-corrections-open-tasks.md",
        "rejected",
    ),
    "supersede_decision": Change(
        "decisions/DR-0001/supersede",
        {"by": "DR-0003"},
        "decisions/DR-0001-one-tree-for-all-projects.md",
        "superseded:DR-0003",
    ),
    "promote_idea": Change(
        "ideas/IDEA-001/promote", {"project": "echo"}, "projects/echo/STATUS.md", ""
    ),
    "learn_preference": Change(
        "user/preferences", {"key": "Spelling", "value": "British"}, "user/USER.md", "British"
    ),
    "create_scan": Change("scans", {"text": "All is well.", "scope": "driftwood"}, "log", "scan"),
    "add_task": Change("tasks", {"project": "driftwood", "text": "Time it"}, TASKS, "Time it"),
    "split_task": Change(
        "tasks/51e0/split",
        {"parts": [{"text": "Ask", "done-when": "an answer"}, {"text": "Write"}]},
        TASKS,
        "text: Ask",
    ),
    "claim_task": Change("tasks/claim", {"id": "51e0", "owner": "ada"}, TASKS, "claimed-by: ada"),
    "unclaim_task": Change("tasks/3fa9/unclaim", {"force": True}, "log", "3fa9"),
    "block_task": Change("tasks/51e0/block", {"by": "an answer"}, TASKS, "an answer"),
    "unblock_task": Change("tasks/c4d2/unblock", {}, "log", "c4d2"),
    "pause_task": Change("tasks/51e0/pause", {}, TASKS, "paused: true"),
    "resume_task": Change("tasks/f16a/resume", {}, "log", "f16a"),
    "approve_task": Change("tasks/a2f4/approve", {}, "log", "a2f4"),
    "finish_task": Change("tasks/51e0/done", {"note": "nobody needs it"}, TASKS, "nobody needs it"),
    "archive_tasks": Change("tasks/archive", {}, "projects/driftwood/tasks-archive.md", "9e6b"),
    "lock_tasks": Change(
        "tasks/lock", {"project": "driftwood", "owner": "ada", "minutes": 5}, TASKS, "ada"
    ),
    "unlock_tasks": Change(
        "tasks/unlock",
        {"project": "driftwood", "owner": "ada"},
        "log",
        "unlock",
        (("POST", "tasks/lock", {"project": "driftwood", "owner": "ada"}),),
    ),
    "fix_tree": Change("findings/fix", {}, "log", "fix"),
    "run_maintenance": Change("maintenance", {}, "log", "maintain"),
    "accept_proposal": Change("proposals/{proposal}/accept", {}, "log", "merge"),
    "reject_proposal": Change("proposals/{proposal}/reject", None, "log", "reject"),
    "write_patterns": Change("patterns", None, "log", "pattern"),
    "accept_pattern": Change("patterns/{pattern}/accept", None, "user/USER.md", "Always use uv"),
    "reject_pattern": Change("patterns/{pattern}/reject", None, "log", "reject"),
    "regenerate_indexes": Change("indexes", {}, "log", "indexes"),
    "commit_files": Change(
        "commit", {"message": "by hand"}, "log", "by hand", (("WRITE", ISSUES, "# Issues\n"),)
    ),
    "rotate_access_logs": Change("reads/rotate", {}, "log", "rotate"),
    "import_store": Change(
        "import?project=driftwood",
        {"memories": [{"id": "m1", "memory": "Gears need oil"}]},
        f"{MEMORIES}/OBS-005.md",
        "Gears need oil",
    ),
    "import_transcript": Change(
        "stories/driftwood",
        {"text": "Melina: Who are you?\nKael: A friend.\n", "name": "road"},
        f"{CHATS}/road.jsonl",
        "A friend.",
    ),
    "append_message": Change(
        "stories/driftwood/road/messages", SAID, f"{CHATS}/road.jsonl", "come back"
    ),
    "rebuild_story": Change(
        "stories/driftwood/road/rebuild",
        None,
        "projects/driftwood/chunks/CH-0001.md",
        "messages: 1-1",
        (
            ("POST", "stories/driftwood/road/messages", SAID),
            ("WRITE", "cortexfs.yaml", SETTINGS),
        ),
    ),
    "consolidate_story": Change(
        "stories/driftwood/road/consolidate",
        None,
        "projects/driftwood/scenes/SCN-001.md",
        "source: heuristic",
        (
            ("WRITE", "cortexfs.yaml", SHORT_CHUNKS),
            ("POST", "stories/driftwood/road/messages", SAID),
            ("POST", "stories/driftwood/road/messages", SAID),
            ("POST", "stories/driftwood/road/rebuild", None),
            (
                "WRITE",
                "cortexfs.yaml",
                f"{SHORT_CHUNKS}  consolidation: {{waiting: 2, chunks: 2}}\n",
            ),
        ),
    ),
    "correct_entity": Change(
        "stories/driftwood/entities/Melina/correct",
        {"change": "rename", "value": "Melina the Grey"},
        "projects/driftwood/entities/ENT-001-melina.md",
        "aliases: [Melina]",
        (("POST", "stories/driftwood/road/messages", SAID),),
    ),
    "rename_story": Change(
        "stories/driftwood/road/rename",
        {"to": "lane"},
        f"{CHATS}/lane.jsonl",
        "come back",
        (("POST", "stories/driftwood/road/messages", SAID),),
    ),
    "remove_story": Change(
        "stories/driftwood/road",
        None,
        f"{CHATS}/road.jsonl",
        None,
        (("POST", "stories/driftwood/road/messages", SAID),),
    ),
    "bridge_in": Change("bridge/in", {"clients": ["codex"]}, "log", "bridge"),
}
"""A change for each route that changes the tree; the file `log` is that of git."""
