"""Types of what models take and give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Vector = Sequence[float]
"""The vector of a text; all vectors of a model have the same length."""
EmbedFunction = Callable[[Sequence[str]], Iterator[Vector]]
"""A function from texts to their vectors."""
MultiplyRows = Callable[[bytearray, Vector], Sequence[float]]
"""A function from rows of one byte per number and a vector to the product of each row."""


class InstalledFiles(NamedTuple):
    """The files of installed packages: the model, its tokenizer, and the library that runs it."""

    model: str
    tokenizer: str
    library: str
