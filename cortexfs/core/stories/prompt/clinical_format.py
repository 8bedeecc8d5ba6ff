"""The format `clinical`: bullet points of facts, without manner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.prompt.envelope import clean_text
from cortexfs.core.stories.prompt.prompt_format import (
    MAX_TIES,
    PromptFormat,
    format_distance,
    join_sentences,
    list_facts,
    quote_memory,
)

if TYPE_CHECKING:
    from cortexfs.core.stories.prompt.recalled_relations import RelationBetween
    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownRelation
    from cortexfs.core.stories.recall.recall import RecalledArc, RecalledMemory


def _format_memory(memory: RecalledMemory) -> str:
    return f"* {quote_memory(memory)} ({format_distance(memory.distance)})"


def _format_entity(entity: KnownEntity) -> str:
    status = "" if entity.status in {"active", "unknown"} else f", {entity.status}"
    lines = [f"* {clean_text(entity.name)} ({clean_text(entity.type + status)})"]
    facts = join_sentences([clean_text(entity.description), *list_facts(entity)])
    ties = sorted(entity.relations, key=lambda each: -each.strength)[:MAX_TIES]
    if facts:
        lines.append(f"  Facts: {facts}")
    if ties:
        lines.append(f"  Relations: {' | '.join(map(_format_tie, ties))}")
    return "\n".join(lines)


def _format_tie(relation: KnownRelation) -> str:
    label = f", {clean_text(relation.label)}" if relation.label else ""
    return f"{clean_text(relation.other)} ({relation.type.replace('_', ' ')}{label})"


def _format_relation(relation: RelationBetween) -> str:
    arrow = "--" if relation.is_mutual else "to"
    label = f" ({clean_text(relation.label)})" if relation.label else ""
    kind = relation.type.replace("_", " ")
    ends = f"{clean_text(relation.subject)} {arrow} {clean_text(relation.object)}"
    return f"* {ends}: {kind}{label} [{relation.mood}]"


def _format_arc(arc: RecalledArc) -> str:
    return f"* {clean_text(arc.title)}: {clean_text(arc.text)}"


CLINICAL = PromptFormat(
    {
        "memories": "[PAST EVENTS]",
        "entities": "[KNOWN ENTITIES]",
        "relations": "[ACTIVE RELATIONSHIPS]",
        "arc": "[STORY SO FAR]",
    },
    _format_memory,
    _format_entity,
    _format_relation,
    _format_arc,
)
