"""Expand the macros of a preset: each with what a story recalls.

A macro is `{{name}}` or `{{name::argument}}`; case does not count. An unknown one stays as it is,
for the front end knows others. What a macro brings is never expanded: a text is read once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MACRO_NAMES = (
    "memories",
    "memoriesRaw",
    "memorySalience",
    "entities",
    "entityFacts",
    "relationships",
    "arc",
    "cortexActive",
    "entityCount",
    "characterColors",
)
"""The macros of stories, as they are spelled."""
_MACRO = re.compile(r"\{\{\s*+([A-Za-z]{1,40})\s*+(?:::\s*+([^{}\0]{0,200}?)\s*+)?\}\}")
"""Texts that are rendered together are divided by NUL: no macro reaches into the next one."""
_FOLDED = {name.casefold(): name for name in MACRO_NAMES}


class MacroUse(NamedTuple):
    """A macro in a text: its name as in `MACRO_NAMES`, and its argument (empty: none)."""

    name: str
    argument: str


class Macros(NamedTuple):
    """What each macro brings: a function from its argument (empty: none) to a text."""

    functions: Mapping[str, Callable[[str], str]]


def expand_macros(text: str, macros: Macros) -> str:
    """Return a text with its known macros expanded, in their order."""

    def expand(found: re.Match[str]) -> str:
        function = macros.functions.get(_FOLDED.get(found[1].casefold(), ""))
        return found[0] if function is None else function(found[2] or "")

    return _MACRO.sub(expand, text)


def find_macros(text: str) -> list[MacroUse]:
    """Return the known macros in a text, in their order, each as often as it is there."""
    found = (MacroUse(_FOLDED.get(m[1].casefold(), ""), m[2] or "") for m in _MACRO.finditer(text))
    return [use for use in found if use.name]
