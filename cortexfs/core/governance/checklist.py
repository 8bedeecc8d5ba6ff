"""mission.md and roadmap.md: items with a checkbox, grouped by phase and milestone."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.governance.match_entry import find_matching_titles, match_entry
from cortexfs.core.markdown.edit_text import append_block, insert_block
from cortexfs.core.markdown.lines import detect_line_ending, iter_markdown_lines
from cortexfs.core.markdown.lists import LIST_MARKER
from cortexfs.core.markdown.sections import parse_heading, parse_sections
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.markdown.lines import MarkdownLine
    from cortexfs.core.markdown.sections import MarkdownSection

_CHECKBOX = re.compile(rf"([ \t]*{LIST_MARKER}[ \t]+)\[([ xX])\](?:[ \t]+(.*))?$")
PHASE, MILESTONE = 2, 3
"""Heading levels of a phase and of a milestone."""


class ChecklistItem(NamedTuple):
    """One item of a checklist.

    `number` counts through the file from 1. `mark_offset` is the offset of the character between
    the brackets, `end` the offset after the item, and `prefix` the text before the opening bracket.
    """

    number: int
    done: bool
    text: str
    phase: str
    milestone: str
    mark_offset: int
    end: int
    prefix: str


def parse_checklist(text: str) -> list[ChecklistItem]:
    """Return all items of all checklists, each with the phase and the milestone above it."""
    found: list[ChecklistItem] = []
    for line, phase, milestone in _split_lines_with_headings(text):
        box = _CHECKBOX.match(line.text_without_code)
        if box:
            words, at = (box[3] or "").strip(), line.start + box.start(2)
            done, number = box[2] != " ", len(found) + 1
            found.append(ChecklistItem(number, done, words, phase, milestone, at, line.end, box[1]))
        elif found and found[-1].end == line.start and _is_continuation(line):
            found[-1] = found[-1]._replace(end=line.end)
    return found


def _is_continuation(line: MarkdownLine) -> bool:
    return bool(line.text.strip()) and parse_heading(line.text_without_code) is None


def mark_item_done(text: str, number_or_words: str) -> tuple[ChecklistItem, str]:
    """Mark the item with this number or these words as done; return it and the new text.

    Open items are preferred over done ones; an item that is already done is left unchanged. Raises
    `Refused` for an item without text.
    """
    items = parse_checklist(text)
    open_items = {at for at, item in enumerate(items) if not item.done}
    item = match_entry("item", number_or_words, items, [item.text for item in items], open_items)
    if not item.text:
        raise Refused(f"item {item.number} is empty", hint="fill it with `cortexfs roadmap add`")
    if item.done:
        return item, text
    return item, f"{text[: item.mark_offset]}x{text[item.mark_offset + 1 :]}"


def find_empty_milestones(text: str) -> list[MarkdownSection]:
    """Return the milestones without a checklist, and the phases without any."""
    sections = [s for s in parse_sections(text) if s.level in {PHASE, MILESTONE}]
    contents = sorted(
        [item.mark_offset for item in parse_checklist(text)] + [s.start for s in sections]
    )
    ends = [*contents, len(text)]
    return [s for s in sections if ends[bisect_left(contents, s.body_start)] >= s.end]


def add_items(text: str, phase: str, milestone: str, new_items: Sequence[str]) -> str:
    """Return the text with items added to a milestone of a phase, creating either if missing.

    Without a milestone they are added to the only checklist of the phase. Raises `Refused` if a
    name matches several headings, or if the phase has several checklists.
    """
    phase, milestone = (to_one_line(name).lstrip("# ") for name in (phase, milestone))
    items = [item for words in new_items if (item := to_one_line(words))]
    if not items or not phase:
        raise Refused("a milestone needs a phase and a checklist", hint="add --phase … --item …")
    boxes = "".join(f"- [ ] {item}\n" for item in items)
    phase_section = _find_heading(text, phase, PHASE, 0, len(text))
    if phase_section is None:
        title = f"### {milestone}\n\n" if milestone else ""
        return append_block(text, f"## {phase}\n\n{title}{boxes}")
    section = _find_milestone(text, phase_section, milestone)
    if section is None:
        return insert_block(text, phase_section.end, f"### {milestone}\n\n{boxes}")
    if not _list_items_in(text, section):
        return insert_block(text, section.end, boxes)
    return _extend_checklist(text, section, items)


def _split_lines_with_headings(text: str) -> Iterator[tuple[MarkdownLine, str, str]]:
    """Yield each line with the phase and the milestone above it.

    In the older style a line that ends in a colon is the title of the checklist below it.
    """
    phase = milestone = label = ""
    for line in iter_markdown_lines(text):
        bare = line.text_without_code.strip().strip("*_ ")
        if heading := parse_heading(line.text_without_code):
            level, title = heading
            phase = title if level == PHASE else phase if level > PHASE else ""
            milestone, label = (title if level > PHASE else ""), ""
        elif bare.endswith(":") and not _CHECKBOX.match(line.text_without_code):
            label = bare.rstrip(":").strip()
        yield line, phase, milestone or label


def _list_items_in(text: str, section: MarkdownSection) -> list[ChecklistItem]:
    return [
        item
        for item in parse_checklist(text)
        if section.body_start <= item.mark_offset < section.end
    ]


def _find_milestone(text: str, phase: MarkdownSection, milestone: str) -> MarkdownSection | None:
    """Return the milestone, or the phase if it has none; None if the milestone is new."""
    if milestone:
        return _find_heading(text, milestone, MILESTONE, phase.body_start, phase.end)
    found = parse_sections(text)
    inside = [s for s in found if s.level == MILESTONE and phase.body_start <= s.start < phase.end]
    if len(inside) > 1:
        names = ", ".join(f"`{to_one_line(s.title)}`" for s in inside)
        raise Refused(
            "the phase has several milestones", hint=f"use --milestone with one of: {names}"
        )
    return inside[0] if inside else phase


def _find_heading(
    text: str, title: str, level: int, start: int, end: int
) -> MarkdownSection | None:
    """Return the section with this title, or None."""
    sections = [s for s in parse_sections(text) if s.level == level and start <= s.start < end]
    titles = [s.title for s in sections]
    if not find_matching_titles(title, titles):
        return None
    return match_entry("phase" if level == PHASE else "milestone", title, sections, titles)


def _extend_checklist(text: str, section: MarkdownSection, new_items: Sequence[str]) -> str:
    """Return the text with items added to a section; the first fills a last item without text."""
    present = _list_items_in(text, section)
    last, end = present[-1], detect_line_ending(text)
    if not last.text and not last.done:
        rest = text[last.mark_offset + 2 :].lstrip(" \t")
        text = f"{text[: last.mark_offset + 2]} {new_items[0]}{rest}"
        last, new_items = parse_checklist(text)[last.number - 1], new_items[1:]
    head = text[: last.end]
    gap = "" if head.endswith("\n") or not new_items else end
    boxes = "".join(f"{present[0].prefix}[ ] {item}{end}" for item in new_items)
    return f"{head}{gap}{boxes}{text[last.end :]}"
