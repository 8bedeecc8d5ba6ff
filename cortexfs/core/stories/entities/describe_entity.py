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
    if not found:
        return "", (), "active"
    description = next((words for _, _, what, words, _ in found if what == DESCRIPTION), "")
    facts: dict[str, tuple[str, int, int]] = {}
    status, since = "active", 0
    for number, _, what, words, importance in found:
        if what == FACT and importance >= settings.fact_importance:
            facts.setdefault(words.casefold(), (words, importance, number))
        elif what == STATUS and _fits(words, kind):
            status, since = words, number
    if status == "inactive" and since < last:
        status = "active"  # it came back
    kept = sorted(facts.values(), key=lambda fact: (-fact[1], -fact[2], fact[0]))[: settings.facts]
    return (
        description,
        tuple(
            (words, importance)
            for words, importance, _ in sorted(kept, key=lambda fact: (fact[2], fact[0]))
        ),
        status,
    )


def _fits(status: str, kind: str) -> bool:
    """Tell whether something of this type can have this status."""
    if status == "deceased":
        return kind == "character"
    return status != "destroyed" or kind in {"location", "item", "faction"}
