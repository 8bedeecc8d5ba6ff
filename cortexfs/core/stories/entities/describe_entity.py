"""What is remembered of an entity in words: description, facts, status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.read_texts import DESCRIPTION, FACT, STATUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.entities.entity import EntitySettings
    from cortexfs.core.stories.entities.evidence import Totals

Remembered = tuple[str, tuple[tuple[str, int], ...], str]


def describe(
    forms: Sequence[str], kind: str, last: int, totals: Totals, settings: EntitySettings
) -> Remembered:
    """Return the description, the facts with their importance, and the status.

    `last` is the last passage with the entity.
    """
    found = sorted(
        (number, order, *text)
        for form in forms
        for number, texts in totals.texts.get(form, {}).items()
        for order, text in enumerate(texts)
    )
    description = next((words for _, _, what, words, _ in found if what == DESCRIPTION), "")
    status, since = "active", last
    for number, _, what, words, _ in found:
        if what == STATUS and _fits(words, kind):
            status, since = words, number
    if status == "inactive" and since < last:
        status = "active"  # it came back
    told = [(words, importance) for _, _, what, words, importance in found if what == FACT]
    return description, _choose_facts(told, settings), status


def _choose_facts(
    told: list[tuple[str, int]], settings: EntitySettings
) -> tuple[tuple[str, int], ...]:
    """Return the most important facts, later ones rather than earlier ones, in their order."""
    facts: dict[str, tuple[int, str, int]] = {}
    for order, (words, importance) in enumerate(told):
        if importance >= settings.fact_importance:
            facts.setdefault(words.casefold(), (order, words, importance))
    kept = sorted(facts.values(), key=lambda fact: (-fact[2], -fact[0]))[: settings.facts]
    return tuple((words, importance) for _, words, importance in sorted(kept))


def _fits(status: str, kind: str) -> bool:
    """Tell whether something of this type can have this status."""
    if status == "deceased":
        return kind == "character"
    return status != "destroyed" or kind in {"location", "item", "faction"}
