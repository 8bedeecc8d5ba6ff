"""What a format of prompts consists of, and what formats have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.prompt.envelope import clean_text
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cortexfs.core.stories.prompt.recalled_relations import RelationBetween
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.recall.recall import RecalledArc, RecalledMemory

MAX_FACTS = 6
"""Facts of an entity that are written: the most important ones."""
MAX_TIES = 4
"""Relations of an entity that are written with it: the strongest ones."""
MAX_MESSAGE_CHARS = 600


class PromptFormat(NamedTuple):
    """A format: the heading of each part, and how one item of it is written; empty: not at all."""

    headings: Mapping[str, str]
    format_memory: Callable[[RecalledMemory], str]
    format_entity: Callable[[KnownEntity], str]
    format_relation: Callable[[RelationBetween], str]
    format_arc: Callable[[RecalledArc], str]


def format_distance(messages: int) -> str:
    """Return how long ago something was said."""
    return f"~{format_count(messages, 'message')} ago" if messages else "just now"


def quote_memory(memory: RecalledMemory, separator: str = " / ") -> str:
    """Return what was said in a memory: its best messages with who says them, or its summary."""
    said = [_format_message(each.speaker, each.text) for each in memory.excerpt]
    return separator.join(said) if said else shorten_text(memory.text)


def shorten_text(text: str) -> str:
    """Return a cleaned text, cut to `MAX_MESSAGE_CHARS` characters."""
    clean = clean_text(text[: 4 * MAX_MESSAGE_CHARS])
    if len(clean) <= MAX_MESSAGE_CHARS:
        return clean
    return clean[:MAX_MESSAGE_CHARS].rsplit(" ", 1)[0] + " …"


def list_facts(entity: KnownEntity) -> list[str]:
    """Return the most important facts of an entity, in the order of its file."""
    best = sorted(entity.facts, key=lambda fact: -fact.importance)[:MAX_FACTS]
    return [clean_text(fact.text).rstrip(".") for fact in entity.facts if fact in best]


def join_words(words: Sequence[str]) -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    *first, last = words or ("",)
    return f"{', '.join(first)} and {last}" if first else last


def join_sentences(parts: Iterable[str]) -> str:
    """Return texts as sentences."""
    kept = (part.strip() for part in parts)
    return " ".join(
        part if part.endswith((".", "!", "?", "…")) else f"{part}." for part in kept if part
    )


def _format_message(speaker: str, text: str) -> str:
    said = shorten_text(text)
    name = clean_text(speaker)
    return f"{name}: {said}" if name else said
