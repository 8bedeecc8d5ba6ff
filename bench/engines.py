"""The search methods that are compared: `find` with each full-text index, and plain FTS5."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench.scores import MAX_RANK, score_ranking
from bench.sets import SearchSet, open_tree
from cortexfs.catalog.content_queries import TextQueries
from cortexfs.catalog.full_text_backend import LARGE_TREE_VARIABLE, is_tantivy_installed
from cortexfs.core.find.query_parts import strip_operators
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bench.scores import Score
    from bench.sets import Question
    from cortexfs.session.session import Session

    Search = Callable[[str, int], list[str]]
    Rows = Iterable[tuple[str, str]]

OURS, LARGE, HYBRID = "cortexfs find", "cortexfs find, tantivy", "cortexfs find, vectors"
PLAIN = "FTS5 porter unicode61, OR"
PLAIN_SQL = "SELECT path FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?"


def score_engines(planted: SearchSet, asked: Sequence[Question]) -> dict[str, list[Score]]:
    """Score all questions with all engines."""
    engines = {OURS: make_find(planted.session), PLAIN: make_plain_search(planted.texts)}
    if hybrid := make_hybrid_find(planted.session):
        engines[HYBRID] = hybrid
    runs = {name: score_search(search, planted.names, asked) for name, search in engines.items()}
    if is_tantivy_installed():
        with copy_for_tantivy(planted) as copied:
            runs[LARGE] = score_search(make_find(copied.session), copied.names, asked)
    return runs


@contextmanager
def copy_for_tantivy(planted: SearchSet) -> Iterator[SearchSet]:
    """Yield a copy of a set whose tree counts as large."""
    known = os.environ.get(LARGE_TREE_VARIABLE)
    os.environ[LARGE_TREE_VARIABLE] = "0"
    try:
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
            root = Path(place, "tree")
            private = shutil.ignore_patterns(".git", ".cortexfs")
            shutil.copytree(planted.session.tree.root, root, ignore=private)
            session = open_tree(root)
            yield planted._replace(session=session)
            session.close()
    finally:
        del os.environ[LARGE_TREE_VARIABLE]
        if known is not None:
            os.environ[LARGE_TREE_VARIABLE] = known


def score_search(
    search: Search, names: Mapping[str, str], asked: Iterable[Question]
) -> list[Score]:
    """Score all questions with one engine."""
    return [
        score_ranking([names[path] for path in search(one.query, MAX_RANK)], frozenset(one.gold))
        for one in asked
    ]


def make_find(session: Session, *, corrected: bool = True) -> Search:
    """Return the search of `cortexfs find`, without refresh and snippets."""
    session.ingest_texts()
    queries, today = TextQueries(session.catalog, session.tree), session.clock().date()

    def search(query: str, most: int) -> list[str]:
        parsed = queries.parse_query(query, today, with_pages=False)
        if corrected:
            parsed = queries.parse_corrected_query(query, today, with_pages=False).query
        found = queries.search_atoms(parsed, today, most)
        return [one.atom.path for one in found]

    return search


def make_hybrid_find(session: Session) -> Search | None:
    """Return the search by words and vectors, with all texts embedded; None without a model."""
    session.ingest_texts()
    queries, today = TextQueries(session.catalog, session.tree), session.clock().date()
    with session.view_without_refresh() as view:
        model = view.find_model()
    if model is None or (embeddings := queries.open_embeddings(model)) is None:
        return None
    embeddings.embed_missing()

    def search(query: str, most: int) -> list[str]:
        parsed = queries.parse_corrected_query(
            query, today, with_pages=False, is_word=model.knows_word
        )
        cosines, _ = embeddings.compute_similarities(strip_operators(parsed.text, today))
        found = queries.search_atoms(parsed.query, today, most, lambda: cosines)
        return [one.atom.path for one in found]

    return search


def make_plain_search(texts: Mapping[str, str]) -> Search:
    """Return a search with SQLite's own tokens and stems, in one column."""
    return index_plainly(texts.items())


def index_plainly(rows: Rows) -> Search:
    """Return such a search of paths and texts, which are read once."""
    db = sqlite3.connect("")  # a file that SQLite removes, in memory as long as it is small
    fill_plain_index(db, rows)

    def search(query: str, most: int) -> list[str]:
        match = format_plain_query(query)
        return [path for (path,) in db.execute(PLAIN_SQL, (match, most))] if match else []

    return search


def fill_plain_index(db: sqlite3.Connection, rows: Iterable[tuple[str, str]]) -> None:
    """Fill the full-text index of SQLite alone, in one transaction."""
    columns = "path UNINDEXED, text, tokenize = 'porter unicode61'"
    db.execute(f"CREATE VIRTUAL TABLE plain USING fts5 ({columns})")
    with db:
        db.executemany("INSERT INTO plain VALUES (?, ?)", rows)


def format_plain_query(query: str) -> str:
    """Join the words of a question by OR, without our stop words."""
    return " OR ".join(f'"{word}"' for word in list_plain_words(query))


def list_plain_words(query: str) -> list[str]:
    """Return the words of a question in lower case, without our stop words."""
    words = re.findall(r"[^\W_]+", query.lower())
    content_words = [word for word in words if tokenize(word).words not in load_stop_words()]
    return content_words or words
