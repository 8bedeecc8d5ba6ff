"""What a foreign note says of its day, its tags, its title and its summary."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.importing.extract_tags import extract_tags
from cortexfs.core.importing.note_dates import find_note_day
from cortexfs.core.importing.note_title import choose_title, make_summary

LATE = datetime(2025, 3, 4, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("values", "path", "day"),
    [
        ({"date": date(2025, 3, 4)}, "2020-01-01.md", "2025-03-04"),
        ({"created": LATE}, "a.md", "2025-03-04"),
        ({"Created": "2025-03-04T23:30:00-08:00"}, "a.md", "2025-03-04"),
        ({"created_at": "March 4, 2025 11:30 PM"}, "a.md", "2025-03-04"),
        ({"date": "4th Mar 2025"}, "a.md", "2025-03-04"),
        ({"date": "04.03.2025"}, "a.md", "2025-03-04"),
        ({"date": "[[2025-03-04]]"}, "a.md", "2025-03-04"),
        ({"date": 20250304}, "a.md", "2025-03-04"),
        ({"created": 1741131000}, "a.md", "2025-03-04"),
        ({"created": 1741131000000}, "a.md", "2025-03-04"),
        ({"date": ["2025-03-04"]}, "a.md", "2025-03-04"),
        ({"date": "2025-13-45", "created": "2025-03-04"}, "a.md", "2025-03-04"),
        ({"date": True}, "Daily/2025-03-04 Tuesday.md", "2025-03-04"),
        ({}, "202503042330 A thought.md", "2025-03-04"),
        ({}, "20250304233059.md", "2025-03-04"),
        ({}, "journal/2025/03/04.md", "2025-03-04"),
        ({}, "2025_03_04.md", "2025-03-04"),
        ({}, "Version 20.25.0304.md", "2026-01-01"),
        ({}, "12345678.md", "2026-01-01"),
        ({"date": "soon"}, "note.md", "2026-01-01"),
    ],
)
def test_the_day_comes_from_frontmatter_name_or_file_in_this_order(
    values: dict[str, object], path: str, day: str
) -> None:
    assert find_note_day(values, path, "2026-01-01") == day


@pytest.mark.parametrize(
    ("values", "body", "tags"),
    [
        ({"tags": ["A", "b c", "#d", 2025]}, "", ("a", "b-c", "d", "2025")),
        ({"tags": "one, two words"}, "", ("one", "two-words")),
        ({"tags": "one two"}, "", ("one", "two")),
        ({"keywords": ["k"], "tag": "t"}, "", ("t", "k")),
        ({"tags": ["Area/Sub"]}, "#area/sub #Ünï", ("area/sub", "ünï")),
        ({}, "a #tag, (#other) and #123, #2025-05, #fff000 c#no", ("tag", "other")),
        ({}, "# Heading\n## Title #in-heading\n#yes", ("yes",)),
        ({}, "`#no` and\n```\n#no\n```\n<!-- #no -->\nhttp://x.org/#no [a](b#no)", ()),
        ({"tags": {"no": "mapping"}}, "", ()),
        ({"tags": ["///", "", None]}, "", ()),
    ],
)
def test_tags_come_from_frontmatter_and_text(
    values: dict[str, object], body: str, tags: tuple[str, ...]
) -> None:
    assert extract_tags(values, body) == tags


@pytest.mark.parametrize(
    ("values", "body", "title", "summary"),
    [
        ({"title": "Said"}, "# Headed\n", "Said", "Said"),
        ({"title": 2025}, "# Headed\n", "2025", "Some words."),
        (
            {},
            "```\n# no\n```\n# A **bold** [link](x) to [[Note|that]]\n",
            "A bold link to that",
            "",
        ),
        ({}, "Underlined\n===\ntext", "Underlined", "Underlined"),
        ({}, "no heading", "the file", "the file"),
        ({"summary": "In short"}, "# Headed\n", "Headed", "In short"),
        ({"summary": "of\nlines"}, "# Headed\n", "Headed", "Headed"),
        (
            {"title": "2025-03-04"},
            "# X\n- [ ] Call **Ann**. Then eat.",
            "2025-03-04",
            "2025-03-04: X",
        ),
        ({"title": "2025-03-05"}, "- [ ] Call **Ann**.\n", "2025-03-05", "2025-03-05"),
        ({"title": "2025-03-05"}, "- [ ] A\n- Met. B", "2025-03-05", "2025-03-05: Met."),
        ({"title": "Untitled 1"}, "- [ ] Call Ann.\n", "Untitled 1", "Call Ann."),
        (
            {"title": "Tuesday, March 4th 2025"},
            "> 说话。后来",
            "Tuesday, March 4th 2025",
            "Tuesday, March 4th 2025: 说话。",
        ),
        ({"title": "2025-W10"}, "| a |\n![](x.png)\n---\n", "2025-W10", "2025-W10"),
        ({"title": "May"}, "", "May", ""),
    ],
)
def test_the_summary_is_the_title_or_the_first_sentence_below_a_date(
    values: dict[str, object], body: str, title: str, summary: str
) -> None:
    body = f"{body}Some words. More." if title == "2025" else body
    assert choose_title(values, body, "folder/the file.md") == title
    assert make_summary(values, title, body) == (summary or title)


def test_a_file_name_that_is_a_date_is_the_title() -> None:
    assert choose_title({}, "# Daily log\n", "Daily/2024-03-05.md") == "2024-03-05"
    assert make_summary({}, "2024-03-05", "# Daily log\n") == "2024-03-05: Daily log"
    assert make_summary({}, "2024-03-05", "# March 5th 2024\n") == "2024-03-05"
    assert choose_title({}, "# Looms\n", "202605011230.md") == "Looms"


def test_a_long_title_is_cut_between_words() -> None:
    summary = make_summary({}, "word " * 100, "")
    assert len(summary) <= MAX_SUMMARY_CHARS
    assert summary.endswith("word…")
