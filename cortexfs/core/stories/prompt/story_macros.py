"""The macros of a story for one template: together they bring at most the tokens of a budget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cortexfs.core.stories.prompt.compose_prompt import (
    compose_prompt,
    measure_demands,
    measure_envelope,
)
from cortexfs.core.stories.prompt.fit_budget import divide_budget
from cortexfs.core.stories.prompt.macro_parts import format_macro_word, make_macro_parts
from cortexfs.core.stories.prompt.macros import MACRO_NAMES, Macros, MacroUse
from cortexfs.core.stories.prompt.prompt_parts import SHARES, PromptPart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.bulletin.measure_text import Budget
    from cortexfs.core.stories.prompt.macro_parts import MacroSources
    from cortexfs.core.stories.prompt.prompt_parts import PartLines

    Pieces = Mapping[MacroUse, Mapping[PromptPart, PartLines]]


def make_story_macros(sources: MacroSources, budget: Budget, uses: Sequence[MacroUse]) -> Macros:
    """Return the macros for a template that uses some; each takes of what is left of the budget."""
    names = {use.name for use in uses}
    pieces = {use: make_macro_parts(sources, use, names) for use in dict.fromkeys(uses)}
    left = _divide(pieces, budget, uses)

    def expand(name: str, argument: str) -> str:
        parts = pieces.get(MacroUse(name, argument), {})
        if not parts:
            is_word = name in {"cortexActive", "entityCount"}
            return format_macro_word(sources, name) if is_word else ""
        room = sum(left[part] for part in parts)
        text = compose_prompt(parts, budget._replace(limit=room))
        _take(left, parts, budget.measure(text))
        return text

    return Macros({name: partial(expand, name) for name in MACRO_NAMES})


def _divide(pieces: Pieces, budget: Budget, uses: Sequence[MacroUse]) -> dict[PromptPart, int]:
    """Return the tokens of each part, for all macros that write it."""
    demands = dict.fromkeys(PromptPart, 0)
    for use in uses:
        parts = pieces[use]
        for part, size in measure_demands(parts, budget).items():
            demands[part] += size
        for part in list(parts)[:1]:
            demands[part] += measure_envelope(parts, budget)
    return divide_budget(budget.limit, SHARES, demands)


def _take(left: dict[PromptPart, int], parts: Mapping[PromptPart, PartLines], size: int) -> None:
    """Take tokens from what is left of some parts."""
    for part in parts:
        taken = min(size, left[part])
        left[part] -= taken
        size -= taken
