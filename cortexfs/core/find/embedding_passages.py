"""What of an atom is read for its meaning: its title, its text in pieces that a model can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PASSAGE_WORDS = 150
"""Words of a passage: what small models read at once (256 pieces of words), seldom less."""
MAX_PASSAGES = 4
"""Passages of an atom. Reading one costs as much as finding a hundred atoms by their words."""


def split_passages(title: str, body: str) -> tuple[str, ...]:
    """Cut a text into passages, each headed by the title; one without a body is its title."""
    words = body.split(maxsplit=PASSAGE_WORDS * MAX_PASSAGES)[: PASSAGE_WORDS * MAX_PASSAGES]
    pieces = (words[start : start + PASSAGE_WORDS] for start in range(0, len(words), PASSAGE_WORDS))
    return tuple(f"{title}\n{' '.join(piece)}" for piece in pieces) or (title,)


def hash_passages(said: Sequence[str]) -> str:
    """Name passages by what they say: wherever the atom stands, the same again is known."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL

    return blake2b("\0".join(said).encode(errors="replace"), digest_size=16).hexdigest()
