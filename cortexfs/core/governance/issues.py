"""ISSUES.md: entries are added at the end and removed when they are resolved."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.governance.match_entry import match_entry
from cortexfs.core.markdown.edit_text import append_block, remove_span
from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import normalize_title, parse_sections
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TITLE_WITH_DATE = re.compile(r"(.*\S)\s*\((\d{4}-\d\d-\d\d)\)")
_BOLD_TITLE = re.compile(r"\*\*(.+?)\*\*:?\s*(?:\((\d{4}-\d\d-\d\d)\))?")
_PROBLEM = re.compile(r"\W*problem\b", re.IGNORECASE)


class Issue(NamedTuple):
    """One entry: its title, its date (empty if it has none), and its start and end offsets.

    `marker` is the list marker of an entry in a list, and empty for an entry with a heading.
    """

    title: str
    date: str
    start: int
    end: int
    marker: str = ""


def parse_issues(text: str) -> list[Issue]:
    """Return all entries: `## Title (date)`, and `- **Title** (date)` in the older style."""
    headed = list(_find_headed_issues(text))
    starts = [issue.start for issue in headed]
    listed = [
        Issue(found[1].rstrip(":"), found[2] or "", bullet.start, bullet.end, bullet.marker)
        for bullet in find_list_items(text)
        if (found := _BOLD_TITLE.match(bullet.text)) and not bullet.indent
    ]
    separate = [issue for issue in listed if not _is_within(issue, headed, starts)]
    return sorted([*headed, *separate], key=lambda issue: issue.start)


def _is_within(issue: Issue, headed: Sequence[Issue], starts: Sequence[int]) -> bool:
    """Return whether a list entry is below a heading that is itself an issue."""
    above = bisect_right(starts, issue.start)
    return above > 0 and issue.start < headed[above - 1].end


def _find_headed_issues(text: str) -> list[Issue]:
    found: list[Issue] = []
    listed = find_list_items(text)
    starts = [bullet.start for bullet in listed]
    for section in parse_sections(text):
        dated = _TITLE_WITH_DATE.fullmatch(section.title)
        first, last = bisect_left(starts, section.body_start), bisect_left(starts, section.end)
        inside = [bullet.text for bullet in listed[first:last]]
        if section.level > 1 and (dated or any(map(_PROBLEM.match, inside))):
            title, date = (dated[1], dated[2]) if dated else (section.title, "")
            if not found or section.start >= found[-1].end:
                found.append(Issue(title, date, section.start, section.end))
    return found


def add_issue(text: str, title: str, date: str, fields: Mapping[str, str]) -> str:
    """Return the text with an entry added at the end, in the style of the existing entries.

    `fields` maps the label of each bullet to its text; empty bullets are left out. Raises `Refused`
    if an entry with this title exists, or if the title is empty.
    """
    title = to_one_line(title).strip("*# ")
    present = parse_issues(text)
    if not title:
        raise Refused("an issue needs a title")
    for number, issue in enumerate(present, start=1):
        if normalize_title(issue.title) == normalize_title(title):
            raise Refused(f"issue `{issue.title}` already exists", hint=f"it is number {number}")
    lines = [f"{label}: {line}" for label, words in fields.items() if (line := to_one_line(words))]
    marker = _choose_marker(text, present)
    if present and present[-1].marker:
        inner = "".join(f"\n  {marker} {line}" for line in lines)
        return _insert_after(text, present[-1].end, f"{marker} **{title}** ({date}){inner}")
    points = "\n".join(f"{marker} {line}" for line in lines)
    return append_block(text, f"## {title} ({date})\n\n{points}".rstrip())


def _choose_marker(text: str, present: Sequence[Issue]) -> str:
    """Return the list marker of the last entry's bullets, or `-`."""
    last = present[-1] if present else None
    points = find_list_items(text, last.start, last.end) if last else []
    return points[0].marker if points and points[0].marker in "-*+" else "-"


def _insert_after(text: str, offset: int, entry: str) -> str:
    """Return the text with an entry inserted after the last one of a list, which ends there."""
    head = text[:offset]
    if not head.endswith("\n"):
        return append_block(text, entry)
    end = detect_line_ending(text)
    return f"{head}{entry.replace(chr(10), end)}{end}{text[offset:]}"


def resolve_issue(text: str, number_or_words: str) -> tuple[Issue, str]:
    """Remove the entry with this number or these title words; return it and the remaining text."""
    present = parse_issues(text)
    issue = match_entry("issue", number_or_words, present, [issue.title for issue in present])
    return issue, remove_span(text, issue.start, issue.end)
