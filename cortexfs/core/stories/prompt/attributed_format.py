"""The format `attributed`: each memory with its source, its distance and what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.prompt.envelope import clean_text
from cortexfs.core.stories.prompt.prompt_format import (
    MAX_FACTS,
    PromptFormat,
    format_distance,
    quote_memory,
)

if TYPE_CHECKING:
    from cortexfs.core.stories.prompt.recalled_relations import RelationBetween
    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownFact
    from cortexfs.core.stories.recall.recall import RecalledArc, RecalledMemory


def _format_memory(memory: RecalledMemory) -> str:
    core = ", core" if memory.is_core else ""
    when = f", {memory.time[:10]}" if memory.time else ""
    source = memory.ref.rpartition("/")[2]
    span = f"messages {memory.first} to {memory.last}"
    worth = f"salience {memory.salience:.2f}{core}"
    label = f"{source}, {span}, {format_distance(memory.distance)}{when}, {worth}"
    return f"[{clean_text(label)}] {quote_memory(memory)}"


def _format_entity(entity: KnownEntity) -> str:
    facts = sorted(entity.facts, key=lambda fact: -fact.importance)[:MAX_FACTS]
    known = [clean_text(entity.description), *map(_format_fact, facts)]
    about = "; ".join(filter(None, known))
    head = f"[{entity.ident}, {entity.type}, {entity.status}, {entity.mentions} mentions]"
    return f"{clean_text(head)} {clean_text(entity.name)}" + (f": {about}" if about else "")


def _format_fact(fact: KnownFact) -> str:
    source = f" ({clean_text(fact.chunk)})" if fact.chunk else ""
    return f"{clean_text(fact.text).rstrip('.')}{source}"


def _format_relation(relation: RelationBetween) -> str:
    label = f", {clean_text(relation.label)}" if relation.label else ""
    figures = f"[strength {relation.strength:.2f}, sentiment {relation.sentiment:+.2f}]"
    ends = f"{clean_text(relation.subject)} is {relation.phrase} {clean_text(relation.object)}"
    return f"{figures} {ends}{label}"


def _format_arc(arc: RecalledArc) -> str:
    span = f", messages {arc.first} to {arc.last}" if arc.last else ""
    source = arc.ref.rpartition("/")[2]
    return f"[{clean_text(source)}{span}] {clean_text(arc.title)}: {clean_text(arc.text)}"


ATTRIBUTED = PromptFormat(
    {
        "memories": "Memories, each with its source:",
        "entities": "Who and what is known:",
        "relations": "Relations:",
        "arc": "Summary:",
    },
    _format_memory,
    _format_entity,
    _format_relation,
    _format_arc,
)
