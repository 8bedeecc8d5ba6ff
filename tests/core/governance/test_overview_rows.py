"""OVERVIEW.md: rows and days are kept true, and what people say in it stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import NEWLINES, texts

from cortexfs.core.governance.edit_overview import (
    find_project_table,
    is_archived,
    mark_archived,
    read_cell,
    remove_missing_projects,
    set_last_scan_day,
    set_phase,
    update_activity_days,
)

HEAD = (
    "# Overview\n\nLast scan: {}\n\n"
    "| Project | Status | Priority | Last activity |\n|---|---|---|---|\n"
)
NAMES = ("alpha", "beta-2", "gamma.x")
DAYS = ("2026-01-01", "2026-05-06", "2026-12-31")
NAME_FORMS = ("{}", "**{}**", "`{}`", "[{}](projects/{}/CORTEX.md)")

days = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(DAYS))


@st.composite
def overviews(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """Draw an overview, and the day that each of its rows bears (or does not)."""
    known: dict[str, str] = {}
    rows = ""
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True)):
        known[name] = draw(st.sampled_from((*DAYS, "", "—")))
        first = draw(st.sampled_from(NAME_FORMS)).replace("{}", name)
        status = draw(st.sampled_from(["**Phase 1.** a \\| b", "mine", ""]))
        pad = draw(st.sampled_from(["", " ", "   "]))
        rows += f"|{pad}{first}{pad}|{pad}{status}{pad}|{pad}high{pad}|{pad}{known[name]}{pad}|\n"
    return HEAD.format("none yet") + rows + "\n" + draw(texts()), known


@given(overviews(), days, st.sampled_from(NEWLINES))
def test_every_project_gets_a_row_with_its_latest_day(
    overview: tuple[str, dict[str, str]], active: dict[str, str], end: str
) -> None:
    text, known = overview[0].replace("\n", end), overview[1]
    after = update_activity_days(text, active)
    found = find_project_table(after)
    assert found
    assert [row.project for row in found.rows] == list(dict.fromkeys([*known, *active]))
    for name in {**known, **active}:
        day_before = known.get(name, "")
        latest = max(day_before if day_before != "—" else "", active.get(name, ""))
        assert read_cell(after, name, "last activity") == (latest or day_before)
        assert read_cell(after, name, "status") == (
            read_cell(text, name, "status") if name in known else "**Phase 1**"
        )
    assert update_activity_days(after, active) == after
    assert after.count("\r\n") == (after.count("\n") if end == "\r\n" else 0)


@given(overviews(), days)
def test_only_days_and_rows_change(
    overview: tuple[str, dict[str, str]], active: dict[str, str]
) -> None:
    text, known = overview
    after = update_activity_days(text, active)
    for name in active.keys() - known.keys():
        after = after.replace(f"| {name} | **Phase 1** | medium | {active[name]} |\n", "", 1)
    for day in (*DAYS, "—"):
        text, after = text.replace(day, ""), after.replace(day, "")
    assert "".join(after.split()) == "".join(text.split())


def test_rows_of_missing_projects_are_removed_except_planned_ones() -> None:
    rows = "| here | a | b | 2026-01-01 |\n| Total: 3 | | | 2026-01-01 |\n| planned | | | — |\n"
    text = f"{HEAD.format('none')}| old | a | b | 2026-01-01 |\n{rows}\n| Project | gone |\n"
    assert remove_missing_projects(text, ["here"]) == text.replace(
        "| old | a | b | 2026-01-01 |\n", ""
    )


@pytest.mark.parametrize(
    "text", ["", "# Overview\n\nno table\n", "| Name | Last activity |\n|---|---|\n| a | b |\n"]
)
def test_an_overview_without_a_project_table_does_not_change(text: str) -> None:
    assert set_last_scan_day(update_activity_days(text, {"a": "2026-05-06"}), "2026-05-06") == text
    assert remove_missing_projects(text, []) == text


def test_columns_may_be_in_another_order_with_others_between_them() -> None:
    text = "| Project | Owner | Last Activity |\n|:--|--|--:|\n| a | Ada | 2026-01-01 |\n"
    after = update_activity_days(text, {"a": "2026-05-06", "b": "2026-05-06"})
    assert after == text.replace("2026-01-01", "2026-05-06") + "| b |  | 2026-05-06 |\n"


def test_words_in_place_of_a_day_are_kept() -> None:
    text = f"{HEAD.format('none')}| a | s | low | on Sundays |\n"
    assert update_activity_days(text, {"a": "2026-05-06"}) == text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Last scan: none yet", "Last scan: 2026-05-06"),
        ("Last scan:", "Last scan: 2026-05-06"),
        ("**Last scan:** 2026-01-01", "**Last scan:** 2026-05-06"),
        ("_Last scan: 2026-01-01_", "_Last scan: 2026-05-06_"),
        ("Last scan: 2026-07-01", "Last scan: 2026-07-01"),
    ],
)
def test_the_day_of_the_last_scan_is_set_in_its_line(line: str, expected: str) -> None:
    text = f"{HEAD.format('x').replace('Last scan: x', '{}')}\nEnd.\n"
    assert set_last_scan_day(text.replace("{}", line), "2026-05-06") == text.replace("{}", expected)


def test_a_missing_line_for_the_last_scan_is_added() -> None:
    text = "| Project |\n|---|\n"
    assert set_last_scan_day(text, "2026-05-06") == f"{text}\nLast scan: 2026-05-06\n"
    assert set_last_scan_day(text, "") == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("**Phase 1**", "**Phase 2: go**"),
        ("**Phase 1.** Out since May", "**Phase 2: go.** Out since May"),
        ("", "**Phase 2: go**"),
        ("in my own words", "in my own words"),
        ("**Archived.** Phase 1", "**Phase 2: go.**"),
    ],
)
def test_a_phase_is_set_in_bold_at_the_start_of_the_status(before: str, after: str) -> None:
    text = f"{HEAD.format('none')}| a | {before} | low | — |\n"
    assert read_cell(set_phase(text, "a", "Phase 2: go"), "a", "status") == after


def test_archiving_a_project_marks_its_status_and_lowers_its_priority() -> None:
    text = f"{HEAD.format('none')}| a | **Phase 1.** Out | high | — |\n| b | x | high | — |\n"
    after = mark_archived(text, "a", "")
    assert is_archived(after, "a")
    assert not is_archived(after, "b")
    assert after == text.replace("| **Phase 1.** Out | high", "| **Archived.** Phase 1. Out | low")
    assert mark_archived(after, "a", "") == after
    assert read_cell(mark_archived(after, "a", "a | b"), "a", "status") == "**Archived.** a \\| b"


@given(st.text())
def test_updating_any_overview_twice_is_updating_it_once(text: str) -> None:
    once = set_last_scan_day(
        remove_missing_projects(update_activity_days(text, {"a": "2026-05-06"}), ["a"]),
        "2026-05-06",
    )
    assert (
        set_last_scan_day(
            remove_missing_projects(update_activity_days(once, {"a": "2026-05-06"}), ["a"]),
            "2026-05-06",
        )
        == once
    )
