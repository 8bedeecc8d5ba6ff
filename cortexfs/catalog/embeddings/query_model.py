"""Embed one text, and compare it with many vectors, without importing Python packages for it."""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_left
from collections import OrderedDict
from typing import TYPE_CHECKING

from cortexfs.catalog.embeddings.onnx_library import (
    FLOAT,
    INT64,
    OnnxError,
    Tensor,
    open_library,
)
from cortexfs.catalog.embeddings.prepared_model import prepare_model
from cortexfs.core.find.split_word_pieces import split_word_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cortexfs.catalog.embeddings.model_types import InstalledFiles, Vector
    from cortexfs.catalog.embeddings.onnx_library import OnnxModel

MAX_KEPT = 200
"""Number of queries whose vectors are kept."""
OUTPUT = "last_hidden_state"


class QueryModel:
    """The installed model, loaded for queries; used by any number of threads.

    It is loaded for one query first, which may be embedded as typed and as corrected. At the third
    text it is loaded for many, because such a process will ask again. Raises `OnnxError` or
    `OSError` if it cannot be loaded.
    """

    def __init__(self, files: InstalledFiles, max_tokens: int, dimensions: int) -> None:
        self._dimensions = dimensions
        library = open_library(files.runtime)
        self._prepared = prepare_model(files, library)
        self._load: Callable[[bool], OnnxModel] = lambda many: self._prepared.load(
            library, many=many
        )
        self._model = self._load(False)  # noqa: FBT003 - one text
        self._words = self._prepared.read_words()
        self._max_tokens = max_tokens
        self._is_for_many = False
        self._kept: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Iterator[Vector]:
        """Yield the vectors of texts."""
        for text in texts:
            with self._lock:
                vector = self._kept.get(text) or self._embed_new(text)
                self._kept[text] = vector
                self._kept.move_to_end(text)
                if len(self._kept) > MAX_KEPT:
                    self._kept.popitem(last=False)
            yield vector

    def knows_word(self, word: str) -> bool:
        """Return whether a word in lower case is one piece."""
        return self._find_piece(word) is not None

    def _embed_new(self, text: str) -> Vector:
        if len(self._kept) > 1 and not self._is_for_many:
            self._model, self._is_for_many = self._load(True), True  # noqa: FBT003 - many texts
        numbers = array("q", split_word_pieces(text, self._find_piece, self._max_tokens))
        count = len(numbers)
        shape = (1, count)
        hidden = array("f", bytes(4 * count * self._dimensions))
        self._model.run(
            {
                "input_ids": Tensor(numbers, INT64, shape),
                "attention_mask": Tensor(array("q", [1]) * count, INT64, shape),
                "token_type_ids": Tensor(array("q", [0]) * count, INT64, shape),
            },
            {OUTPUT: Tensor(hidden, FLOAT, (1, count, self._dimensions))},
        )
        return _normalize_mean(hidden, self._dimensions)

    def _find_piece(self, piece: str) -> int | None:
        at = bisect_left(self._words, f"{piece}\t")
        word, _, number = self._words[at].partition("\t") if at < len(self._words) else ("", "", "")
        return int(number) if word == piece else None


def _normalize_mean(hidden: array[float], dimensions: int) -> Vector:
    """Return the mean of the vectors of all pieces, with the length 1."""
    sums = [sum(hidden[at::dimensions]) for at in range(dimensions)]
    length = sum(each * each for each in sums) ** 0.5
    if not length > 0:
        raise OnnxError("the model gave no vector")
    return [each / length for each in sums]
