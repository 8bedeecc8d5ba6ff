"""Missing values are asked for on a terminal, and invalid ones are asked for again."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak
from terminal import DONE, talk, talk_until

if TYPE_CHECKING:
    from place import Place

KNOWLEDGE = ("new", "knowledge", "-p", "driftwood", "-t", "a")


def _subject(place: Place) -> str:
    return place.git("log", "-1", "--format=%s").strip()


def test_missing_required_values_are_asked_for_in_turn(sample: Place) -> None:
    done = talk(sample, *KNOWLEDGE, answers="Gains are small\nEXP-001, EXP-006\n")
    assert done.code == 0, done
    text = sample.read("projects/driftwood/knowledge/K-010.md")
    assert 'summary: "Gains are small"\n' in text
    assert "evidence: [EXP-001, EXP-006]\n" in text


@pytest.mark.parametrize(
    "unknown",
    leave_to_soak(["EXP-999", "nothing", "EXP-001, EXP-999", "greenhouse/K-099"], every=2),
)
def test_an_unknown_ref_is_reported_at_once_and_asked_for_again(
    sample: Place, unknown: str
) -> None:
    done = talk(sample, *KNOWLEDGE, "-s", "x", answers=f"{unknown}\n{unknown}\nEXP-001\n")
    assert done.code == 0, done
    assert done.output.count("error: no atom named") == 2
    assert done.output.count("evidence (refs, such as") == 3
    assert "evidence: [EXP-001]\n" in sample.read("projects/driftwood/knowledge/K-010.md")


def test_every_field_of_refs_is_checked(sample: Place) -> None:
    sample.write("cortexfs.yaml", "kinds:\n  memo:\n    required: [links, tags, source]\n")
    answers = "EXP-999\nEXP-001\na, b\nEXP-999\n"
    done = talk(sample, "new", "memo", "-p", "driftwood", "-s", "x", answers=answers)
    assert done.code == 0, done
    text = sample.read("projects/driftwood/memos/MEM-001.md")
    assert "links: [EXP-001]\nsource: EXP-999\n" in text
    assert "tags: [a, b]\n" in text


def test_an_unknown_ref_among_the_options_is_refused_before_anything_is_asked(
    sample: Place,
) -> None:
    done = talk(sample, *KNOWLEDGE, "-s", "x", "--link", "EXP-999", answers="EXP-001\n")
    assert done.code == 3
    assert "evidence (refs" not in done.output


def test_without_an_answer_nothing_is_created(sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    for answers in (DONE * 2, "\n\n", f"EXP-999\n{DONE * 2}"):
        done = talk(sample, *KNOWLEDGE, "-s", "x", answers=answers)
        assert done.code == 3
        assert "add --evidence" in done.output
    assert sample.git("rev-parse", "HEAD") == head


def test_a_project_that_is_not_given_is_asked_for_until_there_is_one(sample: Place) -> None:
    words = ("new", "experiment", "-s", "x", "-t", "a")
    done = talk(sample, *words, answers="nowhere\n../up\ngreenhouse\n")
    assert done.code == 0, done
    assert done.output.count("project (driftwood, greenhouse, lighthouse):") == 3
    assert (done.output.count("no project named"), done.output.count("cannot be the name")) == (
        1,
        1,
    )
    assert "greenhouse/EXP-" in done.output


def test_without_a_project_the_command_is_refused_and_names_the_projects(sample: Place) -> None:
    words = ("new", "experiment", "-s", "x", "-t", "a")
    ran, done = sample.run(*words), talk(sample, *words, answers=DONE * 2)
    assert (ran.code, done.code) == (3, 3)
    for text in (ran.err, done.output):
        assert "--project with one of: driftwood, greenhouse, lighthouse" in text


@pytest.mark.parametrize("words", [("new", "decision"), ("decision", "new")])
def test_both_ways_to_a_decision_ask_for_alternatives_and_choose_the_same_project(
    sample: Place, words: tuple[str, ...]
) -> None:
    body = sample.root.parent / "body.md"
    body.write_text("# {{id}}: {{summary}}\n\n## Context\n\nWhy.\n\n## Decision\n\nThis.\n")
    given = (*words, "-s", "Pick", "-t", "a", "--body-file", str(body))
    ran = sample.run(*given)
    assert (ran.code, "two alternatives" in ran.err) == (3, True)
    body.write_text(body.read_text() + "\n## Alternatives\n\n1. This\n2. That\n")
    inside = sample.root / "projects/greenhouse/knowledge"
    command = [sys.executable, "-m", "cortexfs", *given]
    made = subprocess.run(command, cwd=inside, capture_output=True, text=True, check=True)
    assert made.stdout.startswith("greenhouse/DR-")
    assert sample.ok(*given).startswith("DR-")


@pytest.mark.parametrize("words", [("new", "decision"), ("decision", "new")])
def test_a_decision_asks_for_its_summary_and_alternatives(
    sample: Place, words: tuple[str, ...]
) -> None:
    done = talk(sample, *words, answers="Pick a clock\nTides\nQuartz\nStars\n\n")
    assert done.code == 0, done
    assert done.output.count("(empty ends)") == 2
    assert "1. Tides\n2. Quartz\n3. Stars\n" in sample.read(done.output.split()[-1])
    assert _subject(sample).endswith(": Pick a clock")


def test_given_alternatives_are_not_asked_for(sample: Place) -> None:
    given = ("--alternative", "Tides", "--alternative", "Quartz")
    done = talk(sample, "decision", "new", "-s", "Pick", *given)
    assert (done.code, "alternative 3" in done.output) == (0, False)


def test_an_idea_asks_for_its_summary(sample: Place) -> None:
    assert talk(sample, "idea", "new", answers="Tides as a clock\n").code == 0
    assert _subject(sample).endswith(": Tides as a clock")
    ran = sample.run("idea", "new")
    assert (ran.code, "error: a new idea needs the field `summary`" in ran.err) == (3, True)


def test_a_missing_kind_is_asked_for_or_refused_with_the_kinds(sample: Place) -> None:
    ran = sample.run("new", "-p", "driftwood", "-s", "x")
    assert (ran.code, "kinds are experiment, knowledge, " in ran.err) == (2, True)
    done = talk(sample, "new", "-p", "driftwood", "-s", "Spin", answers="experiment\n")
    assert (done.code, _subject(sample).startswith("new experiment")) == (0, True)


def test_the_question_for_a_type_names_the_types_of_the_tree(sample: Place) -> None:
    asked = ("new", "observation", "-p", "driftwood", "-s", "x")
    assert "type (such as note):" in talk(sample, *asked, answers="bug\n").output
    sample.ok(*asked, "--set", "type=insight")
    assert "type (bug, insight):" in talk(sample, *asked, answers="bug\n").output


def test_a_new_project_asks_for_its_goal(tree: Place) -> None:
    done = talk(tree, "project", "new", "sundial", answers="Know the time\n")
    assert done.code == 0, done
    assert _subject(tree) == "new project sundial: Know the time"


def test_an_invalid_project_is_refused_before_its_goal_is_asked_for(tree: Place) -> None:
    for name in ("Upper", "flywheel"):
        done = talk(tree, "project", "new", name, answers="x\n")
        assert done.code == 3
        assert "goal:" not in done.output


@pytest.mark.parametrize("goal", [(), ("--goal", ""), ("--goal", " ")])
def test_without_a_terminal_a_goal_must_be_given(tree: Place, goal: tuple[str, ...]) -> None:
    ran = tree.run("project", "new", "sundial", *goal)
    assert (ran.code, ran.out) == (3, "")
    assert "--goal" in ran.err
    assert not (tree.root / "projects/sundial").exists()
    assert talk(tree, "project", "new", "sundial", *goal, answers=DONE * 2).code == 3


def test_invalid_options_are_refused_before_the_editor_opens(sample: Place) -> None:
    opened = sample.root.parent / "opened"
    wrong = (["-s", "x" * 301], ["-s", "x", "--link", "EXP-999"], ["-s", "x", "--set", "id=1"])
    for words in wrong:
        editor = f"touch {opened}"
        created = ("new", "experiment", "-p", "driftwood", *words, "--edit")
        assert talk(sample, *created, EDITOR=editor).code == 3
    assert not opened.exists()


def test_ctrl_c_at_a_question_ends_the_line(tree: Place) -> None:
    done = talk_until(tree, "goal:", "\x03", "project", "new", "sundial")
    assert done.code == 130
    assert done.output == "goal: ^C\n"
