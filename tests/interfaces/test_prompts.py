"""What is missing is asked for where a person can answer, and what cannot be is asked again."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from conftest import Place

DONE = "\x04"
"""What a terminal takes for the end of all answers."""
KNOWLEDGE = ("new", "knowledge", "-p", "driftwood", "-t", "a")


class Talk(NamedTuple):
    """What was said on a terminal, the answers among it, and how it ended."""

    code: int
    said: str


def _talk(place: Place, *words: str, answers: str) -> Talk:
    """Run a command on a terminal of its own, and type the answers."""
    ours, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "cortexfs", "--root", str(place.root), *words],
        stdin=its,
        stdout=its,
        stderr=its,
        env={**os.environ, "COLUMNS": "300"},
    ) as running:
        os.close(its)
        os.write(ours, answers.encode())
        chunks = []
        while chunk := _read(ours):
            chunks.append(chunk)
        os.close(ours)
        return Talk(running.wait(), b"".join(chunks).decode().replace("\r\n", "\n"))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""


def _subject(place: Place) -> str:
    return place.git("log", "-1", "--format=%s").strip()


def test_what_is_required_is_asked_for_one_after_another(sample: Place) -> None:
    talk = _talk(sample, *KNOWLEDGE, answers="Gains are small\nEXP-001, EXP-006\n")
    assert talk.code == 0, talk
    text = sample.read("projects/driftwood/knowledge/K-010.md")
    assert 'summary: "Gains are small"\n' in text
    assert "evidence: [EXP-001, EXP-006]\n" in text


@pytest.mark.parametrize("unknown", ["EXP-999", "nothing", "EXP-001, EXP-999", "greenhouse/K-099"])
def test_a_ref_that_is_unknown_is_told_at_once_and_asked_for_again(
    sample: Place, unknown: str
) -> None:
    talk = _talk(sample, *KNOWLEDGE, "-s", "x", answers=f"{unknown}\n{unknown}\nEXP-001\n")
    assert talk.code == 0, talk
    assert talk.said.count("error: no atom named") == 2
    assert talk.said.count("evidence (refs, such as") == 3
    assert "evidence: [EXP-001]\n" in sample.read("projects/driftwood/knowledge/K-010.md")


def test_every_field_that_holds_refs_is_looked_at(sample: Place) -> None:
    sample.write("cortexfs.yaml", "kinds:\n  memo:\n    required: [links, tags, source]\n")
    answers = "EXP-999\nEXP-001\na, b\nEXP-999\n"
    talk = _talk(sample, "new", "memo", "-p", "driftwood", "-s", "x", answers=answers)
    assert talk.code == 0, talk
    text = sample.read("projects/driftwood/memos/MEM-001.md")
    assert "links: [EXP-001]\nsource: EXP-999\n" in text
    assert "tags: [a, b]\n" in text


def test_an_unknown_ref_among_the_options_is_refused_before_anything_is_asked(
    sample: Place,
) -> None:
    talk = _talk(sample, *KNOWLEDGE, "-s", "x", "--link", "EXP-999", answers="EXP-001\n")
    assert talk.code == 3
    assert "evidence (refs" not in talk.said


def test_without_an_answer_it_is_refused_and_nothing_is_made(sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    for answers in (DONE * 2, "\n\n", f"EXP-999\n{DONE * 2}"):
        talk = _talk(sample, *KNOWLEDGE, "-s", "x", answers=answers)
        assert talk.code == 3
        assert "add --evidence" in talk.said
    assert sample.git("rev-parse", "HEAD") == head


def test_a_new_project_asks_for_its_goal(tree: Place) -> None:
    talk = _talk(tree, "project", "new", "sundial", answers="Know the time\n")
    assert talk.code == 0, talk
    assert _subject(tree) == "new project sundial: Know the time"


def test_a_project_that_cannot_be_is_refused_before_its_goal_is_asked_for(tree: Place) -> None:
    for name in ("Upper", "flywheel"):
        talk = _talk(tree, "project", "new", name, answers="x\n")
        assert talk.code == 3
        assert "goal:" not in talk.said


@pytest.mark.parametrize("goal", [(), ("--goal", ""), ("--goal", " ")])
def test_where_nobody_can_answer_a_goal_must_be_given(tree: Place, goal: tuple[str, ...]) -> None:
    ran = tree.run("project", "new", "sundial", *goal)
    assert (ran.code, ran.out) == (2, "")
    assert "--goal" in ran.err
    assert not (tree.root / "projects/sundial").exists()
    assert _talk(tree, "project", "new", "sundial", *goal, answers=DONE * 2).code == 2


def test_what_would_be_refused_is_so_before_the_editor_opens(sample: Place) -> None:
    opened = sample.root.parent / "opened"
    wrong = (["-s", "x" * 301], ["-s", "x", "--link", "EXP-999"], ["-s", "x", "--set", "id=1"])
    for words in wrong:
        editor = f"touch {opened}"
        ran = sample.run("new", "experiment", "-p", "driftwood", *words, "--edit", EDITOR=editor)
        assert ran.code == 3
    assert not opened.exists()
