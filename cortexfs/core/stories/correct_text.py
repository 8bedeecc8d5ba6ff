"""Correct the file of an entity as a person would: every other line of it stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.colours.colour_codes import parse_colour
from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.correction import Correction
from cortexfs.core.stories.escape_markdown import escape_markdown, remove_markup
from cortexfs.core.stories.story_entity import EntityStatus, EntityType
from cortexfs.core.stories.strike_item import EntityPart, add_colour, name_relation, strike_item
from cortexfs.core.stories.transcripts.transcript import strip_escapes
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line, truncate_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import StrEnum

    from cortexfs.core.stories.colours.speaker_colour import SpeakerColour
    from cortexfs.core.stories.read_entity_file import KnownEntity

MAX_NAME_CHARS = 200
MAX_FACT_CHARS = 500
MAX_NAMED_CHARS = 40
MAX_CHOICES = 3
"""Items that a refusal names, where several are meant."""
_FACTS = "## Facts"
_FIELDS: dict[str, type[StrEnum]] = {Correction.TYPE: EntityType, Correction.STATUS: EntityStatus}
_IMPORTANCE = re.compile(r"\[i:(?:10|[1-9])\](?: +|$)")


def correct_text(text: str, path: str, entity: KnownEntity, asked: tuple[str, str, str]) -> str:
    """Return the file of an entity after a correction: of what, which item, to which value.

    Raises `Refused` for a value that is not possible, or if the entity has no such item.
    """
    change, item, value = asked
    if known := _FIELDS.get(change):
        return atom_text.edit_frontmatter(text, {change: _require(value, known)})
    match change:
        case Correction.RENAME:
            return _rename(text, entity, clean_name(value))
        case Correction.ADD_ALIAS:
            return add_aliases(text, entity, (clean_name(value),))
        case Correction.ADD_FACT:
            return add_facts(text, (_format_fact(value),))
        case Correction.USAGE:
            usage = ColourUsage(_require(value, ColourUsage))
            (colour,) = find_colours(entity, item, only_one=True)
            return add_colour(strike_colours(text, path, entity, (colour,)), colour.colour, usage)
        case _:
            return _strike(text, path, entity, (change, item))


def clean_name(typed: str) -> str:
    """Return a name as a file may have it; raise `Refused` if nothing is left."""
    name = truncate_line(remove_markup(strip_escapes(typed)).strip(), MAX_NAME_CHARS)
    if not name:
        raise Refused("the name is empty", hint="give a name that the story may use")
    return name


def _rename(text: str, entity: KnownEntity, name: str) -> str:
    """Return the file with another name; the former one becomes its first alias."""
    if name == entity.name:
        return text
    others = [each for each in entity.aliases if each.casefold() != name.casefold()]
    if entity.name.casefold() not in {name.casefold(), *map(str.casefold, others)}:
        others.insert(0, entity.name)
    titled = re.compile(rf"^# {re.escape(entity.ident)}: .*$", re.MULTILINE)
    text = titled.sub(lambda _: f"# {entity.ident}: {escape_markdown(name)}", text, count=1)
    fields: dict[str, str | tuple[str, ...]] = {"summary": name}
    if tuple(others) != entity.aliases:
        fields["aliases"] = tuple(others)
    return atom_text.edit_frontmatter(text, fields)


def add_aliases(text: str, entity: KnownEntity, names: Sequence[str]) -> str:
    """Return the file with more aliases; those that it has are left out."""
    known = {each.casefold(): each for each in (entity.name, *entity.aliases)}
    count = len(known)
    for name in names:
        known.setdefault(name.casefold(), name)
    new = list(known.values())[count:]
    return atom_text.edit_frontmatter(text, {"aliases": (*entity.aliases, *new)}) if new else text


def add_facts(text: str, lines: Sequence[str]) -> str:
    """Return the file with more facts, each a line; those that it has are left out."""
    present = text.split("\n")
    new = [line for line in lines if line not in present]
    if not new:
        return text
    if _FACTS not in present:
        return "\n".join([text.rstrip("\n"), "", _FACTS, "", *new, ""])
    end = start = present.index(_FACTS) + 1
    for at, line in enumerate(present[start:], start):
        if line.startswith("#"):
            break
        end = at + 1 if line.strip() else end
    blank = [""] if end == start else []
    return "\n".join([*present[:end], *blank, *new, *present[end:]])


def _format_fact(typed: str) -> str:
    line = to_one_line(strip_escapes(typed)).strip()
    importance = _IMPORTANCE.match(line)
    rest = line[importance.end() :] if importance else line
    if not rest:
        raise Refused("the fact is empty", hint="give a fact as a sentence")
    shown = escape_markdown(truncate_line(rest, MAX_FACT_CHARS))
    return f"- {importance[0].rstrip()} {shown}" if importance else f"- {shown}"


def _strike(text: str, path: str, entity: KnownEntity, asked: tuple[str, str]) -> str:
    """Return the file without the item that is named."""
    change, item = asked
    if change in {Correction.ALIAS, Correction.SPLIT}:
        place = find_item(entity, "alias", entity.aliases, item)
        left = (*entity.aliases[:place], *entity.aliases[place + 1 :])
        return atom_text.edit_frontmatter(text, {"aliases": left})
    if change == Correction.COLOUR:
        return strike_colours(text, path, entity, find_colours(entity, item))
    if change == Correction.FACT:
        part, names = EntityPart.FACTS, [each.text for each in entity.facts]
    elif change == Correction.RELATION:
        part, names = EntityPart.RELATIONS, list(map(name_relation, entity.relations))
    else:
        raise Refused("no such correction", hint=f"use one of {', '.join(Correction)}")
    place = find_item(entity, change.removeprefix("strike-"), names, item)
    struck = strike_item(text, path, part, place)
    if struck is None:
        raise _no_item(entity, item)
    return struck


def strike_colours(
    text: str, path: str, entity: KnownEntity, colours: Sequence[SpeakerColour]
) -> str:
    """Return the file without some of its colours."""
    places = [at for at, each in enumerate(entity.colours) if each in colours]
    for place in reversed(places):
        struck = strike_item(text, path, EntityPart.COLOURS, place)
        if struck is None:
            raise _no_item(entity, colours[0].colour)
        text = struck
    return text


def find_colours(
    entity: KnownEntity, item: str, *, only_one: bool = False
) -> tuple[SpeakerColour, ...]:
    """Return the colours of an entity that an item names: `speech #2e86c1`, or `#2e86c1` of any.

    Raises `Refused` for none, and with `only_one` for several.
    """
    usage, _, typed = item.strip().rpartition(" ")
    colour = parse_colour(typed)
    found = [each for each in entity.colours if each.colour == colour and usage in {"", each.usage}]
    if not found:
        raise _no_item(entity, item)
    if only_one and len(found) > 1:
        shown = " or ".join(f"`{each.usage} {each.colour}`" for each in found)
        raise Refused(f"{entity.ref} has that colour twice", hint=f"name {shown}")
    return tuple(found)


def find_item(entity: KnownEntity, what: str, names: Sequence[str], item: str) -> int:
    """Return the place of an item: by its text, or by a part that no other one has."""
    if item in names:
        return list(names).index(item)
    wanted = item.casefold().strip()
    found = [at for at, name in enumerate(names) if wanted and wanted in name.casefold()]
    if what == "alias":
        found = [at for at in found if names[at].casefold() == wanted]
    if len(found) > 1:
        shown = ", ".join(f"`{names[at]}`" for at in found[:MAX_CHOICES])
        several = format_count(len(found), what)
        raise Refused(f"{entity.ref} has {several} with `{item}`", hint=f"name one: {shown}")
    if not found:
        raise _no_item(entity, item)
    return found[0]


def _require(value: str, known: type[StrEnum]) -> str:
    if value in {*known}:
        return value
    raise Refused(f"{value!a} is not possible here", hint=f"use one of {', '.join(known)}")


def _no_item(entity: KnownEntity, item: str) -> Refused:
    shown = truncate_line(item, MAX_NAMED_CHARS)
    hint = f"`cortexfs show {entity.ref}` shows what it says"
    return Refused(f"{entity.ref} does not say `{shown}`", hint=hint)
