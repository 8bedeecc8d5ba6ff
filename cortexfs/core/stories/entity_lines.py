"""The body of an entity's file, as it is generated: a title, a description, and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.colours.speaker_colour import SECTION as COLOURS
from cortexfs.core.stories.colours.speaker_colour import format_colour_line
from cortexfs.core.stories.escape_markdown import escape_markdown
from cortexfs.core.stories.generated_lines import GeneratedLine, make_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.stories.story_entity import EntityFact, EntityRelation, StoryEntity

MAX_SHOWN_CHUNKS = 10
"""Chunks that a relation names as its evidence: the last ones."""


class EntityPlace(NamedTuple):
    """The id of an entity, its project, and the day on which it was first generated.

    `refs` has the ids of the entities to which it has relations, by name, as far as they have one;
    `shown` has the names that a person has given to these, `other_names` all that the texts have,
    if a person has struck a relation: it stays struck under each of them.
    """

    ident: str
    project: str
    day: str
    refs: tuple[tuple[str, str], ...] = ()
    shown: tuple[tuple[str, str], ...] = ()
    other_names: tuple[tuple[str, tuple[str, ...]], ...] = ()


def format_chunk_ref(number: int) -> str:
    """Return the ref of a chunk by its number: `CH-0042`."""
    return f"CH-{number:04d}"


def iter_entity_lines(entity: StoryEntity, place: EntityPlace) -> Iterator[GeneratedLine]:
    """Yield the lines of the body; the heading of a section without lines is optional."""
    blank = GeneratedLine("", "")
    yield GeneratedLine("line:title", f"# {place.ident}: {escape_markdown(entity.name)}")
    if entity.description:
        yield blank
        yield GeneratedLine("line:description", escape_markdown(entity.description))
    for title, lines in _list_sections(entity, place).items():
        yield blank
        yield GeneratedLine(make_key("section", title), f"## {title}", is_optional=not lines)
        yield blank
        yield from lines


def _list_sections(entity: StoryEntity, place: EntityPlace) -> dict[str, list[GeneratedLine]]:
    """Return the lines of each section, in the order of the format."""
    refs, shown, names = dict(place.refs), dict(place.shown), dict(place.other_names)
    emotions = ((name, f"{escape_markdown(name)}: {share:.0%}") for name, share in entity.emotions)
    return {
        "Facts": [
            GeneratedLine(make_key("fact", each.text), _format_fact(each)) for each in entity.facts
        ],
        "Emotional profile": [
            GeneratedLine(make_key("emotion", name), f"- {text}") for name, text in emotions
        ],
        "Relations": [
            GeneratedLine(
                make_key("relation", each.type.value, each.other),
                _format_relation(each, refs, shown),
                former=tuple(
                    make_key("relation", each.type.value, name)
                    for name in names.get(each.other, ())
                ),
            )
            for each in entity.relations
        ],
        COLOURS: [
            GeneratedLine(make_key("colour", each.usage), format_colour_line(each))
            for each in entity.colours
        ],
    }


def _format_fact(fact: EntityFact) -> str:
    chunk = format_chunk_ref(fact.chunk)
    return f"- [i:{fact.importance}] {escape_markdown(fact.text)} ({chunk})"


def _format_relation(
    relation: EntityRelation, refs: Mapping[str, str], shown: Mapping[str, str]
) -> str:
    chunks = ", ".join(map(format_chunk_ref, relation.chunks[-MAX_SHOWN_CHUNKS:]))
    label = f", {escape_markdown(relation.label)}" if relation.label else ""
    doubt = f", {relation.contradiction} contradiction" if relation.contradiction else ""
    figures = f"strength {relation.strength:.2f}, sentiment {relation.sentiment:+.2f}"
    ident = refs.get(relation.other)
    name = shown.get(relation.other, relation.other)
    other = escape_markdown(name) + (f" {ident}" if ident else "")
    return f"- {relation.type.value.replace('_', ' ')}: {other}{label}; {figures}{doubt} ({chunks})"
