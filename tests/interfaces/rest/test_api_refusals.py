"""What the API refuses: a problem with its kind, and the methods that a path has."""

from __future__ import annotations

import pytest
from place import build_sample
from running_server import RunningServer, make_server_fixture
from soak_cases import leave_rows_to_soak
from test_api_routes import validate

from cortexfs.interfaces.json.documents.plans import ProblemDocument

server = make_server_fixture(build_sample)


@pytest.mark.parametrize(
    ("request_line", "body", "status", "kind"),
    leave_rows_to_soak(
        [
            ("GET atoms/EXP-999", None, 404, "no-such-atom"),
            ("GET atoms?kind=poem", None, 404, "no-such-kind"),
            ("GET atoms?limit=0", None, 422, "invalid-request"),
            ("GET projects/none", None, 404, "no-such-project"),
            ("GET nowhere", None, 404, "no-such-route"),
            ("PUT atoms", {}, 405, "no-such-route"),
            ("POST atoms", {"kind": "pattern", "project": "driftwood", "summary": "x"}, 422, ""),
            ("POST atoms", b"[", 422, "invalid-request"),
            ("POST atoms", b"[" * 100_000, 400, "invalid-request"),
            ("POST atoms", b"9" * 100_000, 400, "invalid-request"),
            ("POST tasks/51e0/done", b"", 422, "invalid-request"),
            ("PUT projects/driftwood/mission", {"text": "x", "approved": False}, 409, "refused"),
            ("POST undo", {"commit": "0000000"}, 409, "refused"),
        ],
        every=3,
    ),
)
def test_a_refusal_is_a_problem_with_its_kind(
    server: RunningServer, request_line: str, body: object, status: int, kind: str
) -> None:
    method, path = request_line.split()
    answer = server.ask(method, f"/api/v1/{path}", body)
    assert answer.status == status, answer
    assert answer.headers["content-type"] == "application/problem+json"
    validate(answer, ProblemDocument)
    assert answer.json()["kind"] == (kind or "missing-fields")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/v1/atoms", "GET, POST"),
        ("/api/v1/atoms/driftwood/EXP-012", "DELETE, GET, PATCH, PUT"),
        ("/api/observations/1", "DELETE, GET, PATCH, PUT"),
        ("/api/v1/atoms/driftwood/EXP-012/mark", "POST"),
        ("/api/observations/passive", "POST"),
    ],
)
def test_a_method_that_a_path_does_not_have_names_those_that_it_has(
    server: RunningServer, path: str, allowed: str
) -> None:
    answer = server.ask("OPTIONS", path)
    assert (answer.status, answer.headers["allow"]) == (405, allowed)
