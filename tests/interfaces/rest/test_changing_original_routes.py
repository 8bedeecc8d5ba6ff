"""Each route of the original that changes something, in the order of a session."""

from __future__ import annotations

from typing import Any, NamedTuple

from place import build_tree
from running_server import RunningServer, make_server_fixture
from test_api_routes import validate

from cortexfs.interfaces.json.documents.plans import PlannedDocument
from cortexfs.interfaces.rest.endpoint import Effect
from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS

server = make_server_fixture(build_tree)
FOLDER = "projects/flywheel/observations"
NEW = {"title": "The bearing is dry", "content": "It hums.", "project": "flywheel"}


class Change(NamedTuple):
    """A request, the file that it changes, and the text that the file has then (None: no file)."""

    name: str
    method: str
    path: str
    body: object
    file: str
    text: str | None


CHANGES = (
    Change(
        "create_session",
        "POST",
        "sessions",
        {"id": "s1", "project": "flywheel"},
        "projects/flywheel/sessions/SES-001.md",
        "session: s1",
    ),
    Change("create_observation", "POST", "observations", NEW, f"{FOLDER}/OBS-001.md", "It hums."),
    Change(
        "capture_learnings",
        "POST",
        "observations/passive",
        {
            "content": "## Key Learnings\n\n1. Grease is not oil, and never was in this house\n",
            "project": "flywheel",
        },
        f"{FOLDER}/OBS-002.md",
        "Grease is not oil",
    ),
    Change(
        "update_observation",
        "PUT",
        "observations/1",
        {"content": "It hums loudly."},
        f"{FOLDER}/OBS-001.md",
        "It hums loudly.",
    ),
    Change(
        "update_observation",
        "PATCH",
        "observations/1",
        {"title": "The bearing was dry"},
        f"{FOLDER}/OBS-001.md",
        "The bearing was dry",
    ),
    Change(
        "create_edge",
        "POST",
        "graph/edges",
        {"from_id": 2, "to_id": 1, "relation_type": "follows"},
        f"{FOLDER}/OBS-002.md",
        "relations: [follows flywheel/OBS-001",
    ),
    Change("delete_edge", "DELETE", "graph/edges/{edge}", None, f"{FOLDER}/OBS-002.md", "Grease"),
    Change(
        "create_prompt",
        "POST",
        "prompts",
        {"content": "Make it quieter", "project": "flywheel"},
        "projects/flywheel/prompts/PRM-0001.md",
        "Make it quieter",
    ),
    Change(
        "import_memories",
        "POST",
        "import",
        {"memories": [{"id": "m1", "memory": "Gears need oil"}]},
        "projects/general/observations/OBS-003.md",
        "Gears need oil",
    ),
    Change(
        "archive_observation",
        "POST",
        "observations/2/archive",
        None,
        f"{FOLDER}/OBS-002.md",
        "deleted-at",
    ),
    Change(
        "delete_observation",
        "DELETE",
        "observations/1?hard=true",
        None,
        f"{FOLDER}/OBS-001.md",
        None,
    ),
    Change(
        "end_session",
        "POST",
        "sessions/s1/end",
        {"summary": "Oiled"},
        "projects/flywheel/sessions/SES-001.md",
        "Oiled",
    ),
)


def test_a_session_is_tried_step_by_step_and_then_on_disk(server: RunningServer) -> None:
    known: dict[str, Any] = {}
    rows = {(row.run.__name__, row.method): row for row in ENDPOINTS if row.is_original}
    for change in CHANGES:
        row, file = rows[change.name, change.method], server.place.root / change.file
        before = file.read_bytes() if file.exists() else None
        url = f"/api/{change.path}".format_map(known)
        joint = "&" if "?" in url else "?"
        tried = server.ask(change.method, f"{url}{joint}dry-run=true", change.body)
        assert tried.status == 200, tried
        validate(tried, PlannedDocument)
        assert change.file in [each["path"] for each in tried.json()["plan"]["writes"]], change
        assert (file.read_bytes() if file.exists() else None) == before, change
        done = server.ask(change.method, url, change.body)
        assert done.status == row.status, done
        validate(done, row.answer)
        if change.name == "create_edge":
            known["edge"] = done.json()["id"]
        text = file.read_text() if file.exists() else None
        assert text is None if change.text is None else change.text in (text or ""), change
        assert (text or "").encode() != before, change


def test_every_route_of_the_original_that_changes_the_tree_is_tried() -> None:
    rows = {
        (row.run.__name__, row.method)
        for row in ENDPOINTS
        if row.is_original and row.effect is Effect.CHANGE
    }
    assert rows == {(each.name, each.method) for each in CHANGES}
