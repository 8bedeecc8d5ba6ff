"""Render the table in which the hook of a prompt looks up the atoms that the prompt is about."""

from __future__ import annotations

from itertools import accumulate
from math import log
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.injection.prompt_tokens import split_terms
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.text.sanitize import redact_secrets, to_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_ITEMS = 2000
"""Maximum number of atoms in the table; the hook reads it while the agent waits."""
MAX_SUMMARY_CHARS = 200
MAX_TERMS = 40
"""Maximum number of terms of one atom."""
MAX_PLACES = 200
"""Maximum number of atoms, the best first, that a term leads to; a common one says little."""


class PromptItem(NamedTuple):
    """One atom that a prompt can be about: its ref, its summary, and further words for it."""

    ref: str
    summary: str
    words: str = ""


def render_prompt_terms(items: Sequence[PromptItem]) -> bytes:
    """Return the table of the first `MAX_ITEMS` items.

    A line with the weight of the rarest terms and the bytes of the terms; then the sorted terms,
    each with its weight in hundredths and where its items begin, counted from the first; then the
    items, each with ref and summary, without secrets and private parts.
    """
    chosen = [_redact(item) for item in items[:MAX_ITEMS]]
    rows = [f"{_to_cell(item.ref)}\t{_to_cell(item.summary)}\n".encode() for item in chosen]
    starts = accumulate(map(len, rows), initial=0)
    places: dict[str, list[int]] = {}
    for start, item in zip(starts, chosen, strict=False):
        terms = dict.fromkeys(split_terms(f"{item.summary} {item.words}"))
        for term in list(terms)[:MAX_TERMS]:
            places.setdefault(term, []).append(start)
    terms_block = b"".join(
        sorted(
            b"%b\t%d\t%b\n" % (term.encode(), weigh_term(len(chosen), len(found)), _join(found))
            for term, found in places.items()
            if term.isprintable()
        )
    )
    header = f"cortexfs-prompt-terms 1 {weigh_term(len(chosen), 1)} {len(terms_block)}\n"
    return header.encode() + terms_block + b"".join(rows)


def weigh_term(item_count: int, found_count: int) -> int:
    """Return the weight of a term in hundredths: the rarer it is, the more it says."""
    return round(100 * log(1 + item_count / found_count))


def _redact(item: PromptItem) -> PromptItem:
    """Return an item without secrets and private parts: models get its texts."""
    texts = (item.summary, item.words)
    return PromptItem(
        item.ref, *(redact_secrets(to_one_line(redact_private(each))) for each in texts)
    )


def _join(starts: Sequence[int]) -> bytes:
    return ",".join(map(str, starts[:MAX_PLACES])).encode()


def _to_cell(text: str) -> str:
    """Return a text as one cell: one line without tabs."""
    line = " ".join(to_one_line(text).split())
    return line if len(line) <= MAX_SUMMARY_CHARS else line[: MAX_SUMMARY_CHARS - 1] + "…"
