"""The words that may be compounds are counted as texts come and go."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_strategies import open_session, write_file, write_tree

from cortexfs.catalog.long_words import update_long_words

if TYPE_CHECKING:
    from pathlib import Path

    from cortexfs.session.session import Session

pytestmark = pytest.mark.usefixtures("full_text")
FOLDER = "projects/flywheel/knowledge"
GERMAN = "Die {} wird nicht mehr geschlossen, wenn sie noch verwendet wird.\n"
ENGLISH = "The {} is not closed when it is still in use by one of them.\n"
Lists = list[list[str]]
texts = st.lists(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), unique=True), max_size=5)


def _write(root: Path, number: int, text: str) -> None:
    head = f"---\nid: K-{number:03d}\nproject: flywheel\nsummary: \n---\n\n"
    write_file(root, f"{FOLDER}/K-{number:03d}.md", f"{head}{text}".encode())


def _read(session: Session) -> dict[str, int]:
    session.refresh()
    session.ingest_texts()
    rows = session.catalog.db.execute("SELECT word, reversed, texts FROM long_words")
    counts = {}
    for word, reverse, count in rows:
        assert reverse == word[::-1]
        counts[word] = count
    return counts


def test_words_are_counted_while_texts_and_their_languages_change() -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        _write(root, 1, GERMAN.format("Datenbankverbindung"))
        _write(root, 2, GERMAN.format("Datenbankverbindung"))
        counts = _read(session)
        assert counts["datenbankverbind"] == 2
        _write(root, 2, ENGLISH.format("Datenbankverbindung"))
        assert _read(session)["datenbankverbind"] == 1
        (root / FOLDER / "K-001.md").unlink()
        assert _read(session) == {}


@given(texts, texts)
def test_updates_in_two_steps_equal_one(first: Lists, second: Lists) -> None:
    before, after = ([" ".join(words) for words in each] for each in (first, second))
    stepwise, at_once = _make_table(), _make_table()
    update_long_words(stepwise, [], before)
    update_long_words(stepwise, before, after)
    update_long_words(at_once, [], after)
    sql = "SELECT word, texts FROM long_words ORDER BY word"
    assert stepwise.execute(sql).fetchall() == at_once.execute(sql).fetchall()


def _make_table() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE long_words (word TEXT PRIMARY KEY, reversed TEXT, texts INTEGER)")
    return db
