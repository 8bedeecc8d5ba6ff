"""The daemon asks the language model about new chunks where the settings want it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from model_server import configure_model, make_timing, serve_model
from story_model import NOTHING, StoryModel

from cortexfs.core.settings.daemon_settings import DaemonSettings
from cortexfs.core.stories.message import Message
from cortexfs.interfaces.daemon.job_table import list_jobs
from cortexfs.operations.stories.analyse_new_chunks import AnalysisRun, analyse_new_chunks
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.import_story import import_story
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from model_server import Scripted
    from place import Place

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
SETTINGS = """\
stories:
  messages-per-chunk: 2
  consolidation: {enabled: off}
  sidecar: {enabled: on, batch: 1, parallel: 1}
"""
OFF = SETTINGS.replace("enabled: on", "enabled: off")


def chat(count: int, where: str = "here") -> list[Message]:
    texts = (f"I promise to wait {where} ({n})." for n in range(count))
    return [Message("", "", "Kael", "user", text) for text in texts]


@pytest.fixture
def server() -> Iterator[Scripted]:
    with serve_model() as scripted:
        scripted.replies = StoryModel(
            lambda _: NOTHING | {"importance": 8, "summary": "Kael promises to wait."},
            lambda _: {"title": "A wait", "summary": "Kael waited."},
        )
        yield scripted


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    tree.write("cortexfs.yaml", SETTINGS)
    opened = Session.open(str(tree.root), lambda: NOW)
    yield opened
    opened.close()


def configure(tmp_path: Path, server: Scripted, calls: int) -> dict[str, str]:
    return configure_model(
        tmp_path, endpoint=server.url, name="tiny", timeout=5, calls_per_day=calls
    )


def run(session: Session, environ: dict[str, str]) -> AnalysisRun:
    return analyse_new_chunks(session, environ, timing=make_timing([]))


def test_complete_chunks_are_asked_about_once_and_the_last_one_when_it_has_ended(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    environ = configure(tmp_path, server, 100)
    import_story(session, "flywheel", "road", chat(6))
    assert run(session, environ).format_lines() == ["story flywheel/road: 2 chunks analysed"]
    assert len(server.requests) == 2
    assert "salience-source: sidecar" in tree.read("projects/flywheel/chunks/CH-0002.md")
    assert "salience-source: heuristic" in tree.read("projects/flywheel/chunks/CH-0003.md")
    assert run(session, environ).skipped_reason == "no new chunks"
    append_message(session, "flywheel", "road", Message("", "", "Kael", "", "Here I am."))
    assert [each.chunks for each in run(session, environ).stories] == [1]
    assert len(server.requests) == 3
    assert tree.git("status", "--porcelain") == "?? cortexfs.yaml\n"


def test_a_quarter_of_the_calls_of_a_day_is_left_to_people(
    session: Session, server: Scripted, tmp_path: Path
) -> None:
    environ = configure(tmp_path, server, 8)
    import_story(session, "flywheel", "lane", chat(10))
    import_story(session, "flywheel", "road", chat(10, "there"))
    done = run(session, environ)
    assert [each.chunks for each in done.stories] == [4, 2]
    assert len(server.requests) == 6
    assert "calls of the day" in run(session, environ).skipped_reason
    assert len(server.requests) == 6


def test_nothing_is_asked_unless_a_model_and_the_settings_are_there_for_it(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(6))
    assert run(session, {"HOME": str(tmp_path)}).skipped_reason == "no language model is configured"
    environ = configure(tmp_path, server, 100)
    tree.write("cortexfs.yaml", OFF)
    assert run(session, environ).skipped_reason == "the settings want no sidecar"
    other = SETTINGS.replace("chunk: 2", "chunk: 3")
    tree.write("cortexfs.yaml", other)
    assert run(session, environ).skipped_reason == "no new chunks", "it waits for a rebuild"
    assert server.requests == []


def test_a_model_that_fails_changes_nothing_and_is_asked_no_more_in_that_run(
    tree: Place, session: Session, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "lane", chat(4))
    import_story(session, "flywheel", "road", chat(4))
    before = tree.git("rev-parse", "HEAD")
    environ = configure_model(
        tmp_path, endpoint="http://127.0.0.1:9/v1", name="tiny", timeout=1, calls_per_day=50
    )
    (story,) = run(session, environ).stories
    assert (story.name, story.chunks, bool(story.failure)) == ("lane", 0, True)
    assert tree.git("rev-parse", "HEAD") == before


def test_it_is_a_job_of_the_daemon_with_an_interval(tree: Place, session: Session) -> None:
    (job,) = (job for job in list_jobs({}) if job.name == "stories")
    assert job.get_rule(DaemonSettings()).interval_s == 900
    assert job.get_rule(DaemonSettings(stories=0)).interval_s == 0
    tree.write("cortexfs.yaml", OFF)
    assert job.run(session, {}) == AnalysisRun(skipped_reason="the settings want no sidecar")
