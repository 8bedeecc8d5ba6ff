"""The parts of a prompt that a recall fills, and the lines of each by a format.

A format is a row of functions: how a memory, an entity, a relation and the course of the story are
written, and under which headings.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.settings.story_settings import Formatter
from cortexfs.core.stories.prompt.attributed_format import ATTRIBUTED
from cortexfs.core.stories.prompt.clinical_format import CLINICAL
from cortexfs.core.stories.prompt.minimal_format import MINIMAL
from cortexfs.core.stories.prompt.recalled_relations import gather_relations
from cortexfs.core.stories.prompt.shadow_format import SHADOW

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.core.settings.story_settings import StoryPromptSettings
    from cortexfs.core.stories.prompt.prompt_format import PromptFormat
    from cortexfs.core.stories.recall.recall import Recall


class PromptPart(StrEnum):
    """A part of a prompt."""

    MEMORIES = "memories"
    ENTITIES = "entities"
    RELATIONS = "relations"
    ARC = "arc"


SHARES = {
    PromptPart.MEMORIES: 0.45,
    PromptPart.ENTITIES: 0.30,
    PromptPart.RELATIONS: 0.15,
    PromptPart.ARC: 0.10,
}
"""The part of a budget that each has, if all need it."""
FORMATS: dict[Formatter, PromptFormat] = {
    Formatter.SHADOW: SHADOW,
    Formatter.ATTRIBUTED: ATTRIBUTED,
    Formatter.CLINICAL: CLINICAL,
    Formatter.MINIMAL: MINIMAL,
}


class PartLines(NamedTuple):
    """A part of a prompt: its heading (empty: none), and its lines, the most important first."""

    heading: str
    lines: tuple[str, ...]


def make_parts(
    recall: Recall,
    settings: StoryPromptSettings,
    formatter: Formatter,
    wanted: Collection[PromptPart] = tuple(PromptPart),
) -> dict[PromptPart, PartLines]:
    """Return the parts of a prompt that have lines, in their order."""
    form = FORMATS[formatter]
    entities = recall.entities[: settings.entities]
    relations = (
        gather_relations(entities, settings.relations)
        if settings.relationships and PromptPart.RELATIONS in wanted
        else []
    )
    arcs = recall.arcs if settings.arcs else ()
    lines = {
        PromptPart.MEMORIES: map(form.format_memory, recall.memories),
        PromptPart.ENTITIES: map(form.format_entity, entities),
        PromptPart.RELATIONS: map(form.format_relation, relations),
        PromptPart.ARC: map(form.format_arc, arcs[-1:]),
    }
    made = {part: tuple(filter(None, lines[part])) for part in PromptPart if part in wanted}
    return {part: PartLines(form.headings[part], each) for part, each in made.items() if each}
