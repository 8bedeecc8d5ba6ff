"""Vectors of queries are kept in the user's cache, and only sound ones are read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cortexfs.catalog.embeddings.prepared_model import cache_folder_path
from cortexfs.catalog.embeddings.query_vectors import (
    MAX_RECORDS,
    keep_query_vector,
    read_query_vector,
)

if TYPE_CHECKING:
    from collections.abc import Callable

VECTOR = [0.6, 0.8]


@pytest.fixture(autouse=True)
def file() -> Path:
    os.makedirs(cache_folder_path(), 0o700)
    return Path(cache_folder_path(), "queries-v1")


def _read(text: str = "a", model: str = "m") -> list[float] | None:
    found = read_query_vector(model, text, 2)
    return None if found is None else list(found)


def test_a_kept_vector_is_read_for_the_same_query_and_model_only(file: Path) -> None:
    keep_query_vector("m", "a", VECTOR)
    keep_query_vector("m", "secret words", [1.0, 0.0])
    assert _read() == pytest.approx(VECTOR)
    assert _read("b") is None
    assert _read(model="other") is None
    assert file.stat().st_mode & 0o777 == 0o600
    assert b"secret" not in file.read_bytes()


def test_the_file_does_not_grow_without_end(file: Path) -> None:
    for number in range(MAX_RECORDS + 1):
        keep_query_vector("m", str(number), VECTOR)
    assert file.stat().st_size == 32 + 8
    assert _read(str(MAX_RECORDS)) == pytest.approx(VECTOR)


def test_a_vector_without_the_length_one_is_not_used(file: Path) -> None:
    keep_query_vector("m", "a", VECTOR)
    file.write_bytes(file.read_bytes()[:-8] + b"\xff" * 8)
    assert _read() is None


def test_a_record_that_was_cut_is_replaced(file: Path) -> None:
    keep_query_vector("m", "a", VECTOR)
    os.truncate(file, 35)
    assert _read() is None
    keep_query_vector("m", "a", VECTOR)
    assert _read() == pytest.approx(VECTOR)


def _link(file: Path) -> None:
    target = file.with_suffix(".there")
    file.rename(target)
    file.symlink_to(target)


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _share(file: Path) -> None:
    file.parent.chmod(0o777)


@pytest.mark.parametrize("harm", [_link, _pipe, _share])
def test_what_others_could_have_put_there_is_neither_read_nor_written(
    file: Path, harm: Callable[[Path], None]
) -> None:
    keep_query_vector("m", "a", VECTOR)
    harm(file)
    assert _read() is None
    keep_query_vector("m", "b", VECTOR)
    assert _read("b") is None
