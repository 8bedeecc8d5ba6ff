"""The search methods that are compared: `find`, and plain SQLite FTS5."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

from bench.scores import MAX_RANK, score_ranking
from cortexfs.catalog.text_queries import TextQueries
from cortexfs.core.find.parse_query import parse_query, strip_operators
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.scores import Score
    from bench.sets import Question, SearchSet
    from cortexfs.session.session import Session

    Search = Callable[[str, int], list[str]]

OURS, PLAIN, HYBRID = "cortexfs find", "FTS5 porter unicode61, OR", "cortexfs find, vectors"
PLAIN_SQL = "SELECT path FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?"


def score_engines(planted: SearchSet, asked: Sequence[Question]) -> dict[str, list[Score]]:
    """Ask every question of every way of searching."""
    ways = {OURS: make_find(planted.session), PLAIN: make_plain_search(planted.texts)}
    if by_meaning := make_hybrid_find(planted.session):
        ways[HYBRID] = by_meaning
    return {name: score_search(search, planted.names, asked) for name, search in ways.items()}


def score_search(
    search: Search, names: Mapping[str, str], asked: Iterable[Question]
) -> list[Score]:
    """Ask every question, and compare what is found with what is right."""
    return [
        score_ranking([names[path] for path in search(one.query, MAX_RANK)], frozenset(one.gold))
        for one in asked
    ]


def make_find(session: Session) -> Search:
    """Search as `cortexfs find` does, the refresh and the snippets left out."""
    session.ingest_texts()
    within, today = TextQueries(session.catalog, session.tree), session.clock().date()

    def search(query: str, most: int) -> list[str]:
        found = within.search_atoms(parse_query(query, today), today, most)
        return [one.atom.path for one in found]

    return search


def make_hybrid_find(session: Session) -> Search | None:
    """Search by words and meaning, all texts embedded before; None where no model is installed."""
    session.ingest_texts()
    within, today = TextQueries(session.catalog, session.tree), session.clock().date()
    if (meaning := within.open_embeddings(session.reader.model)) is None:
        return None
    meaning.embed_missing()

    def search(query: str, most: int) -> list[str]:
        cosines, _ = meaning.compute_similarities(strip_operators(query, today))
        found = within.search_atoms(parse_query(query, today), today, most, cosines)
        return [one.atom.path for one in found]

    return search


def make_plain_search(texts: Mapping[str, str]) -> Search:
    """Search with SQLite's full text as it comes: its own tokens and stems, one column."""
    db = sqlite3.connect(":memory:")
    fill_plain_index(db, texts.items())

    def search(query: str, most: int) -> list[str]:
        asked = format_plain_query(query)
        return [path for (path,) in db.execute(PLAIN_SQL, (asked, most))] if asked else []

    return search


def fill_plain_index(db: sqlite3.Connection, rows: Iterable[tuple[str, str]]) -> None:
    """Make the full text of the engine alone, in one transaction."""
    columns = "path UNINDEXED, text, tokenize = 'porter unicode61'"
    db.execute(f"CREATE VIRTUAL TABLE plain USING fts5 ({columns})")
    with db:
        db.executemany("INSERT INTO plain VALUES (?, ?)", rows)


def format_plain_query(query: str) -> str:
    """Join the words of a question by OR, less those that our own search leaves out."""
    words = re.findall(r"[^\W_]+", query.lower())
    telling = [word for word in words if tokenize(word).words not in load_stop_words()]
    return " OR ".join(f'"{word}"' for word in telling or words)
