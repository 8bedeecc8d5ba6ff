"""What surrounds an atom helps to find it, and changes nothing where it is drawn by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from bench import context, context_sets
from bench.context import BOTH, CONTROL, SESSION_LINKS, SESSIONS, WITH, WITHOUT, score_context_of
from bench.context_sets import Text, TextSet
from bench.scores import mean_score, score_ranking
from bench.sets import Question

if TYPE_CHECKING:
    from pathlib import Path

    from bench.context import Layout
    from bench.scores import Score

SUBJECTS = (
    *("flywheel", "harbour", "walrus", "piano", "glacier", "saffron"),
    *("bicycle", "lantern", "orchard", "compass", "volcano", "umbrella"),
)
"""What the sessions are about: half of the turns of each name it."""
DETAILS = ("budget", "deadline", "weather")
"""What the other turns of each session name."""


def _make_set() -> TextSet:
    """Return sessions of six turns; a question has a subject and a detail, in no turn together."""
    texts = {}
    for subject in SUBJECTS:
        for n, detail in enumerate(DETAILS):
            texts[f"{subject} {n}"] = Text(f"The {subject} came up, as it does.", subject)
            texts[f"{subject} {detail}"] = Text(f"Somebody explained the {detail}.", subject)
    questions = [
        Question(f"{subject} {detail}", (f"{subject} {detail}",))
        for subject in SUBJECTS
        for detail in DETAILS
    ]
    return TextSet(texts, questions)


def _score(layout: Layout, root: Path) -> dict[str, list[Score]]:
    texts = _make_set()
    return score_context_of(context.lay_out(texts, layout, root), texts.questions)


@pytest.mark.usefixtures("full_text")
@pytest.mark.parametrize(
    "layout",
    leave_to_soak([SESSIONS, SESSION_LINKS, BOTH], every=3),
    ids=["sessions", "links", "both"],
)
def test_a_turn_is_found_by_a_word_of_another_of_its_group(layout: Layout, tmp_path: Path) -> None:
    runs = _score(layout, tmp_path / "tree")
    assert mean_score(runs[WITH]).recall_5 == 1.0
    assert mean_score(runs[WITHOUT]).recall_5 == pytest.approx(2 / len(SUBJECTS))


@pytest.mark.usefixtures("full_text")
def test_groups_drawn_by_chance_change_nothing(tmp_path: Path) -> None:
    runs = _score(CONTROL, tmp_path / "tree")
    assert runs[WITH] == runs[WITHOUT]


def test_only_a_loss_that_is_not_due_to_chance_is_worse() -> None:
    good, bad = (score_ranking(found, frozenset({"a"})) for found in (["a"], ["b"]))
    assert context.is_worse({WITH: [bad] * 5 + [good] * 5, WITHOUT: [good] * 10})
    assert not context.is_worse({WITH: [bad] + [good] * 9, WITHOUT: [good] * 10})
    assert not context.is_worse({WITH: [good] * 10, WITHOUT: [bad] * 10})


def test_the_weight_is_as_before_after_a_measurement() -> None:
    before = context.score_context.CONTEXT_WEIGHT
    with context.set_weight(0.0):
        assert context.score_context.CONTEXT_WEIGHT == 0.0
    assert before == context.score_context.CONTEXT_WEIGHT > 0


def test_entries_of_a_changelog_have_their_releases() -> None:
    lines = (
        "tool (2.0) unstable; urgency=low\n\n  * Fix the walrus,\n    again.\n  * Add a flag.\n\n"
        " -- Ada <ada@example.org>  Mon, 01 Jan 2026 00:00:00 +0000\n\ntool (1.0) unstable;\n\n"
        "  * First release.\n"
    ).splitlines(keepends=True)
    found = [(release, entry) for release, entry in context_sets._iter_entries(lines) if entry]
    assert found == [
        ("tool (2.0)", "Fix the walrus, again."),
        ("tool (2.0)", "Add a flag."),
        ("tool (1.0)", "First release."),
    ]
