"""Multiply packed rows with a vector by ONNX Runtime, without importing numpy."""

from __future__ import annotations

import ctypes
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

from cortexfs.catalog.embeddings.onnx_library import (
    FLOAT,
    INT8,
    ModelOptions,
    Tensor,
    open_library,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.catalog.embeddings.model_types import MultiplyRows
    from cortexfs.catalog.embeddings.onnx_library import OnnxModel

_LENGTH_DELIMITED = 2
_IR_VERSION, _OPERATOR_VERSION = 8, 13


def make_multiply(library: str) -> MultiplyRows:
    """Return a function that multiplies rows; it raises `OnnxError` without the library."""

    def multiply(rows: bytearray, scales: array[float], vector: Sequence[float]) -> Sequence[float]:
        size = len(vector)
        count = len(rows) // size
        products = array("f", bytes(4 * count))
        if count:
            _load_product(library).run(
                {
                    "rows": Tensor(_view(rows), INT8, (count, size)),
                    "scales": Tensor(scales, FLOAT, (count, 1)),
                    "vector": Tensor(array("f", vector), FLOAT, (size, 1)),
                },
                {"products": Tensor(products, FLOAT, (count, 1))},
            )
        return products

    return multiply


def _view(rows: bytearray) -> ctypes.Array[ctypes.c_char]:
    return (ctypes.c_char * len(rows)).from_buffer(rows)


@lru_cache(maxsize=1)
def _load_product(library: str) -> OnnxModel:
    content = ctypes.create_string_buffer(encoded := encode_product(), len(encoded))
    return open_library(library).load_model(content, ModelOptions())


def encode_product() -> bytes:
    """Return a model with three steps: numbers as floats, the product of matrices, the scales."""
    graph = b"".join(
        [
            _field(1, _encode_node("Cast", ["rows"], "numbers", _encode_attribute("to", FLOAT))),
            _field(1, _encode_node("MatMul", ["numbers", "vector"], "unscaled")),
            _field(1, _encode_node("Mul", ["unscaled", "scales"], "products")),
            _field(2, b"product"),
            _field(11, _encode_value("rows", INT8)),
            _field(11, _encode_value("scales", FLOAT)),
            _field(11, _encode_value("vector", FLOAT)),
            _field(12, _encode_value("products", FLOAT)),
        ]
    )
    return _field(1, _IR_VERSION) + _field(7, graph) + _field(8, _field(2, _OPERATOR_VERSION))


def _encode_node(
    operator: str, inputs: Sequence[str], output: str, attribute: bytes = b""
) -> bytes:
    names = b"".join(_field(1, name.encode()) for name in inputs)
    end = _field(5, attribute) if attribute else b""
    return names + _field(2, output.encode()) + _field(4, operator.encode()) + end


def _encode_attribute(name: str, value: int) -> bytes:
    return _field(1, name.encode()) + _field(3, value) + _field(20, 2)


def _encode_value(name: str, kind: int) -> bytes:
    """Encode a matrix of any height and width."""
    shape = b"".join(_field(1, _field(2, f"{name}-{side}".encode())) for side in "hw")
    tensor = _field(1, kind) + _field(2, shape)
    return _field(1, name.encode()) + _field(2, _field(1, tensor))


def _field(number: int, value: int | bytes) -> bytes:
    """Encode a field of protobuf; a message or text is bytes."""
    if isinstance(value, int):
        return _encode_int(number << 3) + _encode_int(value)
    return _encode_int(number << 3 | _LENGTH_DELIMITED) + _encode_int(len(value)) + value


def _encode_int(value: int) -> bytes:
    low, high = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _encode_int(high) if high else bytes([low])
