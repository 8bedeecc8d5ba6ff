"""The API: documents as `--json` prints them, plans, conditions, problems."""

from __future__ import annotations

import fcntl
import shutil
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from place import build_sample
from pydantic import TypeAdapter
from running_server import Answer, RunningServer, make_server_fixture
from soak_cases import leave_to_soak

from cortexfs.interfaces.json.documents.plans import ProblemDocument
from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

    from cortexfs.interfaces.rest.endpoint import Endpoint

ATOM = "driftwood/EXP-012"
BY_NAME = {(row.run.__name__, row.method): row for row in ENDPOINTS}


def build(place: Place) -> None:
    """Make the sample with a story."""
    build_sample(place)
    place.write("../road.txt", "Melina: Who are you?\nKael: I promise to come back.\n")
    place.ok("story", "import", "../road.txt", "--name", "road", "-p", "driftwood")


server = make_server_fixture(build)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of the user, with the folder of a client."""
    (tmp_path / ".gemini").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def get(server: RunningServer, path: str) -> Any:
    answer = server.ask("GET", f"/api/v1/{path}")
    assert answer.status == 200, answer
    return answer.json()


READS = {
    "list_atoms": "atoms?kind=experiment&sort=date",
    "find_atoms": "find?q=sensor&explain=true",
    "list_changes": "changes",
    "find_path": "path?from=driftwood/EXP-009&to=driftwood/EXP-004",
    "list_entities": "entities",
    "list_mentions": "mentions?name=src/pack.rs",
    "list_tags": "tags",
    "list_reads": "reads",
    "list_most_read": "reads/top",
    "show_past_atom": f"atoms/{ATOM}/past?at=HEAD",
    "diff_atom": f"atoms/{ATOM}/diff",
    "list_atom_changes": f"atoms/{ATOM}/changes",
    "list_backlinks": f"atoms/{ATOM}/backlinks",
    "show_graph": f"atoms/{ATOM}/graph?depth=2",
    "list_related_atoms": f"atoms/{ATOM}/related",
    "show_atom": f"atoms/{ATOM}",
    "check_tree": "findings?limit=5",
    "show_statistics": "stats",
    "show_brief": "brief?project=driftwood",
    "check_installation": "doctor",
    "list_processes": "processes",
    "find_maintenance": "maintenance",
    "list_proposals": "proposals",
    "find_patterns": "patterns",
    "list_projects": "projects",
    "show_project": "projects/driftwood",
    "show_status": "projects/driftwood/status",
    "show_mission": "projects/driftwood/mission",
    "show_roadmap": "projects/driftwood/roadmap",
    "list_issues": "projects/driftwood/issues",
    "score_project": "projects/driftwood/fresh",
    "list_decisions": "decisions",
    "show_decision": "decisions/lighthouse/DR-0002",
    "list_ideas": "ideas",
    "show_user": "user",
    "list_scans": "scans",
    "list_tasks": "tasks",
    "list_next_tasks": "tasks/next",
    "check_tasks": "tasks/findings",
    "map_links": "graph?project=driftwood",
    "show_idea": "ideas/IDEA-001",
    "show_daemon": "daemon",
    "export_store": "export?project=driftwood&include-personal=true",
    "audit_tree": "audit?project=driftwood",
    "list_clients": "setup",
    "plan_client_setup": "setup/clients/codex?choice=instructions",
    "plan_schedule": "setup/schedule?using=systemd",
    "plan_daemon_setup": "setup/daemon?using=systemd",
    "list_stories": "stories/driftwood",
    "show_story": "stories/driftwood/road?last=1",
    "list_colours": "stories/driftwood/road/colours",
    "explain_chunk": "atoms/driftwood/CH-0001/salience",
    "explain_entity": "stories/driftwood/entities/Melina",
    "plan_bridge_out": "bridge/out?client=gemini&folder=/srv/driftwood&project=driftwood",
}
"""A request for each route that reads."""
STATUS = ("projects/driftwood/status", {"next": ["Release 0.4"], "blockers": []})


def find_row(name: str) -> Endpoint:
    (row,) = (row for (known, _), row in BY_NAME.items() if known == name)
    return row


def validate(answer: Answer, document: object) -> None:
    """Check an answer against its schema, in which no other key may be."""
    schema = TypeAdapter(document).json_schema(mode="serialization")
    jsonschema.validate(answer.json(), close_objects(schema))


def close_objects(schema: Any) -> Any:
    """Return a schema that refuses keys that it does not name."""
    if isinstance(schema, list):
        return [close_objects(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: close_objects(value) for key, value in schema.items()}
    return {"additionalProperties": False, **closed} if "properties" in schema else closed


@pytest.mark.parametrize("name", leave_to_soak(READS, every=3))
def test_a_document_is_as_described(server: RunningServer, name: str) -> None:
    answer = server.ask("GET", f"/api/v1/{READS[name]}")
    assert answer.status == 200, answer
    validate(answer, find_row(name).answer)


def test_a_plan_of_what_is_outside_the_tree_writes_nothing(
    server: RunningServer, home: Path
) -> None:
    (home / ".codex").mkdir()
    before = sorted(home.rglob("*"))
    for name in ("plan_client_setup", "plan_schedule", "plan_daemon_setup"):
        (write, *_) = get(server, READS[name])["plan"]["writes"]
        assert write["path"].startswith(str(home)), name
        assert write["diff"].startswith("--- /dev/null"), name
    assert sorted(home.rglob("*")) == before


def test_a_store_is_audited_without_an_import(server: RunningServer) -> None:
    memories = [{"id": str(number), "memory": "Gears need oil"} for number in range(2)]
    answer = server.ask("POST", "/api/v1/audit", {"memories": memories})
    validate(answer, find_row("audit_store").answer)
    assert answer.json()["audit"]["counts"]
    assert server.place.git("status", "--porcelain") == ""


def test_what_matters_of_a_story_is_recalled(server: RunningServer) -> None:
    path, said = "/api/v1/stories/driftwood/road/recall", [{"speaker": "Melina", "text": "So?"}]
    for body in (
        {"question": "Who promised?", "limit": 1},
        {"messages": said, "count-reads": False},
    ):
        answer = server.ask("POST", path, body)
        assert answer.status == 200, answer
        validate(answer, find_row("recall_story").answer)
        assert [each["ref"] for each in answer.json()["recall"]["memories"]] == [
            "driftwood/CH-0001"
        ]
    assert server.ask("POST", path.replace("road", "lane"), {}).status == 404
    assert server.ask("POST", path, {"limit": -1}).status == 422


def test_a_template_is_rendered_with_what_a_story_recalls(server: RunningServer) -> None:
    path = "/api/v1/stories/driftwood/road/render"
    template = "{{char}}: {{memoriesRaw}}"
    for body in ({"question": "Who promised?", "format": "minimal"}, {"budget": 100}):
        answer = server.ask("POST", path, {"template": template, **body})
        assert answer.status == 200, answer
        validate(answer, find_row("render_template").answer)
        assert answer.json()["rendered"]["text"].startswith("{{char}}: ")
    assert server.ask("POST", path, {"template": "", "format": "none"}).status == 422


def test_an_import_that_is_too_large_names_the_command(server: RunningServer) -> None:
    body = b"[" + b" " * 1024 * 1024 + b"]"
    for path, kind, command in (
        ("/api/v1/import", "kind", "cortexfs import"),
        ("/api/import", "error", "cortexfs import"),
        ("/api/v1/stories/driftwood", "kind", "cortexfs story import"),
    ):
        answer = server.ask("POST", path, body)
        assert (answer.status, f"`{command} FILE`" in answer.json()["hint"]) == (413, True)
        assert answer.json()[kind]


def test_a_search_says_which_words_it_replaced(server: RunningServer) -> None:
    answer = server.ask("GET", "/api/v1/find?q=bitmpa%20-codec")
    validate(answer, find_row("find_atoms").answer)
    assert answer.json()["corrections"][0]["searched"] == ["bitmap"]


def test_every_route_that_reads_is_tried() -> None:
    routes = [row for row in ENDPOINTS if not row.is_original and row.method == "GET"]
    assert {row.run.__name__ for row in routes} == READS.keys()


def test_a_change_is_a_commit_that_undo_takes_back(server: RunningServer) -> None:
    before = server.place.read("projects/driftwood/STATUS.md")
    path, body = STATUS
    done = server.ask("PATCH", f"/api/v1/{path}", body)
    assert (done.status, done.json()["changed"]) == (200, True)
    assert server.place.git("rev-parse", "HEAD").startswith(done.json()["commit"])
    undone = server.ask("POST", "/api/v1/undo", {})
    assert undone.json()["undone"][0]["commit"] == done.json()["commit"]
    assert server.place.read("projects/driftwood/STATUS.md") == before
    assert server.ask("POST", "/api/v1/redo").status == 200
    assert server.ask("POST", "/api/v1/undo", {}).status == 200


def test_an_atom_is_created_and_shown(server: RunningServer) -> None:
    body = {"kind": "idea", "summary": "Tides as a clock", "tags": ["codec"]}
    made = server.ask("POST", "/api/v1/atoms", body)
    assert made.status == 201, made
    validate(made, find_row("create_atom").answer)
    ref = made.json()["created"]["ref"]
    assert get(server, f"atoms/{ref}")["atom"]["summary"] == "Tides as a clock"


def test_an_atom_changes_only_while_it_has_the_named_etag(server: RunningServer) -> None:
    path = "/api/v1/atoms/driftwood/EXP-014"
    etag = server.ask("GET", path).headers["etag"]
    assert server.ask("GET", path, None, {"If-None-Match": etag}).status == 304
    first = server.ask("PATCH", path, {"add-tags": ["codec"]}, {"If-Match": etag})
    assert first.status == 200, first
    assert first.headers["etag"] == server.ask("GET", path).headers["etag"] != etag
    for method, more, body in (
        ("PATCH", "", {"summary": "Lost"}),
        ("PATCH", "?dry-run=true", {"summary": "Lost"}),
        ("PUT", "", {"text": "lost"}),
        ("DELETE", "?force=true", None),
        ("POST", "/mark", {"status": "challenged"}),
    ):
        refused = server.ask(method, path + more, body, {"If-Match": etag})
        assert (refused.status, refused.json()["kind"]) == (412, "atom-changed"), method
        validate(refused, ProblemDocument)
    assert "Lost" not in server.place.read("projects/driftwood/experiments/EXP-014.md")
    now = first.headers["etag"]
    any_of = server.ask("PATCH", path, {"remove-tags": ["codec"]}, {"If-Match": f"{etag}, {now}"})
    assert any_of.status == 200
    assert server.ask("DELETE", "/api/v1/atoms/EXP-999", None, {"If-Match": etag}).status == 412


def test_a_list_comes_in_parts_and_none_is_lost_or_twice(server: RunningServer) -> None:
    whole = [each["path"] for each in get(server, "atoms?limit=100")["atoms"]]
    paths, cursor = list[str](), ""
    while True:
        part = get(server, f"atoms?limit=7&cursor={cursor}")
        paths += [each["path"] for each in part["atoms"]]
        if not (cursor := part.get("next", "")):
            break
    assert paths == whole
    assert part["total"] == len(whole)
    # the others are -5, -1 with a key, and half of a pair of surrogates
    for forged in ("x", "LTUg", "LTEgeA==", "WyJcdWQ4MDAiLDFd"):
        assert server.ask("GET", f"/api/v1/atoms?cursor={forged}").status == 400


def test_a_busy_tree_says_when_to_try_again(server: RunningServer) -> None:
    server.session.wait_s, before = 0.0, server.session.wait_s
    lock = server.place.root / ".cortexfs" / "lock"
    try:
        with open(lock, "ab") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            path, body = STATUS
            answer = server.ask("PATCH", f"/api/v1/{path}", body)
    finally:
        server.session.wait_s = before
    assert (answer.status, answer.json()["kind"]) == (503, "tree-locked")
    assert answer.headers["retry-after"] == "5"


def test_a_tree_that_was_moved_or_replaced_is_not_read_and_may_come_back(
    server: RunningServer,
) -> None:
    paths = [f"/api/v1/{path}" for path in READS.values()] + ["/metrics", "/ready"]
    root, away = server.place.root, server.place.root.with_name("away")
    other = root.with_name("other")
    shutil.copytree(root, other, ignore=shutil.ignore_patterns("*.sock"))
    for put in (lambda: None, lambda: other.rename(root)):
        root.rename(away)
        try:
            put()
            found = {path: server.ask("GET", path).status for path in paths}
            made = server.ask("POST", "/api/v1/atoms", {"kind": "idea", "summary": "A thought"})
        finally:
            if root.exists():
                root.rename(other)
            away.rename(root)
        assert {path: status for path, status in found.items() if status != 503} == {}
        assert made.json()["kind"] == "tree-moved"
    assert {server.ask("GET", path).status for path in paths} == {200}
