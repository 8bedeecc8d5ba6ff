"""mission.md and roadmap.md: items with a box, under phases and milestones."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.governance.match_entry import choose, matches
from cortexfs.core.markdown.lines import lines, newline
from cortexfs.core.markdown.lists import MARKER
from cortexfs.core.markdown.sections import heading, sections
from cortexfs.core.markdown.splices import append, insert
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.markdown.lines import Line
    from cortexfs.core.markdown.sections import Section

_BOX = re.compile(rf"([ \t]*{MARKER}[ \t]+)\[([ xX])\](?:[ \t]+(.*))?$")
PHASE, MILESTONE = 2, 3
"""Levels of their headings."""


class Item(NamedTuple):
    """One item of a checklist.

    `number` counts through the file from 1, `box` is where the mark stands between its
    brackets, `end` where the item ends, `lead` what stands before the bracket.
    """

    number: int
    done: bool
    words: str
    phase: str
    milestone: str
    box: int
    end: int
    lead: str


def items(text: str) -> list[Item]:
    """Give every item of every checklist, with the phase and the milestone above it."""
    found: list[Item] = []
    for line, phase, milestone in _placed(text):
        box = _BOX.match(line.prose)
        if box:
            said, at = (box[3] or "").strip(), line.start + box.start(2)
            done, number = box[2] != " ", len(found) + 1
            found.append(Item(number, done, said, phase, milestone, at, line.end, box[1]))
        elif found and found[-1].end == line.start and _is_text(line):
            found[-1] = found[-1]._replace(end=line.end)
    return found


def _is_text(line: Line) -> bool:
    return bool(line.text.strip()) and heading(line.prose) is None


def tick(text: str, wanted: str) -> tuple[Item, str]:
    """Mark the item that a number or words name as done; give it, and the text.

    Open items are meant before those that are done; one that is done stays as it is. Raises
    `Refused` for one that says nothing.
    """
    every = items(text)
    still = {at for at, item in enumerate(every) if not item.done}
    item = choose("item", wanted, every, [item.words for item in every], still)
    if not item.words:
        raise Refused(f"item {item.number} says nothing", hint="`cortexfs roadmap add` fills it")
    if item.done:
        return item, text
    return item, f"{text[: item.box]}x{text[item.box + 1 :]}"


def bare_milestones(text: str) -> list[Section]:
    """Give the milestones that have no checklist, and the phases that have none at all."""
    among = [s for s in sections(text) if s.level in {PHASE, MILESTONE}]
    held = sorted([item.box for item in items(text)] + [section.start for section in among])
    ends = [*held, len(text)]
    return [s for s in among if ends[bisect_left(held, s.body)] >= s.end]


def add_items(text: str, phase: str, milestone: str, wanted: Sequence[str]) -> str:
    """Add items to a milestone of a phase, making either where it is missing.

    Without a milestone they go to the only checklist of the phase. Raises `Refused` where a
    name fits several, or where there are several checklists to choose from.
    """
    phase, milestone = (one_line(name).lstrip("# ") for name in (phase, milestone))
    said = [one for words in wanted if (one := one_line(words))]
    if not said or not phase:
        raise Refused("a milestone needs a phase and a checklist", hint="add --phase … --item …")
    boxes = "".join(f"- [ ] {words}\n" for words in said)
    within = _named(text, phase, PHASE, 0, len(text))
    if within is None:
        title = f"### {milestone}\n\n" if milestone else ""
        return append(text, f"## {phase}\n\n{title}{boxes}")
    inner = _inner(text, within, milestone)
    if inner is None:
        return insert(text, within.end, f"### {milestone}\n\n{boxes}")
    if not _inside(text, inner):
        return insert(text, inner.end, boxes)
    return _extended(text, inner, said)


def _placed(text: str) -> Iterator[tuple[Line, str, str]]:
    """Give each line with the phase and the milestone that it stands under.

    In the older style a line that ends in a colon names the checklist below it.
    """
    phase = milestone = label = ""
    for line in lines(text):
        bare = line.prose.strip().strip("*_ ")
        if head := heading(line.prose):
            phase = head[1] if head[0] == PHASE else phase if head[0] > PHASE else ""
            milestone, label = (head[1] if head[0] > PHASE else ""), ""
        elif bare.endswith(":") and not _BOX.match(line.prose):
            label = bare.rstrip(":").strip()
        yield line, phase, milestone or label


def _inside(text: str, section: Section) -> list[Item]:
    return [item for item in items(text) if section.body <= item.box < section.end]


def _inner(text: str, phase: Section, milestone: str) -> Section | None:
    """Give the milestone that is meant, or a phase that has none; None for a new one."""
    if milestone:
        return _named(text, milestone, MILESTONE, phase.body, phase.end)
    found = sections(text)
    inside = [s for s in found if s.level == MILESTONE and phase.body <= s.start < phase.end]
    if len(inside) > 1:
        names = ", ".join(f"`{one_line(s.title)}`" for s in inside)
        raise Refused("which milestone?", hint=f"--milestone, one of: {names}")
    return inside[0] if inside else phase


def _named(text: str, title: str, level: int, start: int, end: int) -> Section | None:
    """Give the section that a title names; None where none does."""
    among = [s for s in sections(text) if s.level == level and start <= s.start < end]
    titles = [s.title for s in among]
    noun = "phase" if level == PHASE else "milestone"
    return choose(noun, title, among, titles) if matches(title, titles) else None


def _extended(text: str, section: Section, said: Sequence[str]) -> str:
    """Put items below the last of a section; the first fills a box that is still empty."""
    present = _inside(text, section)
    last, end = present[-1], newline(text)
    if not last.words and not last.done:
        rest = text[last.box + 2 :].lstrip(" \t")
        text = f"{text[: last.box + 2]} {said[0]}{rest}"
        last, said = items(text)[last.number - 1], said[1:]
    head = text[: last.end]
    gap = "" if head.endswith("\n") or not said else end
    boxes = "".join(f"{present[0].lead}[ ] {words}{end}" for words in said)
    return f"{head}{gap}{boxes}{text[last.end :]}"
