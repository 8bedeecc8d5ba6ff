"""Ask on the terminal for values that a new atom lacks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cortexfs.interfaces.cli import console, questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.create_atom import AtomDraft


def ask_summary(draft: AtomDraft) -> AtomDraft:
    """Return a draft with a summary, asked for on a terminal if there is none."""
    if draft.summary.strip() or not console.is_interactive():
        return draft
    return replace(draft, summary=questions.ask_question("summary:"))


def ask_alternatives(given: Sequence[str] = ()) -> list[str]:
    """Return the alternatives of a decision: the given ones, and answers until an empty one.

    Asks only on a terminal, and only if too few are given.
    """
    from cortexfs.core.decisions.alternatives import MIN_ALTERNATIVES

    found = list(given)
    if len(found) >= MIN_ALTERNATIVES or not console.is_interactive():
        return found
    while answer := questions.ask_question(_format_question(len(found), MIN_ALTERNATIVES)):
        found.append(answer)
    return found


def _format_question(count: int, minimum: int) -> str:
    end = " (empty ends)" if count >= minimum else ""
    return f"alternative {count + 1}{end}:"
