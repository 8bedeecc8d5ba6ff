"""Types of what models take and give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array

Vector = Sequence[float]
"""The vector of a text; all vectors of a model have the same length."""
EmbedFunction = Callable[[Sequence[str]], Iterator[Vector]]
"""A function from texts to their vectors."""
MultiplyRows = Callable[[bytearray, "array[float]", Vector], Sequence[float]]
"""A function from rows of one byte per number, the scale of each row, and a vector to products."""


class InstalledFiles(NamedTuple):
    """The files of packages: the model, its tokenizer, and the library of ONNX Runtime."""

    model: str
    tokenizer: str
    runtime: str
