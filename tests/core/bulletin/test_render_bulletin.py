"""A bulletin keeps its budget, its order and its floors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.bulletin.bulletin_line import (
    DECISIONS,
    KNOWLEDGE,
    OBSERVATIONS,
    RECENT,
    SECTIONS,
    SEE_ALSO,
    BulletinLine,
)
from cortexfs.core.bulletin.measure_text import (
    Budget,
    BudgetUnit,
    count_words,
    make_token_budget,
    make_word_budget,
)
from cortexfs.core.bulletin.render_bulletin import BulletinDraft, render_bulletin

if TYPE_CHECKING:
    import random

KEYS = [key for key in SECTIONS if key != SEE_ALSO]
LINES = st.lists(
    st.builds(
        BulletinLine,
        st.sampled_from(KEYS),
        st.text("ab c", min_size=1).map(str.strip).filter(bool),
        st.sampled_from(["p/K-001", "p/EXP-002", "projects/p/STATUS.md"]),
        st.sampled_from(["2026-05-05", "2026-05-06"]),
        st.floats(0, 1).map(lambda score: round(score, 2)),
    ),
    max_size=60,
)
HEADING = re.compile(r"^## (.+): (\d+) of (\d+)(?: \((.+, .+)\))?$", re.MULTILINE)


def make_line(section: str, number: int, score: float = 0.5) -> BulletinLine:
    return BulletinLine(section, f"line {number}", f"p/K-{number:03d}", "2026-05-05", score)


@given(LINES, st.integers(20, 200), st.randoms(use_true_random=False))
def test_a_bulletin_is_within_its_budget_and_does_not_depend_on_the_order_of_its_lines(
    lines: list[BulletinLine], limit: int, chance: random.Random
) -> None:
    for budget in (make_word_budget(limit), make_token_budget(limit, None)):
        first = render_bulletin(BulletinDraft("p", lines), budget)
        assert first.length == budget.measure(first.text) <= limit
        mixed = list(lines)
        chance.shuffle(mixed)
        assert render_bulletin(BulletinDraft("p", mixed), budget).text == first.text


@pytest.mark.parametrize("section", [DECISIONS, KNOWLEDGE, OBSERVATIONS])
def test_an_atom_is_shown_with_the_end_of_a_sentence_of_usual_length(section: str) -> None:
    text = "the soil probe needs a thermometer: subtract 0.62 points for each degree below 20"
    line = BulletinLine(section, text, "p/K-002", "2026-01-22", 0.5)
    assert text in render_bulletin(BulletinDraft("p", [line]), make_word_budget(500)).text


@given(LINES)
def test_each_heading_counts_its_lines_and_all_of_them(lines: list[BulletinLine]) -> None:
    bulletin = render_bulletin(BulletinDraft("p", lines), make_word_budget(100))
    parts = bulletin.text.split("\n## ")[1:]
    assert len(parts) == len(bulletin.sections)
    for part, section in zip(parts, bulletin.sections, strict=True):
        title, shown, total, _ = HEADING.findall(f"## {part}")[0]
        assert title == section.title
        assert int(shown) == part.count("\n- ") == len(section.lines)
        assert int(total) == sum(line.section == section.key for line in lines)
        key = (lambda line: line.day) if section.key == RECENT else (lambda line: line.score)
        keys = list(map(key, section.lines))
        assert keys == sorted(keys, reverse=True)


@given(LINES)
def test_each_line_has_its_source_and_day_at_its_end_or_in_its_heading(
    lines: list[BulletinLine],
) -> None:
    bulletin = render_bulletin(BulletinDraft("p", lines), make_word_budget(100))
    parts = bulletin.text.split("\n## ")[1:]
    for part, section in zip(parts, bulletin.sections, strict=True):
        shared = HEADING.findall(f"## {part}")[0][3]
        for shown, line in zip(part.splitlines()[1:], section.lines, strict=True):
            own = f" ({line.source}, {line.day})"
            assert shown.endswith(own) or f" ({shared})" == own
        assert not shared or part.count(f"({shared})") == 1


def test_no_section_costs_more_than_its_share_beyond_its_floor() -> None:
    lines = [make_line("tasks", number, 0.9) for number in range(100)]
    (tasks,) = render_bulletin(BulletinDraft("p", lines), make_word_budget(500)).sections
    words_of_a_line = count_words("- line 10 (p/K-010, 2026-05-05)")
    assert len(tasks.lines) == int(500 * SECTIONS["tasks"].max_share) // words_of_a_line


def test_a_source_that_most_lines_of_a_section_have_stands_in_its_heading() -> None:
    at = "projects/p/STATUS.md"
    lines = [
        BulletinLine("blockers", "No board", at, "2026-05-05", 0.9),
        BulletinLine("blockers", "Vague", "projects/p/ISSUES.md", "2026-04-01", 0.8),
        BulletinLine("blockers", "No plug", at, "2026-05-05", 0.7),
    ]
    text = render_bulletin(BulletinDraft("p", lines), make_word_budget(200)).text
    assert text == (
        f"# p\n\n## Open blockers: 3 of 3 ({at}, 2026-05-05)\n"
        "- No board\n- Vague (projects/p/ISSUES.md, 2026-04-01)\n- No plug\n"
    )


def test_recent_activity_is_shown_from_the_newest_to_the_oldest() -> None:
    lines = [
        BulletinLine(RECENT, day, f"p/EXP-{number:03d}", f"2026-0{number}-01", score)
        for number, (day, score) in enumerate([("old", 0.9), ("new", 0.3), ("last", 0.6)], 1)
    ]
    bulletin = render_bulletin(BulletinDraft("p", lines), make_word_budget(100))
    assert [line.text for line in bulletin.sections[0].lines] == ["last", "new", "old"]


def test_each_section_has_its_floor_before_another_has_more() -> None:
    many = [make_line("tasks", number, 0.99) for number in range(100)]
    few = [make_line(key, 500 + at, 0.01) for at, key in enumerate(KEYS)]
    bulletin = render_bulletin(BulletinDraft("p", [*many, *few]), make_word_budget(110))
    assert [section.key for section in bulletin.sections] == KEYS
    share = SECTIONS["tasks"].max_share
    (tasks,) = (section for section in bulletin.sections if section.key == "tasks")
    assert sum(len(line.text.split()) + 3 for line in tasks.lines) <= max(110 * share, 10)


def test_a_line_says_its_source_and_day() -> None:
    line = BulletinLine("state", "Phase 3", "projects/p/STATUS (x)\n.md", "2026-05-05", 1.0)
    text = render_bulletin(BulletinDraft("p", [line]), make_word_budget(50)).text
    assert text == (
        "# p\n\n## Current state and next steps: 1 of 1\n"
        "- Phase 3 (projects/p/STATUS-x-.md, 2026-05-05)\n"
    )


def test_without_lines_there_is_no_text() -> None:
    assert render_bulletin(BulletinDraft("p", []), make_word_budget(50)).text == ""


def test_atoms_that_have_no_line_are_named_where_there_is_room() -> None:
    named = [make_line("", number)._replace(text="") for number in range(9)]
    draft = BulletinDraft("p", [make_line("knowledge", 0)], {"knowledge": 4}, named, 12)
    bulletin = render_bulletin(draft, make_word_budget(200))
    assert "## Hot knowledge and anti-patterns: 1 of 5\n" in bulletin.text
    assert "## See also: 8 of 11\n- p/K-001, p/K-002, p/K-003, p/K-004, p/K" in bulletin.text
    assert bulletin.text.endswith(", p/K-008 (2026-05-05)\n")
    assert bulletin.sources == tuple(f"p/K-{number:03d}" for number in range(9))


def test_tokens_are_counted_by_the_tokenizer_if_there_is_one() -> None:
    lines = [make_line("knowledge", number) for number in range(50)]
    counted = make_token_budget(300, len)
    assert counted.unit is BudgetUnit.TOKENS
    assert render_bulletin(BulletinDraft("p", lines), counted).length <= 300
    assert make_token_budget(300, None).unit is BudgetUnit.ESTIMATED_TOKENS


def test_a_measure_that_counts_the_whole_higher_than_its_parts_keeps_the_budget() -> None:
    lines = [make_line("knowledge", number) for number in range(50)]
    budget = Budget(300, BudgetUnit.TOKENS, lambda text: len(text) + text.count("\n") ** 2)
    assert 0 < render_bulletin(BulletinDraft("p", lines), budget).length <= 300


@pytest.mark.parametrize("limit", [1, 5])
def test_a_budget_too_small_for_a_line_gives_no_text(limit: int) -> None:
    draft = BulletinDraft("p", [make_line("knowledge", 1)])
    assert render_bulletin(draft, make_word_budget(limit)).text == ""
