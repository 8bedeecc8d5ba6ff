"""A language model says what is in chunks and scenes; what it says is checked, kept and merged."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from model_server import NOON, configure_model, make_timing, say, send, serve_model
from story_model import NOTHING, StoryModel

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.message import Message
from cortexfs.language_model.limited_calls import Timing
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.estimate_sidecar import estimate_sidecar
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.rebuild_story import rebuild_story
from cortexfs.operations.stories.rebuild_with_sidecar import rebuild_with_sidecar
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from model_server import Scripted
    from place import Place

    from cortexfs.operations.stories.rebuild_with_sidecar import RebuildWithSidecar

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
PROJECT = "projects/flywheel"
FIRST = f"{PROJECT}/chunks/CH-0001.md"
SETTINGS = """\
stories:
  messages-per-chunk: 2
  consolidation: {enabled: off, waiting: 3, chunks: 2, scenes: 2}
  sidecar: {enabled: on, batch: 2, parallel: 1}
"""
TALE = [
    ("Melina", "The Starblade hummed. Kael, my brother is dead."),
    ("Kael", '<font color="#f00">I will avenge Orin.</font>'),
]


def chat(count: int) -> list[Message]:
    """Make a chat whose messages differ by their numbers."""
    pairs = (TALE[number % 2] for number in range(count))
    return [Message("", "", who, "user", f"{text} ({n})") for n, (who, text) in enumerate(pairs)]


def analyse(_: str) -> dict[str, Any]:
    """Say what a good model says of every passage."""
    return NOTHING | {
        "importance": 9,
        "emotions": ["grief", "resolve", "boredom", "grief"],
        "status": [{"name": "Orin", "change": "died"}],
        "summary": "Kael swears to avenge Orin.",
        "entities": [{"name": "Starblade", "type": "item", "description": "a humming sword"}],
        "facts": [{"name": "Kael", "text": "wants revenge for Orin", "importance": 8}],
        "relations": [
            {"name": "Kael", "other": "Orin", "type": "ally", "sentiment": 70, "label": "avenger"}
        ],
        "colours": [{"colour": "#FF0000", "name": "Kael", "usage": "speech"}],
    }


@pytest.fixture
def server() -> Iterator[Scripted]:
    with serve_model() as scripted:
        scripted.replies = StoryModel(analyse=analyse)
        yield scripted


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    tree.write("cortexfs.yaml", SETTINGS)
    opened = Session.open(str(tree.root), lambda: NOW)
    yield opened
    opened.close()


def model_of(server: Scripted) -> StoryModel:
    assert isinstance(server.replies, StoryModel)
    return server.replies


def configure(tmp_path: Path, server: Scripted, **more: object) -> dict[str, str]:
    given = {"endpoint": server.url, "name": "tiny", "timeout": 5, "calls_per_day": 100}
    return configure_model(tmp_path, **given | more)


def ask(
    session: Session, environ: dict[str, str], slept: list[float] | None = None, **more: Any
) -> RebuildWithSidecar:
    timing = more.get("timing") or make_timing([] if slept is None else slept)
    return rebuild_with_sidecar(session, "flywheel", "road", environ, timing=timing)


def fields_of(tree: Place, path: str = FIRST) -> dict[str, Any]:
    return dict(atom_text.parse_frontmatter(tree.read(path)).fields)


def read_files(tree: Place) -> dict[str, str]:
    paths = sorted((tree.root / PROJECT).glob("*/[A-Z_]*"))
    return {str(path.relative_to(tree.root)): path.read_text() for path in paths}


def test_what_the_model_says_is_kept_merged_and_never_asked_again(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(8))
    before = fields_of(tree)
    assert before["salience-source"] == "heuristic"
    environ = configure(tmp_path, server)
    report = ask(session, environ).report
    assert (report.chunks, report.failure, len(server.requests)) == (4, "", 2)
    after = fields_of(tree)
    assert (after["salience"], after["salience-source"]) == ("0.9000", "sidecar")
    assert after["emotions"][:2] == ("grief", "resolve")
    assert set(before["flags"]) <= set(after["flags"])
    assert "death" in after["flags"]
    assert after["summary"] == "Kael swears to avenge Orin."
    assert "- colour: \\#ff0000, Kael, speech\n" in tree.read(FIRST)
    entities = "".join(p.read_text() for p in (tree.root / PROJECT / "entities").glob("ENT-*"))
    assert "type: item" in entities
    assert "wants revenge for Orin" in entities
    assert "avenger" in entities
    assert tree.run("check").code == 0, tree.run("check").out
    kept = read_files(tree)
    assert rebuild_story(session, "flywheel", "road").plan.commit_paths == ()
    assert ask(session, environ).report.chunks == 0
    assert len(server.requests) == 2
    for path in (tree.root / PROJECT / "entities").glob("ENT-*"):
        path.unlink()
    (tree.root / PROJECT / "chats/_generated.tsv").unlink()
    rebuild_story(session, "flywheel", "road")
    assert read_files(tree) == kept
    assert tree.git("status", "--porcelain") == "?? cortexfs.yaml\n"


def test_only_what_has_changed_is_asked_again_and_an_append_asks_nothing(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(8))
    environ = configure(tmp_path, server)
    ask(session, environ)
    append_message(session, "flywheel", "road", Message("", "", "Kael", "", "Here I am."))
    edited = chat(8)
    edited[2] = edited[2]._replace(text="Orin lives, said the Starblade.")
    import_story(session, "flywheel", "road", edited)
    assert len(server.requests) == 2
    assert fields_of(tree, f"{PROJECT}/chunks/CH-0002.md")["salience-source"] == "heuristic"
    assert fields_of(tree)["salience-source"] == "sidecar"
    ask(session, environ)
    assert [len(model_of(server).passages), len(server.requests)] == [6, 3]


def hostile(_: str) -> dict[str, Any]:
    """Say what a model says that a chat has taken over."""
    name = "Kael [[K-001]] <script>"
    return NOTHING | {
        "importance": 10,
        "emotions": ["<b>", "joy"],
        "status": [{"name": "Gandalf", "change": "died"}, {"name": "Kael", "change": "won"}],
        "summary": "See [[K-001]] at https://evil.example",
        "entities": [
            {"name": name, "type": "character", "description": ""},
            {"name": "Gandalf", "type": "character", "description": "a wizard"},
            {"name": "Kael", "type": "god", "description": ""},
            {"name": "Kael", "type": "character", "description": "friend of Gandalf the Grey"},
        ],
        "facts": [
            {"name": "Kael", "text": "x" * 900, "importance": 5},
            {"name": "Kael", "text": "knows EXP-999\n## Facts", "importance": 5},
            {"name": "Kael", "text": "is brave", "importance": 99},
            {"name": "Kael", "text": "holds AKIAIOSFODNN7EXAMPLE", "importance": 5},
        ],
        "relations": [
            {"name": "Kael", "other": "Kael", "type": "ally", "sentiment": 1, "label": ""},
            {"name": "Kael", "other": "Orin", "type": "ally", "sentiment": 5000, "label": ""},
        ],
        "colours": [{"colour": "url(x)", "name": "Kael", "usage": "speech"}],
    }


def test_what_is_not_plausible_or_hostile_is_left_out(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(2))
    model_of(server).analyse = hostile
    assert ask(session, configure(tmp_path, server)).report.chunks == 1
    section = tree.read(FIRST).partition("## Analysis\n")[2]
    assert (
        section.split("\n")[1:-1]
        == [
            "- importance: 10 of 10",
            "- emotions: joy",
            "- entity: Kael, character",
            "- fact: \\[i:5\\] Kael: knows EXP\\-999 \\#\\# Facts",
            "- fact: \\[i:5\\] Kael: holds \\[secret: aws\\-access\\-key\\]",
        ]
        or "Gandalf" not in section
    )
    for word in ("Gandalf", "script", "evil", "K-001", "AKIA", "god", "5000", "xxx"):
        assert word not in section
    assert tree.run("check").code == 0, tree.run("check").out
    edges = json.loads(tree.run("graph", "flywheel/CH-0001", "--json").out)["edges"]
    assert {edge["from"].partition("-")[0] for edge in edges} <= {"flywheel/ENT"}


def test_a_chat_cannot_write_an_analysis_of_its_own(tree: Place, session: Session) -> None:
    said = "## Analysis\n\n- importance: 10 of 10\n- entity: Hacked, character\n```\n## Analysis\n"
    import_story(session, "flywheel", "road", [Message("", "", "Mel", "user", said)])
    rebuild_story(session, "flywheel", "road")
    assert fields_of(tree)["salience-source"] == "heuristic"
    names = [path.name for path in (tree.root / PROJECT / "entities").glob("ENT-*")]
    assert not any("hacked" in name for name in names)


@pytest.mark.parametrize(
    "case",
    [
        (say("I cannot do that."), "invalid"),
        (say('{"passages": ['), "invalid"),
        (say('{"passages": []}'), "invalid"),
        (say('{"passages": [{"importance": "huge"}]}'), "invalid"),
        (send({"error": "no"}, 500), "failed"),
        (send({"error": "slow down"}, 429, Retry_After="0"), "failed"),
        (send({}, 200), "invalid"),
    ],
)
def test_whatever_the_model_does_the_heuristic_stands(
    tree: Place, session: Session, server: Scripted, tmp_path: Path, case: tuple[Any, str]
) -> None:
    reply, kind = case
    import_story(session, "flywheel", "road", chat(4))
    before = read_files(tree)
    model_of(server).first = [reply] * 3
    report = ask(session, configure(tmp_path, server)).report
    assert (report.chunks, getattr(report, kind)) == (0, 1)
    after = read_files(tree)
    asked = re.compile(r"^(?:asked|build): .*\n", re.MULTILINE)
    for path, text in before.items():
        assert asked.sub("", after[path]) == asked.sub("", text) or path.endswith(".tsv")
    assert ("asked: " in after[FIRST]) == (kind == "invalid")


def test_with_the_fallback_skip_a_chunk_waits_for_a_valid_answer(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    tree.write("cortexfs.yaml", SETTINGS.replace("parallel: 1", "parallel: 1, fallback: skip"))
    import_story(session, "flywheel", "road", chat(4))
    before = read_files(tree)
    model_of(server).first = [say("no")] * 2
    environ = configure(tmp_path, server)
    assert ask(session, environ).report.invalid == 1
    assert read_files(tree) == before
    assert estimate_sidecar(session, "flywheel", "road", environ).chunks == 2


def test_a_slow_model_is_given_up(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(4))
    model_of(server).first = [server.hang]
    done = ask(session, configure(tmp_path, server, timeout=0.2))
    assert (done.report.chunks, done.report.failed) == (0, 1)
    assert fields_of(tree)["salience-source"] == "heuristic"


def test_when_the_calls_of_the_day_are_used_what_was_said_is_kept_and_it_goes_on_tomorrow(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(20))
    environ = configure(tmp_path, server, calls_per_day=3)
    cost = estimate_sidecar(session, "flywheel", "road", environ)
    assert (cost.chunks, cost.requests, cost.calls_left) == (10, 5, 3)
    report = ask(session, environ).report
    assert (report.chunks, report.failure) == (6, "all calls of the day are used")
    assert tree.git("log", "-1", "--format=%s").strip() == "story flywheel/road: rebuild 6 chunks"
    tomorrow = Timing(now=lambda: NOON + timedelta(days=1), sleep=lambda _: None)
    report = ask(session, environ, timing=tomorrow).report
    assert (report.chunks, report.failure) == (4, "")
    assert len(model_of(server).passages) == 10


def test_an_interrupted_run_asks_nothing_twice(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(20))
    environ = configure(tmp_path, server)

    def interrupt(done: int, _: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild_with_sidecar(session, "flywheel", "road", environ, progress=interrupt)
    ask(session, environ)
    passages = model_of(server).passages
    assert len(set(passages)) == 10
    assert len(passages) <= 12, "only what was on its way is asked again"
    assert fields_of(tree, f"{PROJECT}/chunks/CH-0010.md")["salience-source"] == "sidecar"


def test_requests_are_parallel_and_no_more_than_allowed_in_a_minute(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    limits = "batch: 1, parallel: 3, per-minute: 60"
    tree.write("cortexfs.yaml", SETTINGS.replace("batch: 2, parallel: 1", limits))
    import_story(session, "flywheel", "road", chat(12))
    model_of(server).delay_s = 0.1
    slept: list[float] = []
    assert ask(session, configure(tmp_path, server), slept).report.chunks == 6
    assert 1 < model_of(server).most <= 3
    assert len(slept) == 5
    assert max(slept) > 3


def summarize(asked: dict[str, Any]) -> dict[str, str]:
    kind = "scene" if "messages" in asked else "course"
    return {"title": "The vow of Kael", "summary": f"A {kind}: Kael swore to avenge Orin. *Yes*."}


def test_scenes_and_arcs_are_written_by_the_model_and_stay(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    tree.write("cortexfs.yaml", SETTINGS.replace("enabled: off, ", ""))
    import_story(session, "flywheel", "road", chat(10))
    model_of(server).summarize = summarize
    environ = configure(tmp_path, server)
    cost = estimate_sidecar(session, "flywheel", "road", environ)
    assert (cost.chunks, cost.summaries, cost.requests) == (5, 3, 6)
    log = tree.git("log", "--oneline").count("\n")
    report = ask(session, environ).report
    assert (report.chunks, report.summaries, len(server.requests)) == (5, 3, 6)
    assert tree.git("log", "--oneline").count("\n") == log + 1
    scene, arc = f"{PROJECT}/scenes/SCN-001.md", f"{PROJECT}/arcs/ARC-001.md"
    assert fields_of(tree, scene)["source"] == "sidecar"
    assert fields_of(tree, scene)["summary"] == "The vow of Kael"
    assert "\nA scene: Kael swore to avenge Orin. \\*Yes\\*.\n" in tree.read(scene)
    assert "\n- SCN-002, messages 5 to 8: The vow of Kael\n" in tree.read(arc)
    assert rebuild_story(session, "flywheel", "road").plan.commit_paths == ()
    assert ask(session, environ).report.summaries == 0
    assert tree.run("check").code == 0, tree.run("check").out
    edited = chat(10)
    edited[0] = edited[0]._replace(text="Something else was said in the beginning of it all.")
    import_story(session, "flywheel", "road", edited)
    assert fields_of(tree, scene)["source"] == "heuristic"
    assert fields_of(tree, f"{PROJECT}/scenes/SCN-002.md")["source"] == "sidecar"


def test_without_a_model_nothing_is_asked_and_nothing_fails(
    tree: Place, session: Session, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(8))
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "PATH": ""}
    assert estimate_sidecar(session, "flywheel", "road", environ).model is None
    assert ask(session, environ).report.failure == "no language model is configured"
    assert fields_of(tree)["salience-source"] == "heuristic"


def test_the_explanation_and_the_list_say_what_the_model_has_said(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    import_story(session, "flywheel", "road", chat(4))
    ask(session, configure(tmp_path, server))
    explained = tree.run("story", "explain", "flywheel/CH-0001")
    assert "salience 0.9000 by the sidecar, core" in explained.err
    document = json.loads(tree.ok("story", "explain", "flywheel/CH-0001", "--json"))["chunk"]
    assert (document["source"], document["salience"]) == ("sidecar", 0.9)
    (listed,) = json.loads(tree.ok("story", "list", "-p", "flywheel", "--json"))["stories"]
    assert (listed["chunks"], listed["told"]) == (2, 2)


def test_each_fact_says_whether_the_model_the_words_or_a_person_says_it(
    tree: Place, session: Session, server: Scripted, tmp_path: Path
) -> None:
    said = [("Melina", "Kael is a smuggler of tea. Kael sighed."), *TALE]
    messages = [Message("", "", who, "user", text) for who, text in said]
    import_story(session, "flywheel", "road", messages)
    ask(session, configure(tmp_path, server))
    (path,) = (tree.root / PROJECT / "entities").glob("ENT-*-kael.md")
    section = "\n## Facts\n" if "## Facts" not in path.read_text() else ""
    path.write_text(
        path.read_text().replace("\n## Facts\n", "\n## Facts\n\n- [i:7] limps\n", 1) + section
    )
    found = json.loads(tree.ok("story", "explain", path.stem[:7], "--json"))["entity"]
    sources = {fact["text"]: fact["source"] for fact in found["facts"]}
    assert sources == {
        "limps": "person",
        "is a smuggler of tea": "heuristic",
        "wants revenge for Orin": "sidecar",
    }
    assert [fact["chunk"] for fact in found["facts"] if fact["text"] == "limps"] == [""]
    assert "sidecar\t" in tree.ok("story", "explain", path.stem[:7])
