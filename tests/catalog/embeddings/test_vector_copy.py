"""The flat copy of the vectors is used only while it is ours and current."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cortexfs.catalog.derived_file_seal import save_checksum
from cortexfs.catalog.embeddings.embedding_model import multiply_with_numpy
from cortexfs.catalog.embeddings.vector_copy import ROWS_PER_BATCH, copy_path, open_copy, write_copy
from cortexfs.catalog.embeddings.vector_file import open_vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]


def _store(root: Path, texts: dict[str, list[list[float]]]) -> None:
    folder = root / ".cortexfs"
    folder.mkdir(exist_ok=True)
    with open_vectors(str(folder), "m") as store:
        for content, rows in texts.items():
            store.put_vectors(content, rows)
    with open_vectors(str(folder), "m") as store:
        write_copy(str(root), store, "m")


def _compare(root: Path, row: list[float], model: str = "m") -> dict[str, float] | None:
    with open_copy(str(root), model) as copy:
        return copy.compute_cosines(row, multiply_with_numpy) if copy else None


def test_a_copy_has_the_most_similar_passage_of_each_text(tmp_path: Path) -> None:
    _store(tmp_path, {"a": [NORTH, EAST], "b": [NORTH]})
    assert _compare(tmp_path, EAST) == {"a": pytest.approx(1.0), "b": pytest.approx(0.0)}
    assert os.stat(copy_path(str(tmp_path / ".cortexfs"))).st_mode & 0o777 == 0o600


def test_more_rows_than_are_read_at_once_are_compared(tmp_path: Path) -> None:
    count = ROWS_PER_BATCH + 10
    _store(tmp_path, {f"{number:05}": [EAST if number % 2 else NORTH] for number in range(count)})
    found = _compare(tmp_path, EAST)
    assert found
    assert len(found) == count
    assert found[f"{count - 1:05}"] == pytest.approx(float((count - 1) % 2))


def test_a_vector_of_another_length_is_compared_with_nothing(tmp_path: Path) -> None:
    _store(tmp_path, {"a": [EAST]})
    assert _compare(tmp_path, [1.0, 0.0, 0.0]) == {}


def test_a_copy_is_not_used_for_another_model_or_after_a_change(tmp_path: Path) -> None:
    _store(tmp_path, {"a": [EAST]})
    assert _compare(tmp_path, EAST, "other") is None
    with open_vectors(str(tmp_path / ".cortexfs"), "m") as store:
        store.put_vectors("b", [EAST])
        assert _compare(tmp_path, EAST) is None
    assert _compare(tmp_path, EAST) is None


def _replace_by_link(path: str) -> None:
    os.rename(path, f"{path}.there")
    os.symlink(f"{path}.there", path)


def _replace_by_pipe(path: str) -> None:
    os.unlink(path)
    os.mkfifo(path)


def _cut(path: str) -> None:
    os.truncate(path, os.stat(path).st_size - 1)


def _rewrite(path: str) -> None:
    with open(path, "r+b") as file:
        file.write(file.read())


@pytest.mark.parametrize("harm", [_replace_by_link, _replace_by_pipe, _cut, _rewrite, os.unlink])
def test_a_copy_that_somebody_else_changed_is_not_used(
    tmp_path: Path, harm: Callable[[str], None]
) -> None:
    _store(tmp_path, {"a": [EAST]})
    harm(copy_path(str(tmp_path / ".cortexfs")))
    assert _compare(tmp_path, EAST) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"texts": 2', b'"texts": 3'),
        (b'"rows": 3', b'"rows": 2'),
        (b"\x00" * 4, b"\x09" * 4),
        (b'"row": 2', b'"row": 9'),
        (b"{", b"["),
        (b'"m"', b'"n"'),
    ],
)
def test_a_copy_with_a_seal_but_a_wrong_head_is_not_used(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    _store(tmp_path, {"a": [EAST, NORTH], "b": [EAST]})
    path = copy_path(str(tmp_path / ".cortexfs"))
    with open(path, "rb") as file:
        content = file.read()
    assert old in content
    with open(path, "wb") as file:
        file.write(content.replace(old, new, 1))
    save_checksum(path)
    assert _compare(tmp_path, EAST) is None
