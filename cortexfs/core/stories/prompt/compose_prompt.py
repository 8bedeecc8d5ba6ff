"""Compose what is recalled into one text for a prompt, within a budget of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.prompt.envelope import enclose, enclose_inline
from cortexfs.core.stories.prompt.fit_budget import divide_budget, fit_items
from cortexfs.core.stories.prompt.prompt_parts import SHARES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.bulletin.measure_text import Budget
    from cortexfs.core.stories.prompt.prompt_parts import PartLines, PromptPart


def compose_prompt(parts: Mapping[PromptPart, PartLines], budget: Budget) -> str:
    """Return the parts in their envelope, in at most the tokens of a budget; or nothing.

    Each part has its share; what one does not need others get. Of each the most important lines are
    taken, and the last one may be cut. A single line is enclosed on its line.
    """
    room = budget.limit
    while room > 0:
        text = _compose(parts, room - measure_envelope(parts, budget), budget)
        size = budget.measure(text)
        if size <= budget.limit:
            return text
        room -= size - budget.limit  # a tokenizer may count a whole otherwise than its lines
    return ""


def measure_envelope(parts: Mapping[PromptPart, PartLines], budget: Budget) -> int:
    """Return the tokens of the envelope of some parts."""
    return budget.measure(_enclose(parts, "."))


def measure_demands(parts: Mapping[PromptPart, PartLines], budget: Budget) -> dict[PromptPart, int]:
    """Return the tokens that each part would like to have, without the envelope."""
    demands = {}
    for part, (heading, lines) in parts.items():
        head = budget.measure(heading) + 1 if heading else 0
        demands[part] = head + sum(budget.measure(line) + 1 for line in lines)
    return demands


def _compose(parts: Mapping[PromptPart, PartLines], room: int, budget: Budget) -> str:
    given = divide_budget(room, SHARES, measure_demands(parts, budget))
    lines: list[str] = []
    for part, (heading, items) in parts.items():
        lines += fit_items(items, given[part], budget.measure, heading=heading).items
    return _enclose(parts, "\n".join(lines))


def _enclose(parts: Mapping[PromptPart, PartLines], text: str) -> str:
    """Return a text in the envelope of its parts."""
    lines = [line for heading, items in parts.values() for line in (heading, *items) if line]
    return enclose_inline(text) if len(lines) == 1 else enclose(text)
