"""Vectors are stored with little loss, and a damaged file is replaced."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from forged_journal import write_hot_journal
from hypothesis import given
from hypothesis import strategies as st
from soak_cases import leave_to_soak

from cortexfs.catalog.embeddings.embedding_model import multiply_with_numpy
from cortexfs.catalog.embeddings.vector_copy import read_store
from cortexfs.catalog.embeddings.vector_file import VectorStore, open_vectors, vectors_path

if TYPE_CHECKING:
    from collections.abc import Callable

rows = st.lists(
    st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=16, max_size=16).filter(
        lambda row: sum(each * each for each in row) > 0.01
    ),
    min_size=1,
    max_size=4,
)


def _unit(row: list[float]) -> list[float]:
    length = sum(each * each for each in row) ** 0.5
    return [each / length for each in row]


def _dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@given(st.dictionaries(st.text("abcdef", min_size=1), rows, max_size=5), rows)
def test_the_similarity_of_a_text_is_that_of_its_nearest_passage(
    texts: dict[str, list[list[float]]], query_rows: list[list[float]]
) -> None:
    store = VectorStore(sqlite3.connect(":memory:", isolation_level=None))
    store.db.execute("CREATE TABLE vectors (content TEXT, part INT, row BLOB, seal INT)")
    for content, passages in texts.items():
        store.put_vectors(content, map(_unit, passages))
    copy = read_store(store)
    found = copy.compute_cosines(_unit(query_rows[0]), multiply_with_numpy)
    store.db.close()
    assert found == {
        content: pytest.approx(
            max(_dot(_unit(each), _unit(query_rows[0])) for each in passages), abs=0.02
        )
        for content, passages in texts.items()
    }


def _make_vector_file(folder: Path) -> Path:
    with open_vectors(str(folder), "m") as store:
        for number in range(200):
            store.put_vectors(f"{number:032}", [[float(number % 7), 1.0] * 64])
    return folder / "vectors-v1.sqlite"


def test_stored_vectors_are_found_again_by_the_same_model_only(tmp_path: Path) -> None:
    path = _make_vector_file(tmp_path)
    assert str(path) == vectors_path(str(tmp_path))
    with open_vectors(str(tmp_path), "m") as store:
        assert len(store.list_contents()) == 200
        store.delete_contents([f"{number:032}" for number in range(150)])
        assert len(store.list_contents()) == 50
    with open_vectors(str(tmp_path), "other") as store:
        assert store.list_contents() == set()


def _flip_bytes(content: bytes) -> bytes:
    return content.replace(b"\x7f@\x7f@", b"\x7f@\x01@", 1)


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda _: b"not a database" * 100,
        lambda content: content[: len(content) // 2],
        lambda content: content[:5000] + bytes(5000) + content[10000:],
        _flip_bytes,
    ],
    ids=["empty", "other", "cut", "zeros", "flipped"],
)
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = _make_vector_file(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    with open_vectors(str(tmp_path), "m") as store:
        assert store.list_contents() == set()
        store.put_vectors("a", [[1.0, 0.0]])
    with open_vectors(str(tmp_path), "m") as store:
        cosines = read_store(store).compute_cosines([1.0, 0.0], multiply_with_numpy)
        assert cosines == {"a": pytest.approx(1.0, abs=0.01)}


OPEN = """
import sys
from cortexfs.catalog.embeddings.vector_file import open_vectors
with open_vectors(sys.argv[1], "m") as store:
    print(len(store.list_contents()))
"""


def _count_in_process(folder: Path) -> int:
    """Open the vectors in another process, which may hang."""
    argv = [sys.executable, "-c", OPEN, str(folder)]
    return int(subprocess.run(argv, check=True, timeout=20, capture_output=True).stdout)


def test_a_forged_journal_deletes_no_file(tmp_path: Path) -> None:
    victim = tmp_path / "precious"
    victim.write_text("precious")
    write_hot_journal(_make_vector_file(tmp_path), victim)
    assert _count_in_process(tmp_path) == 200
    assert victim.read_text() == "precious"


@pytest.mark.parametrize(
    "suffix", leave_to_soak(["", "-journal", "-wal", "-shm", ".seal"], every=4)
)
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_nobody_waits_for_a_pipe_or_folder_in_place_of_a_file(
    tmp_path: Path, suffix: str, make: Callable[[Path], object]
) -> None:
    path = Path(f"{_make_vector_file(tmp_path)}{suffix}")
    path.unlink(missing_ok=True)
    make(path)
    assert _count_in_process(tmp_path) == (200 if suffix in {"-journal", ".seal"} else 0)


@pytest.mark.parametrize(
    "schema",
    [
        """DROP TABLE vectors; CREATE VIEW vectors AS
        WITH RECURSIVE endless (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless)
        SELECT x AS content, x AS part, x'' AS row, 0 AS seal FROM endless;""",
        "CREATE TRIGGER sly AFTER DELETE ON about BEGIN DELETE FROM vectors; END;",
    ],
    ids=["view", "trigger"],
)
def test_a_file_with_a_foreign_schema_is_replaced(tmp_path: Path, schema: str) -> None:
    db = sqlite3.connect(_make_vector_file(tmp_path))
    db.executescript(schema)
    db.close()
    assert _count_in_process(tmp_path) == 0
