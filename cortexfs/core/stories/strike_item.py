"""Strike what the file of an entity says, as a person would: the lines of one item, or an alias.

A line that is struck is a person's decision: no build writes it again.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.sections import find_section_in_text
from cortexfs.core.stories.colours.read_colour_lines import TITLES
from cortexfs.core.stories.colours.speaker_colour import SECTION, parse_colour_line
from cortexfs.core.stories.read_entity_file import parse_entity_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stories.colours.speaker_colour import ColourUsage
    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownRelation

ItemT = TypeVar("ItemT")
_ITEM = re.compile(r" {0,3}[-*+] ")


class EntityPart(StrEnum):
    """A part of an entity that is a list of items in its file."""

    FACTS = "facts"
    RELATIONS = "relations"
    COLOURS = "colours"


_TITLES = {
    EntityPart.FACTS: "Facts",
    EntityPart.RELATIONS: "Relations",
    EntityPart.COLOURS: SECTION,
}
"""The titles of the sections with these parts."""


def name_relation(relation: KnownRelation) -> str:
    """Return what tells a relation of an entity from the others: its type and the other's name."""
    return f"{relation.type} {relation.other}"


def strike_item(text: str, path: str, part: EntityPart, place: int) -> str | None:
    """Return the file of an entity without one item of a part; None if it has no such item.

    The lines to strike are those without which the file says the same, but for this item.
    """
    before = parse_entity_file(text, path)
    if before is None or not 0 <= place < len(getattr(before, part)):
        return None
    wanted = drop_item(before, part, place)
    item, head = getattr(before, part)[place], atom_text.split_front_and_body(text)[0]
    lines = text.split("\n")
    for start, end in _iter_items(lines):
        alone = "\n".join((f"{head}\n## {_TITLES[part]}\n", *lines[start:end]))
        parsed = parse_entity_file(alone, path)
        if parsed is None or getattr(parsed, part) != (item,):
            continue  # most items: to read the whole file without each of them takes too long
        struck = "\n".join(lines[:start] + lines[end:])
        if parse_entity_file(struck, path) == wanted:
            return struck
    return None


def drop_item(entity: KnownEntity, part: EntityPart, place: int) -> KnownEntity:
    """Return an entity without one item of a part."""

    def leave(items: tuple[ItemT, ...]) -> tuple[ItemT, ...]:
        return (*items[:place], *items[place + 1 :])

    match part:
        case EntityPart.FACTS:
            return entity._replace(facts=leave(entity.facts))
        case EntityPart.RELATIONS:
            return entity._replace(relations=leave(entity.relations))
        case EntityPart.COLOURS:
            return entity._replace(colours=leave(entity.colours))


def add_colour(text: str, colour: str, usage: ColourUsage) -> str:
    """Return the file of an entity with a colour that a person has given to it.

    A colour of the same usage is replaced.
    """
    line = f"- {usage}: {colour}"
    section = find_section_in_text(text, TITLES)
    if section is None:
        body = text.rstrip("\n")
        return f"{body}\n\n## {SECTION}\n\n{line}\n"
    head, tail = text[: section.body_start], text[section.end :]
    head = head if head.endswith("\n") else f"{head}\n"
    lines = _put_colour(text[section.body_start : section.end].split("\n"), line, usage)
    return head + "\n".join(lines) + tail


def _put_colour(lines: list[str], line: str, usage: ColourUsage) -> list[str]:
    """Return the lines of the section of colours with another one."""
    known = {at: found.usage for at, each in enumerate(lines) if (found := parse_colour_line(each))}
    if usage in known.values():
        same = next(at for at, each in known.items() if each == usage)
        return [*lines[:same], line, *lines[same + 1 :]]
    if known:
        last = max(known) + 1
        return [*lines[:last], line, *lines[last:]]
    return ["", line, *lines]


def _iter_items(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the first line of each item of a list, and the one after its last."""
    for start, line in enumerate(lines):
        if _ITEM.match(line):
            end = start + 1
            while end < len(lines) and lines[end].strip() and not _begins_other(lines[end]):
                end += 1
            yield start, end


def _begins_other(line: str) -> bool:
    return line.startswith("#") or _ITEM.match(line) is not None
