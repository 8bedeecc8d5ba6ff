"""Hostile names and bodies on every route that reads: no answer is a document of another kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from for_each import for_each
from place import build_tree
from running_server import Answer, RunningServer, make_server_fixture

from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS
from cortexfs.interfaces.web.routes import PAGES

if TYPE_CHECKING:
    from place import Place

SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
HTML = "<!doctype html><html><body onload=alert(1)><script>alert(1)</script></body></html>"
NAME = "<svg onload=alert(1)>.html"
VALUES = (
    NAME,
    "flywheel/OBS-001",
    'x"\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>',
    "//elsewhere.example/",
    "..%2f..%2f.git/config",
    "x\0.svg",
    "\\\\elsewhere.example\\x",
    "x" * 5_000,
)
STREAMS = ("/events", "/changes/events")
TYPES = {
    *("application/json", "application/problem+json", "text/html; charset=utf-8"),
    *("image/svg+xml", "text/plain; charset=utf-8"),
}


def build_hostile(place: Place) -> None:
    """Make a tree with atoms, pages and a project whose texts and names are documents."""
    build_tree(place)
    for number, body in enumerate((SVG, HTML), 1):
        place.write(
            f"projects/flywheel/observations/OBS-{number:03d}.md",
            f"---\nid: OBS-{number:03d}\ndate: 2026-05-01\nproject: flywheel\n"
            f"summary: '{body}'\ntags: ['{NAME}']\n---\n{body}\n",
        )
    place.write(f"projects/{NAME}/CORTEX.md", HTML)
    place.write(f"projects/{NAME}/STATUS.md", SVG)
    place.git("add", "-A")
    place.git("commit", "-qm", HTML)


server = make_server_fixture(build_hostile)


def list_addresses(*, soak: bool) -> list[str]:
    """Return each route that reads with hostile values in its path and its parameters."""
    rows = [row.path for row in ENDPOINTS if row.method == "GET"]
    rows += [path for method, path, _ in PAGES if method == "GET"]
    rows += [
        "/metrics",
        "/static/{version}/{name}",
        "/login",
        "/health",
        "/{nowhere}",
        "//{nowhere}",
    ]
    found = []
    for number, row in enumerate(each for each in rows if not each.endswith(STREAMS)):
        values = (VALUES[number % len(VALUES)],)
        if "{" in row:  # the first two name what is there
            values = VALUES if soak else (*VALUES[:2], VALUES[2 + number % len(VALUES[2:])])
        for value in values:
            name = quote(value, safe="/%")
            path = re.sub(r"\{[^}]*\}", lambda _, name=name: name, row)
            found.append(f"{path}?q={name}&project={name}&ref={name}&name={name}&callback={name}")
    return found


def find_flaws(answer: Answer) -> list[str]:
    """Return what in an answer a browser could take for a document or script of ours."""
    headers = answer.headers
    policy = headers.get("content-security-policy", "")
    wrong = {
        "status": answer.status >= 500,
        "type": bool(answer.body) and headers.get("content-type") not in TYPES,
        "text": "text/plain" in headers.get("content-type", "") and b"# HELP" not in answer.body,
        "nosniff": headers.get("x-content-type-options") != "nosniff",
        "policy": "default-src 'none'" not in policy or "script-src 'unsafe" in policy,
        "split": headers.get("set-cookie", "").startswith("a=b"),
        "location": not re.match(r"/(?![/\\])|$", headers.get("location", "")),
        "frame": headers.get("x-frame-options") != "DENY",
        "raw": "html" in headers.get("content-type", "") and b"<svg onload" in answer.body,
        "svg": "svg" in headers.get("content-type", "") and b"<script" in answer.body,
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


def test_no_name_or_body_makes_an_answer_a_document_of_its_own(
    server: RunningServer, soak: bool
) -> None:
    @for_each(list_addresses(soak=soak))
    def check(address: str) -> None:
        answer = server.ask("GET", address, None, {"Accept": "text/html"})
        flaws = find_flaws(answer)
        assert not flaws, f"{flaws} {answer.status} {answer.headers} {answer.body[:200]!r}"

    check()
