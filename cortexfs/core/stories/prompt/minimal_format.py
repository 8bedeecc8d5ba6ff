"""The format `minimal`: what was said and nothing else, word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.prompt.envelope import clean_text
from cortexfs.core.stories.prompt.prompt_format import (
    PromptFormat,
    join_sentences,
    list_facts,
    quote_memory,
)

if TYPE_CHECKING:
    from cortexfs.core.stories.prompt.recalled_relations import RelationBetween
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.recall.recall import RecalledArc, RecalledMemory


def _format_memory(memory: RecalledMemory) -> str:
    return quote_memory(memory, "\n")


def _format_entity(entity: KnownEntity) -> str:
    """Return the facts of an entity; nothing of one about which nothing is known."""
    facts = join_sentences(list_facts(entity))
    return f"{clean_text(entity.name)}: {facts}" if facts else ""


def _format_relation(_: RelationBetween) -> str:
    return ""


def _format_arc(arc: RecalledArc) -> str:
    return clean_text(arc.text)


MINIMAL = PromptFormat(
    {"memories": "", "entities": "", "relations": "", "arc": ""},
    _format_memory,
    _format_entity,
    _format_relation,
    _format_arc,
)
