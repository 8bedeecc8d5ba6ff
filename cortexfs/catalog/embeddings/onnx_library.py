"""ONNX Runtime through its C interface: without its Python package, and without numpy.

To import both takes longer than a search. The order of the functions in the table never changes;
new versions add some at its end. See onnxruntime_c_api.h.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Mapping

TABLE_VERSION = 16
"""Version of the table, from ONNX Runtime 1.16 on."""
FLOAT, INT8, INT64 = 1, 3, 7
"""Types of the numbers of a tensor."""
WARNINGS_AND_LESS, ERRORS = 2, 3
_CPU_ARENA, _DEFAULT_MEMORY = 0, 0
_ERROR_MESSAGE, _CREATE_ENV, _CREATE_SESSION, _RUN = 2, 3, 8, 9
_CREATE_OPTIONS, _SET_OPTIMIZED_PATH, _SET_SEVERITY, _SET_OPTIMIZATION = 10, 11, 22, 23
_SET_THREADS, _CREATE_TENSOR, _CREATE_MEMORY_INFO = 24, 49, 69
_RELEASE_STATUS, _RELEASE_SESSION, _RELEASE_VALUE, _RELEASE_OPTIONS = 93, 95, 96, 100
_ADD_CONFIG = 130
_LONG_CALLS = frozenset({_CREATE_SESSION, _RUN})
_POINTER = ctypes.c_void_p
_OUT = ctypes.POINTER(ctypes.c_void_p)
_TEXT, _INT, _SIZE = ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t


class OnnxError(Exception):
    """The library is missing or too old, or has refused a model or its inputs."""


class Tensor(NamedTuple):
    """Numbers of a type, with their shape; the numbers of a result are written into `numbers`."""

    numbers: array[float] | array[int] | ctypes.Array[ctypes.c_char]
    kind: int
    shape: tuple[int, ...]


class ModelOptions(NamedTuple):
    """How a model is loaded: its level of optimization, and settings by their names."""

    level: int = 0
    settings: Mapping[str, str] = {}
    optimized_path: str = ""
    """Where the optimized model is written."""


class OnnxLibrary:
    """The loaded library; used by any number of threads. Raises `OnnxError`."""

    def __init__(self, path: str) -> None:
        try:
            get_base = ctypes.CDLL(path).OrtGetApiBase
        except (OSError, AttributeError) as error:
            raise OnnxError(str(error)) from None
        get_base.restype = _OUT
        get_table = ctypes.CFUNCTYPE(_OUT, ctypes.c_uint32)(get_base()[0])
        self._functions: dict[int, Callable[..., int | None]] = {}
        self._table = get_table(TABLE_VERSION)
        if not self._table:
            raise OnnxError(f"it has no functions of version {TABLE_VERSION}")
        self._env = self._create(_CREATE_ENV, (_INT, ERRORS), (_TEXT, b"cortexfs"))
        self._memory = self._create(
            _CREATE_MEMORY_INFO, (_INT, _CPU_ARENA), (_INT, _DEFAULT_MEMORY)
        )

    def load_model(self, content: ctypes.Array[ctypes.c_char], options: ModelOptions) -> OnnxModel:
        """Load a model from memory, which it may go on to use."""
        handle = self._make_options(options)
        try:
            session = self._create(
                _CREATE_SESSION,
                (_POINTER, self._env),
                (_POINTER, ctypes.addressof(content)),
                (_SIZE, len(content)),
                (_POINTER, handle),
            )
        finally:
            self._release(_RELEASE_OPTIONS, handle)
        return OnnxModel(self, session, content)

    def run(
        self, session: int, inputs: Mapping[str, Tensor], outputs: Mapping[str, Tensor]
    ) -> None:
        """Compute the outputs of a model into their tensors."""
        names = [*inputs, *outputs]
        values: list[int] = []
        try:
            for tensor in (*inputs.values(), *outputs.values()):
                values.append(self._make_value(tensor))  # noqa: PERF401 - those made are released
            name_array = (_TEXT * len(names))(*(name.encode() for name in names))
            value_array = (_POINTER * len(values))(*values)
            self._call(
                _RUN,
                (_POINTER, session),
                (_POINTER, None),
                (_POINTER, ctypes.addressof(name_array)),
                (_POINTER, ctypes.addressof(value_array)),
                (_SIZE, len(inputs)),
                (_POINTER, ctypes.addressof(name_array) + len(inputs) * ctypes.sizeof(_TEXT)),
                (_SIZE, len(outputs)),
                (_POINTER, ctypes.addressof(value_array) + len(inputs) * ctypes.sizeof(_POINTER)),
            )
        finally:
            for value in values:
                self._release(_RELEASE_VALUE, value)

    def release_session(self, session: int) -> None:
        """Free what a model has in memory."""
        self._release(_RELEASE_SESSION, session)

    def _make_options(self, options: ModelOptions) -> int:
        handle = self._create(_CREATE_OPTIONS)
        try:
            self._call(_SET_OPTIMIZATION, (_POINTER, handle), (_INT, options.level))
            self._call(_SET_SEVERITY, (_POINTER, handle), (_INT, ERRORS))
            self._call(_SET_THREADS, (_POINTER, handle), (_INT, 1))
            for key, value in options.settings.items():
                texts = ((_TEXT, key.encode()), (_TEXT, value.encode()))
                self._call(_ADD_CONFIG, (_POINTER, handle), *texts)
            if options.optimized_path:
                path = (_TEXT, os.fsencode(options.optimized_path))
                self._call(_SET_OPTIMIZED_PATH, (_POINTER, handle), path)
        except OnnxError:
            self._release(_RELEASE_OPTIONS, handle)
            raise
        return handle

    def _make_value(self, tensor: Tensor) -> int:
        shape = (ctypes.c_int64 * len(tensor.shape))(*tensor.shape)
        address, size = _locate(tensor)
        return self._create(
            _CREATE_TENSOR,
            (_POINTER, self._memory),
            (_POINTER, address),
            (_SIZE, size),
            (_POINTER, ctypes.addressof(shape)),
            (_SIZE, len(tensor.shape)),
            (_INT, tensor.kind),
        )

    def _create(self, number: int, *arguments: tuple[type, object]) -> int:
        """Call a function that makes an object, and return its address."""
        made = _POINTER()
        self._call(number, *arguments, (_OUT, ctypes.pointer(made)))
        return made.value or 0

    def _call(self, number: int, *arguments: tuple[type, object]) -> None:
        types, values = zip(*arguments, strict=True)
        if status := self._get_function(number, _POINTER, *types)(*values):
            describe = ctypes.CFUNCTYPE(_TEXT, _POINTER)(self._table[_ERROR_MESSAGE])
            message = (describe(status) or b"").decode(errors="replace")
            self._release(_RELEASE_STATUS, status)
            raise OnnxError(message)

    def _release(self, number: int, handle: int) -> None:
        self._get_function(number, None, _POINTER)(handle)

    def _get_function(
        self, number: int, result: type | None, *types: type
    ) -> Callable[..., int | None]:
        """Return a function of the table, which is made once.

        Other threads of Python run only beside one that takes long: to wait for them after each
        takes longer than the call.
        """
        if number not in self._functions:
            make = ctypes.CFUNCTYPE if number in _LONG_CALLS else ctypes.PYFUNCTYPE
            self._functions[number] = make(result, *types)(self._table[number])
        return self._functions[number]


class OnnxModel:
    """A loaded model."""

    def __init__(
        self, library: OnnxLibrary, session: int, content: ctypes.Array[ctypes.c_char]
    ) -> None:
        self._library = library
        self._session = session
        self._content = content
        """What the library goes on to read."""

    def run(self, inputs: Mapping[str, Tensor], outputs: Mapping[str, Tensor]) -> None:
        """Compute the outputs into their tensors, whose shapes must be right."""
        self._library.run(self._session, inputs, outputs)

    def close(self) -> None:
        """Free the model; it must not be used any more."""
        self._library.release_session(self._session)


def _locate(tensor: Tensor) -> tuple[int, int]:
    """Return the address of the numbers of a tensor, and their bytes."""
    numbers = tensor.numbers
    if isinstance(numbers, ctypes.Array):
        return ctypes.addressof(numbers), len(numbers)
    address, count = numbers.buffer_info()
    return address, count * numbers.itemsize


def open_library(path: str) -> OnnxLibrary:
    """Return the library, loaded once; raise `OnnxError` if it cannot be used."""
    with _open_lock:
        return _open_once(path)


_open_once = lru_cache(maxsize=1)(OnnxLibrary)
_open_lock = threading.Lock()


def map_file(file_fd: int) -> ctypes.Array[ctypes.c_char]:
    """Map an open file into memory; what is written there stays in this process."""
    size = os.fstat(file_fd).st_size
    mapped = mmap.mmap(file_fd, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    return (ctypes.c_char * size).from_buffer(mapped)
