"""STATUS.md: four sections that are overwritten, and the day of the last update."""

from __future__ import annotations

import re
from typing import NamedTuple

from cortexfs.core.markdown.edit_text import (
    append_block,
    escape_markdown_line,
    replace_section_body,
)
from cortexfs.core.markdown.lines import detect_line_ending, trim_span
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import (
    find_lead_end,
    find_section,
    find_section_in_text,
    find_title_end,
    parse_sections,
)
from cortexfs.core.text.sanitize import to_one_line

SECTION_TITLES = {
    "phase": ("Current phase", "Current situation"),
    "progress": ("Recent progress", "In flight & new variables", "In flight"),
    "blockers": ("Open blockers", "Unresolved issues", "Blockers & pending decisions", "Blockers"),
    "next": ("Next steps", "Next step"),
}
"""Headings of each section: the current one first, then older ones, which are kept in a file."""
EMPTY_SECTION = "None."
_UPDATED = re.compile(
    r"^((?:[^\w\n]|_)*(?:last[ -])?updated\b[^\w\n]*)(\d{4}-\d\d-\d\d)?",
    re.IGNORECASE | re.MULTILINE,
)


class StatusUpdate(NamedTuple):
    """The new text of each section; None leaves it unchanged, an empty value empties it."""

    phase: str | None = None
    progress: tuple[str, ...] | None = None
    blockers: tuple[str, ...] | None = None
    next: tuple[str, ...] | None = None


def parse_status_sections(text: str) -> dict[str, str]:
    """Return the text of each non-empty section, and the day of the last update."""
    found = parse_sections(text)
    contents = {"updated": parse_updated_day(text)}
    for key, titles in SECTION_TITLES.items():
        if section := find_section(found, titles):
            first, last = trim_span(text, section.body_start, section.end)
            contents[key] = text[first:last].replace("\r\n", "\n")
    return {key: words for key, words in contents.items() if words}


def update_status(text: str, change: StatusUpdate, date: str) -> str:
    """Return the text with the sections of `change` replaced and the day set; the rest is kept."""
    for key, words in change._asdict().items():
        if words is not None:
            text = _set_section(text, SECTION_TITLES[key], words)
    return set_updated_day(text, date)


def set_updated_day(text: str, date: str, *, add_if_missing: bool = True) -> str:
    """Return the text with the day of the last update.

    `add_if_missing` inserts the line if it is missing.
    """
    found = _UPDATED.search(text, 0, find_lead_end(text))
    if found:
        gap = "" if found[1].endswith(" ") or found[2] else " "
        return f"{text[: found.end(1)]}{gap}{date}{text[found.end() :]}"
    if not add_if_missing:
        return text
    title_end = find_title_end(text)
    end = detect_line_ending(text)
    at = title_end or 0
    lead = end if title_end else ""
    tail = text[at:]
    if title_end and not text.endswith("\n", 0, at):
        lead += end
    gap = "" if tail.startswith(("\n", "\r\n")) or not tail else end
    return f"{text[:at]}{lead}Updated: {date}{end}{gap}{tail}"


def parse_updated_day(text: str) -> str:
    """Return the day of the last update; empty if the file has none."""
    found = _UPDATED.search(text, 0, find_lead_end(text))
    return (found[2] or "") if found else ""


def extract_phase(text: str) -> str:
    """Return the first sentence of the current phase, for a row of the overview."""
    phase = parse_status_sections(text).get("phase", "")
    first = next((line for line in phase.split("\n") if line.strip()), "")
    return re.split(r"(?<=[.!?])\s", to_one_line(first), maxsplit=1)[0].rstrip(".")


def _set_section(text: str, titles: tuple[str, ...], words: str | tuple[str, ...]) -> str:
    section = find_section_in_text(text, titles)
    if section is None:
        return append_block(text, f"## {titles[0]}\n\n{_format_section(words, '-')}")
    present = find_list_items(text, section.body_start, section.end)
    marker = present[0].marker if present else "-"
    return replace_section_body(text, section, _format_section(words, marker))


def _format_section(words: str | tuple[str, ...], marker: str) -> str:
    """Format a paragraph, or a list with the marker of the previous list."""
    if isinstance(words, str):
        return escape_markdown_line(words) or EMPTY_SECTION
    items = [item for each in words if (item := escape_markdown_line(each))]
    if not items:
        return EMPTY_SECTION
    if marker[:-1].isdecimal():
        return "\n".join(f"{at}{marker[-1]} {item}" for at, item in enumerate(items, start=1))
    return "\n".join(f"{marker} {item}" for item in items)
