"""Strike what the file of an entity says, as a person would: the lines of one item, or an alias.

A line that is struck is a person's decision: no build writes it again.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from cortexfs.core.stories.colours.speaker_colour import (
    SECTION,
    ColourUsage,
    SpeakerColour,
    parse_colour_line,
)
from cortexfs.core.stories.read_entity_file import parse_entity_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownRelation

ItemT = TypeVar("ItemT")
_ITEM = re.compile(r" {0,3}[-*+] ")


class EntityPart(StrEnum):
    """A part of an entity that is a list of items in its file."""

    FACTS = "facts"
    RELATIONS = "relations"
    COLOURS = "colours"


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
    lines = text.split("\n")
    for start, end in _iter_items(lines):
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
    lines = text.split("\n")
    places = list(_iter_colours(lines))
    for at, known in places:
        if known.usage == usage:
            return "\n".join([*lines[:at], line, *lines[at + 1 :]])
    if places:
        last = places[-1][0] + 1
        return "\n".join([*lines[:last], line, *lines[last:]])
    heading = f"## {SECTION}"
    body = text.rstrip("\n")
    if heading in lines:
        return body.replace(f"\n{heading}", f"\n{heading}\n\n{line}", 1) + "\n"
    return f"{body}\n\n{heading}\n\n{line}\n"


def _iter_colours(lines: list[str]) -> Iterator[tuple[int, SpeakerColour]]:
    """Yield the place of each line of the section of colours, and what it says."""
    is_in = False
    for at, line in enumerate(lines):
        if line.startswith("#"):
            is_in = line.strip("# ").casefold() == SECTION.casefold()
        elif is_in and (found := parse_colour_line(line)):
            yield at, found


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
