"""The routes of the original, with its shapes and status codes."""

from __future__ import annotations

from typing import Any

import pytest
from place import build_tree
from running_server import RunningServer, make_server_fixture

server = make_server_fixture(build_tree)


def create(server: RunningServer, title: str, **more: object) -> Any:
    body = {"title": title, "content": f"About {title}.", "project": "flywheel", **more}
    answer = server.ask("POST", "/api/observations", body)
    assert answer.status == 201, answer
    return answer.json()


def test_a_session_of_the_original(server: RunningServer) -> None:
    first = create(server, "The bearing is dry", type="bugfix", session_id="s1")
    second = create(server, "Oil it weekly", type="decision", session_id="s1")
    assert first["id"] != 0
    assert (first["type"], first["revision_count"], first["scope"]) == ("bugfix", 1, "project")
    shown = server.ask("GET", f"/api/observations/{first['id']}").json()
    assert shown["content"] == "About The bearing is dry."
    hits = server.ask("GET", "/api/search?q=bearing").json()
    assert [hit["id"] for hit in hits] == [first["id"]]
    assert hits[0]["rank"] > 0
    ends = {"from_id": second["id"], "to_id": first["id"]}
    edge = server.ask("POST", "/api/graph/edges", {**ends, "relation_type": "follows"})
    assert edge.status == 201
    related = server.ask("GET", f"/api/graph/{first['id']}/related?depth=1").json()
    assert [(each["id"], each["distance"]) for each in related] == [(second["id"], 1)]
    score = server.ask("GET", f"/api/scores/{first['id']}").json()
    assert score["parts"]["edges"] == 0.2
    again = server.ask("POST", f"/api/scores/{first['id']}/recalculate").json()
    assert again == {"score": score["score"]}
    gone = server.ask("DELETE", f"/api/graph/edges/{edge.json()['id']}")
    assert (gone.status, gone.json()) == (200, {"status": "deleted"})
    assert server.ask("GET", f"/api/graph/{first['id']}/related").json() == []
    assert server.ask("DELETE", f"/api/graph/edges/{edge.json()['id']}").status == 404
    timeline = server.ask("GET", f"/api/timeline?observation_id={second['id']}").json()
    assert [each["id"] for each in timeline["before"]] == [first["id"]]
    assert server.ask("DELETE", f"/api/observations/{second['id']}").json() == {"status": "deleted"}
    assert second["id"] not in [
        each["id"] for each in server.ask("GET", "/api/observations").json()
    ]


def test_an_update_is_a_revision_that_git_keeps(server: RunningServer) -> None:
    made = create(server, "Speed limit", topic_key="config/speed")
    put = server.ask("PUT", f"/api/observations/{made['id']}", {"content": "It is 900 rpm."})
    assert (put.status, put.json()["content"], put.json()["revision_count"]) == (
        200,
        "It is 900 rpm.",
        2,
    )
    revisions = server.ask("GET", f"/api/observations/{made['id']}/revisions").json()
    assert any("About Speed limit." in each["content"] for each in revisions)


def test_sessions_begin_and_end(server: RunningServer) -> None:
    body = {"id": "s9", "project": "flywheel", "directory": "/srv/flywheel"}
    assert server.ask("POST", "/api/sessions", body).status == 201
    ended = server.ask("POST", "/api/sessions/s9/end", {"summary": "Oiled"})
    assert ended.json() == {"status": "ended"}
    found = {each["id"]: each for each in server.ask("GET", "/api/sessions").json()}
    assert (found["s9"]["summary"], found["s9"]["directory"]) == ("Oiled", "/srv/flywheel")
    assert server.ask("POST", "/api/sessions/nobody/end", {}).status == 404


def test_prompts_are_saved_listed_and_found(server: RunningServer) -> None:
    body = {"content": "Make the flywheel quieter", "project": "flywheel"}
    made = server.ask("POST", "/api/prompts", body)
    assert made.status == 201
    assert made.json() in server.ask("GET", "/api/prompts/recent").json()
    assert server.ask("GET", "/api/prompts/search?q=quieter").json() == [made.json()]


def test_learnings_are_captured_once(server: RunningServer) -> None:
    text = "## Key Learnings\n\n1. Grease is not oil, and never was in this house\n"
    body = {"content": text, "project": "flywheel"}
    first = server.ask("POST", "/api/observations/passive", body).json()
    again = server.ask("POST", "/api/observations/passive", body).json()
    assert first == {"extracted": 1, "saved": 1, "duplicates": 0}
    assert again == {"extracted": 1, "saved": 0, "duplicates": 1}


def test_an_export_can_be_imported_and_adds_nothing_twice(server: RunningServer) -> None:
    create(server, "Exported")
    document = server.ask("GET", "/api/export").json()
    assert {"Exported"} <= {each["title"] for each in document["observations"]}
    done = server.ask("POST", "/api/import", document)
    assert (done.status, done.json()["imported"], done.json()["skipped"]) == (200, 0, 0)


def test_context_and_stats_count_the_same(server: RunningServer) -> None:
    create(server, "Counted")
    context = server.ask("GET", "/api/context?project=flywheel").json()
    assert context["stats"] == server.ask("GET", "/api/stats").json()
    assert context["observations"][0]["title"] == "Counted"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/search", None, 400),
        ("GET", "/api/search?q=", None, 400),
        ("GET", "/api/observations/none", None, 400),
        ("GET", "/api/observations/0", None, 400),
        ("GET", "/api/observations/999999", None, 404),
        ("PUT", "/api/observations/999999", {"title": "x"}, 404),
        ("DELETE", "/api/observations/999999", None, 404),
        ("POST", "/api/observations/999999/archive", None, 404),
        ("GET", "/api/observations?limit=-1", None, 400),
        ("POST", "/api/observations", {"title": "x"}, 400),
        ("POST", "/api/observations", {"title": "", "content": "x"}, 400),
        ("POST", "/api/observations", b"{", 400),
        ("POST", "/api/sessions/s1/end", None, 400),
        ("GET", "/api/graph/999999/related", None, 404),
        ("GET", "/api/scores/999999", None, 404),
        ("POST", "/api/graph/edges", {"from_id": 1, "to_id": 1, "relation_type": "x"}, 400),
        ("GET", "/api/nothing", None, 404),
        ("PATCH", "/api/search", {}, 405),
    ],
)
def test_an_error_has_the_status_of_the_original(
    server: RunningServer, method: str, path: str, body: object, status: int
) -> None:
    answer = server.ask(method, path, body)
    assert answer.status == status, answer
    assert answer.json()["error"]
