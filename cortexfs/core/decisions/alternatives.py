"""The alternatives that a decision lists, and whether it states what is decided."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.markdown.fences import blank_comments
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import find_section, normalize_title, parse_sections
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.markdown.sections import MarkdownSection

ALTERNATIVES_TITLES = ("Alternatives", "Options Considered")
"""The titles of the section, in the present and the legacy format."""
DECISION_TITLE = "Decision"
MIN_ALTERNATIVES = 2
"""The minimum number of alternatives."""

_NUMBER = r"(?:[a-z]|\d+|one|two|three|four)"
_ORDER = r"(?:first|second|third|another|other|next|\d+(?:st|nd|rd|th))"
_NOUN = r"(?:alternative|option|choice)"
_PLACEHOLDER = re.compile(
    rf"(?:{_ORDER} )?{_NOUN}s?(?: {_NUMBER})?|todo|tbd|fixme|xxx|none|n a|nothing|etc|placeholder"
)


def find_alternatives(text: str, template: str = "") -> tuple[str, ...]:
    """Return the first line of each alternative: list items, or headings below the section's.

    Each counts once; empty entries, placeholders and entries of the `template` do not count.
    """
    found = {normalize_title(each): each for each in _list_entries(text) if is_filled_in(each)}
    for entry in _list_entries(template):
        found.pop(normalize_title(entry), None)
    return tuple(_first_line(each) for each in found.values())


def has_decision_text(text: str, template: str = "") -> bool:
    """Return whether the section Decision has text that differs from the template's."""
    decision = normalize_title(_get_section_body(text, (DECISION_TITLE,)))
    return bool(decision) and decision != normalize_title(
        _get_section_body(template, (DECISION_TITLE,))
    )


def refuse_without_alternatives(text: str, template: str, hint: str) -> None:
    """Raise `Refused` for a decision with too few alternatives."""
    count = len(find_alternatives(text, template))
    if count < MIN_ALTERNATIVES:
        has = ("none", "only one")[count]
        raise Refused(f"a decision needs at least two alternatives; this has {has}", hint=hint)


def is_filled_in(text: str) -> bool:
    """Return whether a text has content and is not a placeholder."""
    words = normalize_title(text)
    is_placeholder = re.fullmatch(r"\s*(?:\{\{.*\}\}|<[^<>]*>)\s*", text, re.DOTALL)
    return bool(words) and not is_placeholder and not _PLACEHOLDER.fullmatch(words)


def _list_entries(text: str) -> Iterator[str]:
    """Yield each entry of the section in full, without its list marker."""
    body = blank_comments(split_front_and_body(text)[1])
    every = parse_sections(body)
    section = find_section(every, ALTERNATIVES_TITLES)
    if section is None:
        return
    below = [inner for inner in every if section.start < inner.start < section.end]
    if below:
        rank = min(inner.level for inner in below)
        yield from (_format_subsection(body, inner) for inner in below if inner.level == rank)
        return
    for entry in find_list_items(body, section.body_start, section.end):
        yield body[entry.start : entry.end].lstrip()[len(entry.marker) :].strip()


def _format_subsection(body: str, section: MarkdownSection) -> str:
    return f"{section.title}\n{body[section.body_start : section.end]}".strip()


def _get_section_body(text: str, names: tuple[str, ...]) -> str:
    body = blank_comments(split_front_and_body(text)[1])
    section = find_section(parse_sections(body), names)
    return body[section.body_start : section.end] if section else ""


def _first_line(text: str) -> str:
    return " ".join(text.partition("\n")[0].split())
