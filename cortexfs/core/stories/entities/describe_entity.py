"""What is remembered of an entity in words: description, facts, status."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.read_texts import DESCRIPTION, FACT, STATUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.entities.entity import EntitySettings
    from cortexfs.core.stories.entities.evidence import PlacedText, Totals

PlacedFact = tuple[str, int, int]
"""The words of a fact, its importance, and the first passage that says it."""
Remembered = tuple[str, tuple[PlacedFact, ...], str]


def describe(
    forms: Sequence[str], kind: str, last: int, totals: Totals, settings: EntitySettings
) -> Remembered:
    """Return the description, the facts, and the status.

    `last` is the last passage with the entity.
    """
    texts = sorted(chain.from_iterable(totals.texts.get(form, ()) for form in forms))
    found = [text for text in texts if text[2] != FACT]
    description = next((words for _, _, what, words, _ in found if what == DESCRIPTION), "")
    status, since = "active", last
    for number, _, what, words, _ in found:
        if what == STATUS and _fits(words, kind):
            status, since = words, number
    if status == "inactive" and since < last:
        status = "active"  # it came back
    return description, _choose_facts(texts, settings), status


def _choose_facts(texts: list[PlacedText], settings: EntitySettings) -> tuple[PlacedFact, ...]:
    """Return the most important facts, later ones rather than earlier ones, in their order."""
    first: dict[str, int] = {}
    facts: dict[str, tuple[int, str, int, int]] = {}
    for order, (number, _, what, words, importance) in enumerate(texts):
        if what == FACT and (key := words.casefold()) not in facts:
            at = first.setdefault(key, number)
            if importance >= settings.fact_importance:
                facts[key] = (order, words, importance, at)
    kept = sorted(facts.values(), key=lambda fact: (-fact[2], -fact[0]))[: settings.facts]
    return tuple(fact[1:] for fact in sorted(kept))


def _fits(status: str, kind: str) -> bool:
    """Tell whether something of this type can have this status."""
    if status == "deceased":
        return kind == "character"
    return status != "destroyed" or kind in {"location", "item", "faction"}
