"""Who reaches a server: nobody without the token or the cookie, and no page of another site."""

from __future__ import annotations

import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier
from urllib.parse import urlencode

import pytest
from place import build_sample
from running_server import PATIENCE_S, RunningServer, make_server_fixture

from cortexfs.interfaces.http.server_access import make_cookie, make_csrf_token, make_login_path

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


server = make_server_fixture(build_sample)


def test_health_needs_no_token_and_all_else_does(server: RunningServer) -> None:
    assert server.send("GET", "/health", None, {}).status == 200
    for path in ("/ready", "/", "/api/observations", "/api/v1/atoms", "/nowhere"):
        assert server.send("GET", path, None, {}).status == 401
    assert server.ask("GET", "/ready").json() == {"status": "ready"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer "},
        {"X-API-Key": ""},
        {"Cookie": "cortexfs-{port}=9999999999.abc.def"},
        {"Cookie": "cortexfs-{port}="},
    ],
)
def test_a_wrong_secret_is_refused(server: RunningServer, headers: dict[str, str]) -> None:
    port = str(server.access.port)
    sent = {name: value.replace("{port}", port) for name, value in headers.items()}
    assert server.send("GET", "/ready", None, sent).status == 401


def test_the_token_comes_in_either_of_two_headers(server: RunningServer) -> None:
    token = server.access.token
    for headers in ({"Authorization": f"bearer {token}"}, {"X-API-Key": token}):
        assert server.send("GET", "/ready", None, headers).status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:{port}"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": "127.0.0.1.evil.example:{port}"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Host": "localhost:{port}", "Origin": "http://localhost:{port}"}, 200),
    ],
)
def test_a_foreign_name_or_page_is_refused_with_the_token_too(
    server: RunningServer, headers: dict[str, str], status: int
) -> None:
    port = str(server.access.port)
    sent = {name: value.replace("{port}", port) for name, value in headers.items()}
    assert server.ask("GET", "/ready", None, sent).status == status
    assert server.send("GET", "/health", None, sent).status == status


@pytest.mark.parametrize("form", ["text/plain", "multipart/form-data; boundary=x", *FORM.values()])
def test_a_program_sends_json_or_nothing(server: RunningServer, form: str) -> None:
    refused = server.ask("POST", "/api/v1/atoms", b"{}", {"Content-Type": form})
    assert refused.status == 415
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["kind"] == "wrong-media-type"


def test_a_link_gives_one_browser_a_cookie_once(server: RunningServer) -> None:
    link = make_login_path(server.access)
    assert server.send("HEAD", link, None, {}).status == 403, "a preview does not use it up"
    answer = server.send("GET", link, None, {"Sec-Fetch-Site": "none"})
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie, *attributes = answer.headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=strict", "path=/"} <= set(attributes)
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    assert cookie.startswith(f"cortexfs-{server.access.port}=")
    assert server.send("GET", "/ready", None, {"Cookie": f"a=b; {name}={value}"}).status == 200
    assert server.send("GET", link, None, {}).status == 403
    assert server.send("GET", link, None, {"Cookie": f"{name}={value}"}).status == 303


def test_of_browsers_that_open_a_link_together_one_gets_the_cookie(server: RunningServer) -> None:
    link, barrier = make_login_path(server.access), Barrier(8)

    def open_link(_: int) -> tuple[int, bool]:
        barrier.wait(PATIENCE_S)
        answer = server.send("GET", link, None, {})
        return answer.status, "set-cookie" in answer.headers

    with ThreadPoolExecutor(8) as browsers:
        answers = sorted(browsers.map(open_link, range(8)))
    assert answers == [(303, True), *[(403, False)] * 7]


def test_a_link_of_before_a_restart_may_have_been_used(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    minute_ago = time.time() - 60
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: minute_ago)
        link = make_login_path(server.access)
    assert server.send("GET", link, None, {}).status == 403


@pytest.mark.parametrize("code", ["", "1.2.3", "9999999999.a.b", "é", "9" * 400])
def test_a_made_up_link_gives_no_cookie(server: RunningServer, code: str) -> None:
    answer = server.send("GET", f"/login?{urlencode({'code': code})}", None, {})
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


def test_a_cookie_changes_something_only_with_the_value_of_its_page(server: RunningServer) -> None:
    cookie = make_cookie(server.access)
    own = {"Cookie": f"{server.access.cookie_name}={cookie}"}
    csrf = make_csrf_token(server.access, cookie)
    other = make_csrf_token(server.access, make_cookie(server.access))
    json_type = {"Content-Type": "application/json"}

    def post(content: bytes, headers: dict[str, str]) -> int:
        return server.send("POST", "/nowhere", content, {**own, **headers}).status

    assert post(b"{}", json_type) == 403
    assert post(b"{}", {**json_type, "X-CSRF-Token": other}) == 403
    assert post(b"{}", {**json_type, "X-CSRF-Token": csrf}) == 404
    assert post(b"a=1", FORM) == 403
    assert post(b"csrf=" + other.encode(), FORM) == 403
    assert post(b"a=1&csrf=" + csrf.encode(), FORM) == 404
    assert post(b"", {"Authorization": "Bearer wrong"}) == 403


def test_a_body_has_at_most_a_mebibyte(server: RunningServer) -> None:
    limit = 1024 * 1024
    assert server.ask("POST", "/nowhere", b"x" * limit).status == 404
    assert server.ask("POST", "/nowhere", b"x" * (limit + 1)).status == 413


def test_every_answer_has_the_headers_of_a_private_server(server: RunningServer) -> None:
    for answer in (server.ask("GET", "/ready"), server.send("GET", "/", None, {})):
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; ")
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


def test_a_refusal_has_the_form_that_its_reader_expects(server: RunningServer) -> None:
    html = server.send("GET", "/", None, {"Accept": "text/html"})
    text = html.body.decode()
    assert "<code>cortexfs ui --link</code>" in text
    style = text.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in html.headers["content-security-policy"]
    assert "href" not in text
    assert html.headers["content-type"].startswith("text/html")
    assert server.send("GET", "/api/observations", None, {}).json()["error"]
    problem = server.send("GET", "/api/v1/atoms", None, {}).json()
    assert (problem["status"], problem["kind"]) == (401, "no-token")
