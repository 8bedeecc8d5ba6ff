"""A model that needs no package: words are hashed into numbers, so texts that share words are near.

As a program it embeds a tree and tells on stdout how far it is: `tiny_model.py ROOT`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from zlib import crc32

from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.operations.embed import embed as carry_out
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIZE = 64
SAME = {"automobile": "car", "vehicle": "car", "physician": "doctor", "surgeon": "doctor"}
"""What means the same, to this model."""


def row(text: str) -> list[float]:
    """Count words, each in the place of its meaning."""
    numbers = [1e-6] * SIZE
    for word in text.lower().split():
        numbers[crc32(SAME.get(word, word).encode()) % SIZE] += 1.0
    length = sum(each * each for each in numbers) ** 0.5
    return [each / length for each in numbers]


def embed(texts: Sequence[str]) -> Iterator[list[float]]:
    return map(row, texts)


TINY = EmbeddingModel("tiny", lambda _: embed)


def opened(root: str, model: EmbeddingModel = TINY) -> Session:
    """Open a tree whose texts this model embeds."""
    session = Session.open(root, read_clock)
    session.reader.model = model
    return session


if __name__ == "__main__":
    done = carry_out(opened(sys.argv[1]), lambda done, total: print(done, total, flush=True))
    print("now", done.new_count, flush=True)
