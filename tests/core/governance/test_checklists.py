"""Checklists: one mark changes when an item is ticked, and items are added where they belong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import NEWLINES, texts

from cortexfs.core.governance.checklist import (
    add_items,
    find_empty_milestones,
    mark_item_done,
    parse_checklist,
)
from cortexfs.errors import Refused

ROADMAP = """# r

## Phase 1: Find it

### M1.1 A yardstick

- [x] One
- [ ] Two
  goes on

## Phase 2: The season

Status: 🔄 In Progress

Verification Conditions:

* [ ] Three
* [X] Four

Outputs:

- a file

## Phase 3: Empty

### M3.1 Nothing here

### M3.2 Something

- [ ]
"""


def test_every_item_has_its_phase_and_its_milestone() -> None:
    assert [tuple(item)[:5] for item in parse_checklist(ROADMAP)] == [
        (1, True, "One", "Phase 1: Find it", "M1.1 A yardstick"),
        (2, False, "Two", "Phase 1: Find it", "M1.1 A yardstick"),
        (3, False, "Three", "Phase 2: The season", "Verification Conditions"),
        (4, True, "Four", "Phase 2: The season", "Verification Conditions"),
        (5, False, "", "Phase 3: Empty", "M3.2 Something"),
    ]


@given(texts(), st.integers(1, 9), st.sampled_from(NEWLINES))
def test_ticking_an_item_changes_one_byte_and_ticking_it_again_none(
    text: str, number: int, end: str
) -> None:
    text = f"{ROADMAP}{text}".replace("\n", end)
    items = parse_checklist(text)
    if number > len(items) or not items[number - 1].text:
        return
    item, after = mark_item_done(text, str(number))
    changed = [place for place in range(len(text)) if text[place] != after[place]]
    assert len(after) == len(text)
    assert changed == ([] if item.done else [item.mark_offset])
    assert parse_checklist(after)[number - 1].done
    assert mark_item_done(after, str(number))[1] == after


def test_an_open_item_is_chosen_before_a_done_one() -> None:
    text = "- [x] Measure frames\n- [ ] Measure all frames\n"
    assert mark_item_done(text, "frames")[1] == "- [x] Measure frames\n- [x] Measure all frames\n"
    assert mark_item_done(text, "measure frames")[1] == text, (
        "the very words are those of the first"
    )


def test_words_that_match_several_open_items_are_refused() -> None:
    with pytest.raises(Refused, match="matches 2 items"):
        mark_item_done("- [ ] Frames by time\n- [ ] Frames by count\n", "frames")


def test_an_empty_item_is_not_ticked() -> None:
    with pytest.raises(Refused, match="item 5 is empty"):
        mark_item_done(ROADMAP, "5")


def test_milestones_without_a_checklist_are_found() -> None:
    empty = find_empty_milestones(f"{ROADMAP}\n## Phase 4\n\nWords.\n\n### M4.1\n\n## Phase 5\n")
    assert [section.title for section in empty] == ["M3.1 Nothing here", "M4.1", "Phase 5"]


@given(
    st.sampled_from([("phase 1", "yardstick", "Two\n  goes on\n", "- [ ] {}\n")])
    | st.sampled_from([("season", "", "* [X] Four\n", "* [ ] {}\n")]),
    st.lists(st.sampled_from(["New", "# not a heading", "a | b"]), min_size=1, max_size=3),
    st.sampled_from(NEWLINES),
)
def test_new_items_go_below_the_last_in_its_style(
    where: tuple[str, str, str, str], added_items: list[str], end: str
) -> None:
    phase, milestone, last, form = where
    added = "".join(form.format(words) for words in added_items)
    expected = ROADMAP.replace(last, f"{last}{added}").replace("\n", end)
    assert add_items(ROADMAP.replace("\n", end), phase, milestone, added_items) == expected


def test_an_empty_item_is_filled_first() -> None:
    after = add_items(ROADMAP, "3", "M3.2", ["a", "b"])
    assert after == ROADMAP.removesuffix("- [ ]\n") + "- [ ] a\n- [ ] b\n"
    spaced = ROADMAP.removesuffix("- [ ]\n") + "- [ ] \n"
    assert add_items(spaced, "3", "M3.2", ["a"]).endswith("### M3.2 Something\n\n- [ ] a\n")


def test_a_missing_milestone_is_added_at_the_end_of_its_phase() -> None:
    after = add_items(ROADMAP, "Phase 1", "M1.2 New", ["x"])
    assert "goes on\n\n### M1.2 New\n\n- [ ] x\n\n## Phase 2" in after
    assert after.replace("### M1.2 New\n\n- [ ] x\n\n", "") == ROADMAP


def test_a_missing_phase_is_added_at_the_end() -> None:
    after = add_items(ROADMAP, "Phase 9: Far", "M9.1", ["x"])
    assert after == f"{ROADMAP}\n## Phase 9: Far\n\n### M9.1\n\n- [ ] x\n"


def test_an_item_that_fits_several_places_is_refused() -> None:
    with pytest.raises(Refused, match="several milestones") as refused:
        add_items(ROADMAP, "phase 3", "", ["x"])
    assert (
        refused.value.hint == "use --milestone with one of: `M3.1 Nothing here`, `M3.2 Something`"
    )
    with pytest.raises(Refused, match="matches 3 phases"):
        add_items(ROADMAP, "phase", "", ["x"])


@pytest.mark.parametrize(
    ("phase", "added_items"), [("", ["x"]), ("Phase 1", []), ("Phase 1", [" "])]
)
def test_a_milestone_is_not_added_without_items(phase: str, added_items: list[str]) -> None:
    with pytest.raises(Refused):
        add_items(ROADMAP, phase, "M", added_items)
