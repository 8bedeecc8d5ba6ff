"""STATUS.md: sections are overwritten, in the style that stands there, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import NEWLINES, texts

from cortexfs.core.governance.project_status import (
    SECTION_TITLES,
    StatusUpdate,
    extract_phase,
    parse_status_sections,
    parse_updated_day,
    set_updated_day,
    update_status,
)
from cortexfs.core.text.sanitize import to_one_line

OURS = """# flywheel status

Updated: 2026-05-01

## Current phase

Phase 1.

## Recent progress

- Begun.

## Open blockers

None.

## Next steps

1. Go on.
"""
sentences = st.text(min_size=1).map(str.split).map(" ".join).filter(bool)
lists = st.lists(sentences, min_size=1, max_size=4).map(tuple)


titles = st.sampled_from(
    [(key, title) for key, titles in SECTION_TITLES.items() for title in titles]
)


@given(titles, texts(), texts(), st.sampled_from(NEWLINES))
def test_updating_a_section_changes_no_other(
    place: tuple[str, str], head: str, tail: str, end: str
) -> None:
    key, title = place
    above, below = "# S\n\nUpdated: {}\n\n## Other\n\n", "\n\n## Last\n\n"
    page = f"{above}{head}## {title.title()}\n\n{{}}{below}{tail}"
    words = "New." if key == "phase" else ("New.",)
    new = "New." if key == "phase" else "- New."
    text = page.format("2026-01-01", "old words").replace("\n", end)
    after = update_status(text, StatusUpdate(**{key: words}), "2026-05-06")
    assert after == page.format("2026-05-06", new).replace("\n", end)
    assert parse_status_sections(after)[key] == new
    assert update_status(after, StatusUpdate(**{key: words}), "2026-05-06") == after


@given(st.none() | sentences, st.none() | lists, st.none() | lists, st.none() | lists)
def test_updated_sections_parse_back(
    phase: str | None,
    progress: tuple[str, ...] | None,
    blockers: tuple[str, ...] | None,
    steps: tuple[str, ...] | None,
) -> None:
    change = StatusUpdate(phase, progress, blockers, steps)
    after = update_status(OURS, change, "2026-05-06")
    before, sections_after = parse_status_sections(OURS), parse_status_sections(after)
    assert sections_after["updated"] == "2026-05-06"
    assert sections_after.keys() == before.keys()
    for key, words in change._asdict().items():
        if words is None:
            assert sections_after[key] == before[key]
        elif key != "phase":
            assert len(sections_after[key].split("\n")) == max(
                len([w for w in words if to_one_line(w)]), 1
            )


def test_a_list_keeps_its_style() -> None:
    after = update_status(OURS, StatusUpdate(next=("a", "b"), progress=("c",)), "2026-05-06")
    assert "## Next steps\n\n1. a\n2. b\n" in after
    assert "## Recent progress\n\n- c\n" in after
    starred = OURS.replace("- Begun.", "* Begun.")
    assert "\n* c\n" in update_status(starred, StatusUpdate(progress=("c",)), "2026-05-06")


@pytest.mark.parametrize("empty", [("",), ()])
def test_an_empty_list_becomes_none(empty: tuple[str, ...]) -> None:
    assert (
        parse_status_sections(update_status(OURS, StatusUpdate(next=empty), "2026-05-06"))["next"]
        == "None."
    )


def test_a_missing_section_is_added_at_the_end() -> None:
    text = "# S\n\nUpdated: 2026-01-01\n\n## Notes\n\nMine.\n"
    after = update_status(text, StatusUpdate(next=("Go",)), "2026-01-01")
    assert after == f"{text}\n## Next steps\n\n- Go\n"


def test_text_that_looks_like_a_heading_is_escaped() -> None:
    after = update_status(OURS, StatusUpdate(phase="## Next steps"), "2026-05-06")
    assert parse_status_sections(after)["phase"] == "\\## Next steps"
    assert parse_status_sections(after)["next"] == "1. Go on."


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Updated: {}",
            "**Updated:** {}",
            "> Last updated: {}",
            "last-updated: {}",
            "_Updated {}_",
        ),
        *("updated:{}", "- Updated: {} (by hand)"),
    ],
)
def test_the_day_is_set_in_its_line(line: str) -> None:
    text = f"# S\n\n{line}\n\n## A\n\nUpdated: 2020-01-01\n"
    before, after = text.format("2026-01-01"), text.format("2026-05-06")
    assert parse_updated_day(before) == "2026-01-01"
    assert set_updated_day(before, "2026-05-06") == after


def test_a_missing_day_is_added_below_the_title() -> None:
    assert set_updated_day("# S\n\n## A\n", "2026-05-06") == "# S\n\nUpdated: 2026-05-06\n\n## A\n"
    assert set_updated_day("", "2026-05-06") == "Updated: 2026-05-06\n"
    assert set_updated_day("# S\n## A\n", "2026-05-06", add_if_missing=False) == "# S\n## A\n"


def test_the_phase_is_its_first_sentence() -> None:
    assert extract_phase(OURS) == "Phase 1"
    text = OURS.replace("Phase 1.", "Phase 3, streaming (M3.1). Out since 2026-04-27.")
    assert extract_phase(text) == "Phase 3, streaming (M3.1)"
    assert extract_phase("") == ""
