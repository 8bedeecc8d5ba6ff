"""USER.md: one line per preference; a new value replaces the old one of the same key."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from cortexfs.core.markdown.edit_text import append_block, escape_markdown_line, insert_block
from cortexfs.core.markdown.fences import find_fenced_spans
from cortexfs.core.markdown.lines import detect_line_ending, trim_span
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import find_section_in_text, normalize_title, parse_sections
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

PREFERENCE_CATEGORIES = {
    "Identity": ("Identity", "Who"),
    "Communication": ("Communication", "Language"),
    "Output style": ("Output style", "Style"),
    "Technical context": ("Technical context",),
    "Working style": ("Working style", "Working habits"),
}
"""Categories of preferences, each with the headings that it may be under."""
MAX_KEY_LENGTH = 60
_KEY = re.compile(
    rf"[ \t]*[-*+][ \t]++(?:\*\*|__)?([^:*\n]{{1,{MAX_KEY_LENGTH}}}?)"
    r"(?:\*\*|__)?:(?:\*\*|__)?(?=\s|\Z)[ \t]*"
)


class Preference(NamedTuple):
    """A preference: its heading, key and value, and the start and end offsets of the value."""

    category: str
    key: str
    value: str
    start: int
    end: int


def parse_preferences(text: str) -> list[Preference]:
    """Return all entries of the form `- key: value`."""
    found = []
    heads = [section for section in parse_sections(text) if section.level > 1]
    starts = [section.body_start for section in heads]
    for bullet in find_list_items(text):
        lead = _KEY.match(text, bullet.start, bullet.end)
        if lead:
            start, end = trim_span(text, lead.end(), bullet.end)
            start, end = (start, end) if start < end else (lead.end(), lead.end())
            above = bisect_right(starts, bullet.start)
            category = heads[above - 1].title if above else ""
            found.append(Preference(category, lead[1].strip(), text[start:end], start, end))
    return found


def set_preference(text: str, key: str, value: str, category: str) -> str:
    """Return the text with a preference: a new value for the key, or a new line below its heading.

    Raises `Refused` if the key or the value is empty or not allowed, or if the category is not one
    of `PREFERENCE_CATEGORIES`.
    """
    key, value = to_one_line(key).strip("*_:- "), to_one_line(value)
    if not normalize_title(key) or not value or len(key) > MAX_KEY_LENGTH or set(key) & set(":*"):
        raise Refused(
            "a preference needs a short key and a value", hint="a key has no `:` and no `*`"
        )
    kind = next(
        (
            name
            for name in PREFERENCE_CATEGORIES
            if normalize_title(name) == normalize_title(category)
        ),
        None,
    )
    if kind is None:
        known = ", ".join(PREFERENCE_CATEGORIES)
        raise Refused(f"there is no section `{to_one_line(category)}`", hint=f"choose from {known}")
    for old in parse_preferences(text):
        if normalize_title(old.key) == normalize_title(key):
            gap = "" if text[: old.start].endswith((" ", "\t")) else " "
            return f"{text[: old.start]}{gap}{value}{text[old.end :]}"
    return _add_to_category(text, kind, f"- {escape_markdown_line(key)}: {value}")


def _add_to_category(text: str, kind: str, entry: str) -> str:
    """Return the text with an entry added to the list under the heading of its kind."""
    if any(span.is_open for span in find_fenced_spans(text)):
        raise Refused("a code block or a comment is not closed", hint="close it by hand")
    section = find_section_in_text(text, PREFERENCE_CATEGORIES[kind])
    if section is None:
        return append_block(text, f"## {kind}\n\n{entry}")
    end = detect_line_ending(text)
    present = find_list_items(text, section.body_start, section.end)
    if not present:
        return insert_block(text, section.end, entry)
    head = text[: present[-1].end]
    gap = "" if head.endswith("\n") else end
    return f"{head}{gap}{entry}{end}{text[present[-1].end :]}"
