"""The format `shadow`: prose from the perspective of those who lived it, not to be recited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.prompt.envelope import clean_text
from cortexfs.core.stories.prompt.prompt_format import (
    MAX_TIES,
    PromptFormat,
    format_distance,
    join_sentences,
    join_words,
    list_facts,
    quote_memory,
    shorten_text,
)

if TYPE_CHECKING:
    from cortexfs.core.stories.prompt.recalled_relations import RelationBetween
    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownRelation
    from cortexfs.core.stories.recall.recall import RecalledArc, RecalledMemory

_FEELINGS = frozenset({"ally", "enemy", "lover", "sibling", "rival", "custom", "mentor", "fears"})
_MOODS = {"positive": "warmth", "negative": "tension", "neutral": "complexity"}
_MAX_NAMED = 3


def _format_memory(memory: RecalledMemory) -> str:
    emotions = [clean_text(each) for each in memory.emotions]
    mood = f" The undertone was {join_words(emotions)}." if emotions else ""
    when = format_distance(memory.distance)
    said = join_sentences([_quote(memory)])
    return f"[{when}] {_find_perspective(memory)}: {said}{mood}"


def _quote(memory: RecalledMemory) -> str:
    """Return what was said, without the name of the only one who speaks."""
    if len({each.speaker for each in memory.excerpt}) != 1:
        return quote_memory(memory)
    return " / ".join(shorten_text(each.text) for each in memory.excerpt)


def _find_perspective(memory: RecalledMemory) -> str:
    """Return who remembers: who speaks, or else the one whom it is about."""
    speakers = [clean_text(each.speaker) for each in memory.excerpt if each.speaker]
    names = list(dict.fromkeys(filter(None, speakers or map(clean_text, memory.speakers))))
    if 0 < len(names) <= _MAX_NAMED:
        return f"{join_words(names)} experienced this"
    if len(memory.entities) == 1:
        return f"As {clean_text(memory.entities[0])} experienced it"
    return "Those involved remember"


def _format_entity(entity: KnownEntity) -> str:
    name, kind = clean_text(entity.name), clean_text(entity.type)
    article = "an" if kind[:1] in "aeiou" else "a"
    gone = "" if entity.status in {"active", "unknown"} else f" ({clean_text(entity.status)})"
    about = f", {clean_text(entity.description)}" if entity.description else ""
    ties = [_format_tie(each) for each in _list_ties(entity)]
    known = [f"{name} is {article} {kind}{gone}{about}", *list_facts(entity)]
    return join_sentences([*known, f"Ties: {'; '.join(ties)}" if ties else ""])


def _list_ties(entity: KnownEntity) -> list[KnownRelation]:
    return sorted(entity.relations, key=lambda each: -each.strength)[:MAX_TIES]


def _format_tie(relation: KnownRelation) -> str:
    kind = clean_text(relation.label or relation.type.replace("_", " "))
    return f"{kind} ({clean_text(relation.other)})"


def _format_relation(relation: RelationBetween) -> str:
    one, other = clean_text(relation.subject), clean_text(relation.object)
    label = clean_text(relation.label)
    if relation.type not in _FEELINGS:
        return join_sentences(
            [f"{one} is {relation.phrase} {other}" + (f": {label}" * bool(label))]
        )
    about = label or relation.type.replace("_", " ")
    return join_sentences([f"Between {one} and {other} there is {_MOODS[relation.mood]}: {about}"])


def _format_arc(arc: RecalledArc) -> str:
    return f"[Story so far] {clean_text(arc.title)}: {clean_text(arc.text)}"


SHADOW = PromptFormat(
    {
        "memories": "[What the characters carry with them: let it show through their eyes, do not"
        " recite it]",
        "entities": "[What the story has established: weave it in where the moment calls for it]",
        "relations": "[What is between them]",
        "arc": "",
    },
    _format_memory,
    _format_entity,
    _format_relation,
    _format_arc,
)
