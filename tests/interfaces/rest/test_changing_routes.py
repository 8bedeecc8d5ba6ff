"""Each route that changes something: its plan changes nothing, and then its change is on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from place import build_sample
from running_server import RunningServer, make_server_fixture
from test_api_routes import find_row, validate

from cortexfs.core.process_events.process_event import EventType, ProcessEvent, format_event_line
from cortexfs.interfaces.json.documents.plans import PlannedDocument
from cortexfs.interfaces.rest.endpoint import Effect
from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import Place

CHANGING = {Effect.CHANGE, Effect.CHANGE_ATOM}
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


ATOM = "driftwood/EXP-012"
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
    "bridge_in": Change("bridge/in", {"clients": ["codex"]}, "log", "bridge"),
}
"""A change for each route that changes the tree; the file `log` is that of git."""


def build(place: Place) -> None:
    """Make the sample with similar and equal memories, two atoms with one id, and prompts."""
    build_sample(place)
    for number, text in enumerate(
        (
            "The export job retries a failed upload 3 times.",
            "A failed upload is retried 5 times by the export job.",
            *["Nothing in common with the others at all."] * 2,
        ),
        start=1,
    ):
        head = f"---\nid: OBS-{number:03d}\ndate: 2026-05-0{number}\nproject: driftwood\n"
        front = f"{head}summary: Note\ntags: [a]\ntype: fact\n---\n"
        place.write(f"{MEMORIES}/OBS-{number:03d}.md", f"{front}\n{text}\n")
    place.write(f"{EXPERIMENTS}/EXP-003-copy.md", place.read(f"{EXPERIMENTS}/EXP-003.md"))
    place.git("add", ".")
    place.git("commit", "-qm", "more")
    events = place.root / ".cortexfs" / "events"
    events.mkdir()
    for day, project in enumerate(("lighthouse", *["driftwood"] * 5), start=1):
        said = ((EventType.PROMPT, "Always use uv"), (EventType.TOOL_FAILED, "uv run pytest"))
        lines = (
            ProcessEvent(
                f"2026-05-0{day}T12:00:0{at}Z",
                kind,
                "codex",
                f"s{day}",
                "",
                project,
                text,
                f"{day}{at}",
            )
            for at, (kind, text) in enumerate(said)
        )
        (events / f"2026-05-0{day}.jsonl").write_text("".join(map(format_event_line, lines)))


server = make_server_fixture(build)


def read(place: Place, file: str) -> str | None:
    """Return the text of a file, or the log of git; None if there is no such file."""
    if file == "log":
        return place.git("log", "--format=%B")
    return place.read(file) if (place.root / file).exists() else None


def find_ids(server: RunningServer, path: str) -> dict[str, str]:
    """Return the id that a path has a place for."""
    if "{proposal}" in path:
        found, *_ = server.ask("GET", "/api/v1/proposals").json()["proposals"]
        return {"proposal": found["id"]}
    if "{pattern}" in path:
        found, *_ = server.ask("GET", "/api/v1/patterns").json()["patterns"]["proposals"]
        return {"pattern": found["id"]}
    return {}


@pytest.fixture
def restored(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunningServer]:
    """The server on the tree as it was built, which it is again after the test."""
    memories = tmp_path / "memories"
    memories.mkdir()
    (memories / "notes.md").write_text("# Notes\n\nThe bridge sways at dusk.\n")
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    start = server.place.git("rev-parse", "HEAD").strip()
    yield server
    server.place.git("reset", "-q", "--hard", start)
    server.place.git("clean", "-fdq")


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_can_be_tried_and_is_then_on_disk(restored: RunningServer, name: str) -> None:
    server, change, row = restored, CHANGES[name], find_row(name)
    place = server.place
    for method, path, body in change.first:
        if method == "WRITE":
            place.write(path, str(body))
            continue
        assert server.ask(method, f"/api/v1/{path}", body).status in {200, 201}, path
    before, head = read(place, change.file), place.git("rev-parse", "HEAD")
    url = f"/api/v1/{change.path}".format_map(find_ids(server, change.path))
    joint = "&" if "?" in url else "?"
    tried = server.ask(row.method, f"{url}{joint}dry-run=true", change.body)
    assert tried.status == 200, tried
    validate(tried, PlannedDocument)
    assert (place.git("rev-parse", "HEAD"), read(place, change.file)) == (head, before)
    done = server.ask(row.method, url, change.body)
    assert done.status == row.status, done
    validate(done, row.answer)
    after = read(place, change.file)
    assert after != before
    assert after is None if change.text is None else change.text in (after or "")


def test_the_digest_for_a_client_is_shown_and_not_written(
    restored: RunningServer, tmp_path: Path
) -> None:
    path = "bridge/out?client=codex&folder=/srv/driftwood&project=driftwood"
    (write,) = restored.ask("GET", f"/api/v1/{path}").json()["plan"]["writes"]
    assert "driftwood/OBS-001" in write["diff"]
    assert [each.name for each in (tmp_path / "memories").iterdir()] == ["notes.md"]


def test_every_route_that_changes_the_tree_is_tried() -> None:
    routes = [row for row in ENDPOINTS if not row.is_original and row.effect in CHANGING]
    assert {row.run.__name__ for row in routes} == CHANGES.keys()
