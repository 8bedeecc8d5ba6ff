"""Split an atom into passages for embedding: its title with pieces of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PASSAGE_WORDS = 150
"""Words per passage: they rarely exceed the input of small models (256 word pieces)."""
MAX_PASSAGES = 4
"""Maximum passages per atom. Embedding one costs as much as a hundred lexical matches."""


def split_passages(title: str, strings: Sequence[str]) -> tuple[str, ...]:
    """Return the passages of a text whose body was split at its blanks.

    Each is preceded by the title; without a body, the title is the only one.
    """
    words = strings[: PASSAGE_WORDS * MAX_PASSAGES]
    pieces = (words[start : start + PASSAGE_WORDS] for start in range(0, len(words), PASSAGE_WORDS))
    return tuple(f"{title}\n{' '.join(piece)}" for piece in pieces) or (title,)


def hash_passages(passages: Sequence[str]) -> str:
    """Return a hash of passages (128 bits of BLAKE2b, hexadecimal), independent of the atom."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL

    return blake2b("\0".join(passages).encode(errors="replace"), digest_size=16).hexdigest()
