"""Each route that changes something: its plan changes nothing, and then its change is on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from changes_of_routes import CHANGES, EXPERIMENTS, MEMORIES
from place import build_sample
from running_server import RunningServer, make_server_fixture
from soak_cases import leave_to_soak
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


@pytest.mark.parametrize("name", leave_to_soak(CHANGES, every=3))
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
